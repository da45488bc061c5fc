"""Cases of question 3."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from random import Random
from string import ascii_lowercase
from typing import Any

from autograder.author.cases.boards import C4, TTT, cut_board, has_an_order
from autograder.author.cases.cache_traps import BOTH, reached_at_other_depths, reached_twice
from autograder.author.cases.equal_bounds import equal_bound_cutoffs, equal_bound_trees
from autograder.author.cases.heuristic import both_threaten, forced_wins, one_sided
from autograder.author.cases.pruning import (
    DEEP,
    EQUAL,
    PLAIN,
    Kind,
    chances_to_cut,
    cut_after_a_line,
    far_bounds,
    forgotten_bounds,
    late_at_max_nodes,
    late_at_min_nodes,
)
from autograder.author.cases.registry import cases_of, require
from autograder.author.cases.symmetry_traps import symmetry_trap
from autograder.author.cases.trees import (
    HUGE,
    LONG_CHAIN,
    Tree,
    by_size,
    chain,
    fine,
    inner_values,
    judged,
    random_tree,
    size,
    stopped,
    thousandths,
    wide_nodes,
    wide_tree,
)
from autograder.author.preferences import Preferred, preferred
from autograder.checks.matches import opening
from autograder.serving.cases import (
    CutoffCase,
    HeuristicCase,
    MatchCase,
    PositionsCase,
    PreferenceCase,
    SearchCase,
)
from autograder.serving.record import RecordingGame
from autograder.symmetry import all_around, flipped, mirrored, same
from autograder.worker.inside.protocol import make_game
from solution.cutoff import cutoff_depth, h_alphabeta_search
from starter.games import ConnectFour, Game, GameTree, State, TicTacToe

SEARCH = "cutoff.h_alphabeta_search"
QUARTERS = range(-40, 41)


# --- trees that are cut off -----------------------------------------------------------------------


def with_cutoffs(
    tree: Tree, to_move: str, guesses: dict[str, float], cut: dict[str, float]
) -> CutoffCase:
    """Return a tree with heuristic values, cut off at the nodes of `cut`."""
    known = judged(["GameTree", stopped(tree, cut), to_move])
    return CutoffCase(
        game=["GameTree", tree, to_move],
        value=known.value,
        best=known.best,
        values=inner_values(tree, to_move, cut),
        h=guesses,
        cut=sorted(cut),
    )


def cutoff_case(rng: Random, tree: Tree, to_move: str, share: float) -> CutoffCase:
    """Return a tree with heuristic values and cutoffs at some inner nodes."""
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


def zero_guesses() -> CutoffCase:
    """Return a case where h is 0, which is false in Python, at both kinds of nodes."""
    cut: dict[str, float] = {"a": 0, "b/b": 0}
    return with_cutoffs([[1, 2], [3, [4, 5]]], "X", {"": 1, "b": 2, **cut}, cut)


def hardly_better() -> CutoffCase:
    """Return a case where two values of h differ in the fourth decimal; best last."""
    cut = {"a/a": 0.1236, "b/a": 0.1244}
    return with_cutoffs([[[1, 2], 0.5], [[1, 2], 0.6]], "X", {"": 1, "a": 2, "b": 3, **cut}, cut)


def drawn() -> CutoffCase:
    """Return a case with leaves of utility 0, which Python takes for false."""
    guesses: dict[str, float] = {"": 3, "a": 2, "c": -2, "c/a": 1}
    return with_cutoffs([[0, 4], 0, [[2, -1], 3]], "X", guesses, {"c/a": 1})


def decided(end: float) -> CutoffCase:
    """Return a case where all values look lost, or won, which needs no more search."""
    guesses = {"": 5, "a": 4, "b": 3, "b/a": end - 1}
    tree = [[end, end + 3], [[end + 2, end + 4], end - 4]]
    return with_cutoffs(tree, "X", guesses, {"b/a": end - 1})


def cutoff_cases(
    rng: Random,
    count: int,
    depths: tuple[int, ...],
    share: float,
    numbers: range = QUARTERS,
    largest: int = 50,
) -> list[CutoffCase]:
    """Yield trees with cutoffs and leaves, from small to large; leaves are quarters."""
    cases: list[CutoffCase] = []
    while len(cases) < count:
        depth = depths[len(cases) % len(depths)]
        tree = random_tree(rng, depth, lambda: rng.choice(numbers) / 4, (2, 2, 3), 0.2)
        if not isinstance(tree, list) or size(tree) > largest:
            continue
        case = cutoff_case(rng, tree, rng.choice("XO"), share)
        if case.cut:
            cases.append(case)
    return by_size(cases)


def equal_bounds(rng: Random) -> list[CutoffCase]:
    """Return trees and boards where an equal value is a bound; half have cutoffs."""
    cases = []
    for i, (tree, to_move) in enumerate(equal_bound_trees(rng)):
        cut: dict[str, float] = {}
        cases.append(with_cutoffs(cut_at_ends(tree, cut) if i % 2 else tree, to_move, cut, cut))
    return [*cases, *equal_bound_cutoffs(rng)]


def cut_at_ends(tree: Tree, cut: dict[str, float], path: str = "") -> Tree:
    """Return the tree with cutoffs at its leaves below ply 1; add them to `cut`."""
    if isinstance(tree, list):
        pairs = zip(tree, ascii_lowercase)
        return [cut_at_ends(child, cut, f"{path}/{letter}") for child, letter in pairs]
    if path.count("/") < 2 or isinstance(tree, dict):
        return tree
    cut[path[1:]] = tree
    return [tree - 1, tree + 1]


def cut_at_once(case: CutoffCase) -> bool:
    """Is the first line of play cut off, so that every search calls h there?"""
    return any(set(path.split("/")) == {"a"} for path in case.cut)


def chances(case: CutoffCase) -> set[Kind]:
    """Return the kinds of prunes that an unpruned search misses above the cutoffs."""
    return chances_to_cut(cut_off(case), case)


def cut_off(case: CutoffCase) -> Tree:
    """Return the searched part of the case's tree."""
    return stopped(case.game[1], {path: case.h[path] for path in case.cut})


