"""Cases of question 3."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import chain, count, cycle, islice
from random import Random
from typing import Any, NamedTuple
from unittest.mock import Mock

from autograder.author.cases.boards import C4, TTT, cut_board, find_best_to_depth
from autograder.author.cases.registry import cases_of
from autograder.author.cases.selection import (
    QUICK,
    draw_until_exposed,
    load_wrong_programs,
    select_and_draw,
    select_cases,
    select_passed_by,
)
from autograder.author.cases.trees import (
    LONG_CHAIN,
    Tree,
    choose_numbers,
    count_nodes,
    draw_pruning_trees,
    draw_random_tree,
    draw_tied_tree,
    make_chain,
    make_special_leaf_trees,
    solve_game,
    sort_by_size,
)
from autograder.checks.play.matches import draw_opening, find_winning_moves
from autograder.questions import ROOT
from autograder.serving.cases import (
    CutoffCase,
    HeuristicCase,
    MatchCase,
    PositionsCase,
    PreferenceCase,
    SearchCase,
    ValuedPosition,
)
from autograder.worker.inside.protocol import make_game
from solution.cutoff import connect_four_heuristic, cutoff_depth, h_alphabeta_search
from starter.games import BoardState, ConnectFour, Game, GameTree, State, TreeState

SEARCH = "cutoff.h_alphabeta_search"
PREFERENCES = ROOT / "autograder" / "author" / "preferences"  # README.md describes its pairs
# Wrong values after right requests: these mistakes cost no points for the requests.
OTHER_VALUES = {"cutoff_h_turned_at_min_nodes", "cutoff_utilities_squeezed"}
# Right prunes for wrong values: these mistakes cost no points for pruning.
RIGHT_BY_THEIR_VALUES = OTHER_VALUES | {
    "cutoff_asked_about_the_root",
    "cutoff_begins_at_a_thousand",
    "cutoff_begins_at_100_000",
    "cutoff_h_not_asked",
}


def make_cutoff_case(
    tree: Tree, to_move: str, h: Mapping[str, float] = {}, cut: Collection[str] = ()
) -> CutoffCase:
    """Return a tree with the values of h for X, cut off at the nodes of `cut`."""
    spec = ["GameTree", tree, to_move]
    known = solve_game(spec, cut={key: h[key] for key in cut})
    return CutoffCase(
        game=spec, value=known.value, best=known.best, values=known.values, h={**h}, cut=sorted(cut)
    )


def draw_cutoff_case(
    rng: Random, tree: Tree, to_move: str, h: Callable[[], float], share: float
) -> CutoffCase:
    """Return a tree with values of `h`, and with cutoffs at some inner nodes."""
    game = GameTree(tree, to_move)
    guesses: dict[str, float] = {}
    cut: list[str] = []

    def visit(state: TreeState, open_: bool) -> None:
        if game.is_terminal(state):
            return
        guesses[state.key] = h()
        stop = open_ and state != game.initial and rng.random() < share
        cut.extend([state.key] * stop)
        for move in game.actions(state):
            visit(game.result(state, move), open_ and not stop)

    visit(game.initial, True)
    return make_cutoff_case(tree, to_move, guesses, cut)


def draw_cutoff_cases(rng: Random, share: float = 0.3) -> Iterator[CutoffCase]:
    """Yield trees of several kinds with cutoffs, endlessly."""
    while True:
        number = choose_numbers(rng)
        tree = draw_random_tree(rng, rng.randint(2, 4), number, (1, 2, 2, 3), 0.2)
        if isinstance(tree, list) and count_nodes(tree) <= 50:
            case = draw_cutoff_case(rng, tree, rng.choice("XO"), number, share)
            yield from [case] * bool(case.cut)


def draw_mixed_cases(rng: Random, share: float = 0.3) -> Iterator[CutoffCase]:
    """Yield cases in which h is called at both kinds of nodes and a leaf is reached.

    h is not 0 there, so that a search which treats 0 as no value fails only the test for that.
    """

    def is_mixed(case: CutoffCase) -> bool:
        calls, reaches_leaf = trace_heuristic_calls(case)
        sides = {key.count("/") % 2 for key in calls}
        return sides == {0, 1} and reaches_leaf and all(map(case.h.get, calls))

    return filter(is_mixed, draw_cutoff_cases(rng, share))


def trace_heuristic_calls(case: CutoffCase) -> tuple[list[str], bool]:
    """Run the solution; return its calls of h, and whether it reaches a leaf."""
    game = Mock(wraps=case.make_game())
    calls: list[str] = []

    def h(state: State, player: str) -> float:
        calls.append(state.key)
        return case.h[state.key] if player == "X" else -case.h[state.key]

    h_alphabeta_search(game, case.make_state(), lambda _, *at: case.stops(*at), h)
    return calls, game.utility.called


@cases_of("3.1")
def make_depth_cases(rng: Random) -> list[CutoffCase]:
    forced = [[[[1, 2], [3, 4]]], [[[5, 6]], 0]]  # a forced move is a ply, too
    mixed = draw_mixed_cases(rng)
    chosen = select_and_draw(islice(mixed, 150), mixed.__next__, "3.1", 8, OTHER_VALUES)
    return [*chosen, make_cutoff_case(forced, "X"), draw_pass_case(rng)]


def draw_pass_case(rng: Random) -> CutoffCase:
    """Return Othello, searched to depth 3; after a pass, plies outnumber stones."""
    spec: list[Any] = ["Othello", 4]
    game = make_game(spec)
    squares = [rng.randint(1, 9) for _ in range(16)]
    while True:
        state = draw_opening(game, rng, rng.randint(5, 7))
        after = [game.result(state, move) for move in game.actions(state)]
        has_pass = any(game.actions(child) == ("pass",) for child in after)
        if has_pass and game.actions(state) != ("pass",):
            case = cut_board(spec, state, 3, squares)
            if 10 <= len(case.values) <= 60:
                return case


@cases_of("3.2")
def make_terminal_test_cases(rng: Random) -> list[CutoffCase]:
    # Cutoff is not called at a terminal root either.
    mixed = draw_mixed_cases(rng)
    chosen = select_and_draw(islice(mixed, 250), mixed.__next__, "3.2", 7, OTHER_VALUES)
    return [*chosen, make_cutoff_case(7, "O")]


@cases_of("3.3")
def make_frontier_cases(rng: Random) -> list[CutoffCase]:
    candidates = chain(islice(draw_mixed_cases(rng), 120), islice(draw_cutoff_cases(rng), 150))
    return select_and_draw(candidates, draw_cutoff_cases(rng).__next__, "3.3", 11, OTHER_VALUES)


@cases_of("3.4")
def make_root_side_cases(rng: Random) -> list[CutoffCase]:
    # Below the game's initial state, with the other player to move; values are O's.
    below = CutoffCase(
        game=["GameTree", [[[1, 2], [3, 4]], [5, 6]], "X"],
        state="a",
        value=1,
        best=[1],
        values={"a": 1, "a/a": -2, "a/b": 1},
        h={"a/a": 2, "a/b": -1},
        cut=["a/a", "a/b"],
    )
    fit = select_passed_by(OTHER_VALUES, islice(draw_mixed_cases(rng, 0.4), 100), "3.4")
    return [*select_cases(fit, "3.4", 6), below]


@cases_of("3.5")
def make_value_and_move_cases(rng: Random) -> list[CutoffCase]:
    def draw() -> CutoffCase:
        kind = rng.randrange(60)
        if kind == 0:  # the root is cut off
            h = {"": rng.randint(2, 9)}
            return make_cutoff_case([4, 5], rng.choice("XO"), h, h)
        if kind < 42:
            return next(draw_cutoff_cases(rng))
        return draw_cutoff_case(
            rng, draw_tied_tree(rng), rng.choice("XO"), lambda: rng.randint(-9, 9), 0.1
        )

    ended = make_cutoff_case(rng.randint(2, 60), "O")
    deep = make_cutoff_case(make_chain(LONG_CHAIN, [4, 9]), "X")
    special = [make_cutoff_case(*row) for row in make_special_leaf_trees(rng)]
    drawn = select_and_draw((draw() for _ in range(250)), draw, "3.5", 24)
    return [ended, *sort_by_size([*drawn, *special]), deep]


@cases_of("3.6")
def make_pruning_cases(rng: Random) -> list[CutoffCase]:
    """Make trees, half of them with cutoffs, and a board."""
    trees = [
        *draw_pruning_trees(rng, 30, depth=2),
        *draw_pruning_trees(rng, 50),
        *draw_pruning_trees(rng, 35, 5),
        *draw_pruning_trees(rng, 25, 5, stretched=0.1),
        *draw_pruning_trees(rng, 90, ties=True),
    ]

    def draw(tree: Tree, share: float) -> CutoffCase:
        player = rng.choice("XO")
        return draw_cutoff_case(rng, tree, player, lambda: rng.randint(-40, 40) / 4, share)

    found = [*map(draw, trees, cycle((0, 0.15)))]
    boards = iter(partial(draw_narrow_board_case, rng), None)
    board = next(select_passed_by(RIGHT_BY_THEIR_VALUES, boards, "3.6"))
    more = (draw(rng.choice(trees), rng.choice((0, 0.15))) for _ in count())
    return [*select_and_draw(found, more.__next__, "3.6", 20, RIGHT_BY_THEIR_VALUES), board]


def draw_narrow_board_case(rng: Random) -> CutoffCase:
    """Return Connect Four with few free columns, searched to depth 2."""
    game = make_game(C4)
    while True:
        state = draw_opening(game, rng, rng.randint(24, 30))
        squares = [rng.randint(1, 9) for _ in range(42)]
        order = game.actions(state)
        if 3 in order[1:] and len(order) <= 4:  # the centre is there, and not first
            case = cut_board(C4, state, 2, squares)
            if len(case.values) >= 20:
                return case


@cases_of("3.7")
def make_default_argument_cases(rng: Random) -> list[SearchCase]:
    """Make trees for depth 6 and h = 0, where a full search finds another value."""
    numbers = [number for number in range(-9, 10) if number]

    def draw() -> SearchCase:
        while True:
            leaf = partial(rng.choice, numbers)
            tree = [draw_random_tree(rng, 8, leaf, (1, 1, 2, 2, 3), 0.1) for _ in "ab"]
            to_move = rng.choice("XO")
            if not 40 <= count_nodes(tree) <= 120:
                continue
            whole = solve_game(["GameTree", tree, to_move])
            stops = {path: 0.0 for path in whole.values if path.count("/") == 6}  # at ply 7
            case = make_cutoff_case(tree, to_move, stops, stops)
            _, reaches_leaf = trace_heuristic_calls(case)  # calls of the default h are not recorded
            if reaches_leaf and whole.value != case.value:
                return replace(whole, value=case.value, best=case.best, values=case.values)

    return select_and_draw((draw() for _ in range(60)), draw, "3.7", 5)


def draw_positions_of_all_phases(rng: Random) -> list[State]:
    return [draw_opening(ConnectFour(), rng, plies) for plies in range(36) for _ in range(2)]


def draw_forced_wins(rng: Random, depth: int, count: int, first: bool = False) -> PositionsCase:
    """Return Connect Four positions with a win within `depth`, and winning moves.

    At most two are wins in one move; only these can be found without a search, see
    `play_by_heuristic`.

    first: only positions where column 0, which Python treats as false, is the only such move
    """
    game = ConnectFour()
    found: list[ValuedPosition] = []
    wins_in_one = 0
    while len(found) < count:
        state = draw_opening(game, rng, rng.randint(8, 22))
        value, _ = h_alphabeta_search(game, state, cutoff_depth(depth))
        if value != 1:
            continue
        moves, at_once = game.actions(state), bool(find_winning_moves(game, state))
        best = find_best_to_depth(game, state, depth)
        if len(best) == len(moves) or (at_once and wins_in_one == 2):
            continue
        if not at_once and play_by_heuristic(game, state, depth) == 1:
            continue
        if first and (best != [0] or moves[0] != 0):
            continue
        wins_in_one += at_once
        found.append((state.key, 1, best))
    return PositionsCase(game=C4, depth=depth, positions=found)


def play_by_heuristic(game: Game, state: State, depth: int) -> float:
    """Return the value after a line of play in which both sides follow a heuristic.

    In a case, such a line must not be a substitute for a search.
    """
    player = state.to_move
    for _ in range(depth + 1):
        if not game.is_terminal(state):
            _, move = h_alphabeta_search(game, state, cutoff_depth(0), connect_four_heuristic)
            state = game.result(state, move)
    return game.utility(state, player) if game.is_terminal(state) else 0


def draw_mutual_threats(rng: Random) -> BoardState:
    """Return a Connect Four position in which each side could win in two columns."""
    game = ConnectFour()
    while True:
        state = draw_opening(game, rng, rng.randint(14, 34))
        sides = (state._replace(to_move=player) for player in "XO")
        if all(len(find_winning_moves(game, side)) > 1 for side in sides):
            return state


def draw_one_sided_position(rng: Random, player: str) -> BoardState:
    """Return a very good Connect Four position for `player` that is not won.

    Both sides play for it, except for occasional random moves.
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


