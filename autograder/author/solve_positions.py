"""Solve positions: `python -m autograder.author.solve_positions` (takes hours).

It needs the solver: `pip install '.[solver]'`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice
from random import Random

from bitbully import BitBully, Board

from autograder.author.cases.player import (
    FOUR_PLIES,
    SEVEN_PLIES,
    find_needed_depth,
    is_decided_within,
    needs_deep_search,
    replay_moves,
    solution_succeeds,
)
from autograder.author.solved import HERE, SolvedPosition, read_public_positions
from autograder.checks.play.player import sign

SEED = 1
PLIES, POSITIONS_PER_RANGE = (
    ((8, 13), (14, 21), (22, 29)),
    400,
)  # ranges of plies, and positions of each
OPENING_COUNT = 400
POOL_SEED = 2
POOL = (
    ((16, 21), 6_000),
    ((22, 29), 6_000),
)  # plies, positions to solve
MAX_PER_LEVEL = 250  # positions of each level and range in the pool


def score_moves(solver: BitBully, board: Board) -> dict[int, int]:
    found: dict[int, int] = solver.score_all_moves(board)
    return found


def find_safe_moves(board: Board) -> list[int]:
    """Return the columns after which the opponent can't win at once."""
    found = []
    for column in board.legal_moves():
        after = board.copy()
        after.play(column)
        if not after.can_win_next():
            found.append(column)
    return found


def play_safe_moves(rng: Random, plies: int) -> tuple[Board, list[int]] | None:
    """Play this number of random safe moves; None if a player could win meanwhile."""
    board, moves = Board(), list[int]()
    for _ in range(plies):
        safe = find_safe_moves(board)
        if not safe or board.can_win_next():
            return None
        moves.append(rng.choice(safe))
        board.play(moves[-1])
    threatened = len(find_safe_moves(board)) < len(board.legal_moves()) - 1
    return None if board.is_full() or board.can_win_next() or threatened else (board, moves)


def distinguishes_moves(worth: dict[int, int]) -> bool:
    """Is it not lost, and do at most half of the moves keep its value?"""
    best = max(worth.values())
    return best >= 0 and 2 * sum(sign(score) == sign(best) for score in worth.values()) <= len(
        worth
    )


def draw_solved_positions(
    rng: Random, solver: BitBully, low: int, high: int
) -> Iterator[SolvedPosition]:
    """Yield positions after `low` to `high` plies whose moves differ, endlessly."""
    while True:
        found = play_safe_moves(rng, rng.randint(low, high))
        if found is not None:
            worth = score_moves(solver, found[0])
            if distinguishes_moves(worth):
                yield SolvedPosition(tuple(found[1]), tuple(map(worth.get, range(7))))


def format_solved(solved: SolvedPosition) -> str:
    columns = " ".join("." if score is None else str(score) for score in solved.scores)
    return f"{''.join(map(str, solved.moves))} {columns}"


def draw_positions(rng: Random, solver: BitBully) -> Iterator[str]:
    for low, high in PLIES:
        lines: set[str] = set()
        for solved in draw_solved_positions(rng, solver, low, high):
            lines.add(format_solved(solved))
            if len(lines) == POSITIONS_PER_RANGE:
                break
        yield from sorted(lines, key=lambda line: (line.index(" "), line))


# By level: the condition for a position. The solution's player finds every move.
LEVELS: dict[str, Callable[[SolvedPosition], bool]] = {
    "4-plies": lambda solved: is_decided_within(FOUR_PLIES, solved) and solution_succeeds(solved),
    "7-plies": lambda solved: is_decided_within(SEVEN_PLIES, solved) and solution_succeeds(solved),
    "deep": lambda solved: is_deep(solved) and needs_deep_search(solved, 1),
    "deep-opposite": lambda solved: is_deep(solved) and needs_deep_search(solved, -1),
}


def is_deep(solved: SolvedPosition) -> bool:
    plies = find_needed_depth(solved)
    return plies is None or plies not in range(SEVEN_PLIES.stop)


def draw_pool(solver: BitBully) -> Iterator[str]:
    """Yield positions of each level that are not in positions.txt, also mirrored."""
    seen = {
        replay_moves(one).key
        for solved in read_public_positions()
        for one in (solved, solved.mirrored)
    }
    lines = []
    for (low, high), count in POOL:
        counts = Counter[str]()
        found = draw_solved_positions(Random(f"{POOL_SEED}/{low}"), solver, low, high)
        for solved in islice(found, count):
            keys = {replay_moves(one).key for one in (solved, solved.mirrored)}
            if keys & seen:
                continue
            seen |= keys
            for level, belongs in LEVELS.items():
                if counts[level] < MAX_PER_LEVEL and belongs(solved):
                    counts[level] += 1
                    lines.append(f"{level} {format_solved(solved)}")
                    break
    yield from sorted(lines, key=lambda line: (line.split()[0], len(line.split()[1]), line))


def draw_openings(rng: Random, solver: BitBully) -> Iterator[str]:
    lines: dict[int, str] = {}
    while len(lines) < OPENING_COUNT:
        found = play_safe_moves(rng, rng.randint(4, 8))
        if found is None or max(score_moves(solver, found[0]).values()) != 0:
            continue
        seen = {found[0].uid(), found[0].mirror().uid()}
        if not seen & lines.keys():
            lines[found[0].uid()] = "".join(map(str, found[1]))
    yield from sorted(lines.values(), key=lambda line: (len(line), line))


def main() -> None:
    rng, solver = Random(SEED), BitBully()
    for name, lines in (
        ("openings", draw_openings(rng, solver)),
        ("positions", draw_positions(rng, solver)),
        ("pool", draw_pool(solver)),
    ):
        text = "".join(f"{line}\n" for line in lines)
        (HERE / f"{name}.txt").write_text(text, encoding="ascii")


if __name__ == "__main__":
    main()