def wanted_cases(
    rng: Random, count: int, wanted: Callable[[CutoffCase], bool], *plan: Any, **more: Any
) -> list[CutoffCase]:
    """Return cases of `cutoff_cases` that meet a condition."""
    cases: list[CutoffCase] = []
    while len(cases) < count:
        (case,) = cutoff_cases(rng, 1, *plan, **more)
        if wanted(case):
            cases.append(case)
    return by_size(cases)


def both_kinds(case: CutoffCase) -> bool:
    """Does a search call h at both kinds of nodes, never get 0, and reach a leaf?

    A search that takes 0 for h has to reach a leaf, too.
    """
    asked, ended = asked_in(case, 1)
    kinds = {key.count("/") % 2 for key in asked}
    return len(kinds) == 2 and ended and asked_in(case, 0)[1] and all(map(case.h.get, asked))


def asked_in(case: CutoffCase, factor: int) -> tuple[list[str], bool]:
    """Run the solution with scaled h; return its h calls and if it reaches a leaf."""
    game = RecordingGame(case.make_game(), case.make_state())
    asked: list[str] = []

    def h(state: State, player: str) -> float:
        asked.append(state.key)
        return factor * case.h[state.key] * (1 if player == "X" else -1)

    h_alphabeta_search(game, game.initial, lambda _, state, depth: case.stops(state, depth), h)
    return asked, any(event.kind == "utility" for event in game.record.events)


def both_kinds_cases(
    rng: Random, count: int, share: float, also: Callable[[CutoffCase], bool] = both_kinds
) -> list[CutoffCase]:
    """Return trees of three plies and more in which both kinds of nodes call h."""

    def wanted(case: CutoffCase) -> bool:
        return both_kinds(case) and also(case)

    return by_size(
        [case for i in range(count) for case in wanted_cases(rng, 1, wanted, (3 + i % 2,), share)]
    )


