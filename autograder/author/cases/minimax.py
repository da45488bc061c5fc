"""Make the cases of question 1."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

from autograder.author.cases.boards import (
    TTT,
    board_case,
    drawn_positions,
    one_board,
    solved_positions,
)
from autograder.author.cases.registry import cases_of, require
from autograder.author.cases.selection import draw_until_exposed, select
from autograder.author.cases.trees import (
    LONG_CHAIN,
    TIED,
    Tree,
    chain,
    judged,
    random_trees,
    renumbered,
)
from autograder.serving.case import Case
from autograder.serving.cases import GamesCase, PositionsCase, SearchCase
from autograder.symmetry import all_around, canonical
from starter.games import TicTacToe, other

HAND_MADE: list[Tree] = [
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


def for_x(trees: list[Tree]) -> list[SearchCase]:
    return [judged(["GameTree", tree, "X"]) for tree in trees]


def for_o(trees: list[Tree]) -> list[SearchCase]:
    return [judged(["GameTree", tree, "O"]) for tree in trees]


def require_no_place(cases: list[SearchCase]) -> None:
    """Require that neither the first nor the last move is always a best one."""
    decisions = [case for case in cases if case.best]
    first = all(0 in case.best for case in decisions)
    require(not first, "the first move is always best")
    last = all(len(case.game[1]) - 1 in case.best for case in decisions)
    require(not last, "the last move is always best")


@cases_of("1.1")
def small_trees(rng: Random) -> list[SearchCase]:
    cases = for_x([renumbered(rng, tree) for tree in HAND_MADE])
    require_no_place(cases)
    return cases


@cases_of("1.2")
def trees_of_all_kinds(rng: Random) -> list[SearchCase]:
    candidates = for_x([*random_trees(rng, 150, (1, 2, 3, 4, 5)), *deep_trees(rng, 40)])
    cases = [*select(candidates, "1.2", 22), judged(["GameTree", chain(LONG_CHAIN, [4, 9]), "X"])]
    require_no_place(cases)
    return cases


def deep_trees(rng: Random, count: int) -> list[Tree]:
    """Return trees with forced moves at the beginning."""
    trees = random_trees(rng, count, (2, 3))
    return [chain(rng.randint(4, 9), tree) for tree in trees]


@cases_of("1.3")
def min_value_alone(rng: Random) -> list[SearchCase]:
    """Make cases of min_value, most with X's value where O is to move."""
    trees = random_trees(rng, 240, (1, 2, 3, 4))
    for_min = [
        replace(case, value=-case.value, player=other(case.make_state().to_move))
        for case in (*for_o([5, *trees[::2]]), *for_x(trees[1::4]))
    ]
    cases = [for_min[0], *select(for_min[1:], "1.3", 18)]  # first, no move at the end of a game
    require_no_place(cases)
    return cases


@cases_of("1.4")
def o_at_the_root(rng: Random) -> list[SearchCase]:
    drawn = [0, 4]  # a utility of 0 does not mean that the game goes on
    cases = for_o([rng.randint(2, 60), drawn])
    cases += select(for_o(random_trees(rng, 40, (1, 2, 3, 4))), "1.4", 8)
    below = judged(["GameTree", [[[5, 1], [2, 3]], 4], "X"], "a")  # not the game's initial state
    for case in [*cases, below]:
        require(case.make_state().to_move == "O", "X is to move", case)
    return [*cases, below]


@cases_of("1.5")
def undecided_positions(rng: Random) -> list[SearchCase]:
    return [*select(for_x(random_trees(rng, 40, (2, 3, 4))), "1.5", 6), *for_x(TIED)]


@cases_of("1.6")
def the_whole_board(rng: Random) -> list[PositionsCase]:
    """Make all undecided positions; of the emptiest, only one of symmetric ones.

    With seven or more empty squares, a search takes as long as hundreds of others.
    """
    table = solved_positions(TicTacToe())
    watched = rng.choice([position for position in table if position[0].count(".") == 4])
    ways = all_around(TicTacToe())
    one_of_each = {
        canonical(tuple(position[0].split("/")), ways): position
        for position in rng.sample(table, len(table))
        if position[0].count(".") >= 7
    }
    left = [p for p in table if p[0].count(".") < 7 or p in one_of_each.values()]
    require(len(left) == 4454, f"there are {len(left)} positions")
    return [PositionsCase(game=TTT, positions=left, watched=watched)]


@cases_of("1.7")
def larger_boards(rng: Random) -> list[PositionsCase]:
    def draw() -> PositionsCase:
        plans: list[tuple[list[Any], tuple[int, int], list[Any] | None]] = [
            (["ConnectFour", 4, 4, 3], (6, 8), None),
            (["TicTacToe", 3, 4, 4], (7, 7), ["TicTacToe", 3, 4, 3]),
            (["Hex", 3], (3, 5), None),
        ]
        return one_board(rng, *rng.choice(plans))

    return [
        board_case(rng, ["TicTacToe", 3, 4, 3], 8, (6, 9)),
        board_case(rng, ["TicTacToe", 4, 4, 3], 8, (10, 13)),
        board_case(rng, ["ConnectFour", 4, 4, 3], 6, (5, 5)),
        # Empty boards: results for 3x3 do not hold there. They differ in size, because values may
        # be cached by state, and an empty board does not show its game.
        board_case(rng, ["TicTacToe", 2, 4, 2], 1, (0, 0)),
        board_case(rng, ["ConnectFour", 2, 3, 2], 1, (0, 0)),
        *draw_until_exposed(draw, "1.7"),
    ]


@cases_of("1.8")
def self_play(rng: Random) -> list[Case]:
    return drawn_positions(rng)


@cases_of("1.9")
def random_opponent(rng: Random) -> list[GamesCase]:
    return [GamesCase(game=TTT, seed=rng.randrange(10**9), games=24, plies=2)]
