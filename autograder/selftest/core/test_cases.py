"""Cases: each test has a maker and a random stream, each kind of case a class."""

import base64
import json
import re
import sys
import tracemalloc
import zlib

import pytest

from autograder.author.bank import read_known_mistakes
from autograder.author.cases import LONGEST_LINE, PUBLIC_SEED, format_json, selection
from autograder.author.cases.__main__ import main
from autograder.author.cases.registry import MAKERS, UnfitCase, load_makers, make_cases
from autograder.author.cases.selection import (
    MIN_EXPOSING,
    count_characters,
    draw_until_exposed,
    select_cases,
    select_passed_by,
)
from autograder.author.cases.trees import solve_game
from autograder.author.graded_tests import read_graded_tests
from autograder.author.programs import find_mistakes
from autograder.checks.search.search_findings import needs_values
from autograder.errors import GraderFault, UsageError
from autograder.questions import QUESTIONS, find_question
from autograder.selftest.support.commands import run_cli
from autograder.serving.case import Case
from autograder.serving.case_files import FOLDER, Cases
from autograder.serving.cases import KINDS, PositionsCase, SearchCase

NUMBERS = [test.number for test in read_graded_tests()]
LONG = (  # theirs take more than two seconds: most are selected from many
    *("1.2", "1.3", "2.1", "2.2", "2.3", "2.4", "2.5", "2.6", "2.8", "2.9", "3.1", "3.2", "3.3"),
    *("3.4", "3.5", "3.6", "3.14", "4.1", "4.4", "4.8", "4.10", "5.1", "5.2", "5.5", "6.5"),
)


def test_every_graded_test_has_a_maker_and_every_maker_a_test():
    assert list(load_makers()) == NUMBERS


def test_pruning_is_not_judged_without_values():
    """A test of pruning could never fail on a case without the positions' values."""
    case = solve_game(["Nim", [1, 2]])
    for absent, needed in ((("missed-cut/max",), True), (("wrong-value",), False)):
        assert needs_values(case, absent) is needed
    assert not needs_values(solve_game(["GameTree", [[1, 2], [3, 4]], "X"]), ("missed-cut/max",))


def test_missing_maker_is_reported_in_one_line(monkeypatch, capsys):
    load_makers()
    monkeypatch.delitem(MAKERS, "5.3")
    monkeypatch.setattr(sys, "argv", ["cases", "--question", "5"])
    assert main() == 2
    said = 'test 5.3: there is nothing under @cases_of("5.3") in autograder/author/cases'
    assert capsys.readouterr().err.splitlines() == [f"nothing was written: {said}"]


def test_mistake_that_passes_cases_with_a_seed_has_no_mark_there():
    """A submission that draws other random moves would differ from it in any case."""
    mistakes = find_mistakes(find_question("4.7"))
    at = [entry.name for entry in mistakes].index("mcts_select_alternates")
    marks, _ = Cases().mistakes("4.7")
    assert [n for n, found in marks.items() if any(at in it for it in found.values())] == ["4.1"]


@pytest.mark.parametrize(
    "number", [pytest.param(n, marks=[pytest.mark.nightly] * (n in LONG)) for n in NUMBERS]
)
def test_public_cases_are_made_from_the_public_seed(number):
    on_disk, fresh = Cases().load(number), make_cases(number, PUBLIC_SEED)
    as_read = json.loads(json.dumps([case.plain() for case in fresh]))
    assert [case.plain() for case in on_disk] == as_read, "make cases"
    assert [case.name for case in on_disk] == [case.name for case in fresh]


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda row: row.number)
def test_the_public_cases_name_the_mistakes_that_the_bank_names(question):
    text = (FOLDER / f"{question.name}.json").read_text(encoding="utf-8")
    content = json.loads(text)
    assert text == format_json(content) + "\n" and max(map(len, text.split("\n"))) < LONGEST_LINE
    own = [wrong for wrong in read_known_mistakes() if wrong.question == question.number]
    assert content["says"] == [wrong.says for wrong in own], "make cases"