@cases_of("3.8")
def make_range_cases(rng: Random) -> list[HeuristicCase]:
    wide = draw_positions_of_all_phases(rng)
    extreme = [draw_one_sided_position(rng, player) for player in "XO" for _ in range(12)]
    return [HeuristicCase(game=C4, positions=[state.key for state in (*wide, *extreme)])]


# O is better; first X is to move, then O.
FEW_STONES = [("...X...", "..OO..X"), ("X......", "X..OO.X")]


@cases_of("3.9")
def make_antisymmetry_cases(rng: Random) -> list[HeuristicCase]:
    wide = [state.key for state in draw_positions_of_all_phases(rng)[:38]]
    turn = rng.choice((1, -1))
    few = ["/".join([*["." * 7] * 4, *(row[::turn] for row in rows)]) for rows in FEW_STONES]
    tense = [draw_mutual_threats(rng).key for _ in range(8)]
    return [HeuristicCase(game=C4, positions=[*few, *wide, *tense])]


@cases_of("3.10")
def make_forced_win_cases(rng: Random) -> list[PositionsCase]:
    some, first = draw_forced_wins(rng, 2, 4), draw_forced_wins(rng, 2, 2, first=True)
    return [some, first, draw_forced_wins(rng, 4, 4)]


class PreferredPair(NamedTuple):
    """Two positions, as keys; the first is better for `side`.

    what:  their difference, named as in README.md
    alone: open lines with two and three stones give the better position no advantage
    """

    what: str
    side: str
    better: str
    worse: str
    alone: str = ""

    @property
    def mirrored(self) -> PreferredPair:
        better, worse = (
            "/".join(row[::-1] for row in key.split("/")) for key in (self.better, self.worse)
        )
        return self._replace(better=better, worse=worse)

    @property
    def instead(self) -> int:
        """Return the index of the differing stone in the worse position's key."""
        places = zip(self.better, self.worse)
        return next(i for i, (good, bad) in enumerate(places) if good != bad == self.side)