def narrowed(tree: Tree, left_out: int) -> Tree:
    """Return the tree without that child of three."""
    if not isinstance(tree, list):
        return tree
    children = enumerate(tree)
    return [narrowed(child, left_out) for i, child in children if len(tree) < 3 or i != left_out]


def decides(tree: Tree, case: SearchCase, child: int) -> bool:
    """Does the case's value change without that child of three?"""
    return judged(["GameTree", narrowed(tree, child), case.game[2]]).value != case.value


# --- test by test ---------------------------------------------------------------------------------


@cases_of("3.1")
def depths(rng: Random) -> list[CutoffCase]:
    forced = [[[[1, 2], [3, 4]]], [[[5, 6]], 0]]  # a forced move is a ply, too
    return [*both_kinds_cases(rng, 8, 0.2), with_cutoffs(forced, "X", {}, {}), with_a_pass(rng)]


def with_a_pass(rng: Random) -> CutoffCase:
    """Return Othello, searched to depth 3; after a pass, plies outnumber stones."""
    spec: list[Any] = ["Othello", 4]
    game = make_game(spec)
    squares = [rng.randint(1, 9) for _ in range(16)]
    while True:
        state = opening(game, rng, rng.randint(5, 7))
        after = [game.result(state, move) for move in game.actions(state)]
        passed = any(game.actions(child) == ("pass",) for child in after)
        if passed and game.actions(state) != ("pass",):
            case = cut_board(spec, state, 3, squares)
            if 10 <= len(case.values) <= 60:
                return case


@cases_of("3.2")
def terminal_first(rng: Random) -> list[CutoffCase]:
    # Cutoff is not called at a terminal root either.
    return [*both_kinds_cases(rng, 6, 0.3), drawn(), with_cutoffs(7, "O", {}, {})]


@cases_of("3.3")
def frontier(rng: Random) -> list[CutoffCase]:
    return [*both_kinds_cases(rng, 8, 0.3), zero_guesses(), decided(-1), decided(1)]


@cases_of("3.4")
def root_side(rng: Random) -> list[CutoffCase]:
    cases = both_kinds_cases(rng, 6, 0.4, cut_at_once)
    # Below the game's initial state, with the other player to move; values are O's.
    below = CutoffCase(
        game=["GameTree", [[[1, 2], [3, 4]], [5, 6]], "X"],
        state=[0],
        value=1,
        best=[1],
        values={"a": 1, "a/a": -2, "a/b": 1},
        h={"a/a": 2, "a/b": -1},
        cut=["a/a", "a/b"],
    )
    require(below.make_state().to_move == "O", "X is to move", below)
    return [*cases, below]


@cases_of("3.5")
def value_and_move(rng: Random) -> list[CutoffCase]:
    """Make cases; three trees catch searches that consider only two of three moves."""

    def three(child: int) -> Callable[[CutoffCase], bool]:
        return lambda case: decides(cut_off(case), case, child)

    close = [random_tree(rng, 4, thousandths(rng), (2, 3)) for _ in range(4)]
    return [
        with_cutoffs(7, "O", {}, {}),
        with_cutoffs([4, 5], "O", {"": 2}, {"": 2}),
        *equal_bounds(rng),
        *both_kinds_cases(rng, 5, 0.3),
        *(case for child in range(3) for case in wanted_cases(rng, 1, three(child), (4,), 0.3)),
        zero_guesses(),
        *(cutoff_case(rng, tree, "X", 0) for tree in (*HUGE, chain(LONG_CHAIN, [4, 9]))),
        *(cutoff_case(rng, tree, "O", 0) for tree in close),
        cutoff_case(rng, random_tree(rng, 3, fine(rng), (2, 3)), "X", 0),
        beyond_a_win(rng),
        hardly_better(),
        *(cutoff_case(rng, tree, "X", 0) for tree in (wide_tree(rng), *wide_nodes(rng))),
    ]


