"""Monte Carlo tree search judged by its record: right searches are explained, however they are
written, and what is no tree search is not, whatever its luck."""

from __future__ import annotations

import random
from collections.abc import Callable
from math import inf, log, sqrt
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from autograder.checks.implied_tree import ONE_WRONG, explained
from autograder.selftest.conftest import skip_unless_on
from autograder.serving.case_files import Cases
from autograder.serving.cases import PlayoutsCase
from autograder.serving.record import RecordingGame, RecordingState
from autograder.worker.inside.mcts import playout
from solution.mcts import Node, backprop, expand, monte_carlo_tree_search, simulate, ucb
from starter.games import Game

skip_unless_on("mcts")
CASES = [case for case in Cases().load("4.15") if isinstance(case, PlayoutsCase)]
RUNS = 4  # searches of each kind, on each case


Search = Callable[[Game, Any, int, float, random.Random], object]


def steps_found(search: Search, case: PlayoutsCase, seed: int) -> int | None:
    """Return the number of the playout that no UCB explains, None if every one is explained."""
    game = RecordingGame(case.make_game(), case.make_state())
    search(game, game.initial, case.playouts, case.C, random.Random(seed))
    tree, step = explained(game.record, case.playouts, case.C)
    if step is not None:
        return step.playout
    return None if tree.playouts >= case.playouts // 2 else 0


# --- right searches -------------------------------------------------------------------------------


def tree_search(
    choose: Callable[[Node, float], Node],
    take: Callable[[list[Node]], Node] = lambda children: children[0],
    play: Callable[..., float] = simulate,
) -> Search:
    """A search whose selection, choice of a new child and playouts can be varied."""

    def select(node: Node, C: float) -> Node:
        while node.children:
            node = choose(node, C)
        return node

    def grow(leaf: Node, game: Game) -> Node:
        expand(leaf, game)
        return take(list(leaf.children.values())) if leaf.children else leaf

    phases = SimpleNamespace(select=select, expand=grow, simulate=play, backprop=backprop)

    def search(game: Game, state: Any, playouts: int, C: float, rng: random.Random) -> None:
        root = Node(state)
        for _ in range(playouts):
            dict(playout(phases, game, root, C, rng))

    return search


def first_best(node: Node, C: float) -> Node:
    return max(node.children.values(), key=lambda child: ucb(child, C))


def any_best(node: Node, C: float) -> Node:
    bounds = [ucb(child, C) for child in node.children.values()]
    best = [c for c, bound in zip(node.children.values(), bounds) if bound == max(bounds)]
    return random.choice(best)


def single_precision(node: Node, C: float) -> Node:
    children = list(node.children.values())
    n = np.array([child.N for child in children], np.float32)
    with np.errstate(all="ignore"):
        bounds = np.array([child.U for child in children], np.float32) / n
        bounds += np.float32(C) * np.sqrt(np.log(np.float32(max(node.N, 1))) / n)
    return children[int(np.argmax(np.where(n == 0, np.float32(inf), bounds)))]


def remembering(game: Game, state: Any, playouts: int, C: float, rng: random.Random) -> None:
    """Asks for the utility of a terminal node only once."""
    known: dict[int, float] = {}  # by the node's place in the record

    def play(game: Game, place: RecordingState, rng: random.Random) -> float:
        if not game.is_terminal(place):
            return simulate(game, place, rng)
        if place.number not in known:
            known[place.number] = simulate(game, place, rng)
        return known[place.number]

    tree_search(first_best, play=play)(game, state, playouts, C, rng)


def asking_twice(game: Game, place: RecordingState, rng: random.Random) -> float:
    """A playout that asks for both players' utility at its end."""
    player = "O" if place.to_move == "X" else "X"
    while not game.is_terminal(place):
        place = game.result(place, rng.choice(game.actions(place)))
    return (game.utility(place, player) - game.utility(place, "XO"[player == "X"])) / 2


RIGHT: dict[str, Search] = {
    "the solution": lambda game, state, playouts, C, rng: monte_carlo_tree_search(
        game, state, playouts, C, rng
    ),
    "any of equals": tree_search(any_best),
    "float32": tree_search(single_precision),
    "any new child": tree_search(first_best, random.choice),
    "ends remembered": remembering,
    "asking twice": tree_search(any_best, play=asking_twice),
}
# Short games, in which playouts begin at terminal nodes again and again.
SHORT = [
    PlayoutsCase(number="4.15", game=spec, state=state, seed=0, playouts=150, C=C)
    for spec, state, C in (
        (["TicTacToe", 3, 3, 3], "XO./OX./...", 1.4),
        (["TicTacToe", 3, 3, 3], "X.O/.X./O..", 0.7),
        (["GameTree", [[1, -1], 0, [[2, -1], [0.5, 1]]], "X"], None, 1.4),
        (["GameTree", [[[0, 0], 0], [0, [0, 0]]], "O"], None, 1.4),
        (["GameTree", [[-1, 1], [1, [-1, 1]], -1], "O"], None, 2.0),
    )
]


