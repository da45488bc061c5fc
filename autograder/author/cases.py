"""Generates the cases of the graded tests from the solution: `python -m autograder.author.cases`.

Everything random comes from one seed: the public cases, which students have, from a fixed one, the
secret cases of a release from its own. Cases of one test stand from small to large.
"""

from __future__ import annotations

import json
import random
import shutil
import tempfile
from collections.abc import Callable, Collection, Sequence
from itertools import pairwise
from math import inf, log, sqrt
from pathlib import Path
from string import ascii_lowercase
from typing import Any

from autograder.author.mistakes import add_mistakes
from autograder.cases import CASES
from autograder.inside.protocol import make_game, make_state
from autograder.judge.matches import opening
from autograder.judge.replay import Replay
from autograder.judge.values import TOLERANCE
from autograder.questions import QUESTIONS
from autograder.record import Recorded
from autograder.referee import h_of
from autograder.report import write_whole
from solution.alphabeta import alphabeta_search
from solution.cutoff import connect_four_heuristic, cutoff_depth, h_alphabeta_search
from solution.mcts import Node, monte_carlo_tree_search, select, ucb
from solution.minimax import minimax_search
from starter.games import ConnectFour, Game, GameTree, Move, State, TicTacToe, other

PUBLIC_SEED = 1
TTT = ["TicTacToe", 3, 3, 3]
C4 = ["ConnectFour", 6, 7, 4]
Tree = Any  # nested lists with numbers as leaves
# Kinds of cut-offs: (side, deep, equal), see `expect_cutoffs`.
PLAIN_MIN, PLAIN_MAX = ("min", False, False), ("max", False, False)
PLAIN = {PLAIN_MIN, PLAIN_MAX}
DEEP = {("min", True, False), ("max", True, False)}
EQUAL = {("min", False, True), ("max", False, True)}


# --- true values and best moves -------------------------------------------------------------------


def best_moves(game: Game, state: State, value: float) -> list[int]:
    """Return the indices of all moves that keep `value` for the player to move."""
    found = []
    for i, move in enumerate(game.actions(state)):
        child = game.result(state, move)
        reply = (
            game.utility(child, child.to_move)
            if game.is_terminal(child)
            else alphabeta_search(game, child)[0]
        )
        if -reply == value:
            found.append(i)
    return found


def judged(spec: list, state: Any = None) -> dict:
    """A case that asks for value and best move of a position; an explicit tree has `values`."""
    game = make_game(spec)
    here = make_state(game, state)
    value, _ = minimax_search(game, here)
    case = {"game": spec, "value": value, "best": best_moves(game, here, value)}
    if spec[0] == "GameTree" and state is None:
        case["values"] = inner_values(spec[1], spec[2], {})
    return case if state is None else {**case, "state": state}


def judged_position(game: Game, state: State) -> list:
    """A position with its value and best moves, in a list of many."""
    value, _ = alphabeta_search(game, state)
    return [state.key, value, best_moves(game, state, value)]


def inner_values(tree: Tree, to_move: str, cut: dict[str, float]) -> dict[str, float]:
    """The true value of each inner node for the player at the root; `cut` nodes count as leaves."""
    game = GameTree(stopped(tree, cut), to_move)
    values = dict(cut)

    def visit(state: State) -> None:
        if game.is_terminal(state):
            return
        value = minimax_search(game, state)[0]
        values[state.key] = value if state.to_move == to_move else -value
        for move in game.actions(state):
            visit(game.result(state, move))

    visit(game.initial)
    if to_move == "O":
        values.update({path: -value for path, value in cut.items()})
    return values


def stopped(tree: Tree, cut: dict[str, float], path: str = "") -> Tree:
    """The tree with each node of `cut` made a leaf with the value it has there (for X)."""
    if path in cut:
        return cut[path]
    if not isinstance(tree, list):
        return tree
    return [stopped(child, cut, path + ascii_lowercase[i]) for i, child in enumerate(tree)]


# --- trees ----------------------------------------------------------------------------------------


def random_tree(
    rng: random.Random, depth: int, leaf: Callable[[], float], widths: tuple, uneven: float = 0.0
) -> Tree:
    """A tree of at most `depth` plies; with chance `uneven` a branch ends early."""
    if depth == 0 or rng.random() < uneven:
        return leaf()
    width = rng.choice(widths)
    return [random_tree(rng, depth - 1, leaf, widths, uneven) for _ in range(width)]


def some_numbers(rng: random.Random) -> Callable[[], float]:
    """Numbers of one kind: small with many ties, wide, or with fractions."""
    kind = rng.randrange(3)
    if kind == 0:
        return lambda: rng.randint(-3, 3)
    if kind == 1:
        return lambda: rng.randint(-1000, 1000)
    return lambda: round(rng.uniform(-9, 9), 2)


def tenths(rng: random.Random) -> Callable[[], float]:
    """Numbers that lie close together, all of one sign: who rounds them or a bound is found out."""
    sign = rng.choice((-1, 1))
    return lambda: sign * rng.randint(0, 30) / 10


def thousandths(rng: random.Random) -> Callable[[], float]:
    """Numbers that lie even closer together: a margin of a hundredth is found out."""
    first = rng.randint(101, 999)
    return lambda: (first + rng.randint(0, 20)) / 1000


def leaves(tree: Tree) -> list[float]:
    return [leaf for child in tree for leaf in leaves(child)] if isinstance(tree, list) else [tree]


def with_leaves(tree: Tree, new: dict[float, float]) -> Tree:
    """The tree with other numbers at its leaves."""
    return [with_leaves(child, new) for child in tree] if isinstance(tree, list) else new[tree]


# No half: rounded to one decimal or to a whole number each is another.
EIGHTHS = (0.125, 0.25, 0.375, 0.625, 0.75, 0.875)


def renumbered(rng: random.Random, tree: Tree) -> Tree:
    """The tree with other numbers in the same order: negative, 0, between 0 and 1, or 2 and more.

    So everything that a shape is made for stays: which moves are best, and what tempts.
    """
    old = sorted(set(leaves(tree)))
    small = sum(0 < number < 1 for number in old)
    below, above = sum(number < 0 for number in old), sum(number >= 1 for number in old)
    numbers = [
        *sorted(rng.sample(range(-60, -1), below)),
        *([0] if 0 in old else []),
        *sorted(rng.sample(EIGHTHS, small)),
        *sorted(rng.sample(range(2, 61), above)),
    ]
    new = with_leaves(tree, dict(zip(old, numbers)))
    assert len(numbers) == len(old)
    assert judged(["GameTree", new, "X"])["best"] == judged(["GameTree", tree, "X"])["best"]
    return new


def check_apart(case: dict) -> None:
    """Assert that rounding within the tolerance takes no number of a case for another."""
    numbers = [*leaves(case["game"][1]), *case.get("h", {}).values()]
    numbers += [case[bound] for bound in ("alpha", "beta") if bound in case]
    numbers = sorted(set(numbers))
    for low, high in pairwise(numbers):
        assert high - low >= 500 * TOLERANCE * max(1, abs(low), abs(high)), (low, high)