@cases_of("3.6")
def pruning(rng: Random) -> list[CutoffCase]:
    def having(kinds: set[Kind]) -> Callable[[CutoffCase], bool]:
        return lambda case: kinds <= chances(case)

    def uncut(*trees: Tree) -> list[CutoffCase]:
        return [with_cutoffs(tree, "X", {}, {}) for tree in trees]

    cases = [
        *uncut(*(case.game[1] for case in forgotten_bounds())),
        *wanted_cases(rng, 4, having(PLAIN), (4,), 0.15),
        *wanted_cases(rng, 3, having(PLAIN | DEEP), (5,), 0.15, largest=70),
        *wanted_cases(rng, 3, having(PLAIN | EQUAL), (4,), 0.15, numbers=range(-8, 9, 4)),
        board_with_cutoff(rng, lambda: rng.randint(24, 30), 9),
    ]
    late = uncut(late_at_min_nodes(rng), late_at_max_nodes(rng))
    return [*late, *cases, *uncut(*far_bounds(), *cut_after_a_line())]


def beyond_a_win(rng: Random) -> CutoffCase:
    """Return a board, X to move, that h values above a win or below a loss."""
    while True:
        case = board_with_cutoff(rng, lambda: 2 * rng.randint(12, 15), 500)
        if abs(case.value) > 1:
            return case


def board_with_cutoff(rng: Random, plies: Callable[[], int], most: int) -> CutoffCase:
    """Return Connect Four with few free columns, searched to depth 2."""
    game = make_game(C4)
    while True:
        state = opening(game, rng, plies())
        squares = [rng.randint(1, most) for _ in range(42)]
        if has_an_order(game, state) and len(game.actions(state)) <= 4:
            case = cut_board(C4, state, 2, squares)
            if len(case.values) >= 20:
                return case


@cases_of("3.7")
def defaults(rng: Random) -> list[SearchCase]:
    """Make cases whose value changes at one ply less or one ply more.

    It also changes for a search to the end, a search that leaves out any child of three, and in the
    first line of play for any h but 0.
    """
    cases: list[SearchCase] = []
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
        others.append(game.utility(first_line(game, 7), to_move))
        three = decides(stopped(tree, cut), case, (2, 0, 1, 2)[len(cases)])
        if case.value not in others and (case.value == 0) == deeper and three:
            cases.append(
                SearchCase(game=case.game, value=case.value, best=case.best, values=case.values)
            )
    return cases


def default_tree(rng: Random, level: int = 0) -> Tree:
    """Return a tree with branches at every level, and many leaves around depth 7."""
    if level == 9 or rng.random() < (0, 0, 0.1, 0.1, 0.1, 0.4, 0.4, 0.4, 0.4)[level]:
        return rng.choice((-1, 1)) * rng.randint(1, 9)
    return [
        default_tree(rng, level + 1) for _ in range(rng.choice((1, 1, 2, 2, 3)) if level else 2)
    ]


def places(game: Game, state: State) -> list[State]:
    """Return `state` and all inner nodes of the tree below it."""
    if game.is_terminal(state):
        return []
    below = (places(game, game.result(state, move)) for move in game.actions(state))
    return [state, *(place for part in below for place in part)]


def first_line(game: Game, plies: int) -> State:
    """Return the state after the first moves."""
    state = game.initial
    while not game.is_terminal(state) and len(state.path) < plies:
        state = game.result(state, game.actions(state)[0])
    return state


def wide_positions(rng: Random) -> list[State]:
    """Return Connect Four positions of all phases."""
    return [opening(ConnectFour(), rng, plies) for plies in range(36) for _ in range(2)]