def read_preferred_pairs() -> dict[str, list[PreferredPair]]:
    """Return the pairs by their difference."""
    found: dict[str, list[PreferredPair]] = {}
    for line in (PREFERENCES / "pairs.txt").read_text(encoding="ascii").splitlines():
        pair = PreferredPair(*line.split())
        found.setdefault(pair.what, []).append(pair)
    return found


def explain_preference(what: str) -> str:
    """Describe why the better position of a pair is better (preferences/README.md)."""
    if what == "centre":
        return "the centre to the edge"
    if what.startswith("around"):
        return "an open three to a two"
    first, last = what.split("-")
    if first[1] == last[1]:
        return "a three that is open above to a two"
    if first[0] == last[0]:
        return "an open three to an open two"
    direction = "/" if first[1] > last[1] else "\\"
    return f"an open three on a diagonal {direction} to a two"


MAX_CHOICES = 200  # of pairs, until every known mistake shows; one is nearly always enough


@cases_of("3.11")
def make_preference_cases(rng: Random) -> list[PreferenceCase]:
    """Return pairs for the centre, for each line of four, and for each wrapped line.

    There is a centre pair for each square at the edge. In one of them at least, only lines with a
    single stone differ. Each known mistake fails at one of the pairs at least.
    """
    wrong = load_wrong_programs("3.11", may_fail=False)
    for _ in range(MAX_CHOICES):
        cases = [replace(case, number="3.11") for case in draw_preference_cases(rng)]
        if all(any(map(program.fails_alone, cases)) for program in wrong):
            return cases
    raise ValueError("test 3.11: no choice of pairs exposes every known mistake")


