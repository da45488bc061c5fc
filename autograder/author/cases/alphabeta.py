"""Cases of question 2."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

from autograder.author.cases.boards import (
    C4,
    TTT,
    best_by_values,
    board_case,
    board_values,
    drawn_positions,
)
from autograder.author.cases.cache_traps import ends_reached_twice, with_equal_states
from autograder.author.cases.equal_bounds import equal_bound_boards, equal_bound_trees
from autograder.author.cases.pruning import (
    DEEP,
    EQUAL,
    PLAIN,
    PLAIN_MAX,
    PLAIN_MIN,
    Kind,
    chances_to_cut,
    cut_after_a_line,
    far_bounds,
    forgotten_bounds,
    late_at_max_nodes,
    late_at_min_nodes,
    pruning_cases,
)
from autograder.author.cases.registry import cases_of, require
from autograder.author.cases.symmetry_traps import mirrored_hex
from autograder.author.cases.trees import (
    HUGE,
    LONG_CHAIN,
    ONE_REPLY,
    Tree,
    chain,
    fine,
    judged,
    leaves,
    mirrored,
    named,
    random_tree,
    random_trees,
    spines,
    tenths,
    thousandths,
    wide_nodes,
    wide_tree,
    with_leaves,
)
from autograder.checks.matches import opening
from autograder.serving.cases import Case, NodeCountCase, PositionsCase, SearchCase
from autograder.serving.record import RecordingGame
from autograder.worker.inside.protocol import make_game
from solution.alphabeta import alphabeta_search
from starter.games import Move, other

MOST_ON_THE_BOARD = 18_297  # positions; the handout states this number


# --- calls with a window --------------------------------------------------------------------------


def called_with(function: str, tree: Tree, player: str, alpha: float, beta: float) -> SearchCase:
    """Return a call of max_value or min_value with a window and `player`'s values."""
    to_move = player if function == "max_value" else other(player)
    case = judged(["GameTree", mirrored(tree) if player == "O" else tree, to_move])
    return replace(
        case,
        value=case.value if to_move == player else -case.value,
        player=player,
        function=f"alphabeta.{function}",
        alpha=alpha,
        beta=beta,
    )


def both_ways(tree: Tree, player: str, alpha: float, beta: float) -> list[SearchCase]:
    """Return a call of min_value, and the mirrored call of max_value."""
    return [
        called_with("min_value", tree, player, alpha, beta),
        called_with("max_value", mirrored(tree), player, -beta, -alpha),
    ]


def wide_calls(rng: Random) -> list[SearchCase]:
    """Make calls whose first values lie beyond the node's own bound, without a prune.

    From the root, where that bound is infinite, three mistakes look the same: testing a node's own
    bound, swapped bounds, and a return in the loop all return after one move.
    """
    n = sorted(rng.sample(range(-60, 61), 8))
    return both_ways([[n[3], n[6]], [n[5], n[7]], [n[1], n[2]], [n[0], n[4]]], "X", -99, n[5])


def cutting_calls(rng: Random) -> list[SearchCase]:
    """Make calls that show where a prune is lost.

    In the call of min_value, a prune is due by the call's alpha, below a max node; one by an alpha
    that is raised there; one at the node itself.

    From the root, three mistakes look the same: a min node that never prunes, a max node that never
    raises alpha, and a max node that passes -inf.
    """
    n = sorted(rng.sample(range(-60, 61), 12))
    passed, raised = [n[5], n[11]], [n[7], n[10]]
    tree = [[passed, [n[8], n[9]], raised], [[n[4], n[3]], [n[1], n[2]]], [[n[0], n[6]]]]
    return both_ways(tree, rng.choice("XO"), n[6], 99)


# --- test by test ---------------------------------------------------------------------------------


def require_chances(cases: list[SearchCase], *kinds: Kind) -> None:
    """Require that in each case an unpruned search misses a prune of these kinds."""
    for case in cases:
        found = chances_to_cut(case.game[1], case)
        require(bool(found.intersection(kinds)), "no cut-off is due of this test's kind", case)


@cases_of("2.1")
def trees(rng: Random) -> list[SearchCase]:
    shapes = [7, [4], [2, 1], [[3, 5], [2, 1]], [[3, 12, 8], [2, 4, 6], [14, 5, 2]]]
    shapes += random_trees(rng, 14, (2, 3, 4, 4, 5))
    shapes += [random_tree(rng, 4, tenths(rng), (2, 3)) for _ in range(8)]
    shapes += [random_tree(rng, 4, thousandths(rng), (2, 3)) for _ in range(4)]
    won = [["GameTree", [1, 2], "X"], ["GameTree", [-1, -2], "O"]]  # a win need not be the best
    first, *others = (judged(["GameTree", tree, "XO"[i % 2]]) for i, tree in enumerate(shapes))
    return [
        first,
        judged(["GameTree", [4, [8, [5, 7], 9]], "X"]),  # a min node called with an alpha
        *(judged(["GameTree", tree, side]) for tree, side in equal_bound_trees(rng)),
        *others,
        *map(judged, won),
        *(judged(["GameTree", tree, "X"]) for tree in HUGE),
        judged(["GameTree", random_tree(rng, 3, fine(rng), (2, 3)), "O"]),
        *wide_calls(rng),
        *(judged(["GameTree", tree, "X"]) for tree in (wide_tree(rng), *wide_nodes(rng))),
        judged(["GameTree", chain(LONG_CHAIN, [4, 9]), "O"]),
        judged(["GameTree", rng.randint(2, 60), "O"]),  # a terminal root
        *(judged(["GameTree", tree, "X"]) for tree in spines(rng)),
    ]