def chain(plies: int, end: Tree) -> Tree:
    """A tree with so many single moves before its end."""
    return [chain(plies - 1, end)] if plies else end


def size(tree: Tree) -> int:
    return 1 + sum(map(size, tree)) if isinstance(tree, list) else 1


def random_trees(rng: random.Random, count: int, depths: tuple) -> list[Tree]:
    """Different kinds of trees, from small to large; each has a decision at the root."""
    trees: list[Tree] = []
    while len(trees) < count:
        depth = depths[len(trees) % len(depths)]
        tree = random_tree(rng, depth, some_numbers(rng), (1, 2, 2, 3), rng.choice((0, 0.25)))
        if isinstance(tree, list) and len(tree) > 1 and size(tree) <= 60:
            trees.append(tree)
    return sorted(trees, key=size)


def chances_to_cut(tree: Tree, to_move: str, values: dict[str, float]) -> list[tuple]:
    """The kinds of cut-offs, (side, deep, equal), that a search without pruning would miss."""
    game = GameTree(tree, to_move)
    recorded = Recorded(game, game.initial)

    def value(state: State) -> float:
        if game.is_terminal(state):
            return game.utility(state, to_move)
        return values[state.key]

    def visit(state: State) -> None:
        if recorded.is_terminal(state):
            recorded.utility(state, to_move)
        for move in recorded.actions(state):
            visit(recorded.result(state, move))

    visit(recorded.initial)
    return [(cut.side, cut.deep, cut.equal) for cut in Replay(recorded.record, value).missed]


def pruning_cases(
    rng: random.Random,
    count: int,
    wanted: set[tuple],
    depth: int,
    ties: bool,
    largest: int = 45,
    widths: tuple = (2, 2, 3),
) -> list[dict]:
    """Trees on which a search without pruning misses every kind of cut-off that is wanted."""
    cases: list[dict] = []
    while len(cases) < count:
        numbers = (
            [rng.randint(0, 9) for _ in range(200)] if ties else rng.sample(range(-99, 100), 199)
        )
        tree = random_tree(rng, depth, numbers.pop, widths, 0.05)
        if not isinstance(tree, list) or size(tree) > largest:
            continue
        to_move = rng.choice("XXO")
        values = inner_values(tree, to_move, {})
        if wanted <= set(chances_to_cut(tree, to_move, values)):
            cases.append(judged(["GameTree", tree, to_move]))
    return sorted(cases, key=lambda case: size(case["game"][1]))


def forgotten_bounds() -> list[dict]:
    """Trees for those who set a bound to v where they should tighten it; one for each bound."""
    trees = [5, [[3, [4, 9]], 8]], [[-5, [[-3, [-4, -9]], -8]]]
    return [judged(["GameTree", tree, "X"]) for tree in trees]


def called_with(function: str, tree: Tree, player: str, alpha: float, beta: float) -> dict:
    """A call of max_value or min_value with a window; the tree's leaves are `player`'s values."""
    to_move = player if function == "max_value" else other(player)
    if player == "O":
        tree = with_leaves(tree, {leaf: -leaf for leaf in leaves(tree)})
    case = judged(["GameTree", tree, to_move])
    value = case["value"] if to_move == player else -case["value"]
    window = {"alpha": alpha, "beta": beta}
    return {**case, "value": value, "player": player, "function": f"alphabeta.{function}", **window}


def both_ways(tree: Tree, player: str, alpha: float, beta: float) -> list[dict]:
    """A call of min_value, and its mirror image, a call of max_value."""
    mirrored = with_leaves(tree, {leaf: -leaf for leaf in leaves(tree)})
    return [
        called_with("min_value", tree, player, alpha, beta),
        called_with("max_value", mirrored, player, -beta, -alpha),
    ]


def wide_calls(rng: random.Random) -> list[dict]:
    """Calls whose first values lie beyond the node's own bound, which is no reason to return.

    From the root, where that bound is infinite, a node that tests its own bound always returns
    after one move, as one does that is called with the bounds swapped or returns in its loop.
    """
    n = sorted(rng.sample(range(-60, 61), 8))
    return both_ways([[n[3], n[6]], [n[5], n[7]], [n[1], n[2]], [n[0], n[4]]], "X", -99, n[5])


def cutting_calls(rng: random.Random) -> list[dict]:
    """Calls that show where a cut-off gets lost. In that of min_value: one is due by the alpha of
    the call, below a max node; one by an alpha that is raised there; one at the node itself.

    From the root a min node that never cuts off, a max node that never raises alpha and one that
    hands on -inf in its place look the same.
    """
    n = sorted(rng.sample(range(-60, 61), 12))
    handed, raised = [n[5], n[11]], [n[7], n[10]]
    tree = [[handed, [n[8], n[9]], raised], [[n[4], n[3]], [n[1], n[2]]], [[n[0], n[6]]]]
    return both_ways(tree, rng.choice("XO"), n[6], 99)