def draw_preference_cases(rng: Random) -> list[PreferenceCase]:
    mirror = rng.random() < 0.5
    chosen: list[PreferredPair] = []
    for what, pairs in read_preferred_pairs().items():
        if what == "centre":
            both = [turned for pair in pairs for turned in (pair, pair.mirrored)]
            at_edge = {pair.instead: pair for pair in rng.sample(both, len(both))}
            single = rng.choice([pair for pair in both if pair.alone])
            at_edge[single.instead] = single
            chosen += [at_edge[square] for square in sorted(at_edge)]
        else:
            pair = rng.choice(pairs)
            chosen.append(pair.mirrored if mirror else pair)
    cases = [
        PreferenceCase(game=C4, better=better, worse=worse, side=side, why=explain_preference(what))
        for what, side, better, worse, _ in chosen
    ]
    return sorted(cases, key=lambda case: ("centre" not in case.why, -case.better.count(".")))


def draw_match_cases(rng: Random, plies: int, options: dict[str, Any]) -> list[MatchCase]:
    options = {"cutoff": {"cutoff": 1}} | options
    seed = rng.randrange(10**9)
    return [MatchCase(game=C4, function=SEARCH, seed=seed, plies=plies, options=options)]


cases_of("3.12")(partial(draw_match_cases, plies=12, options={"h": {"h": "own"}}))
cases_of("3.13")(partial(draw_match_cases, plies=4, options={}))