@cases_of("2.2")
def boards(rng: Random) -> list[PositionsCase]:
    return [
        board_case(rng, TTT, 50, (1, 7)),
        board_case(rng, ["TicTacToe", 3, 4, 3], 8, (4, 9)),
        board_case(rng, ["TicTacToe", 4, 4, 3], 4, (8, 12)),
        board_case(rng, ["ConnectFour", 4, 4, 3], 8, (3, 10)),
        board_case(rng, ["ConnectFour", 4, 4, 3], 8, (3, 10), first=True),
        *equal_bound_boards(rng),
        ends_reached_twice(rng),
        with_equal_states(rng, ["ConnectFour", 4, 4, 4], ["ConnectFour", 4, 4, 3], 8),
        mirrored_hex(rng),
    ]


@cases_of("2.3")
def at_min_nodes(rng: Random) -> list[SearchCase]:
    cases = [
        *pruning_cases(rng, 4, {PLAIN_MIN}, 2),
        judged(["GameTree", [0, [-3, 5]], "X"]),  # alpha is 0, which Python takes for false
        judged(["GameTree", [5, 2, [3, 9]], "X"]),  # alpha stays 5 after a smaller value
        *pruning_cases(rng, 4, {PLAIN_MIN}, 4),
        judged(["GameTree", chain(14, [5, [3, 9]]), "X"]),
        judged(["GameTree", cut_after_a_line()[0], "X"]),
        cutting_calls(rng)[0],
    ]
    cases.insert(0, judged(["GameTree", late_at_min_nodes(rng), "X"]))
    require_chances(cases, PLAIN_MIN)
    return cases


@cases_of("2.4")
def at_max_nodes(rng: Random) -> list[SearchCase]:
    cases = [
        *pruning_cases(rng, 4, {PLAIN_MAX}, 3),
        judged(["GameTree", [[0, [3, 5]], -1], "X"]),  # likewise beta
        judged(["GameTree", [[2, 6, [4, 1]], -1], "X"]),
        *pruning_cases(rng, 4, {PLAIN_MAX}, 4),
        judged(["GameTree", chain(14, [[-5, [-3, -9]]]), "X"]),
        judged(["GameTree", cut_after_a_line()[1], "X"]),
        cutting_calls(rng)[1],
    ]
    cases.insert(0, judged(["GameTree", late_at_max_nodes(rng), "X"]))
    require_chances(cases, PLAIN_MAX)
    return cases


@cases_of("2.5")
def deep_ones(rng: Random) -> list[SearchCase]:
    cases = [*forgotten_bounds(), *pruning_cases(rng, 6, PLAIN | DEEP, 5, 70, (1, 2, 2, 3))]
    cases += [judged(["GameTree", tree, "X"]) for tree in far_bounds()]
    require_chances(cases, *DEEP)
    return cases


@cases_of("2.6")
def by_equality(rng: Random) -> list[SearchCase]:
    *cases, large = pruning_cases(rng, 9, PLAIN | EQUAL, 4)
    name, tree, to_move = large.game
    scaled = with_leaves(tree, {leaf: leaf * 2**27 for leaf in leaves(tree)})
    return [*cases, judged([name, scaled, to_move])]  # a margin is lost here


@cases_of("2.7")
def in_their_order(rng: Random) -> list[SearchCase]:
    *cases, last = pruning_cases(rng, 9, PLAIN, 4)
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
        state = opening(game, rng, rng.randint(*plies))
        if centre in game.actions(state)[1:]:
            values = board_values(game, state)
            if 30 <= len(values) <= 120:
                best, key = best_by_values(game, state, values), state.key
                return SearchCase(game=spec, state=key, value=values[key], best=best, values=values)


@cases_of("2.8")
def windows(rng: Random) -> list[SearchCase]:
    """Make calls with windows that contain the value, lie below it, or above it."""
    by_hand: list[tuple[Tree, str]] = [
        (5, "O"),
        ([[3, 9], [3, 1]], "X"),  # the second 3 is only a bound: its move is worse
        ([[3, 1], [3, 9]], "O"),
        (ONE_REPLY, "X"),
        (ONE_REPLY, "O"),
    ]
    cases = []
    for i in range(14):
        tree = random_tree(rng, 2 + i // 5, lambda: rng.randint(-20, 20), (2, 3), 0.0)
        side = "XO"[i % 2]
        near, far = rng.randint(1, 5), rng.randint(6, 11)
        low, high = ((-near, far), (near, far), (-far, -near))[i % 3]
        if i < len(by_hand):
            (tree, side), low, high = by_hand[i], -3, 4
        value = judged(["GameTree", tree, side]).value
        value = value if side == "X" else -value
        function = "max_value" if side == "X" else "min_value"
        player = "XXO"[i // 2 % 3]  # the leaves are this player's values
        cases.append(called_with(function, tree, player, value + low, value + high))
    places = {(case.function, case.value > case.alpha, case.value < case.beta) for case in cases}
    require(len(places) == 6, f"there are only these windows, of six kinds: {places}")
    return cases


@cases_of("2.9")
def the_empty_board(rng: Random) -> list[NodeCountCase]:
    case = judged(TTT)
    recorded = RecordingGame(case.make_game(), case.make_state())
    alphabeta_search(recorded, recorded.initial)
    count = len(recorded.record.positions)
    require(count == MOST_ON_THE_BOARD, f"the solution generates {count} positions")
    return [NodeCountCase(game=TTT, value=case.value, best=case.best, most=MOST_ON_THE_BOARD)]


@cases_of("2.10")
def self_play(rng: Random) -> list[Case]:
    return [Case(game=TTT), *drawn_positions(rng)]
