"""Right searches in unusual styles get no explanation, and may round."""

from typing import Any

import pytest

from autograder.checks.search.call_check import check_call
from autograder.checks.search.cutoff_heuristic import expect_antisymmetric, has_threat
from autograder.checks.search.recorded_calls import read_calls
from autograder.checks.search.replay import read_values
from autograder.selftest.support.banks import SOLUTION_FILES, read_right_entry
from autograder.selftest.support.students import start_student
from autograder.serving.case_files import Cases
from autograder.serving.cases import HeuristicCase, SearchCase

SERVED = {"cutoff": {"cutoff": "served"}, "h": {"h": "served"}}
# For each file: tests with cases for it, the function that they call, and its other arguments.
ASKED: dict[str, tuple[list[str], str, dict[str, Any]]] = {
    "minimax.py": (["1.1", "1.4"], "minimax.minimax_search", {}),
    "alphabeta.py": (["2.4", "2.8"], "alphabeta.alphabeta_search", {}),
    "cutoff.py": (["3.3", "3.6"], "cutoff.h_alphabeta_search", SERVED),
    "expectiminimax.py": (["5.3", "5.4"], "expectiminimax.expectiminimax_search", {}),
}
# Styles that return bounds, take values from another side or on another scale, yield, or recurse
# in unusual ways.
STYLES = (
    *("fail_hard", "generators", "hyperbolic", "large_sentinels", "mirrored_game", "negamax"),
    *("one_loop_for_all", "recursion_over_siblings", "seen_from_both_sides", "thirds"),
)
SOLVED = [("", file) for file in ASKED]
WRITTEN = [
    (style, file) for style in STYLES for file in read_right_entry(style).files if file in ASKED
]


@pytest.mark.slow
@pytest.mark.parametrize(("style", "file"), [*SOLVED, *WRITTEN])
def test_right_search_gets_no_explanation(style, file):
    files = read_right_entry(style).files if style else SOLUTION_FILES
    numbers, search, options = ASKED[file]
    watched = 0
    with start_student({**SOLUTION_FILES, file: files[file]}, watch=True) as student:
        for case in (case for number in numbers for case in Cases().load(number)):
            assert isinstance(case, SearchCase)
            student.begin(20)
            window = (case.player, case.alpha, case.beta) if case.function else ()
            server = student.serve(case.function or search, case, *window, **options).server
            watched += bool(server.call_args)
            calls = read_calls(server, case)
            if calls and calls.uses_the_same_scale():
                assert not list(check_call(calls, 0, calls.window)), case.name
    assert watched > 10


def test_values_below_a_chance_root_are_x_s():
    cases = [case for case in Cases().load("5.1") if isinstance(case, SearchCase)]
    case = next(
        case for case in cases if case.make_state().to_move == "chance" and case.values.get("a/a")
    )
    game, root, value = case.make_game(), case.make_state(), read_values(case)
    mean = sum(p * value(game.result(root, outcome)) for p, outcome in game.outcomes(root))
    assert mean == pytest.approx(case.value)


# In single precision h is the difference of two larger numbers here, and has their rounding error.
POSITIONS = [
    "......./.X...../.O...../.X...O./.O.OXX./.XOXXO. O",
    "......./......./......./...O.../..XO.../..XOX..",
]
CASE = HeuristicCase(number="3.9", game=["ConnectFour", 6, 7, 4], positions=POSITIONS)


def test_lines_of_four_end_at_the_edge_of_the_board():
    """A position may name the player to move after its last row."""
    rows = "/".join(["......."] * 5 + ["...OOO. O"])
    assert has_threat(rows, "O") and not has_threat(rows, "X")
    assert not has_threat(rows.replace("...OOO.", ".....OO/O......"), "O")
    assert has_threat(POSITIONS[1], "XO")


def test_single_precision_is_antisymmetric():
    with start_student(read_right_entry("single_precision").files) as student:
        student.begin(60)
        expect_antisymmetric(student, CASE)