@cases_of("3.14")
def make_transposition_cases(rng: Random) -> list[CutoffCase]:
    """Return boards and piles, on which several lines of play lead to the same state.

    Tables without window or depth go wrong there, as do searches that merge symmetric boards: h may
    differ between these.
    """

    def draw() -> CutoffCase:
        large: tuple[tuple[int, int], tuple[int, ...]] = (0, 1), (6, 7)
        if QUICK.get():  # smaller searches show the same mistakes
            large = rng.choice((((0, 0), (5,)), ((1, 1), (6,))))
        plans: list[tuple[list[Any], tuple[int, int], tuple[int, ...]]] = [
            (["ConnectFour", 3, 3, 3], *large),
            (["ConnectFour", 3, 3, 3], (0, 4), (2, 3)),
            (["ConnectFour", 4, 4, 4], (7, 10), (5,)),
            (TTT, (0, 0), (2,)),
            (TTT, (2, 4), (1, 2, 3)),
            (["TakeAway", rng.randint(9, 14), 3], (0, 0), (2, 4)),
        ]
        spec, plies, depths = rng.choices(plans, (6, 1, 1, 1, 1, 1))[0]
        state = draw_opening(make_game(spec), rng, rng.randint(*plies))
        if spec[0] == "TakeAway":
            return cut_pile(rng, spec, rng.choice(depths))
        squares = [rng.randint(0, 30) for _ in range(spec[1] * spec[2])]
        return replace(cut_board(spec, state, rng.choice(depths), squares), values={})

    return draw_until_exposed(draw, "3.14")


def cut_pile(rng: Random, spec: list[Any], depth: int) -> CutoffCase:
    """Return a search of a pile to that depth, with random values of h."""
    game = make_game(spec)
    keys = [f"{left} {to_move}" for left in range(1, spec[1] + 1) for to_move in "XO"]
    table = {key: rng.randint(-40, 40) / 100 for key in keys}

    def h(state: State, player: str) -> float:
        return table[state.key] if player == "X" else -table[state.key]

    value, _ = h_alphabeta_search(game, game.initial, cutoff_depth(depth), h)
    best = find_best_to_depth(game, game.initial, depth, h)
    return CutoffCase(game=spec, value=value, best=best, depth=depth, h=table)
