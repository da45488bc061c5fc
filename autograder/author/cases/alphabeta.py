"""Cases of question 2."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from random import Random
from typing import Any
from unittest.mock import Mock

from autograder.author.cases.boards import (
    C4,
    TTT,
    draw_board_case,
    draw_position_case,
    make_drawn_position_cases,
)
from autograder.author.cases.registry import cases_of, require
from autograder.author.cases.selection import (
    QUICK,
    draw_until_exposed,
    select_and_draw,
    select_cases,
    select_passed_by,
)
from autograder.author.cases.trees import (
    LONG_CHAIN,
    add_move_names,
    choose_numbers,
    choose_small_numbers,
    compute_values,
    draw_call,
    draw_pruning_trees,
    draw_random_trees,
    draw_tied_tree,
    make_call,
    make_chain,
    make_search_cases,
    make_special_leaf_trees,
    solve_game,
    sort_by_size,
)
from autograder.checks.play.matches import draw_opening
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
MAX_EMPTY_BOARD_NODES = 18_297  # positions; the handout states this number


@cases_of("2.1")
def make_tree_cases(rng: Random) -> list[SearchCase]:
    def draw() -> SearchCase:
        kind = rng.randrange(60)
        if kind == 0:
            # The game is over at the root.
            return solve_game(["GameTree", choose_numbers(rng)(), "X"])
        tree = (
            draw_tied_tree(rng) if kind < 15 else draw_random_trees(rng, 1, (rng.randint(1, 5),))[0]
        )
        if kind < 30:
            return draw_call(rng, tree)
        return solve_game(["GameTree", tree, rng.choice("XO")])

    deep = solve_game(["GameTree", make_chain(LONG_CHAIN, [4, 9]), "X"])
    special = [solve_game(["GameTree", *row]) for row in make_special_leaf_trees(rng)]
    drawn = select_and_draw((draw() for _ in range(300)), draw, "2.1", 37)
    return [*sort_by_size([*drawn, *special]), deep]


@cases_of("2.2")
def make_board_cases(rng: Random) -> list[PositionsCase]:
    def draw() -> PositionsCase:
        plans: list[tuple[list[Any], tuple[int, int], list[Any] | None]] = [
            (["ConnectFour", 4, 5, 4], (11, 13), None),
            (["ConnectFour", 6, 4, 4], (14, 17), None),
            (["ConnectFour", 4, 4, 4], (8, 8), ["ConnectFour", 4, 4, 3]),
            (["Hex", 3], (2, 4), None),
        ]
        return draw_position_case(rng, *rng.choices(plans, (3, 3, 1, 2))[0])

    return [
        draw_board_case(rng, TTT, 50, (1, 7)),
        draw_board_case(rng, ["TicTacToe", 3, 4, 3], 8, (4, 9)),
        draw_board_case(rng, ["TicTacToe", 4, 4, 3], 4, (8, 12)),
        draw_board_case(rng, ["ConnectFour", 4, 4, 3], 8, (3, 10)),
        *draw_until_exposed(draw, "2.2"),
    ]


def make_searches_and_calls(rng: Random) -> list[SearchCase]:
    """Return searches, some of them deep, and calls with windows."""
    trees = [*draw_pruning_trees(rng, 40, depth=2), *draw_pruning_trees(rng, 80)]
    deep = [make_chain(12, tree) for tree in trees[::5]]
    calls = [draw_call(rng, tree, inside=False) for tree in trees[::3]]
    return [*make_search_cases(rng, [*trees, *deep]), *calls]


def draw_searches_and_calls(rng: Random) -> Iterator[SearchCase]:
    while True:
        found = make_searches_and_calls(rng)
        rng.shuffle(found)
        yield from reversed(found)


@cases_of("2.3")
def make_min_node_cases(rng: Random) -> list[SearchCase]:
    found, more = make_searches_and_calls(rng), draw_searches_and_calls(rng)
    return select_and_draw(found, more.__next__, "2.3", 16)


@cases_of("2.4")
def make_max_node_cases(rng: Random) -> list[SearchCase]:
    fit = select_passed_by({"alphabeta_move_of_the_reply"}, make_searches_and_calls(rng), "2.4")
    return select_and_draw([*fit], draw_searches_and_calls(rng).__next__, "2.4", 16)


@cases_of("2.5")
def make_deep_pruning_cases(rng: Random) -> list[SearchCase]:
    trees = [*draw_pruning_trees(rng, 160, 5), *draw_pruning_trees(rng, 80, 5, stretched=0.1)]
    more = (make_search_cases(rng, draw_pruning_trees(rng, 1, 5))[0] for _ in count())
    return select_and_draw(make_search_cases(rng, trees), more.__next__, "2.5", 12, ONE_SIDED)


@cases_of("2.6")
def make_equal_bound_cases(rng: Random) -> list[SearchCase]:
    found = make_search_cases(rng, draw_pruning_trees(rng, 300, ties=True))
    more = (make_search_cases(rng, draw_pruning_trees(rng, 1, ties=True))[0] for _ in count())
    return select_and_draw(found, more.__next__, "2.6", 9, NOT_ABOUT_EQUALITY)


@cases_of("2.7")
def make_move_order_cases(rng: Random) -> list[SearchCase]:
    *cases, last = select_cases(make_search_cases(rng, draw_pruning_trees(rng, 40)), "2.7", 9)
    name, tree, to_move = last.game
    return [
        *cases,
        solve_game([name, add_move_names(tree), to_move]),
        draw_nearly_full_case(rng, C4, (33, 35), centre=3),
        draw_nearly_full_case(rng, TTT, (3, 4), centre=(1, 1)),
    ]


def draw_nearly_full_case(
    rng: Random, spec: Any, plies: tuple[int, int], centre: Move
) -> SearchCase:
    """Return a case on a board with few empty squares, the centre among them."""
    game = make_game(spec)
    while True:
        state = draw_opening(game, rng, rng.randint(*plies))
        if centre in game.actions(state)[1:]:
            values = compute_values(game, state, state.to_move)
            inner = {one.key: value for one, value in values.items() if not game.is_terminal(one)}
            if 30 <= len(inner) <= 120:
                return replace(solve_game(spec, state.key), values=inner)


@cases_of("2.8")
def make_window_cases(rng: Random) -> list[SearchCase]:
    """Make calls with windows that contain the value, lie below it, or above it."""
    inside: list[SearchCase] = []
    outside: dict[tuple[str, bool], list[SearchCase]] = {}
    most = 120 if QUICK.get() else 400
    for tree in draw_random_trees(rng, most, (1, 2, 3, 4), of=choose_small_numbers):
        function, player = rng.choice(("max_value", "min_value")), rng.choice("XO")
        case = make_call(function, tree, player, -1, 1)
        near, far, above = rng.randint(1, 5), rng.randint(6, 11), rng.random() < 0.5
        inside.append(replace(case, alpha=case.value - near, beta=case.value + far))
        low, high = (near, far) if above else (-far, -near)
        beyond = replace(case, alpha=case.value + low, beta=case.value + high)
        outside.setdefault((function, above), []).append(beyond)
    over = make_call("min_value", 5, "X", -20, 20)  # there is no move
    parts = [
        [over],
        select_cases(inside, "2.8", 5),
        *(select_cases(part, "2.8", 2) for part in outside.values()),
    ]
    return sort_by_size([case for part in parts for case in part])


@cases_of("2.9")
def make_empty_board_cases(rng: Random) -> list[NodeCountCase]:
    case = solve_game(TTT)
    game = Mock(wraps=case.make_game())
    alphabeta_search(game, case.make_state())
    count = 1 + game.result.call_count
    require(count == MAX_EMPTY_BOARD_NODES, f"the solution generates {count} positions")
    return [NodeCountCase(game=TTT, value=case.value, best=case.best, most=MAX_EMPTY_BOARD_NODES)]


@cases_of("2.10")
def make_self_play_cases(rng: Random) -> list[Case]:
    return [Case(game=TTT), *make_drawn_position_cases(rng)]
