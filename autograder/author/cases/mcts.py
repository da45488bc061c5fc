"""Make the cases of question 4."""

from collections.abc import Iterator
from copy import copy
from functools import partial
from random import Random
from typing import Any

import scipy  # loads its parts lazily

from autograder.author.cases.boards import C4, TTT, find_best_to_depth
from autograder.author.cases.registry import cases_of, require
from autograder.author.cases.selection import QUICK, select_and_draw
from autograder.author.cases.trees import (
    LARGEST,
    Tree,
    add_move_names,
    draw_random_tree,
    make_chain,
)
from autograder.checks.ask.values import TOLERANCE
from autograder.checks.mcts.rules import USUAL_C
from autograder.checks.play.matches import draw_opening, find_winning_moves
from autograder.diagram import is_tree
from autograder.serving.cases import (
    BackpropCase,
    FinalMoveCase,
    ForcedMoveCase,
    MatchCase,
    PhaseCase,
    PlayoutsCase,
    SeededCase,
    SelectCase,
    Statistics,
    TreeGrowthCase,
    TreePath,
    UniformCase,
)
from autograder.worker.inside.protocol import make_game, make_state
from solution.mcts import Node, monte_carlo_tree_search, ucb
from starter.games import Game, Move, Othello, State, TicTacToe

SEARCH = "mcts.monte_carlo_tree_search"
LONG: list[Any] = ["ConnectFour", 8, 7, 5]  # hardly ever over within 20 plies
QUARTERS = range(-4, 5)
MIN_GAP = 0.02  # the minimum gap between the two largest UCBs
# The only move is 0, or (0, 0), which Python or NumPy takes for false.
ONLY_THE_FIRST_LEFT: list[tuple[list[Any], str]] = [
    (["ConnectFour", 4, 3, 4], ".XO/.OX/XXO/OOX"),
    (TTT, ".XO/XXO/OOX"),
]
TALL: list[Any] = ["ConnectFour", 12, 3, 12]  # ends when the board is almost full


def draw_seed(rng: Random) -> int:
    return rng.randrange(10**9)


def draw_playouts(rng: Random, game: list[Any], playouts: int, **fields: Any) -> PlayoutsCase:
    return PlayoutsCase(game=game, playouts=playouts, seed=draw_seed(rng), **fields)


@cases_of("4.1")
def make_select_cases(rng: Random) -> list[SelectCase]:
    """Make search trees in which UCB alone decides; small ones have few children."""
    few: list[Any] = ["GameTree", [[1, 2], [3, 4]], "X"]
    three: list[Any] = ["GameTree", make_ternary_tree(0, 4), "X"]
    plans: list[tuple[list[Any], int, int]] = [  # a game, the most visits, the depth
        *((["GameTree", [[1, 2]], "X"], 6, 1), (few, 6, 1), (few, 30, 2)),
        *((three, 5, 1), (three, 60, 2), (three, 100, 3)),
        *((C4, 60, 1), (TTT, 30, 1), (TTT, 60, 2), (TTT, 200, 3)),
    ]

    def draw() -> SelectCase:
        spec, most, depth = rng.choice(plans)
        C = rng.choice((0.0, 0.4, USUAL_C, USUAL_C, 2.5, 5.0))
        return draw_select_case(rng, spec, depth, most, C)

    def draw_more() -> SelectCase:
        # With few visits and a large C, a logarithm of nearly the visits decides differently.
        few_visits = QUICK.get() and rng.random() < 0.7
        return draw_select_case(rng, few, 1, 6, 5.0) if few_visits else draw()

    return select_and_draw((draw() for _ in range(300)), draw_more, "4.1", 26)