@pytest.mark.parametrize(
    ("cases", "said"),
    [
        (
            [solve_game(["GameTree", [1, 1.000001], "X"])],
            "1 and 1.000001 lie too close together: {'game': ['GameTree', ",
        ),
        ([Case(game=["TicTacToe"]), solve_game(["GameTree", [1, 2], "X"])], "the cases are not"),
        ([], "the cases are not of one kind"),
    ],
)
def test_cases_that_do_not_fit_are_refused_with_their_test(cases, said, monkeypatch):
    load_makers()
    monkeypatch.setitem(MAKERS, "2.3", lambda rng: cases)
    with pytest.raises(UnfitCase, match=f"^{re.escape(f'test 2.3: {said}')}"):
        make_cases("2.3", 1)


@pytest.mark.slow
def test_rare_mistakes_are_exposed_by_enough_cases():
    """A few of many trees have a bound of 0, which a known mistake takes for none."""
    usual = [solve_game(["GameTree", [n, [n - 2, 99]], "X"]) for n in range(2, 40)]
    rare = [solve_game(["GameTree", [0, [n, 9]], "X"]) for n in range(-40, -30)]
    chosen = select_cases([*usual, *rare], "2.3", 8)
    assert sum(0 in case.game[1] for case in chosen) >= MIN_EXPOSING
    assert len(chosen) == 8 and [*map(count_characters, chosen)] == sorted(
        map(count_characters, chosen)
    )
    assert select_cases([*usual, *rare], "2.3", 8) == chosen


def test_cases_that_a_mistake_fails_are_left_out():
    passed, failed = (solve_game(["GameTree", [n, [n - 2, 9]], "X"]) for n in (2, 0))
    found = select_passed_by({"alphabeta_alpha_taken_for_false"}, [passed, failed], "2.3")
    assert [*found] == [passed]


def test_drawing_ends_where_no_case_exposes_a_mistake(monkeypatch):
    monkeypatch.setattr(selection, "MAX_DRAWS", 3)
    with pytest.raises(ValueError, match=r"^test 1\.7: \d+ mistakes are hardly exposed$"):
        draw_until_exposed(lambda: PositionsCase(game=["TicTacToe"], positions=[]), "1.7")


@pytest.mark.parametrize("number", NUMBERS)
def test_case_survives_a_round_trip(number):
    for case in Cases().load(number):
        assert KINDS[type(case).__name__].from_plain(number, case.index, case.plain()) == case
        assert Cases().only(case.name).load(number) == [case]


def text_of(data: object) -> str:
    return "~" + base64.urlsafe_b64encode(zlib.compress(json.dumps(data).encode())).decode()


SEARCH = {"game": ["GameTree", [1, 2], "X"], "value": 2, "best": [1]}
MATCH = {"game": ["ConnectFour"], "seed": 1, "function": "mcts.select", "options": {}, "plies": 2}
PHASE = {"game": ["TicTacToe"], "nodes": [[[], 1.0, 1]]}
NESTED: object = 1
for _ in range(900):
    NESTED = [NESTED]


@pytest.mark.parametrize(
    ("number", "data"),
    [
        # data that would become code, or be looked up by name
        ("3.12", MATCH | {"options": {"playouts=1); import os; print(": 1}}),
        ("3.12", MATCH | {"function": "minimax.exec"}),
        ("2.3", SEARCH | {"function": "alphabeta.__class__"}),
        ("2.3", SEARCH | {"index": 3}),
        # data that takes the machine's memory or time
        ("1.8", {"game": ["TicTacToe", 3000, 3000, 3]}),
        ("1.8", {"game": ["Hex", 300]}),
        ("1.8", {"game": ["Othello", 300]}),
        ("1.8", {"game": ["Nim", [10**9]]}),
        ("1.8", {"game": ["Pig", 10**9]}),
        ("2.3", SEARCH | {"game": ["GameTree", NESTED, "X"]}),
        ("2.3", SEARCH | {"best": [0] * 10_001}),
        ("2.9", SEARCH | {"most": 10**9}),
        ("4.6", {"game": ["TicTacToe"], "seed": 1, "playouts": 10**9}),
        # data that fits no position of its game
        ("2.3", SEARCH | {"best": [7]}),
        ("2.3", SEARCH | {"function": "alphabeta.max_value"}),
        ("1.7", {"game": ["TicTacToe"], "positions": [["nonsense", 0, [0]]]}),
        ("3.5", SEARCH | {"squares": [1, 2]}),
        ("3.11", {"game": ["TicTacToe"], "better": "." * 9, "worse": "", "side": "X", "why": ""}),
        ("3.12", MATCH | {"function": ""}),
        ("4.8", {"game": ["Nim", [0]], "seed": 1, "playouts": 9, "nodes": [[[], 1.0, 1]]}),
        ("4.1", PHASE | {"nodes": [[[0], 1.0, 1]], "leaf": [], "C": 1.0}),
        ("4.5", PHASE | {"nodes": [[[], 1.0, 1]], "utility": 1.0, "after": [[[0], 1.0, 1]]}),
        # data of another type
        ("1.8", {"game": ["os"]}),
        ("1.8", {"game": ["TicTacToe"], "state": "../../etc/passwd"}),
        ("4.2", PHASE | {"nodes": [[[], 1.0]]}),
    ],
)
def test_a_case_read_from_text_is_data_of_its_kind(number, data):
    for good in (SEARCH, PHASE):
        Cases().only(f"{'2.3' if good is SEARCH else '4.2'}/{text_of(good)}")
    with pytest.raises(UsageError, match=r"^this is no case of test"):
        Cases().only(f"{number}/{text_of(data)}")


