"""Messages name no cause that the record of a search does not prove.

Each submission here once got a false message.
"""

from __future__ import annotations

import re
from functools import cache

import pytest

from autograder.feedback.report import PAPER, Screen, as_text, message
from autograder.feedback.results import Outcome, Result
from autograder.grading.grade import grade
from autograder.questions import ROOT
from autograder.selftest.support.findings import some_finding
from autograder.submission import Submission

UTILITY_OF_ITS_OWN = """
from math import inf

def cutoff_depth(d):
    return lambda game, state, depth: depth > d

def h_alphabeta_search(game, state, cutoff=cutoff_depth(6), h=lambda state, player: 0):
    player = state.to_move

    def value(state, alpha, beta, depth):
        if game.is_terminal(state):
            won = getattr(state, "outcome", "draw")
            return (0 if won == "draw" else 1 if won == player else -1), None
        if cutoff(game, state, depth):
            return h(state, player), None
        high = state.to_move == player
        v, best = -inf if high else inf, None
        for move in game.actions(state):
            w, _ = value(game.result(state, move), alpha, beta, depth + 1)
            if (w > v) if high else (w < v):
                v, best = w, move
            if high:
                alpha = max(alpha, v)
            else:
                beta = min(beta, v)
            if alpha >= beta:
                break
        return v, best

    return value(state, -inf, inf, 0)
"""
ROOT_PASSES_MINUS_INF = (
    (ROOT / "solution" / "alphabeta.py")
    .read_text(encoding="utf-8")
    .replace(
        "    return max_value(game, state, player, -inf, inf)",
        """    if game.is_terminal(state):
        return game.utility(state, player), None
    v, best = -inf, None
    for move in game.actions(state):
        w, _ = min_value(game, game.result(state, move), player, v, -inf)
        if w > v:
            v, best = w, move
    return v, best""",
    )
)
NEGAMAX = """
from math import inf

def alphabeta_search(game, state):
    return negamax(game, state, state.to_move, -inf, inf)

def max_value(game, state, player, alpha, beta):
    return negamax(game, state, player, alpha, beta)

def min_value(game, state, player, alpha, beta):
    v, move = negamax(game, state, "XO"[player == "X"], -beta, -alpha)
    return -v, move

def negamax(game, state, mover, alpha, beta):
    other = "XO"[mover == "X"]
    if game.is_terminal(state):
        return game.utility(state, mover), None
    v, best = -inf, None
    for move in game.actions(state):
        v2 = -negamax(game, game.result(state, move), other, -beta, -alpha)[0]
        if v2 > v:
            v, best = v2, move
        if v >= beta:
            return v, best
        alpha = max(alpha, v)
    return v, best
"""
NO_ALPHA = NEGAMAX.replace("        alpha = max(alpha, v)\n", "")
EARLY = NEGAMAX.replace("if v >= beta:", "if v >= beta - 9:")


@cache
def graded(file: str, source: str, number: str) -> Result:
    """Grade one file on one test, which it fails."""
    (result,) = grade(Submission({file: source.encode()}), question=number).results
    assert result.outcome is Outcome.FAILED
    return result


def message_of(file: str, source: str, number: str) -> str:
    """The message in one line."""
    return " ".join(as_text(graded(file, source, number)).split())


@pytest.mark.parametrize("number", ["3.1", "3.2", "3.3", "3.4", "3.5", "3.6", "3.7", "3.14"])
def test_a_terminal_node_without_utility_is_named_as_that(number: str) -> None:
    text = message_of("cutoff.py", UTILITY_OF_ITS_OWN, number)
    assert "utility was not asked for at " in text
    assert "too early" not in text and "only a bound" not in text


def test_a_wrong_bound_is_not_called_another_one() -> None:
    text = message_of("alphabeta.py", ROOT_PASSES_MINUS_INF, "2.1")
    assert "a (#1) was called with alpha = -inf, beta = -inf; expected beta = inf the" in text


def test_swapped_bounds_at_the_root_are_named() -> None:
    source = (ROOT / "solution" / "alphabeta.py").read_text(encoding="utf-8")
    swapped = source.replace("player, -inf, inf)", "player, inf, -inf)")
    assert "and beta = inf alpha and beta are swapped" in message_of("alphabeta.py", swapped, "2.1")


def test_missed_prune_of_negamax_is_reported_with_its_own_bounds() -> None:
    text = message_of("alphabeta.py", NO_ALPHA, "2.3")
    assert re.search(r"expected: b returns as soon as v = -?\d+ >= beta = -?\d+ ", text)
    assert "here v and the bound are as O sees them" in text
    assert "b was called with beta = inf" in text


def test_early_prune_of_negamax_is_reported_with_its_own_bounds() -> None:
    text = message_of("alphabeta.py", EARLY, "2.1")
    assert "a MIN node does that only where v >= beta, and -8 >= -4 is false" in text
    assert "here v and the bound are as O sees them" in text


def test_negamax_is_not_accused_of_the_wrong_side() -> None:
    text = message_of("alphabeta.py", EARLY, "2.1")
    assert "called utility(state, 'O'), and MAX is X" in text
    assert "right only if the sign of every value changes from node to node" in text


@pytest.mark.parametrize("screen", [PAPER, Screen(80, 17), Screen(60, 17)])
def test_a_named_mistake_is_not_cut(screen: Screen) -> None:
    one = "min_value returned the smallest value it had seen in any call before, " * 2 + "one"
    result = Result("2.1", "label", 1, outcome=Outcome.FAILED, finding=some_finding())
    result.diagnosis = f"{one}, or if two"
    text = " ".join(message(result, screen))
    assert f"what you would get if {one}" in text and "..." not in text


def test_flipped_sign_is_not_blamed_on_the_value_that_v_begins_with() -> None:
    source = (ROOT / "solution" / "minimax.py").read_text(encoding="utf-8")
    head, _, tail = source.rpartition("return v, best_move")
    text = message_of("minimax.py", f"{head}return -v, best_move{tail}", "1.3")
    assert "only the sign is wrong" in text
    assert "check the value that v begins with" not in text
