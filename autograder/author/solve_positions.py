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
    FOUR,
    SEVEN,
    finds,
    is_decided_within,
    misled,
    plies_to_see,
    state_of,
)
from autograder.author.solved import HERE, Solved, positions
from autograder.checks.player import sign

SEED = 1
PLIES, EACH = ((8, 13), (14, 21), (22, 29)), 400  # ranges of plies, and positions of each
OPENINGS = 400
POOL_SEED = 2
POOL = (
    ((16, 21), 6_000),
    ((22, 29), 6_000),
)  # plies, positions to solve
MOST = 250  # positions of each level and range in the pool


def scores(solver: BitBully, board: Board) -> dict[int, int]:
    found: dict[int, int] = solver.score_all_moves(board)
    return found


def safe_moves(board: Board) -> list[int]:
    """Return the columns after which the opponent can't win at once."""
    found = []
    for column in board.legal_moves():
        after = board.copy()
        after.play(column)
        if not after.can_win_next():
            found.append(column)
    return found


def played(rng: Random, plies: int) -> tuple[Board, list[int]] | None:
    """Play this number of random safe moves; None if a player could win meanwhile."""
    board, moves = Board(), list[int]()
    for _ in range(plies):
        safe = safe_moves(board)
        if not safe or board.can_win_next():
            return None
        moves.append(rng.choice(safe))
        board.play(moves[-1])
    threatened = len(safe_moves(board)) < len(board.legal_moves()) - 1
    return None if board.is_full() or board.can_win_next() or threatened else (board, moves)


def distinguishes_moves(worth: dict[int, int]) -> bool:
    """Is it not lost, and do at most half of the moves keep its value?"""
    best = max(worth.values())
    return best >= 0 and 2 * sum(sign(score) == sign(best) for score in worth.values()) <= len(
        worth
    )


def solved_positions(rng: Random, solver: BitBully, low: int, high: int) -> Iterator[Solved]:
    """Yield positions after `low` to `high` plies whose moves differ, endlessly."""
    while True:
        found = played(rng, rng.randint(low, high))
        if found is not None:
            worth = scores(solver, found[0])
            if distinguishes_moves(worth):
                yield Solved(tuple(found[1]), tuple(map(worth.get, range(7))))


def as_text(solved: Solved) -> str:
    columns = " ".join("." if score is None else str(score) for score in solved.scores)
    return f"{''.join(map(str, solved.moves))} {columns}"


def some_positions(rng: Random, solver: BitBully) -> Iterator[str]:
    for low, high in PLIES:
        lines: set[str] = set()
        for solved in solved_positions(rng, solver, low, high):
            lines.add(as_text(solved))
            if len(lines) == EACH:
                break
        yield from sorted(lines, key=lambda line: (line.index(" "), line))


# By level: the condition for a position. The solution's player finds every move.
LEVELS: dict[str, Callable[[Solved], bool]] = {
    "4-plies": lambda solved: is_decided_within(FOUR, solved) and finds(solved),
    "7-plies": lambda solved: is_decided_within(SEVEN, solved) and finds(solved),
    "deep": lambda solved: is_deep(solved) and misled(solved, 1),
    "deep-opposite": lambda solved: is_deep(solved) and misled(solved, -1),
}


def is_deep(solved: Solved) -> bool:
    plies = plies_to_see(solved)
    return plies is None or plies not in range(SEVEN.stop)


def some_pool(solver: BitBully) -> Iterator[str]:
    """Yield positions of each level that are not in positions.txt, also mirrored."""
    seen = {state_of(one).key for solved in positions() for one in (solved, solved.mirrored)}
    lines = []
    for (low, high), count in POOL:
        counts = Counter[str]()
        found = solved_positions(Random(f"{POOL_SEED}/{low}"), solver, low, high)
        for solved in islice(found, count):
            keys = {state_of(one).key for one in (solved, solved.mirrored)}
            if keys & seen:
                continue
            seen |= keys
            for level, belongs in LEVELS.items():
                if counts[level] < MOST and belongs(solved):
                    counts[level] += 1
                    lines.append(f"{level} {as_text(solved)}")
                    break
    yield from sorted(lines, key=lambda line: (line.split()[0], len(line.split()[1]), line))


def some_openings(rng: Random, solver: BitBully) -> Iterator[str]:
    lines: dict[int, str] = {}
    while len(lines) < OPENINGS:
        found = played(rng, rng.randint(4, 8))
        if found is None or max(scores(solver, found[0]).values()) != 0:
            continue
        seen = {found[0].uid(), found[0].mirror().uid()}
        if not seen & lines.keys():
            lines[found[0].uid()] = "".join(map(str, found[1]))
    yield from sorted(lines.values(), key=lambda line: (len(line), line))


def main() -> None:
    rng, solver = Random(SEED), BitBully()
    for name, lines in (
        ("openings", some_openings(rng, solver)),
        ("positions", some_positions(rng, solver)),
        ("pool", some_pool(solver)),
    ):
        text = "".join(f"{line}\n" for line in lines)
        (HERE / f"{name}.txt").write_text(text, encoding="ascii")


if __name__ == "__main__":
    main()
