"""Make question 6's cases: solved positions, by the depth that they need."""

from collections.abc import Sequence
from functools import partial, reduce
from itertools import chain, cycle, islice, product, zip_longest
from random import Random
from typing import Any
from unittest import mock

from autograder.author.cases.boards import C4
from autograder.author.cases.registry import cases_of
from autograder.author.solved import POOL, PUBLIC, SolvedPosition, read_positions
from autograder.checks.play.matches import draw_opening, find_winning_moves
from autograder.checks.play.player import GAME_PHASES, PLAYER, play_game
from autograder.serving.cases import GamesCase, MatchCase, SolvedCase
from autograder.worker.inside.protocol import make_game
from starter.games import BoardState, ConnectFour
from tests.test_6_player import FLOOR

LEVEL_SIZE = 16  # positions of a level


def replay_moves(solved: SolvedPosition) -> BoardState:
    game = ConnectFour()
    return reduce(game.result, solved.moves, game.initial)


def find_phase(solved: SolvedPosition) -> str:
    return next(name for name, end in GAME_PHASES.items() if len(solved.moves) < end)


def make_level_case(rng: Random, found: Sequence[SolvedPosition], least: int) -> SolvedCase:
    """Return the case of a level: positions by empty squares, randomly mirrored."""
    found = sorted(found, key=lambda one: (-len(one.moves), one.moves))
    chosen = [one.mirrored if rng.random() < 0.5 else one for one in found]
    rows = [(replay_moves(one).key, list(one.scores)) for one in chosen]
    return SolvedCase(game=C4, seed=rng.getrandbits(30), positions=rows, least=least)


def make_public_cases(rng: Random, kinds: Sequence[str], least: int) -> list[SolvedCase]:
    """Return the public case of a level: equally many positions of each kind and phase."""
    found: list[SolvedPosition] = []
    for kind in kinds:
        left = list(read_positions(PUBLIC))
        rng.shuffle(left)
        fit = [one for one in left if kind in one.kinds]
        phases = [[one for one in fit if find_phase(one) == phase] for phase in GAME_PHASES]
        alternating = filter(None, chain.from_iterable(zip_longest(*phases)))
        found += islice(alternating, LEVEL_SIZE // len(kinds))
    return [make_level_case(rng, found, least)]


def make_pool_cases(rng: Random, kinds: Sequence[str], least: int) -> list[SolvedCase]:
    """Return the secret case of a level: a pool, with the number to draw of each kind.

    Each submission gets as many positions from it as the public case has, none of them public.
    """
    rows, draw = [], list[tuple[int, int]]()
    pool = read_positions(POOL)
    for kind, phase in product(kinds, ("middle", "end")):
        run = [one for one in pool if kind in one.kinds and find_phase(one) == phase]
        draw.append((LEVEL_SIZE // len(kinds) // 2, len(run)))
        rows += make_level_case(rng, run, least).positions
    return [SolvedCase(game=C4, seed=rng.getrandbits(128), positions=rows, least=least, draw=draw)]


for level, required, needs in (
    ("6.3", 15, ["4-plies"]),
    ("6.4", 14, ["7-plies"]),
    ("6.5", 12, ["deep", "deep-opposite"]),
):
    cases_of(level)(partial(make_public_cases, kinds=needs, least=required))
    cases_of(level, secret=True)(partial(make_pool_cases, kinds=needs, least=required))


@cases_of("6.1")
def make_whole_game_cases(rng: Random) -> list[GamesCase]:
    """Make games that the player starts, as X, or as O after the first move."""
    narrow, wide = ["ConnectFour", 5, 3, 3], ["ConnectFour", 5, 9, 4]
    starts: list[tuple[list[Any], str | None]] = [(["ConnectFour", 4, 5, 4], None), (narrow, None)]
    starts += [(board, draw_opening(make_game(board), rng, 1).key) for board in (narrow, wide, C4)]
    starts += [(C4, draw_lost_position(rng).key) for _ in range(2)]
    starts += [(C4, fill_columns(rng, C4, 7, 3).key), (wide, fill_columns(rng, wide, 7, 0).key)]
    # Boards without room for a line of four, or with one row.
    starts += [(["ConnectFour", 3, 3, 3], None), (["ConnectFour", 1, 7, 4], "...X...")]
    return [
        GamesCase(game=board, state=state, seed=rng.getrandbits(30), games=1, plies=0)
        for board, state in starts
    ]


def fill_columns(rng: Random, board: list[Any], columns: int, left: int) -> BoardState:
    """Return an undecided position with full columns except for `left` squares."""
    game = make_game(board)
    height, _ = game.initial.shape
    while True:
        state = game.initial
        for _ in range(height * columns - left):
            moves = [move for move in game.actions(state) if move < columns]
            children = [game.result(state, move) for move in moves]
            children = [child for child in children if not game.is_terminal(child)]
            if not children:
                break
            state = rng.choice(children)
        else:
            return state


def draw_lost_position(rng: Random) -> BoardState:
    """Return a position where each move loses at once, and the middle column is full.

    A search that accepts only values above a loss finds no move here.
    """
    game = ConnectFour()
    while True:
        state = draw_opening(game, rng, rng.randint(16, 32))
        moves = game.actions(state)
        if 3 in moves or len(moves) < 3 or find_winning_moves(game, state):
            continue
        if all(find_winning_moves(game, game.result(state, move)) for move in moves):
            return state


@cases_of("6.2")
def make_random_player_cases(rng: Random) -> list[MatchCase]:
    """Make a match that players of the first or last column do not win by luck."""
    while True:
        seed = rng.getrandbits(128)
        case = MatchCase(game=C4, seed=seed, function=PLAYER, options={}, plies=6)
        if not any(wins_enough(index, case) for index in (0, -1)):
            return [case]


def wins_enough(index: int, case: MatchCase) -> bool:
    """Does a player win enough that always plays the first free column, or the last?"""
    game, dice = case.make_game(), Random(case.seed)
    seat = mock.Mock(choose=lambda state: range(len(game.actions(state)))[index])
    games = (play_game(seat, case, dice, side) for side in cycle("XO"))
    wins = (game.utility(states[-1], side) > 0 for states, side in zip(games, cycle("XO")))
    enough, _ = FLOOR.run(wins)
    return enough