def draw_search_tree(
    rng: Random, game: Game, state: State, visits: int, depth: int
) -> dict[tuple[int, ...], Node]:
    """Return a search tree with synthetic statistics: its nodes by their paths.

    All children are good, or all are bad, or some are. On explicit trees utilities may be large.
    """
    good = rng.choice((-0.8, -0.4, 0, 0, 0.4))
    largest = rng.choice((1, 1, 1, 10, 10, LARGEST // visits)) if is_tree(state) else 1
    nodes: dict[tuple[int, ...], Node] = {}

    def grow(node: Node, path: tuple[int, ...]) -> None:
        mean = largest * (good + (1 - abs(good)) * rng.uniform(-1, 1))
        node.U = round(node.N * mean, 1) + 0.0  # not -0.0
        nodes[path] = node
        if len(path) == depth or node.N < 2 or game.is_terminal(node.state):
            return
        actions = game.actions(node.state)
        shares = [rng.random() for _ in actions]
        for i, move in enumerate(actions):
            child = node.children[i] = Node(game.result(node.state, move), node, move)
            child.N = round((node.N - 1) * shares[i] / sum(shares))
            grow(child, (*path, i))

    root = Node(state)
    root.N = visits
    grow(root, ())
    return nodes


def let_two_compete(rng: Random, node: Node, C: float) -> None:
    """Let the second of the visited children nearly reach the largest UCB.

    So a formula that is slightly wrong prefers another child.
    """
    visited = [child for child in node.children.values() if child.N]
    if len(visited) > 1:
        *_, second, first = sorted(visited, key=lambda child: ucb(child, C))
        gap = ucb(first, C) - ucb(second, C) - rng.uniform(MIN_GAP, 6 * MIN_GAP)
        second.U = round(second.U + second.N * gap, 2) + 0.0


def descend(node: Node, C: float) -> tuple[list[int], bool]:
    """Return UCB's path from a node, and if its maxima are unique."""
    clear = True
    at: list[int] = []
    while node.children:
        bounds = {key: ucb(child, C) for key, child in node.children.items()}
        ranked = sorted(bounds.values(), reverse=True)
        if len(ranked) > 1:
            rounding = 500 * TOLERANCE * abs(ranked[1])
            clear = clear and ranked[0] - ranked[1] > max(MIN_GAP, rounding)
        at.append(max(bounds, key=lambda key: bounds[key]))
        node = node.children[at[-1]]
    return at, clear


def draw_select_case(rng: Random, spec: list[Any], depth: int, most: int, C: float) -> SelectCase:
    """Return a search tree with at most `most` visits, and unique largest UCBs.

    Sometimes select starts below the root, at a node that UCB does not lead to.
    """
    game = make_game(spec)
    tree = is_tree(game.initial)
    while True:
        state = game.initial if tree else draw_opening(game, rng, rng.randint(3, 6))
        nodes = draw_search_tree(rng, game, state, rng.randint(2, most), depth)
        start = rng.choice([path for path in nodes if len(path) < 2]) if rng.random() < 0.2 else ()
        if rng.random() < 0.3:
            let_two_compete(rng, nodes[start], C)
        below, clear = descend(nodes[start], C)
        if clear and len(start) + len(below) >= depth:
            return SelectCase(
                game=spec,
                state=None if tree else state.key,
                nodes=[(list(path), node.U, node.N) for path, node in nodes.items()],
                at=list(start),
                leaf=[*start, *below],
                C=C,
            )


@cases_of("4.2")
def make_expand_cases(rng: Random) -> list[PhaseCase]:
    """Make leaves to expand: the root alone, a deeper node, a terminal node."""
    game = TicTacToe()
    middle = draw_opening(game, rng, 4)
    last: list[int] = []
    while not last:  # a move that ends the game
        before = draw_opening(game, rng, 5)
        actions = game.actions(before)
        last = [i for i, m in enumerate(actions) if game.is_terminal(game.result(before, m))]
    children = [([i], int(i == last[0]), int(i == last[0])) for i in range(len(actions))]  # a win
    below: list[Statistics] = [([0], -1, 1), ([1], 0, 0)]
    draw: list[Statistics] = [([], 0, 1), ([0], 0, 1), ([1], 0, 0)]
    root: list[Statistics] = [([], 0, 0)]
    plans: list[tuple[list[Any], str | None, list[Statistics], TreePath]] = [
        (["GameTree", [1, 2, 3], "X"], None, root, []),
        (["GameTree", 5, "X"], None, root, []),
        (["GameTree", [[1, 2, 3], 4], "X"], None, [([], 1, 2), *below], [0]),
        # An unvisited leaf is expanded, too.
        (["GameTree", [1, [2, 3, 4]], "X"], None, [([], 1, 1), *below], [1]),
        (["GameTree", [0, 1], "X"], None, draw, [0]),  # a terminal draw
        (TTT, middle.key, root, []),
        # Legal moves depend on the game: both have the same empty board.
        (["ConnectFour", 3, 3, 3], None, root, []),
        (TTT, None, root, []),
        (C4, None, root, []),
        # Moves are not sorted: as texts, 10 and 11 would precede 2.
        (["ConnectFour", 2, 12, 4], None, root, []),
        (["GameTree", add_move_names([1, 2, 3]), "X"], None, root, []),
        (TTT, before.key, [([], -1, 2), *children], [last[0]]),
        (["TicTacToe", 6, 6, 4], None, root, []),
        (["GameTree", [[1, 2]], "X"], None, root, []),  # a forced move gets a child, too
        *((spec, state, root, []) for spec, state in ONLY_THE_FIRST_LEFT),
    ]
    return [
        PhaseCase(game=spec, state=state, nodes=nodes, at=at) for spec, state, nodes, at in plans
    ]


@cases_of("4.3")
def make_simulate_cases(rng: Random) -> list[SeededCase]:
    """Make playouts, starting with two plies.

    So confusing the previous, next and last player gives different values. Terminal states
    distinguish least, so they come after other small cases.
    """
    deep = [[[2, 3], [4, 5]], [[6, 7], [8, 9]]]
    positions: list[tuple[list[Any], str | None]] = [
        (["GameTree", [[-2.5, -2.5]], "X"], None),
        (["GameTree", [3, 3], "X"], None),
        (["GameTree", [0], "X"], None),  # a draw is not a loss
        (["GameTree", [[1, 1], [1, 1]], "X"], None),
        (["GameTree", 1, "X"], None),
        (["GameTree", deep, "O"], None),
        (["GameTree", deep, "X"], "b"),
        *((TTT, draw_opening(TicTacToe(), rng, plies).key) for plies in (6, 5, 3, 2)),
        (TTT, "XOX/XOX/O.O"),  # every line is a draw
        *ONLY_THE_FIRST_LEFT,
        (C4, None),
        (["Othello", 4], draw_pass_position(rng)),
        (LONG, None),
        (["TakeAway", 200, 1], None),  # a long game
    ]
    return [SeededCase(game=spec, state=state, seed=draw_seed(rng)) for spec, state in positions]


def draw_pass_position(rng: Random) -> str:
    """Return the key of an Othello position in which the player to move must pass."""
    game = Othello(4)
    while True:
        state = game.initial
        while not game.is_terminal(state):
            if game.actions(state) == ("pass",):
                return str(state.key)
            state = game.result(state, rng.choice(game.actions(state)))


@cases_of("4.4")
def make_uniform_cases(rng: Random) -> list[UniformCase]:
    """Make many playouts from one position; chi-square may be from `least` to `most`.

    Seven moves detect a generator with 10 or 16 outcomes; forty detect 32, or 100 reused
    generators. The second move detects drawing without replacement: in Connect Four a move can be
    made again.
    """
    wins = rng.choice(("XX./OO./...", "X.O/XO./...", "X../.X./O.O"))
    plans: list[tuple[list[Any], str | None, int, bool]] = [
        # The win is not the first or last move.
        (["GameTree", [0, 1, -1], "X"], None, 300, False),
        (["GameTree", [[0, -1, 1]], "X"], None, 300, False),
        (["ConnectFour", 2, 4, 3], "X.../O...", 300, False),  # one column is full
        (TTT, wins, 500, False),
        (["GameTree", [0, 1, -1, 0, -1, 1, 0], "X"], None, 1400, False),
        (["ConnectFour", 2, 7, 2], None, 420, True),  # soon over
        (["Nim", [40]], None, 400, False),
    ]
    cases = []
    for spec, state, playouts, second in plans:
        game = make_game(spec)
        here = make_state(game, state)
        while len(game.actions(here)) == 1:
            here = game.result(here, game.actions(here)[0])
        options = len(game.actions(here))
        spread = scipy.stats.chi2(options - 1)
        case = UniformCase(
            game=spec,
            state=state,
            seed=draw_seed(rng),
            playouts=playouts,
            most=float(spread.isf(5e-8)),
            # With fewer moves, equal counts are too likely.
            least=float(spread.ppf(1e-7)) if options == 7 else 0.0,
            second=second,
        )
        require(playouts % options == 0, f"the playouts are no multiple of {options}", case)
        cases.append(case)
    return cases


@cases_of("4.5")
def make_backprop_cases(rng: Random) -> list[BackpropCase]:
    """Make results to record at the root and at deeper nodes; wins, draws, others.

    Two and three plies come first, to separate an inverted sign from a constant one. A first
    utility of 1 would not separate -utility from 1 - utility, or from adding nothing for a loss.
    """
    plans = ((2, -1), (3, 2.5), (2, 1), (1, 1), (1, -1), (0, 1), (2, 0), (1, 0.125))
    return [draw_backprop_case(rng, depth, utility) for depth, utility in plans]


def draw_backprop_case(rng: Random, depth: int, utility: float) -> BackpropCase:
    nodes: list[Statistics] = [([], 3.0, 9)]
    path: TreePath = []
    tree: Tree = [0, 0]
    for _ in range(depth):
        tree = [tree, tree]
        keep = rng.randrange(2)
        for i in range(2):
            nodes.append(([*path, i], float(rng.choice((-2, -1, 1, 2))), rng.randint(2, 4)))
        path = [*path, keep]
    after = []
    for place, U, N in nodes:
        if place == path[: len(place)]:  # an ancestor; the sign alternates
            U, N = U + utility * (-1) ** (len(path) - len(place)), N + 1
        after.append((place, U, N))
    return BackpropCase(
        game=["GameTree", tree, "X"], nodes=nodes, at=path, utility=utility, after=after
    )


@cases_of("4.6")
def make_unchanged_tree_cases(rng: Random) -> list[PlayoutsCase]:
    return [draw_playouts(rng, TTT, 12)]


@cases_of("4.7")
def make_tree_growth_cases(rng: Random) -> list[TreeGrowthCase]:
    """Make games so long that no playout ends inside the search tree.

    Each ply of the tree takes a visit to every child, and the first player can't win before the
    k-th stone: so there are at most (2k - 2) * width playouts. The last case cannot end in a draw,
    because zeros would always add up.
    """
    cases = [
        TreeGrowthCase(game=["ConnectFour", 8, 2, 4], playouts=5, seed=draw_seed(rng)),
        TreeGrowthCase(game=LONG, playouts=40, seed=draw_seed(rng)),
    ]
    branches = [make_chain(9, rng.choice((1, -1)) * rng.randint(1, 9)) for _ in range(3)]
    decided = TreeGrowthCase(game=["GameTree", branches, "X"], playouts=9, seed=draw_seed(rng))
    return [*cases, decided]


@cases_of("4.8")
def make_final_move_cases(rng: Random) -> list[FinalMoveCase]:
    """Make finished trees with one child that is visited most, or with two.

    On boards the most visited children have children, too. For searches on a served game, no
    playout ends inside the tree on boards. In a game tree one move wins at once, which does not
    make it the most visited.
    """
    game = make_game(LONG)
    states = [draw_opening(game, rng, rng.randint(0, 5)).key for _ in range(3)]

    def draw() -> FinalMoveCase:
        children = rng.choice(
            (draw_statistics, draw_statistics, draw_close_statistics, draw_early_statistics)
        )(rng)
        game, state = LONG, None
        if rng.random() < 0.7:
            # Several trees of one state expose a tree that is cached by its state.
            state = rng.choice(states)
        else:
            scale = rng.choice((1, 20))  # utilities may be any numbers
            branches = [make_ternary_tree(-scale, 3) for _ in children]
            branches[rng.randrange(len(branches))] = scale
            game = ["GameTree", branches, "X"]
            children = [(scale * U, N) for U, N in children]
        total = sum(N for _, N in children)
        root: Statistics = ([], -sum(U for U, _ in children), total)
        nodes = [root, *(([i], U, N) for i, (U, N) in enumerate(children))]
        return FinalMoveCase(
            game=game,
            state=state,
            seed=draw_seed(rng),
            nodes=nodes if state is None else [*nodes, *make_grandchildren(nodes)],
            playouts=total,
        )

    cases = select_and_draw((draw() for _ in range(100)), draw, "4.8", 11)
    # If an unvisited child has no mean, a wrong choice raises, which says less.
    return sorted(cases, key=lambda case: any(N == 0 for path, _, N in case.nodes if len(path) < 2))


def make_grandchildren(nodes: list[Statistics]) -> Iterator[Statistics]:
    """Yield seven children of each child that is visited most.

    All its playouts but the first went through the last of them, whose mean is another.
    """
    most = max(N for path, _, N in nodes if path)
    for path, U, N in nodes:
        if path and N == most > 1:
            yield from (([*path, i], 0, 0) for i in range(6))
            yield [*path, 6], (1 if U >= 0 else -1) - U, N - 1


def make_ternary_tree(value: int, plies: int) -> Tree:
    """Return a tree with three moves at every node and equal leaves."""
    return [make_ternary_tree(value, plies - 1)] * 3 if plies else value


def draw_statistics(rng: Random) -> list[tuple[int, int]]:
    """Return (U, N) of seven children with different visit counts."""
    return [(rng.randint(-N, N), N) for N in rng.sample(range(1, 20), 7)]


def draw_close_statistics(rng: Random) -> list[tuple[int, int]]:
    """Return seven children, two often visited, the second with a better mean.

    If their visit counts are equal, either may be chosen, with its mean.
    """
    children = draw_statistics(rng)
    most, better = sorted(rng.sample(range(7), 2))
    first, second = rng.choice(((60, 59), (24, 24)))
    children[most] = rng.randint(2, 6), first
    children[better] = rng.randint(9, 15), second
    return children


def draw_early_statistics(rng: Random) -> list[tuple[int, int]]:
    """Return seven children after four playouts; three are unvisited, without a mean."""
    visited = rng.sample(range(7), 4)
    return [(rng.choice((-1, 1)), 1) if i in visited else (0, 0) for i in range(7)]


@cases_of("4.9")
def make_playout_count_cases(rng: Random) -> list[PlayoutsCase]:
    one_move = "/".join(["XO.", "OX."] * 6)  # its value still needs playouts
    # One move is so good that half of the playouts would decide. No branch ends inside the search
    # tree.
    clear = ["GameTree", [make_chain(40, 1), make_chain(40, -1)], "X"]
    # The best mean is random here; often it is not the most visited child's.
    random = ["GameTree", [make_chain(12, [[1], [-1]]) for _ in range(5)], "X"]
    # Equal leaves spread the playouts evenly, so that no node at ply three occurs twice.
    wide = ["GameTree", [[[[[0]]] * 10] * 10] * 10, "X"]
    return [
        *(draw_playouts(rng, TALL, count) for count in (4, 9, 20)),
        draw_playouts(rng, TALL, 4, state=one_move),
        draw_playouts(rng, clear, 30),
        draw_playouts(rng, TALL, 2),  # for three moves
        *(draw_playouts(rng, random, 7) for _ in range(8)),
        PlayoutsCase(game=wide, playouts=1000, seed=0, explicit=False),
    ]


@cases_of("4.10")
def make_forced_move_cases(rng: Random) -> list[ForcedMoveCase]:
    """Make positions with one move that wins at once, or that prevents a win."""
    plans = [("win", TTT, 100), ("win", TTT, 100), ("win", C4, 200)]
    plans += [("block", TTT, 100), ("block", TTT, 100), ("block", C4, 250)]
    return [draw_forced_move_case(rng, *plan) for plan in plans]


def draw_forced_move_case(rng: Random, kind: str, spec: list[Any], playouts: int) -> ForcedMoveCase:
    """Return a position whose one right move the solution finds almost always.

    It wins, or prevents a win, and is the best.
    """
    game = make_game(spec)
    while True:
        state = draw_opening(game, rng, rng.randint(3, 6) if spec is TTT else rng.randint(8, 14))
        moves, best = game.actions(state), find_winning_moves(game, state)
        if kind == "block":
            children = (game.result(state, move) for move in moves)
            safe = [i for i, child in enumerate(children) if not find_winning_moves(game, child)]
            best = [] if best else safe
        if len(best) != 1 or len(moves) < 3 or find_best_to_depth(game, state, 6) != best:
            continue
        if is_nearly_always_found(rng, game, state, moves[best[0]], playouts):
            break
    return ForcedMoveCase(
        game=spec,
        state=state.key,
        why="the win in one move" if kind == "win" else "the move that stops a win in one",
        best=best,
        playouts=playouts,
        seed=draw_seed(rng),
    )


def is_nearly_always_found(
    rng: Random, game: Game, state: State, move: Move, playouts: int
) -> bool:
    """Does the solution miss the move at most once in 100 searches, for a release never in 33?

    Each child comes first once, because `expand` may return any of them. A rate of 0.9 with one of
    them first is accepted once in 3,000 times, for a release once in 30.
    """

    def rotate(first: int, at: State) -> tuple[Move, ...]:
        moves = game.actions(at)
        return moves[first % len(moves) :] + moves[: first % len(moves)]

    searches, allowed = (33, 0) if QUICK.get() else (100, 1)
    for first in range(len(game.actions(state))):
        rotated, misses = copy(game), 0
        rotated.actions = partial(rotate, first)  # type: ignore[method-assign]
        for _ in range(searches):
            seeded = Random(draw_seed(rng))
            misses += monte_carlo_tree_search(rotated, state, playouts, USUAL_C, seeded)[1] != move
            if misses > allowed:
                return False
    return True


def make_match_cases(rng: Random, spec: list[Any], plies: int, playouts: int) -> list[MatchCase]:
    options = {"playouts": playouts}
    seed = draw_seed(rng)
    return [MatchCase(game=spec, function=SEARCH, plies=plies, options=options, seed=seed)]


PLANS = [("4.11", TTT, 0, 1000), ("4.12", TTT, 2, 200), ("4.13", C4, 12, 100)]
for test, board, opening, count in PLANS:
    cases_of(test)(partial(make_match_cases, spec=board, plies=opening, playouts=count))


@cases_of("4.14")
def make_repeatable_cases(rng: Random) -> list[PlayoutsCase]:
    """Make a large board, a tree, and a board with one visit per move.

    No playout ends inside the search tree on the large board. The tree's moves are text: a set of
    these has another order in each process. On the last board every child has one visit; the choice
    among them has to be repeatable, too.
    """
    tree = draw_random_tree(rng, 4, lambda: rng.choice(QUARTERS) / 4, (5,))
    board = ["TicTacToe", 3, 4, 4]
    plans = ((board, 40), (["GameTree", tree, "X"], 40), (board, 12))
    return [draw_playouts(rng, *plan) for plan in plans]


@cases_of("4.15")
def make_tree_search_cases(rng: Random) -> list[PlayoutsCase]:
    """Make searches to replay: an explicit tree, then boards, and other values of C.

    The boards are so large that no playout ends inside the search tree.
    """
    tree = draw_random_tree(rng, 6, lambda: rng.choice(QUARTERS) / 4, (2, 3))
    plans: list[tuple[list[Any], int, int, float]] = [
        (["TicTacToe", 4, 4, 4], 1, 50, USUAL_C),
        (LONG, 2, 60, USUAL_C),
        (LONG, 3, 60, 0.4),
        (LONG, 0, 60, 4.0),
        (LONG, 1, 30, 0.0),  # C = 0, which Python takes for false
        (["TicTacToe", 3, 4, 4], 2, 500, USUAL_C),  # later playouts follow the same rules
    ]
    # Narrow and deep, to expose a search tree limited to ten plies.
    deep = [
        make_chain(11, [make_chain(25, rng.choice((0.5, 0.75, 1))) for _ in range(5)]),
        make_chain(36, -1),
    ]
    cases = [
        draw_playouts(rng, ["GameTree", tree, "O"], 12),
        draw_playouts(rng, ["GameTree", deep, "X"], 60),
    ]
    for spec, plies, count, C in plans:
        state = draw_opening(make_game(spec), rng, plies).key
        cases.append(draw_playouts(rng, spec, count, state=state, C=C))
    return cases