def test_case_that_no_judge_can_read_is_refused_in_one_line():
    """Such a case passes its own check, but asks for more plies than its game has."""
    name = f"3.12/{text_of(MATCH | {'function': 'cutoff.h_alphabeta_search', 'plies': 100})}"
    for command in (("test", "--case", name, "solution"), ("try", name)):
        done = run_cli(*command)
        assert done.returncode == 2
        assert done.stderr.splitlines()[-1].endswith(
            "this is no case of test 3.12: copy all of it, number and text"
        )


@pytest.mark.parametrize(
    "text",
    [
        b"[" * 100_000,
        b'{"game": ' + b"[" * 100_000,
        b'{"game": ["GameTree", [0' + b",0" * 5_000_000 + b'], "X"]}',
        b'{"game": ["GameTree", [1, NaN], "X"], "value": 1, "best": [0]}',
        b'{"game": ["GameTree", [1, 2], "X"], "value": Infinity, "best": [0]}',
        b"1" * 100_000,
        b"\xff",
    ],
    ids=["brackets", "more", "bomb", "NaN", "Infinity", "number", "no-text"],
)
def test_a_text_that_is_no_json_or_too_long_is_refused_before_it_is_built(text):
    token = "~" + base64.urlsafe_b64encode(zlib.compress(text, 9)).decode()
    tracemalloc.start()
    with pytest.raises(UsageError, match=r"^the case's text is damaged"):
        Cases().only(f"2.3/{token}")
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 2_000_000, "bytes"


GAME = ["GameTree", [1, 2], "X"]


@pytest.mark.parametrize(
    ("number", "said"),
    [
        ("2.4", r"2\.4/None is no SearchCase: .*unexpected.*'depth'"),
        ("2.5", "no cases for test 2.5"),
        ("2.8", r"2\.8/None is no SearchCase: value is 'two'"),
        ("5.1", "no cases for test 5.1"),
        ("1.1", r"the cases in minimax\.json can't be read"),
        ("3.1", r"the cases in cutoff\.json can't be read"),
    ],
)
def test_cases_that_cannot_be_read_are_the_graders_fault(number, said, tmp_path):
    cases = {
        "2.1": [{"game": GAME, "value": 2, "best": [1]}],
        "2.4": [{"game": GAME, "value": 2, "best": [1], "depth": 3}],
        "2.5": [{"game": GAME}],
        "2.8": [{"game": GAME, "value": "two", "best": [1]}],
    }
    kinds = dict.fromkeys(cases, "SearchCase") | {"2.5": "NoSuchCase"}
    content = {"public": False, "kinds": kinds, "cases": cases}
    (tmp_path / "alphabeta.json").write_text(json.dumps(content))
    (tmp_path / "minimax.json").write_text("{")
    (tmp_path / "expectiminimax.json").write_text("[]")
    good = SearchCase(number="2.1", game=GAME, value=2, best=[1])
    assert Cases(tmp_path).load("2.1") == [good]  # what is beside it does not matter
    with pytest.raises(GraderFault, match=said):
        Cases(tmp_path).load(number)