@cases_of("3.8")
def inside(rng: Random) -> list[HeuristicCase]:
    wide = wide_positions(rng)
    extreme = [one_sided(rng, player) for player in "XO" for _ in range(12)]
    return [HeuristicCase(game=C4, positions=[state.key for state in (*wide, *extreme)])]


# O is better; first X is to move, then O.
FEW = [("...X...", "..OO..X"), ("X......", "X..OO.X")]


@cases_of("3.9")
def antisymmetric(rng: Random) -> list[HeuristicCase]:
    wide = [state.key for state in wide_positions(rng)[:38]]
    turn = rng.choice((1, -1))
    few = ["/".join([*["." * 7] * 4, *(row[::turn] for row in rows)]) for rows in FEW]
    tense = [both_threaten(rng).key for _ in range(8)]
    return [HeuristicCase(game=C4, positions=[*few, *wide, *tense])]


@cases_of("3.10")
def wins_in_reach(rng: Random) -> list[PositionsCase]:
    return [
        forced_wins(rng, 2, 4),
        forced_wins(rng, 2, 2, first=True),
        forced_wins(rng, 4, 4),
    ]


def reason(what: str) -> str:
    """Describe why the better position of a pair is better (preferences/README.md)."""
    if what == "centre":
        return "the centre to the edge"
    if what.startswith("around"):
        return "an open three to a two"
    first, last = what.split("-")
    if first[1] == last[1]:
        return "a three that is open above to a two"
    return (
        "an open three to an open two" if first[0] == last[0] else "a diagonal open three to a two"
    )


@cases_of("3.11")
def looks(rng: Random) -> list[PreferenceCase]:
    """Return pairs for the centre, for each line of four, and for each wrapped line.

    There is a centre pair for each square at the edge.
    """
    mirror = rng.random() < 0.5
    chosen: list[tuple[str, Preferred]] = []
    for what, pairs in preferred().items():
        if what == "centre":
            both = [turned for pair in pairs for turned in (pair, pair.mirrored)]
            at_edge = {pair.instead: pair for pair in rng.sample(both, len(both))}
            chosen += [(what, at_edge[square]) for square in sorted(at_edge)]
        else:
            pair = rng.choice(pairs)
            chosen.append((what, pair.mirrored if mirror else pair))
    cases = [
        PreferenceCase(
            game=C4, better=pair.better, worse=pair.worse, side=pair.side, why=reason(what)
        )
        for what, pair in chosen
    ]
    return sorted(cases, key=lambda case: ("centre" not in case.why, -case.better.count(".")))


@cases_of("3.12")
def against_random(rng: Random) -> list[MatchCase]:
    options = {"cutoff": {"cutoff": 1}, "h": {"h": "own"}}
    seed = rng.randrange(10**9)
    return [MatchCase(game=C4, function=SEARCH, seed=seed, plies=12, options=options)]


@cases_of("3.13")
def against_no_heuristic(rng: Random) -> list[MatchCase]:
    options = {"cutoff": {"cutoff": 1}}
    seed = rng.randrange(10**9)
    return [MatchCase(game=C4, function=SEARCH, seed=seed, plies=4, options=options)]


@cases_of("3.14")
def boards_reached_twice(rng: Random) -> list[CutoffCase]:
    """Return traps for transposition tables.

    First boards, for tables of max nodes, min nodes or both, with all values as exact, or all
    except fail-high ones. Then piles, for tables without depth, and boards for searches that merge
    symmetric states.
    """
    kinds = product((BOTH, ("max",), ("min",)), (False, True))
    piles = [reached_at_other_depths(rng) for _ in range(3)]
    boards = [reached_twice(rng, stored, bounds) for stored, bounds in kinds]
    symmetric = [
        symmetry_trap(rng, ["ConnectFour", 3, 3, 3], 2, 2, [same, mirrored]),
        *(
            symmetry_trap(rng, TTT, 3, 1, ways)
            for ways in ([same, mirrored], [same, flipped], all_around(TicTacToe()))
        ),
    ]
    return [*boards, *piles, *symmetric]
