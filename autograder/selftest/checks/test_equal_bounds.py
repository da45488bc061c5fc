"""A search that takes an equal move for as good answers wrong, whatever its rule for ties is."""

import random
from collections.abc import Callable, Sequence
from functools import cache
from random import Random
from typing import Any, NamedTuple

import pytest

from autograder.author.cases.cutoff import equal_bounds
from autograder.author.cases.equal_bounds import equal_bound_boards, equal_bound_trees
from autograder.author.cases.trees import judged
from autograder.questions import ROOT
from autograder.serving.case import Case
from autograder.serving.cases import CutoffCase, PositionsCase, SearchCase
from autograder.worker.inside.protocol import make_state
from starter.games import Game, Move, State

SEEDS = range(20)
LEAST = 3  # cases, or positions, that fail


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
Maker = Callable[[Random], Sequence[Case]]
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
}
NEVER_ON_BOARDS: dict[str, Rule] = {  # where a lost position has no worse moves
    "if it is lost anyway": lambda tie: tie.v < 0,
    "for a larger utility": lambda tie: tie.utility_more() > 0,
    "for a smaller utility": lambda tie: tie.utility_more() < 0,
    "for as many replies": lambda tie: tie.replies_more() == 0,
    "for a longer game": lambda tie: tie.game.is_terminal(tie.old),
    "where both games go on": lambda tie: not tie.game.is_terminal(tie.old),
    "for the first name": lambda tie: tie.move < tie.best_move,
    "for the last name": lambda tie: tie.move > tie.best_move,
}
ON_TREES = RULES | NEVER_ON_BOARDS
ON_BOARDS = RULES | {"for the centre": lambda tie: off_centre(tie.move) < off_centre(tie.best_move)}


def off_centre(move: Move) -> int:
    return abs(2 * move - 3) if isinstance(move, int) else 0


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


def failing(search: Search, case: Case) -> int:
    """Return how many positions of a case a search answers with a move that is not best."""
    game = case.make_game()
    if isinstance(case, PositionsCase):
        asked = [(make_state(game, state), best) for state, _, best in case.positions]
    else:
        assert isinstance(case, SearchCase)
        asked = [(case.make_state(), case.best)]
    options: dict[str, Any] = {}
    if isinstance(case, CutoffCase):
        cutoff, h_for_x = case.served().cutoff, case.served().h
        assert cutoff and h_for_x
        options["cutoff"] = lambda game, state, depth: cutoff(state, depth)
        options["h"] = lambda state, player: h_for_x(state) * (1 if player == "X" else -1)
    wrong = 0
    for state, best in asked:
        moves = game.actions(state)
        _, move = search(game, state, **options)
        wrong += bool(moves) and moves.index(move) not in best
    return wrong


@cache
def made(maker: Maker) -> list[Sequence[Case]]:
    """Return the cases of each seed."""
    return [maker(Random(seed)) for seed in SEEDS]


def fewest_failures(maker: Maker, search: Search) -> int:
    """Return how many positions a search answers wrong, for the seed where it is the fewest."""
    return min(sum(failing(search, case) for case in cases) for cases in made(maker))


@pytest.mark.parametrize("rule", ON_TREES)
def test_trees_of_question_2_fail_every_rule(rule: str) -> None:
    search = search_with(ON_TREES[rule], "alphabeta_search", "alphabeta.py")
    assert fewest_failures(trees, search) >= LEAST


@pytest.mark.parametrize("rule", ON_TREES)
def test_trees_of_question_3_fail_every_rule(rule: str) -> None:
    search = search_with(ON_TREES[rule], "h_alphabeta_search", "cutoff.py")
    assert fewest_failures(equal_bounds, search) >= LEAST


@pytest.mark.slow
@pytest.mark.parametrize("rule", ON_BOARDS)
def test_boards_of_question_2_fail_every_rule(rule: str) -> None:
    search = search_with(ON_BOARDS[rule], "alphabeta_search", "alphabeta.py")
    assert fewest_failures(equal_bound_boards, search) >= LEAST


def test_a_right_search_answers_all_of_them() -> None:
    searches = (
        (trees, "alphabeta_search", "alphabeta.py"),
        (equal_bounds, "h_alphabeta_search", "cutoff.py"),
    )
    for maker, name, file in searches:
        search = search_with(lambda tie: False, name, file)
        assert not any(failing(search, case) for cases in made(maker) for case in cases)
