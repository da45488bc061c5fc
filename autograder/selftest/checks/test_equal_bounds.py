"""A search that takes an equal move for as good answers wrong, whatever its rule for ties is."""

import random
from collections.abc import Callable, Sequence
from functools import cache
from random import Random
from typing import Any, NamedTuple

import pytest

from autograder.author.cases.cutoff import equal_bounds
from autograder.author.cases.equal_bounds import equal_bound_trees
from autograder.author.cases.trees import judged
from autograder.questions import ROOT
from autograder.serving.cases import CutoffCase, SearchCase
from starter.games import Game, Move, State

SEEDS = range(20)
LEAST = 3  # cases that fail


class Tie(NamedTuple):
    """A move whose value equals the best one so far, and the states after both moves."""

    game: Game
    player: str
    v: float
    move: Move
    best_move: Move
    new: State
    old: State

    def replies_more(self) -> int:
        return len(self.game.actions(self.new)) - len(self.game.actions(self.old))

    def utility_more(self) -> float:
        new, old = (self.game.utility(state, self.player) for state in (self.new, self.old))
        return new - old


Search = Callable[..., tuple[float, Move]]
Maker = Callable[[Random], Sequence[SearchCase]]
Rule = Callable[[Tie], bool]  # says when a search takes the equal move
RULES: dict[str, Rule] = {
    "always": lambda tie: True,
    "by chance": lambda tie: random.random() < 0.5,
    "for X": lambda tie: tie.player == "X",
    "for O": lambda tie: tie.player == "O",
    "if it is drawn": lambda tie: tie.v == 0,
    "if it is won anyway": lambda tie: tie.v > 0,
    "for fewer replies": lambda tie: tie.replies_more() < 0,
    "for more replies": lambda tie: tie.replies_more() > 0,
    "if it is lost anyway": lambda tie: tie.v < 0,
    "for a larger utility": lambda tie: tie.utility_more() > 0,
    "for a smaller utility": lambda tie: tie.utility_more() < 0,
    "for as many replies": lambda tie: tie.replies_more() == 0,
    "for a longer game": lambda tie: tie.game.is_terminal(tie.old),
    "where both games go on": lambda tie: not tie.game.is_terminal(tie.old),
    "for the first name": lambda tie: tie.move < tie.best_move,
    "for the last name": lambda tie: tie.move > tie.best_move,
}


def search_with(rule: Rule, name: str, file: str) -> Search:
    """Return the solution's search, which also takes the equal moves that a rule prefers."""
    source = (ROOT / "solution" / file).read_text(encoding="utf-8")
    strictly = "if v2 > v:"
    assert source.count(strictly) == 1

    def better(game: Game, state: State, player: str, v: float, move: Move, best: Move) -> bool:
        new, old = game.result(state, move), game.result(state, best)
        return rule(Tie(game, player, v, move, best, new, old))

    arguments = "(game, state, player, v, move, best_move)"
    scope: dict[str, Any] = {"better": better}
    exec(source.replace(strictly, f"if v2 > v or (v2 == v and better{arguments}):"), scope)
    search: Search = scope[name]
    return search


def trees(rng: Random) -> list[SearchCase]:
    return [judged(["GameTree", tree, side]) for tree, side in equal_bound_trees(rng)]


def fails(search: Search, case: SearchCase) -> bool:
    """Does a search answer a case with a move that is not best?"""
    game, state = case.make_game(), case.make_state()
    options: dict[str, Any] = {}
    if isinstance(case, CutoffCase):
        cutoff, h_for_x = case.served().cutoff, case.served().h
        assert cutoff and h_for_x
        options["cutoff"] = lambda game, state, depth: cutoff(state, depth)
        options["h"] = lambda state, player: h_for_x(state) * (1 if player == "X" else -1)
    moves = game.actions(state)
    _, move = search(game, state, **options)
    return bool(moves) and moves.index(move) not in case.best


@cache
def made(maker: Maker) -> list[Sequence[SearchCase]]:
    """Return the cases of each seed."""
    return [maker(Random(seed)) for seed in SEEDS]


SEARCHES: dict[str, tuple[Maker, str, str]] = {
    "2": (trees, "alphabeta_search", "alphabeta.py"),
    "3": (equal_bounds, "h_alphabeta_search", "cutoff.py"),
}


@pytest.mark.parametrize("question", SEARCHES)
@pytest.mark.parametrize("rule", RULES)
def test_trees_of_every_seed_fail_every_rule(rule: str, question: str) -> None:
    maker, name, file = SEARCHES[question]
    search = search_with(RULES[rule], name, file)
    assert min(sum(fails(search, case) for case in cases) for cases in made(maker)) >= LEAST


@pytest.mark.parametrize("question", SEARCHES)
def test_a_right_search_answers_all_of_them(question: str) -> None:
    maker, name, file = SEARCHES[question]
    search = search_with(lambda tie: False, name, file)
    assert not any(fails(search, case) for cases in made(maker) for case in cases)
