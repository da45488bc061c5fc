"""Cases of question 2."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any
from unittest.mock import Mock

from autograder.author.cases.boards import (
    C4,
    TTT,
    best_by_values,
    board_case,
    board_values,
    drawn_positions,
    one_board,
)
from autograder.author.cases.pruning import (
    called_with,
    either_side,
    pruning_trees,
    random_call,
)
from autograder.author.cases.registry import cases_of, require
from autograder.author.cases.selection import (
    draw_until_exposed,
    passed_by,
    select,
    select_and_draw,
)
from autograder.author.cases.trees import (
    LONG_CHAIN,
    by_size,
    chain,
    judged,
    named,
    random_trees,
    small_numbers,
    some_numbers,
    tied_tree,
)
from autograder.checks.matches import draw_opening
from autograder.serving.case import Case
from autograder.serving.cases import NodeCountCase, PositionsCase, SearchCase
from autograder.worker.inside.protocol import make_game
from solution.alphabeta import alphabeta_search
from starter.games import Move

# Not pruning at one kind of node costs the points of 2.3 or 2.4, but not of 2.5 and 2.6.
ONE_SIDED = {"alphabeta_no_cutoff_at_min_nodes", "alphabeta_no_cutoff_at_max_nodes"}
# Other mistakes that cost the points of 2.1 to 2.5, but not of 2.6.
NOT_ABOUT_EQUALITY = ONE_SIDED | {
    "alphabeta_alpha_in_an_elif",
    "alphabeta_alpha_is_v",
    "alphabeta_alpha_is_v_at_max_nodes",
    "alphabeta_alpha_lags",
    "alphabeta_alpha_reset",
    "alphabeta_alpha_taken_for_false",
    "alphabeta_min_hands_on_minus_inf",
    "alphabeta_takes_any_win",
}
MOST_ON_THE_BOARD = 18_297  # positions; the handout states this number


@cases_of("2.1")
def trees(rng: Random) -> list[SearchCase]:
    def draw() -> SearchCase:
        kind = rng.randrange(60)
        if kind == 0:
            return judged(["GameTree", some_numbers(rng)(), "X"])  # the game is over at the root
        tree = tied_tree(rng) if kind < 15 else random_trees(rng, 1, (rng.randint(1, 5),))[0]
        return random_call(rng, tree) if kind < 30 else judged(["GameTree", tree, rng.choice("XO")])

    deep = judged(["GameTree", chain(LONG_CHAIN, [4, 9]), "X"])
    return [*select_and_draw([draw() for _ in range(300)], draw, "2.1", 37), deep]


@cases_of("2.2")
def boards(rng: Random) -> list[PositionsCase]:
    def draw() -> PositionsCase:
        plans: list[tuple[list[Any], tuple[int, int], list[Any] | None]] = [
            (["ConnectFour", 4, 5, 4], (11, 13), None),
            (["ConnectFour", 6, 4, 4], (14, 17), None),
            (["ConnectFour", 4, 4, 4], (8, 8), ["ConnectFour", 4, 4, 3]),
            (["Hex", 3], (2, 4), None),
        ]
        return one_board(rng, *rng.choices(plans, (3, 3, 1, 2))[0])

    return [
        board_case(rng, TTT, 50, (1, 7)),
        board_case(rng, ["TicTacToe", 3, 4, 3], 8, (4, 9)),
        board_case(rng, ["TicTacToe", 4, 4, 3], 4, (8, 12)),
        board_case(rng, ["ConnectFour", 4, 4, 3], 8, (3, 10)),
        *draw_until_exposed(draw, "2.2"),
    ]


def searches_and_calls(rng: Random) -> list[SearchCase]:
    """Return searches, some of them deep, and calls with windows."""
    trees = [*pruning_trees(rng, 40, depth=2), *pruning_trees(rng, 80)]
    deep = [chain(12, tree) for tree in trees[::5]]
    calls = [random_call(rng, tree, inside=False) for tree in trees[::3]]
    return [*either_side(rng, [*trees, *deep]), *calls]


def drawn_from(rng: Random) -> Callable[[], SearchCase]:
    """Return a function that draws one such search or call."""
    drawn: list[SearchCase] = []

    def draw() -> SearchCase:
        if not drawn:
            drawn.extend(searches_and_calls(rng))
            rng.shuffle(drawn)
        return drawn.pop()

    return draw


@cases_of("2.3")
def at_min_nodes(rng: Random) -> list[SearchCase]:
    return select_and_draw(searches_and_calls(rng), drawn_from(rng), "2.3", 16)


@cases_of("2.4")
def at_max_nodes(rng: Random) -> list[SearchCase]:
    fit = passed_by({"alphabeta_move_of_the_reply"}, searches_and_calls(rng), "2.4")
    return select_and_draw(fit, drawn_from(rng), "2.4", 16)


@cases_of("2.5")
def deep_ones(rng: Random) -> list[SearchCase]:
    trees = [*pruning_trees(rng, 160, 5), *pruning_trees(rng, 80, 5, stretched=0.1)]
    return select(passed_by(ONE_SIDED, either_side(rng, trees), "2.5"), "2.5", 12)


@cases_of("2.6")
def by_equality(rng: Random) -> list[SearchCase]:
    trees = pruning_trees(rng, 300, ties=True)
    return select(passed_by(NOT_ABOUT_EQUALITY, either_side(rng, trees), "2.6"), "2.6", 9)


@cases_of("2.7")
def in_their_order(rng: Random) -> list[SearchCase]:
    *cases, last = select(either_side(rng, pruning_trees(rng, 40)), "2.7", 9)
    name, tree, to_move = last.game
    return [
        *cases,
        judged([name, named(tree), to_move]),
        nearly_full_board(rng, C4, (33, 35), centre=3),
        nearly_full_board(rng, TTT, (3, 4), centre=(1, 1)),
    ]


def nearly_full_board(rng: Random, spec: Any, plies: tuple[int, int], centre: Move) -> SearchCase:
    """Return a case on a board with few empty squares, the centre among them."""
    game = make_game(spec)
    while True:
        state = draw_opening(game, rng, rng.randint(*plies))
        if centre in game.actions(state)[1:]:
            values = board_values(game, state)
            if 30 <= len(values) <= 120:
                best, key = best_by_values(game, state, values), state.key
                return SearchCase(game=spec, state=key, value=values[key], best=best, values=values)


@cases_of("2.8")
def windows(rng: Random) -> list[SearchCase]:
    """Make calls with windows that contain the value, lie below it, or above it."""
    inside: list[SearchCase] = []
    outside: dict[tuple[str, bool], list[SearchCase]] = {}
    for tree in random_trees(rng, 400, (1, 2, 3, 4), of=small_numbers):
        function, player = rng.choice(("max_value", "min_value")), rng.choice("XO")
        case = called_with(function, tree, player, -1, 1)
        near, far, above = rng.randint(1, 5), rng.randint(6, 11), rng.random() < 0.5
        inside.append(replace(case, alpha=case.value - near, beta=case.value + far))
        low, high = (near, far) if above else (-far, -near)
        beyond = replace(case, alpha=case.value + low, beta=case.value + high)
        outside.setdefault((function, above), []).append(beyond)
    over = called_with("min_value", 5, "X", -20, 20)  # there is no move
    parts = [
        [over],
        select(inside, "2.8", 5),
        *(select(part, "2.8", 2) for part in outside.values()),
    ]
    return by_size([case for part in parts for case in part])


@cases_of("2.9")
def the_empty_board(rng: Random) -> list[NodeCountCase]:
    case = judged(TTT)
    game = Mock(wraps=case.make_game())
    alphabeta_search(game, case.make_state())
    count = 1 + game.result.call_count
    require(count == MOST_ON_THE_BOARD, f"the solution generates {count} positions")
    return [NodeCountCase(game=TTT, value=case.value, best=case.best, most=MOST_ON_THE_BOARD)]


@cases_of("2.10")
def self_play(rng: Random) -> list[Case]:
    return [Case(game=TTT), *drawn_positions(rng)]