def window_cases(rng: random.Random) -> list[dict]:
    """Calls of max_value and min_value with windows that hold the value, lie below it, or above."""
    by_hand: list[tuple[Tree, str]] = [
        (5, "O"),
        ([[3, 9], [3, 1]], "X"),  # the second 3 is a mere bound: its move is worse
        ([[3, 1], [3, 9]], "O"),
        (ONE_REPLY, "X"),
        (ONE_REPLY, "O"),
    ]
    cases = []
    for i in range(14):
        tree = random_tree(rng, 2 + i // 5, lambda: rng.randint(-20, 20), (2, 3), 0.0)
        side = "XO"[i % 2]
        low, high = ((-3, 4), (2, 9), (-9, -2))[i % 3]
        if i < len(by_hand):
            (tree, side), low, high = by_hand[i], -3, 4
        value = judged(["GameTree", tree, side])["value"]
        value = value if side == "X" else -value
        function = "max_value" if side == "X" else "min_value"
        cases.append(called_with(function, tree, "X", value + low, value + high))
    return cases


# --- boards ---------------------------------------------------------------------------------------


def all_positions(game: Game) -> list[State]:
    """All undecided positions that play can reach, those with the fewest empty squares first."""
    seen = {game.initial}
    layers = [[game.initial]]
    while layers[-1]:
        layer = []
        for state in layers[-1]:
            for move in game.actions(state):
                child = game.result(state, move)
                if child not in seen and not game.is_terminal(child):
                    seen.add(child)
                    layer.append(child)
        layers.append(layer)
    return [state for layer in reversed(layers) for state in layer]


def board_case(
    rng: random.Random, spec: list, count: int, plies: tuple[int, int], first: bool = False
) -> dict:
    """Positions after so many plies, those with the most first.

    first: only those in which the first move is the only best one. In Connect Four that may be
           column 0, which Python takes for false.
    """
    game = make_game(spec)
    positions: list[list] = []
    while len(positions) < count:
        number = plies[1] - len(positions) * (plies[1] - plies[0]) // max(1, count - 1)
        judgement = judged_position(game, opening(game, rng, number))
        if not first or (judgement[2] == [0] and judgement[0].split("/")[0][0] == "."):
            positions.append(judgement)
    return {"game": spec, "positions": positions}


def board_values(
    game: Game, root: State, depth: float = inf, h: Callable[[State], float] | None = None
) -> dict[str, float]:
    """The value of each undecided position down to `depth` + 1, where h counts, for the root's
    player."""
    values: dict[str, float] = {}
    sign = 1 if root.to_move == "X" else -1

    def visit(state: State, level: int) -> float:
        if game.is_terminal(state):
            return game.utility(state, root.to_move)
        key = state.key
        if key not in values:
            if h is not None and level > depth:
                values[key] = sign * h(state)
            else:
                best = max if level % 2 == 0 else min
                moves = game.actions(state)
                values[key] = best(visit(game.result(state, move), level + 1) for move in moves)
        return values[key]

    visit(root, 0)
    return values


def has_an_order(game: Game, state: State) -> bool:
    """Whether trying the centre first, whatever follows, is another order."""
    return 3 in game.actions(state)[1:]


def nearly_full_board(rng: random.Random) -> dict:
    """Connect Four with so few squares left that it is searched to the end."""
    game = make_game(C4)
    while True:
        state = opening(game, rng, rng.randint(33, 35))
        if has_an_order(game, state):
            values = board_values(game, state)
            if 30 <= len(values) <= 120:
                return {"game": C4, "state": state.key, "values": values}


def board_with_cutoff(rng: random.Random) -> dict:
    """Connect Four with few columns left, searched to depth 2."""
    game = make_game(C4)
    while True:
        state = opening(game, rng, rng.randint(24, 30))
        squares = [rng.randint(1, 9) for _ in range(42)]
        if has_an_order(game, state) and len(game.actions(state)) <= 4:
            values = board_values(game, state, 2, h_of({"squares": squares}))
            if len(values) >= 20:
                case = {"game": C4, "state": state.key, "depth": 2, "squares": squares}
                return {**case, "values": values}


# --- question by question -------------------------------------------------------------------------


# Values beyond what some take for infinite.
HUGE: list[Tree] = [
    [2_000_000, 3_000_000],
    [-3_000_000, -2_000_000],
    [[3_000_000, 2_000_000], [[-5_000_000]]],
]
ONE_REPLY: Tree = [[3, 7]]  # the best move is not the best reply


def question_1(rng: random.Random) -> dict[str, list[dict]]:
    hand_made = [
        7,
        [4],
        [2, 3],
        [3, 2],
        [[3, 5], [2, 1]],
        [[-5, -3], [-2, -9]],
        [[[6]]],
        [4, [2, 9], [[3]]],
        [[0, 0], [0, 0]],
        [[0.75, 0.125], [0.25, 8]],
        [[3, 12, 8], [2, 4, 6], [14, 5, 2]],
        [[[2, -4], [7, 0]], [[5, 3], [-1, 9]]],
    ]
    trees = [["GameTree", renumbered(rng, tree), "X"] for tree in hand_made]
    random_ones = [["GameTree", tree, "X"] for tree in random_trees(rng, 14, (2, 3, 3, 4, 5))]
    close = random_tree(rng, 3, thousandths(rng), (2, 3))
    random_ones += [["GameTree", tree, "X"] for tree in (close, *HUGE, chain(12, [4, 9]))]
    small = [5, [1, 2], [0, 3], ONE_REPLY, [[[1, 2]], [[5, 4]]]]
    by_o = [["GameTree", tree, "O"] for tree in [*small, *random_trees(rng, 8, (2, 3, 4))]]
    for_x = []
    for case in map(judged, by_o):
        for_x.append({**case, "value": -case["value"], "player": "X"})
    ttt = TicTacToe()
    table = [judged_position(ttt, state) for state in all_positions(ttt)]
    return {
        "1.1": [judged(spec) for spec in trees],
        "1.2": [judged(spec) for spec in random_ones],
        "1.3": for_x,
        "1.4": [
            *(judged(["GameTree", tree, "O"]) for tree in random_trees(rng, 8, (1, 2, 3, 4))),
            judged(["GameTree", [[[5, 1], [2, 3]], 4], "X"], [0]),  # below the game's initial state
        ],
        "1.5": [judged(["GameTree", tree, "X"]) for tree in random_trees(rng, 6, (2, 3, 4))],
        "1.6": [
            {
                "game": TTT,
                "positions": table,
                "watched": rng.choice([entry for entry in table if entry[0].count(".") == 4]),
            }
        ],
        "1.7": [
            board_case(rng, ["TicTacToe", 3, 4, 3], 8, (6, 9)),
            board_case(rng, ["TicTacToe", 4, 4, 3], 8, (10, 13)),
            board_case(rng, ["ConnectFour", 4, 4, 3], 6, (5, 5)),
        ],
        # A corner, an edge, the centre: 1.6 has searched the empty board already.
        "1.8": [{"game": TTT, "state": [first]} for first in (0, 1, 4)],
        "1.9": [{"game": TTT, "seed": rng.randrange(10**9), "games": 24, "plies": 2}],
    }


def question_2(rng: random.Random) -> dict[str, list[dict]]:
    trees = [7, [4], [2, 1], [[3, 5], [2, 1]], [[3, 12, 8], [2, 4, 6], [14, 5, 2]]]
    trees += random_trees(rng, 20, (2, 3, 4, 4, 5))
    trees += [random_tree(rng, 4, tenths(rng), (2, 3)) for _ in range(12)]
    trees += [random_tree(rng, 4, thousandths(rng), (2, 3)) for _ in range(6)]
    won = [["GameTree", [1, 2], "X"], ["GameTree", [-1, -2], "O"]]
    cut_at_min, cut_at_max = cutting_calls(rng)
    return {
        "2.1": [
            *(judged(["GameTree", tree, "XO"[i % 2]]) for i, tree in enumerate(trees)),
            *map(judged, won),  # a win is not yet the best
            *(judged(["GameTree", tree, "X"]) for tree in HUGE),
            *wide_calls(rng),
        ],
        "2.2": [
            board_case(rng, TTT, 60, (1, 7)),
            board_case(rng, ["TicTacToe", 3, 4, 3], 8, (4, 9)),
            board_case(rng, ["TicTacToe", 4, 4, 3], 4, (8, 12)),
            board_case(rng, ["ConnectFour", 4, 4, 3], 8, (3, 10)),
            board_case(rng, ["ConnectFour", 4, 4, 3], 8, (3, 10), first=True),
        ],
        "2.3": [
            *pruning_cases(rng, 4, {PLAIN_MIN}, 2, False),
            judged(["GameTree", [0, [-3, 5]], "X"]),  # alpha is 0, which is no reason to ignore it
            *pruning_cases(rng, 4, {PLAIN_MIN}, 4, False),
            cut_at_min,
        ],
        "2.4": [
            *pruning_cases(rng, 4, {PLAIN_MAX}, 3, False),
            judged(["GameTree", [[0, [3, 5]], -1], "X"]),  # likewise beta
            *pruning_cases(rng, 4, {PLAIN_MAX}, 4, False),
            cut_at_max,
        ],
        "2.5": [
            *forgotten_bounds(),
            *pruning_cases(rng, 6, PLAIN | DEEP, 5, False, 70, (1, 2, 2, 3)),
        ],
        "2.6": pruning_cases(rng, 8, PLAIN | EQUAL, 4, True),
        "2.7": [*pruning_cases(rng, 8, PLAIN, 4, False), nearly_full_board(rng)],
        "2.8": window_cases(rng),
        "2.9": [{**judged(TTT), "most": 18_297}],
        "2.10": [{"game": TTT}],
    }


def with_cutoffs(
    tree: Tree, to_move: str, guesses: dict[str, float], cut: dict[str, float]
) -> dict:
    """A tree with these heuristic values, cut off at the nodes of `cut`, which has theirs."""
    return {
        **judged(["GameTree", stopped(tree, cut), to_move]),
        "game": ["GameTree", tree, to_move],
        "h": guesses,
        "cut": sorted(cut),
        "values": inner_values(tree, to_move, cut),
    }


def cutoff_case(rng: random.Random, tree: Tree, to_move: str, share: float) -> dict:
    """A tree with heuristic values everywhere, in which some inner nodes are cut off."""
    game = GameTree(tree, to_move)
    guesses: dict[str, float] = {}
    cut: dict[str, float] = {}

    def visit(state: State, open_: bool) -> None:
        path = state.key
        if game.is_terminal(state):
            return
        guesses[path] = rng.randint(-40, 40) / 4
        stop = open_ and path != "" and rng.random() < share
        if stop:
            cut[path] = guesses[path]
        for move in game.actions(state):
            visit(game.result(state, move), open_ and not stop)

    visit(game.initial, True)
    return with_cutoffs(tree, to_move, guesses, cut)


def zero_guesses() -> dict:
    """The heuristic's value is 0, which Python takes for false, at a min node and a max node."""
    cut: dict[str, float] = {"a": 0, "bb": 0}
    return with_cutoffs([[1, 2], [3, [4, 5]]], "X", {"": 1, "b": 2, **cut}, cut)


def cutoff_cases(
    rng: random.Random,
    count: int,
    depths: tuple,
    share: float,
    numbers: range = range(-40, 41),
    largest: int = 50,
    wanted: Callable[[dict], Any] = lambda case: case["cut"],
) -> list[dict]:
    """Trees with cut-off nodes and leaves, from small to large; the leaves are quarters."""
    cases: list[dict] = []
    while len(cases) < count:
        depth = depths[len(cases) % len(depths)]
        tree = random_tree(rng, depth, lambda: rng.choice(numbers) / 4, (2, 2, 3), 0.2)
        if not isinstance(tree, list) or size(tree) > largest:
            continue
        case = cutoff_case(rng, tree, rng.choice("XO"), share)
        if wanted(case):
            cases.append(case)
    return sorted(cases, key=lambda case: size(case["game"][1]))


def cut_at_once(case: dict) -> bool:
    """Whether the first line of play is cut off: no mistake keeps a search from asking h there."""
    return any(set(path) == {"a"} for path in case["cut"])


def cutoff_pruning_cases(
    rng: random.Random, count: int, wanted: set[tuple], depth: int, **more: Any
) -> list[dict]:
    """Trees with cut-off nodes in which there is every kind of cut-off that is wanted."""
    cases: list[dict] = []
    while len(cases) < count:
        (case,) = cutoff_cases(rng, 1, (depth,), 0.15, **more)
        spec, cut = case["game"], {path: case["h"][path] for path in case["cut"]}
        chances = chances_to_cut(stopped(spec[1], cut), spec[2], case["values"])
        if wanted <= set(chances):
            cases.append(case)
    return sorted(cases, key=lambda case: size(case["game"][1]))


def places(game: Game, state: State) -> list[State]:
    """All inner nodes of a tree below `state`, it first."""
    if game.is_terminal(state):
        return []
    below = (places(game, game.result(state, move)) for move in game.actions(state))
    return [state, *(place for part in below for place in part)]


def default_tree(rng: random.Random, level: int = 0) -> Tree:
    """A tree with branches at every level, and many ends on both sides of depth 7."""
    if level == 9 or rng.random() < (0, 0, 0.1, 0.1, 0.1, 0.4, 0.4, 0.4, 0.4)[level]:
        return rng.choice((-1, 1)) * rng.randint(1, 9)
    return [default_tree(rng, level + 1) for _ in range(rng.choice((1, 2, 2)) if level else 2)]


def default_cases(rng: random.Random) -> list[dict]:
    """Cases in which a search one ply shallower, then one ply deeper, gives another value.

    So does one to the end, the first line of play alone, and in the latter any h but 0.
    """
    cases: list[dict] = []
    while len(cases) < 4:
        tree, to_move = default_tree(rng), "XXOO"[len(cases)]
        if not 40 <= size(tree) <= 120:
            continue
        game = GameTree(tree, to_move)
        cut = {state.key: 0.0 for state in places(game, game.initial) if len(state.path) == 7}
        case = with_cutoffs(tree, to_move, {}, cut)
        deeper = len(cases) % 2
        others = [
            h_alphabeta_search(game, game.initial, cutoff_depth(d))[0] for d in ((5, 7)[deeper], 99)
        ]
        line = game.initial
        while not game.is_terminal(line) and len(line.path) < 7:
            line = game.result(line, game.actions(line)[0])
        others.append(game.utility(line, to_move))
        if case["value"] not in others and (case["value"] == 0) == deeper:
            cases.append({key: case[key] for key in ("game", "value", "best", "values")})
    return cases


def forced_wins(rng: random.Random, depth: int, count: int, first: bool = False) -> dict:
    """Connect Four positions with a win that a search to `depth` sees, and the moves to keep it.

    first: only those in which column 0, which Python takes for false, is the only such move
    """
    game = ConnectFour()
    found: list[list] = []
    wins_in_one = 0
    while len(found) < count:
        state = opening(game, rng, rng.randint(8, 22))
        value, _ = h_alphabeta_search(game, state, cutoff_depth(depth))
        if value != 1:
            continue
        best = []
        at_once = False
        for i, move in enumerate(game.actions(state)):
            child = game.result(state, move)
            at_once = at_once or game.is_terminal(child)
            reply, _ = h_alphabeta_search(game, child, cutoff_depth(depth - 1))
            if reply == -1:
                best.append(i)
        if len(best) == len(game.actions(state)) or (at_once and wins_in_one == 2):
            continue
        if first and (best != [0] or game.actions(state)[0] != 0):
            continue
        wins_in_one += at_once
        found.append([state.key, 1, best])
    return {"game": C4, "depth": depth, "positions": found}


def look_pairs(rng: random.Random) -> list[dict]:
    """Pairs of Connect Four positions that differ in one thing, mirrored and coloured at random."""
    empty = "......."
    edges, diagonal = ["X.O.O.X", "O.O...X"], ["XXO.O..", ".XO.O.."]
    pairs = [
        ("the centre to the edge", ["...X..O"], ["X.....O"]),
        ("the centre to the edge", ["..OX..."], ["X.O...."]),
        ("an open three to an open two", ["O.XXX.O", "...O..."], ["O.XX..O", "X..O..."]),
        ("an open three to an open two", [".XXX..O", ".OO...."], [".XX...O", ".OO...X"]),
        ("an open three to an open two", ["..OXO..", "..OX...", "...X..."], ["..OXO.X", "..OX..."]),
        ("an open three to an open two", ["XXX.OO.", "O"], ["XX..OOX", "O"]),
        # The square is as central in both, so that only the line in the column can tell; the second
        # time it is mirrored.
        ("an open three to an open two", [*edges, "......X"], [*edges, "X"]),
        ("an open three to an open two", [*edges, "......X"], [*edges, "X"]),
        ("a three that is open above to a two", ["O.O", "O", *"XXX"], ["O.O...X", "O", *"XX"]),
        # Likewise on a diagonal.
        ("a diagonal open three to a two", [*diagonal, "..X"], [*diagonal, "....X"]),
        ("a diagonal open three to a two", [*diagonal, "..X"], [*diagonal, "....X"]),
    ]
    cases = []
    turned = rng.random() < 0.5
    for why, better, worse in pairs:
        mirror, swap, turned = turned, rng.random() < 0.5, not turned
        boards = []
        for rows in (better, worse):
            rows = [f"{row:.<7}" for row in rows]
            rows = [row[::-1] if mirror else row for row in rows]
            if swap:
                rows = [row.translate(str.maketrans("XO", "OX")) for row in rows]
            boards.append("/".join([*[empty] * (6 - len(rows)), *reversed(rows)]))
        player = "O" if swap else "X"
        cases.append(
            {"game": C4, "why": why, "better": boards[0], "worse": boards[1], "player": player}
        )
    return cases


def keeping_search(
    game: Game, state: State, depth: int, h: Callable[[State], float], kept: Collection[str]
) -> tuple[float, Move]:
    """A depth-limited search that is wrong: it keeps the values of some nodes by their state alone.

    kept: the kinds of nodes, "max" or "min"; in the games here a state is met at one depth only, so
          to keep values by state and depth, or by state and player, comes to the same
    """
    player, sign = state.to_move, 1 if state.to_move == "X" else -1
    known: dict[State, tuple[float, Move]] = {}

    def look(here: State, alpha: float, beta: float, level: int) -> tuple[float, Move]:
        if game.is_terminal(here):
            return game.utility(here, player), None
        if level > depth:
            return sign * h(here), None
        kind = "max" if level % 2 == 0 else "min"
        if kind not in kept:
            return search(here, alpha, beta, level)
        if here not in known:
            known[here] = search(here, alpha, beta, level)
        return known[here]

    def search(here: State, alpha: float, beta: float, level: int) -> tuple[float, Move]:
        mine = level % 2 == 0
        v, best_move = -inf if mine else inf, None
        for move in game.actions(here):
            v2, _ = look(game.result(here, move), alpha, beta, level + 1)
            if v2 > v if mine else v2 < v:
                v, best_move = v2, move
            if v >= beta if mine else v <= alpha:
                break
            alpha, beta = (max(alpha, v), beta) if mine else (alpha, min(beta, v))
        return v, best_move

    return look(state, -inf, inf, 0)


def reached_twice_cases(rng: random.Random, count: int) -> list[dict]:
    """Boards on which a search that keeps values by the state alone gets another value: one that
    keeps all of them, and in turn one that keeps those of max nodes, or of min nodes, only.
    """
    spec, depth = ["ConnectFour", 4, 5, 4], 4
    game = make_game(spec)
    cases: list[dict] = []
    while len(cases) < count:
        state = opening(game, rng, rng.randint(7, 12))
        squares = [rng.randint(0, 9) for _ in range(20)]
        h = h_of({"squares": squares})
        assert h is not None
        values = board_values(game, state, depth, h)
        if len(values) > 300:  # so many are soon served
            continue
        value = values[state.key]
        wrong = [
            keeping_search(game, state, depth, h, kinds)[0]
            for kinds in (("max", "min"), (("max",), ("min",))[len(cases) % 2])
        ]
        if value in wrong:
            continue
        children = [game.result(state, move) for move in game.actions(state)]
        worth = [
            game.utility(child, state.to_move) if game.is_terminal(child) else values[child.key]
            for child in children
        ]
        best = [i for i, v in enumerate(worth) if v == value]
        case = {"game": spec, "state": state.key, "depth": depth, "squares": squares}
        cases.append({**case, "value": value, "best": best})
    return cases


def one_sided(rng: random.Random, player: str) -> State:
    """A Connect Four position as good for `player` as can be while nobody has won.

    Both sides play for it, but for a random move now and then.
    """
    game = ConnectFour()
    best = state = game.initial
    while True:
        children = [game.result(state, move) for move in game.actions(state)]
        children = [child for child in children if not game.is_terminal(child)]
        if not children:
            return best
        state = rng.choice(children)
        if rng.random() < 0.9:
            state = max(children, key=lambda child: connect_four_heuristic(child, player))
        best = max(best, state, key=lambda child: connect_four_heuristic(child, player))


def question_3(rng: random.Random) -> dict[str, list[dict]]:
    game = ConnectFour()
    wide = [opening(game, rng, plies) for plies in range(36) for _ in range(2)]
    extreme = [one_sided(rng, player) for player in "XO" for _ in range(12)]
    match = {"game": C4, "function": "cutoff.h_alphabeta_search"}
    return {
        "3.1": cutoff_cases(rng, 8, (2, 3, 4), 0.15),
        "3.2": cutoff_cases(rng, 6, (2, 3, 4), 0.3),
        "3.3": [*cutoff_cases(rng, 8, (2, 3, 4), 0.3), zero_guesses()],
        "3.4": [
            *cutoff_cases(rng, 6, (2, 3), 0.5, wanted=cut_at_once),
            {  # below the game's initial state, where the other player is to move; values are O's
                "game": ["GameTree", [[[1, 2], [3, 4]], [5, 6]], "X"],
                "state": [0],
                "h": {"aa": 2, "ab": -1},
                "cut": ["aa", "ab"],
                "values": {"a": 1, "aa": -2, "ab": 1},
            },
        ],
        "3.5": [
            {**judged(["GameTree", 7, "O"]), "h": {}, "cut": []},
            with_cutoffs([4, 5], "O", {"": 2}, {"": 2}),
            *cutoff_cases(rng, 12, (2, 3, 4, 4), 0.3),
            zero_guesses(),
            *(cutoff_case(rng, tree, "X", 0) for tree in (*HUGE, chain(12, [4, 9]))),
            *(
                cutoff_case(rng, random_tree(rng, 4, thousandths(rng), (2, 3)), "O", 0)
                for _ in range(4)
            ),
        ],
        "3.6": [
            *({**case, "h": {}, "cut": []} for case in forgotten_bounds()),
            *cutoff_pruning_cases(rng, 4, PLAIN, 4),
            *cutoff_pruning_cases(rng, 3, PLAIN | DEEP, 5, largest=70),
            *cutoff_pruning_cases(rng, 3, PLAIN | EQUAL, 4, numbers=range(-8, 9, 4)),
            board_with_cutoff(rng),
        ],
        "3.7": default_cases(rng),
        "3.8": [{"game": C4, "positions": [s.key for s in (*wide, *extreme)]}],
        "3.9": [{"game": C4, "positions": [state.key for state in wide[:40]]}],
        "3.10": [
            forced_wins(rng, 2, 4),
            forced_wins(rng, 2, 2, first=True),
            forced_wins(rng, 4, 4),
        ],
        "3.11": look_pairs(rng),
        "3.12": [
            {
                **match,
                "seed": rng.randrange(10**9),
                "plies": 12,
                "options": {"cutoff": {"cutoff": 1}, "h": {"h": "own"}},
            }
        ],
        "3.13": [
            {
                **match,
                "seed": rng.randrange(10**9),
                "plies": 4,
                "options": {"cutoff": {"cutoff": 1}},
            }
        ],
        "3.14": reached_twice_cases(rng, 6),
    }


def plausible_tree(
    rng: random.Random, game: Game, state: State, visits: int, depth: int
) -> tuple[list[list], Node]:
    """A search tree with made-up statistics, as rows of [path, U, N] and as nodes."""
    rows: list[list] = []

    def grow(node: Node, path: list[int], level: int) -> None:
        node.U = round(rng.uniform(-node.N, node.N), 1)
        rows.append([path, node.U, node.N])
        if level == 0 or node.N < 2 or game.is_terminal(node.state):
            return
        actions = game.actions(node.state)
        shares = [rng.random() for _ in actions]
        for i, move in enumerate(actions):
            child = node.children[i] = Node(game.result(node.state, move), node, move)
            child.N = round((node.N - 1) * shares[i] / sum(shares))
            grow(child, [*path, i], level - 1)

    root = Node(state)
    root.N = visits
    grow(root, [], depth)
    return rows, root


# Bounds that are not UCB: (U, N) of the child, N of its parent, N of the root, C.
NOT_UCB: dict[str, Callable[..., float]] = {
    "C outside the root": lambda U, N, above, top, C: U / N + C * sqrt(log(above)) / N,
    "a C of its own": lambda U, N, above, top, C: U / N + sqrt(2 * log(above) / N),
    "the root's N": lambda U, N, above, top, C: U / N + C * sqrt(log(top) / N),
    "U by the parent's N": lambda U, N, above, top, C: U / above + C * sqrt(log(above) / N),
    "C inside the root": lambda U, N, above, top, C: U / N + sqrt(C * log(above) / N),
    "C as usual": lambda U, N, above, top, C: U / N + 1.4 * sqrt(log(above) / N),
    "another base": lambda U, N, above, top, C: U / N + C * sqrt(log(above, 10) / N),
}


def leaf_by(root: Node, C: float, bound: Callable[..., float]) -> list[int]:
    """The path that the largest bounds lead along, to a node without children."""
    path: list[int] = []
    node = root
    while node.children:
        above = node.N
        key = max(
            node.children,
            key=lambda key: (
                bound(node.children[key].U, node.children[key].N, above, root.N, C)
                if node.children[key].N
                else inf
            ),
        )
        path.append(key)
        node = node.children[key]
    return path


def search_tree_case(
    rng: random.Random, depth: int, visits: int, args: list, unlike: Sequence[str] = ()
) -> dict:
    """A search tree on 3x3 with plausible statistics, in which each largest UCB stands alone.

    unlike: wrong bounds that lead to another leaf; "negative": no UCB at the root is above 0
    """
    game = TicTacToe()
    C = args[0] if args else 1.4
    while True:
        state = opening(game, rng, rng.randint(3, 6))
        nodes, root = plausible_tree(rng, game, state, visits, depth)
        chosen, clear = root, True
        at: list[int] = []
        ucbs: list[list] = []
        while chosen.children:
            bounds = {key: ucb(child, C) for key, child in chosen.children.items()}
            ranked = sorted(bounds.values(), reverse=True)
            clear = clear and (len(ranked) < 2 or ranked[0] - ranked[1] > 0.02)
            ucbs += [
                [[*at, key], 1e300 if bound == inf else bound] for key, bound in bounds.items()
            ]
            at.append(max(bounds, key=lambda key: bounds[key]))
            chosen = chosen.children[at[-1]]
        told_apart = all(
            all(bound < 0 for path, bound in ucbs if len(path) == 1)
            if name == "negative"
            else leaf_by(root, C, NOT_UCB[name]) != at
            for name in unlike
        )
        if clear and len(at) == depth and told_apart:
            assert chosen is select(root, C)
            return {
                "game": TTT,
                "state": state.key,
                "nodes": nodes,
                "at": [],
                "args": args,
                "leaf": at,
                "ucbs": ucbs,
            }


def select_cases(rng: random.Random) -> list[dict]:
    """Search trees from small to large; each wrong bound is told apart from UCB by one or more."""
    plans: list[tuple] = [
        (1, 12, [], ("another base",)),
        (1, 30, [], ("U by the parent's N",)),
        (1, 30, [0.1], ("negative",)),
        (1, 40, [5.0], ("a C of its own", "C outside the root", "C inside the root")),
        (2, 60, [], ("the root's N",)),
        (2, 60, [0.0], ("C as usual",)),
        (3, 200, [], ("the root's N", "another base")),
        (3, 200, [2.5], ("C outside the root", "U by the parent's N")),
    ]
    return [
        search_tree_case(rng, 0, 0, []),
        statistics(["GameTree", [[1, 2], [3, 4], 5], "X"], [(1, 1), (-1, 1), (0, 0)]),
        statistics(["GameTree", [[1, 2], [3, 4]], "X"], [(-9, 1), (-5, 1)]),
        # The best child is the one of column 0, which Python takes for false.
        statistics(C4, [(2, 2), (1, 2), (0, 2), (-1, 2), (-2, 2), (-2, 2), (-2, 2)]),
        *(search_tree_case(rng, *plan) for plan in plans),
    ]


def statistics(spec: list, below: list[tuple[float, int]]) -> dict:
    """A search tree of a root and its children, by the U and N of each child."""
    root = Node(None)
    root.U, root.N = -sum(U for U, _ in below), sum(N for _, N in below)
    bounds = []
    for U, N in below:
        child = Node(None, root)
        child.U, child.N = U, N
        bounds.append(min(ucb(child), 1e300))
    return {
        "game": spec,
        "nodes": [[[], root.U, root.N]] + [[[i], U, N] for i, (U, N) in enumerate(below)],
        "at": [],
        "args": [],
        "leaf": [bounds.index(max(bounds))],
        "ucbs": [[[i], bound] for i, bound in enumerate(bounds)],
    }


def expand_cases(rng: random.Random) -> list[dict]:
    """Leaves to expand: the root alone, a node further down, a terminal node."""
    game = TicTacToe()
    ended = opening(game, rng, 5)
    while not any(game.is_terminal(game.result(ended, move)) for move in game.actions(ended)):
        ended = opening(game, rng, 5)
    last = next(
        i for i, m in enumerate(game.actions(ended)) if game.is_terminal(game.result(ended, m))
    )
    middle = opening(game, rng, 4)
    return [
        {"game": ["GameTree", [1, 2, 3], "X"], "nodes": [[[], 0, 0]], "at": []},
        {"game": ["GameTree", 5, "X"], "nodes": [[[], 0, 0]], "at": []},
        {
            "game": ["GameTree", [[1, 2], 3], "X"],
            "nodes": [[[], 1, 2], [[0], -1, 1], [[1], 0, 0]],
            "at": [0],
        },
        {  # never visited: it is expanded all the same
            "game": ["GameTree", [[1, 2], [3, 4]], "X"],
            "nodes": [[[], 1, 1], [[0], -1, 1], [[1], 0, 0]],
            "at": [1],
        },
        {  # the game is over, and nobody has won
            "game": ["GameTree", [0, 1], "X"],
            "nodes": [[[], 0, 1], [[0], 0, 1], [[1], 0, 0]],
            "at": [0],
        },
        {"game": TTT, "state": middle.key, "nodes": [[[], 0, 0]], "at": []},
        {"game": C4, "nodes": [[[], 0, 0]], "at": []},
        {
            "game": TTT,
            "state": ended.key,
            "nodes": [
                [[], -1, 2],
                *([[i], int(i == last), int(i == last)] for i in range(len(game.actions(ended)))),
            ],
            "at": [last],
        },
    ]


def backprop_cases(rng: random.Random) -> list[dict]:
    """A result to record at the root, one ply down, and further down; with wins, draws, others."""
    cases = []
    for depth, utility in ((0, 1), (1, 1), (1, -1), (2, 1), (3, -1), (2, 0), (3, 2.5)):
        nodes: list[list] = [[[], 3.0, 9]]
        path: list[int] = []
        tree: Tree = 0
        for _ in range(depth + 1):
            tree = [tree, tree]
        for _ in range(depth):
            keep = rng.randrange(2)
            for i in range(2):
                nodes.append([[*path, i], float(rng.randint(-2, 2)), rng.randint(2, 4)])
            path = [*path, keep]
        after = [list(node) for node in nodes]
        sign = 1
        for length in range(len(path), -1, -1):
            node = next(node for node in after if node[0] == path[:length])
            node[1] += sign * utility
            node[2] += 1
            sign = -sign
        cases.append(
            {
                "game": ["GameTree", tree, "X"],
                "nodes": nodes,
                "at": path,
                "utility": utility,
                "after": after,
            }
        )
    return cases


def forced_cases(rng: random.Random) -> list[dict]:
    """Positions with one move that wins at once, or one that stops the opponent's win.

    Only positions in which the solution finds that move in nearly every search.
    """
    cases: list[dict] = []
    plans = [("win", TTT, 200), ("win", TTT, 200), ("win", C4, 200)]
    plans += [("block", TTT, 200), ("block", TTT, 200), ("block", C4, 250)]
    for kind, spec, playouts in plans:
        game = make_game(spec)
        while True:
            plies = rng.randint(3, 6) if spec is TTT else rng.randint(8, 14)
            state = opening(game, rng, plies)
            player, actions = state.to_move, game.actions(state)
            wins = winning(game, state)
            safe = [
                i for i, move in enumerate(actions) if not winning(game, game.result(state, move))
            ]
            best = wins if kind == "win" else safe
            if len(best) != 1 or len(actions) < 3 or (kind == "block" and wins):
                continue
            values = [
                -h_alphabeta_search(game, game.result(state, move), cutoff_depth(5))[0]
                if not game.is_terminal(game.result(state, move))
                else game.utility(game.result(state, move), player)
                for move in actions
            ]
            others = [value for i, value in enumerate(values) if i != best[0]]
            if max(others) < values[best[0]] and found_nearly_always(
                rng, game, state, actions[best[0]], playouts
            ):
                break
        cases.append(
            {
                "game": spec,
                "state": state.key,
                "why": "the win in one move"
                if kind == "win"
                else "the move that stops a win in one",
                "best": best,
                "playouts": playouts,
                "C": 1.4,
                "seed": rng.randrange(10**9),
            }
        )
    return cases


def found_nearly_always(
    rng: random.Random, game: Game, state: State, move: Move, playouts: int
) -> bool:
    """Does the solution miss the move at most once in 100 searches?

    A position in which it finds the move at a rate below 0.9 gets through once in 3,000 times.
    """
    misses = 0
    for _ in range(100):
        seeded = random.Random(rng.randrange(10**9))
        misses += monte_carlo_tree_search(game, state, playouts, rng=seeded)[1] != move
        if misses > 1:
            return False
    return True


def winning(game: Game, state: State) -> list[int]:
    """The moves that win at once for the player to move."""
    return [
        i
        for i, move in enumerate(game.actions(state))
        if game.utility(game.result(state, move), state.to_move) == 1
    ]


# What the most visited child may be mistaken for, by its (U, N), the sum of all N, and its place.
RIVALS: dict[str, Callable[[tuple[int, int], int, int], float]] = {
    "the largest sum": lambda child, total, i: child[0],
    "the largest mean": lambda child, total, i: child[0] / child[1],
    "the smallest mean": lambda child, total, i: -child[0] / child[1],
    "the largest UCB": lambda child, total, i: (
        child[0] / child[1] + 1.4 * sqrt(log(total) / child[1])
    ),
    "the first": lambda child, total, i: -i,
    "the last": lambda child, total, i: i,
}


def final_choice_cases(rng: random.Random) -> list[dict]:
    """Trees to choose from, in which no rival is the most visited child, nor another rival.

    Where the search is served instead, the games are so long that no playout ends inside the tree.
    """
    long = ["ConnectFour", 8, 7, 5]
    game = make_game(long)

    def case(children: list[tuple[int, int]], state: State) -> dict:
        total = sum(N for _, N in children)
        nodes = [[[], -sum(U for U, _ in children), total]]
        nodes += [[[i], U, N] for i, (U, N) in enumerate(children)]
        return {
            "game": long,
            "state": state.key,
            "seed": rng.randrange(10**9),
            "C": 1.4,
            "nodes": nodes,
            "playouts": total,
        }

    # Two have it in column 0, which Python takes for false, and in the last one.
    return [
        case(rivalry(rng, place), opening(game, rng, rng.randint(0, 5)))
        for place in (None, None, 0, 6, None, None)
    ]


def rivalry(rng: random.Random, place: int | None) -> list[tuple[int, int]]:
    """Seven children of which one is the most visited, and every rival is another one.

    place: where the most visited stands; then the rival of that place is left out
    """
    while True:
        visits = rng.sample(range(1, 20), 7)
        children = [(rng.randint(-N, N), N) for N in visits]
        total = sum(visits)
        most = visits.index(max(visits))
        if place is not None and most != place:
            continue
        chosen = {most}
        rivals = [
            max(range(7), key=lambda i: rival(children[i], total, i))
            for name, rival in RIVALS.items()
            if place is None or (name, place) not in (("the first", 0), ("the last", 6))
        ]
        if len(chosen.union(rivals)) == 1 + len(rivals):
            return children


def tree_search_cases(rng: random.Random) -> list[dict]:
    """Searches to be replayed: an explicit tree first, then boards, and other weights C.

    The boards are so large that no playout ends inside the search tree.
    """
    quarters = range(-4, 5)
    tree = random_tree(rng, 6, lambda: rng.choice(quarters) / 4, (2, 3))
    long = ["ConnectFour", 8, 7, 5]
    plans: list[tuple] = [
        (["GameTree", tree, "O"], None, 12, 1.4),
        (["TicTacToe", 4, 4, 4], 1, 50, 1.4),
        (long, 2, 60, 1.4),
        (long, 3, 60, 0.4),
        (long, 0, 60, 4.0),
    ]
    cases = []
    for spec, plies, playouts, C in plans:
        case = {"game": spec, "playouts": playouts, "C": C, "seed": rng.randrange(10**9)}
        if plies is not None:
            case["state"] = opening(make_game(spec), rng, plies).key
        cases.append(case)
    return cases


def uniform_cases(rng: random.Random) -> list[dict]:
    """Many playouts from one position; `most` is what chi-square may reach.

    The moves that are counted are the first at which there is a choice.
    """
    # Here, because each process that tries a mistake imports this module, and this takes long.
    from scipy.stats import chi2

    plans: list[tuple] = [
        (["GameTree", [1, 0, -1], "X"], None, 3, 300),
        (["GameTree", [[1, 0, -1]], "X"], None, 3, 300),
        (["ConnectFour", 2, 4, 3], "X.../O...", 4, 300),
        (TTT, rng.choice(("XX./OO./...", "X.O/XO./...", "X../.X./O.O")), 5, 500),  # with wins
    ]
    return [
        {
            "game": spec,
            "state": state,
            "seed": rng.randrange(10**9),
            "playouts": playouts,
            "most": float(chi2.isf(1e-7, options - 1)),
        }
        for spec, state, options, playouts in plans
    ]


def question_4(rng: random.Random) -> dict[str, list[dict]]:
    match = {"function": "mcts.monte_carlo_tree_search"}

    def seeded(**more: Any) -> dict:
        return {**more, "seed": rng.randrange(10**9)}

    simulated = [
        seeded(game=["GameTree", 1, "X"]),
        seeded(game=["GameTree", [0], "X"]),  # a draw is no loss
        seeded(game=["GameTree", [[-2.5, -2.5]], "X"]),
        seeded(game=["GameTree", [1, 1], "X"]),
        seeded(game=["GameTree", [[1, 1], [1, 1]], "X"]),
        seeded(game=["GameTree", [[[2, 3], [4, 5]], [[6, 7], [8, 9]]], "O"]),
        seeded(game=["GameTree", [[[2, 3], [4, 5]], [[6, 7], [8, 9]]], "X"], state=[1]),
    ]
    for plies in (6, 5, 3, 2):
        state = opening(TicTacToe(), rng, plies).key
        simulated.append(seeded(game=TTT, state=state))
    simulated.append(seeded(game=TTT, state="XOX/XOX/O.O"))  # a draw, whatever is played
    simulated.append(seeded(game=C4))
    simulated.append(seeded(game=["ConnectFour", 8, 7, 5]))  # hardly ever over within 20 plies
    return {
        "4.1": select_cases(rng),
        "4.2": expand_cases(rng),
        "4.3": simulated,
        "4.4": uniform_cases(rng),
        "4.5": backprop_cases(rng),
        "4.6": [seeded(game=TTT, playouts=12, watch=True)],
        "4.7": [
            # So long that no playout ends inside the search tree.
            seeded(game=["ConnectFour", 8, 2, 4], playouts=5, largest=1),
            seeded(game=["ConnectFour", 8, 7, 5], playouts=40, largest=1),
        ],
        "4.8": final_choice_cases(random.Random(rng.randrange(10**9))),
        "4.9": [
            *(seeded(game=["ConnectFour", 12, 3, 12], playouts=n) for n in (4, 9, 20)),
            # One move is left; its value still needs playouts.
            seeded(game=["ConnectFour", 12, 3, 12], state="/".join(["XO.", "OX."] * 6), playouts=4),
        ],
        "4.10": forced_cases(rng),
        "4.11": [seeded(game=TTT, **match, options={"playouts": 1000})],
        "4.12": [seeded(game=TTT, **match, plies=2, options={"playouts": 200})],
        "4.13": [seeded(game=C4, **match, plies=12, options={"playouts": 100})],
        "4.14": [seeded(game=TTT, playouts=40)],
        "4.15": tree_search_cases(random.Random(rng.randrange(10**9))),
    }


def write_cases(seed: int, folder: Path, public: bool) -> None:
    """Write all cases of one seed to `folder`, when all of them are made."""
    with tempfile.TemporaryDirectory() as draft:
        make_cases(seed, Path(draft), public)
        folder.mkdir(parents=True, exist_ok=True)
        for path in Path(draft).iterdir():
            shutil.copyfile(path, folder / path.name)


def make_cases(seed: int, folder: Path, public: bool) -> None:
    for question in QUESTIONS:
        made = globals()[f"question_{question.number}"]
        cases = made(random.Random(f"{seed}/{question.number}"))
        for case in [case for of_test in cases.values() for case in of_test]:
            if case["game"][0] == "GameTree":
                check_apart(case)
        write(folder / f"{question.name}.json", {"public": public, "cases": cases})
    ttt = TicTacToe()
    table = {}
    for state in all_positions(ttt):
        rows, value, best = judged_position(ttt, state)
        table[rows] = [value if state.to_move == "X" else -value, best]
    write(folder / "tic_tac_toe.json", table)
    add_mistakes(folder)


def write(path: Path, content: Any) -> None:
    write_whole(path, json.dumps(content, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    print("making the cases, and trying known mistakes on them: one or two minutes", flush=True)
    write_cases(PUBLIC_SEED, CASES, public=True)
