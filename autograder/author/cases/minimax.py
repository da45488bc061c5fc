"""Make the cases of question 1."""

from dataclasses import replace
from random import Random
from typing import Any

from autograder.author.cases.boards import (
    TTT,
    draw_board_case,
    draw_position_case,
    make_drawn_position_cases,
    solve_all_positions,
)
from autograder.author.cases.registry import cases_of, require
from autograder.author.cases.selection import draw_until_exposed, select_cases
from autograder.author.cases.trees import (
    LONG_CHAIN,
    TIED_TREES,
    Tree,
    draw_random_trees,
    make_chain,
    make_special_leaf_trees,
    renumber,
    solve_game,
    sort_by_size,
)
from autograder.checks.play.matches import draw_opening
from autograder.serving.cases import GamesCase, PositionsCase, SearchCase
from autograder.symmetry import find_canonical, list_symmetries
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


def solve_trees(trees: list[Tree], to_move: str = "X") -> list[SearchCase]:
    return [solve_game(["GameTree", tree, to_move]) for tree in trees]


@cases_of("1.1")
def make_small_tree_cases(rng: Random) -> list[SearchCase]:
    return solve_trees([renumber(rng, tree) for tree in HAND_MADE])


@cases_of("1.2")
def make_random_tree_cases(rng: Random) -> list[SearchCase]:
    trees = draw_random_trees(rng, 150, (1, 2, 3, 4, 5))
    # These have forced moves at the beginning.
    deep = [make_chain(rng.randint(4, 9), tree) for tree in draw_random_trees(rng, 40, (2, 3))]
    candidates = solve_trees([*trees, *deep])
    special = [solve_game(["GameTree", *row]) for row in make_special_leaf_trees(rng)]
    cases = sort_by_size([*select_cases(candidates, "1.2", 22), *special])
    return [*cases, solve_game(["GameTree", make_chain(LONG_CHAIN, [4, 9]), "X"])]


@cases_of("1.3")
def make_min_value_cases(rng: Random) -> list[SearchCase]:
    """Make cases of min_value, most with X's value where O is to move."""

    def turn(case: SearchCase) -> SearchCase:
        return replace(case, value=-case.value, player=other(case.make_state().to_move))

    trees = draw_random_trees(rng, 240, (1, 2, 3, 4))
    end, ties = map(turn, solve_trees([5, renumber(rng, [9, 9, 4, 7])], "O"))
    board = draw_opening(TicTacToe(), rng, rng.randint(4, 6))
    moves_are_pairs = turn(solve_game(TTT, board.key))
    drawn = [*solve_trees(trees[::2], "O"), *solve_trees(trees[1::4])]
    return [end, *select_cases(map(turn, drawn), "1.3", 18), ties, moves_are_pairs]


@cases_of("1.4")
def make_o_root_cases(rng: Random) -> list[SearchCase]:
    draw = [0, 4]  # a utility of 0 does not mean that the game goes on
    cases = solve_trees([rng.randint(2, 60), draw], "O")
    candidates = solve_trees(draw_random_trees(rng, 40, (1, 2, 3, 4)), "O")
    cases += select_cases(candidates, "1.4", 8)
    # The last one is not the game's initial state.
    return [*cases, solve_game(["GameTree", [[[5, 1], [2, 3]], 4], "X"], "a")]


@cases_of("1.5")
def make_utility_cases(rng: Random) -> list[SearchCase]:
    candidates = solve_trees(draw_random_trees(rng, 40, (2, 3, 4)))
    return [*select_cases(candidates, "1.5", 6), *solve_trees(TIED_TREES)]


@cases_of("1.6")
def make_whole_board_cases(rng: Random) -> list[PositionsCase]:
    """Make all undecided positions; of the emptiest, only one of symmetric ones.

    With seven or more empty squares, a search takes as long as hundreds of others.
    """
    table = solve_all_positions(TicTacToe())
    watched = rng.choice([position for position in table if position[0].count(".") == 4])
    ways = list_symmetries(TicTacToe())
    one_of_each = {
        find_canonical(tuple(position[0].split("/")), ways): position
        for position in rng.sample(table, len(table))
        if position[0].count(".") >= 7
    }
    left = [p for p in table if p[0].count(".") < 7 or p in one_of_each.values()]
    require(len(left) == 4454, f"there are {len(left)} positions")
    return [PositionsCase(game=TTT, positions=left, watched=watched)]


@cases_of("1.7")
def make_larger_board_cases(rng: Random) -> list[PositionsCase]:
    def draw() -> PositionsCase:
        plans: list[tuple[list[Any], tuple[int, int], list[Any] | None]] = [
            (["ConnectFour", 4, 4, 3], (6, 8), None),
            (["TicTacToe", 3, 4, 4], (7, 7), ["TicTacToe", 3, 4, 3]),
            (["Hex", 3], (3, 5), None),
        ]
        return draw_position_case(rng, *rng.choice(plans))

    return [
        draw_board_case(rng, ["TicTacToe", 3, 4, 3], 8, (6, 9)),
        draw_board_case(rng, ["TicTacToe", 4, 4, 3], 8, (10, 13)),
        draw_board_case(rng, ["ConnectFour", 4, 4, 3], 6, (5, 5)),
        # Empty boards: results for 3x3 do not hold there. They differ in size, because values may
        # be cached by state, and an empty board does not show its game.
        draw_board_case(rng, ["TicTacToe", 2, 4, 2], 1, (0, 0)),
        draw_board_case(rng, ["ConnectFour", 2, 3, 2], 1, (0, 0)),
        *draw_until_exposed(draw, "1.7"),
    ]


cases_of("1.8")(make_drawn_position_cases)


@cases_of("1.9")
def make_random_player_cases(rng: Random) -> list[GamesCase]:
    return [GamesCase(game=TTT, seed=rng.randrange(10**9), games=24, plies=2)]