@pytest.mark.slow
@pytest.mark.parametrize("name", RIGHT)
def test_right_search_is_explained(name: str) -> None:
    for case in [*CASES, *SHORT]:
        for seed in range(RUNS):
            assert steps_found(RIGHT[name], case, seed) is None, (case.game, case.state, seed)


# --- right tree searches whose simulate is wrong --------------------------------------------------


def taking_wins(game: Game, place: Any, rng: random.Random) -> float:
    """A playout that takes a win in one, and asks for the utility of each terminal node it sees."""
    player = "O" if place.to_move == "X" else "X"
    while not game.is_terminal(place):
        after = [game.result(place, move) for move in game.actions(place)]
        wins = [s for s in after if game.is_terminal(s) and game.utility(s, place.to_move) > 0]
        place = wins[0] if wins else game.result(place, rng.choice(game.actions(place)))
    return game.utility(place, player)


FORCED = [case for case in Cases().load("4.10") if isinstance(case, PlayoutsCase)]


@pytest.mark.slow
@pytest.mark.parametrize("case", [*CASES[:-1], *FORCED[:2], *FORCED[3:5]], ids=range(11))
def test_look_ahead_in_simulate_leaves_every_step_explained(case: PlayoutsCase) -> None:
    for seed in range(2):
        assert steps_found(tree_search(first_best, play=taking_wins), case, seed) is None, seed


def zero_to_one(game: Game, place: Any, rng: random.Random) -> float:
    return (simulate(game, place, rng) + 1) / 2


def test_one_wrong_rule_explains_a_search() -> None:
    wrong = {
        "result-from-0-to-1": tree_search(first_best, play=zero_to_one),
        "ucb-log2": by(lambda U, N, above, C: U / N + C * sqrt(log(above, 2) / N)),
    }
    for hint, search in wrong.items():
        found = set()
        for case in CASES[2:4]:
            game = RecordingGame(case.make_game(), case.make_state())
            search(game, game.initial, case.playouts, case.C, random.Random(1))
            record = game.record
            trees = (
                (rules, *explained(record, case.playouts, case.C, rules)) for rules in ONE_WRONG
            )
            found.add(tuple(rules.wrong for rules, _, step in trees if step is None))
        assert found == {(hint,)}


# --- what is no tree search -----------------------------------------------------------------------


def flat(pick: Callable[[list[Node], float, random.Random], Node]) -> Search:
    """Playouts from the root's children, in an order of one's own."""

    def search(game: Game, state: Any, playouts: int, C: float, rng: random.Random) -> None:
        root = Node(state)
        expand(root, game)
        for _ in range(playouts):
            child = pick(list(root.children.values()), C, rng)
            backprop(child, simulate(game, child.state, rng))

    return search


def bandit(children: list[Node], C: float, rng: random.Random) -> Node:
    return max(children, key=lambda child: ucb(child, C))


def one_move_most(children: list[Node], C: float, rng: random.Random) -> Node:
    """What makes a move known beforehand the most visited."""
    return children[0] if rng.random() < 0.5 else rng.choice(children)


def without_deepening(game: Game, state: Any, playouts: int, C: float, rng: random.Random) -> None:
    """Only the root is ever expanded; the rest of select and the loop are right."""
    root = Node(state)
    for _ in range(playouts):
        node = root
        while node.children:
            node = first_best(node, C)
        child = expand(node, game) if node is root else node
        backprop(child, simulate(game, child.state, rng))


def ended_early(game: Game, place: Any, rng: random.Random) -> float:
    """A playout of six moves at most; what is not over by then is a draw."""
    player = "O" if place.to_move == "X" else "X"
    for _ in range(6):
        if game.is_terminal(place):
            break
        place = game.result(place, rng.choice(game.actions(place)))
    return game.utility(place, player) if game.is_terminal(place) else 0


def by(bound: Callable[[float, int, int, float], float]) -> Search:
    """A tree search by another bound, of U, N, the parent's N and C."""

    def choose(node: Node, C: float) -> Node:
        return max(
            node.children.values(),
            key=lambda child: bound(child.U, child.N, node.N, C) if child.N else inf,
        )

    return tree_search(choose)


NO_TREE_SEARCH: dict[str, Search] = {
    "flat, at random": flat(lambda children, C, rng: rng.choice(children)),
    "a bandit at the root": flat(bandit),
    "one move most of the time": flat(one_move_most),
    "never deepened": without_deepening,
    "playouts ended early": tree_search(first_best, play=ended_early),
    "at random in the tree": tree_search(
        lambda node, C: random.choice(list(node.children.values()))
    ),
    "half of C": by(lambda U, N, above, C: U / N + C / 2 * sqrt(log(above) / N)),
    "C inside the root": by(lambda U, N, above, C: U / N + sqrt(C * log(above) / N)),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", NO_TREE_SEARCH)
def test_flat_search_fails_every_time(name: str) -> None:
    for seed in range(RUNS):
        found = [steps_found(NO_TREE_SEARCH[name], case, seed) for case in CASES]
        assert any(step is not None for step in found), seed
