"""Makes positions.txt and openings.txt anew: `python -m autograder.author.solved` (ten minutes).

It needs the solver: `pip install '.[solver]'`.
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from bitbully import BitBully, Board

from autograder.author.solved import HERE
from autograder.judge.player import sign

SEED = 1
PLIES, EACH = ((8, 13), (14, 21), (22, 29)), 400  # from and to so many, and positions of each
OPENINGS = 400


def scores(solver: BitBully, board: Board) -> dict[int, int]:
    found: dict[int, int] = solver.score_all_moves(board)
    return found


def safe_moves(board: Board) -> list[int]:
    """The columns after which the opponent can't win at once."""
    found = []
    for column in board.legal_moves():
        after = board.copy()
        after.play(column)
        if not after.can_win_next():
            found.append(column)
    return found


def played(rng: Random, plies: int) -> tuple[Board, list[int]] | None:
    """Play so many safe moves at random; None if somebody could win on the way, or at the end."""
    board, moves = Board(), list[int]()
    for _ in range(plies):
        safe = safe_moves(board)
        if not safe or board.can_win_next():
            return None
        moves.append(rng.choice(safe))
        board.play(moves[-1])
    threatened = len(safe_moves(board)) < len(board.legal_moves()) - 1
    return None if board.is_full() or board.can_win_next() or threatened else (board, moves)


def telling(worth: dict[int, int]) -> bool:
    """Is it not lost, and do at most half of the moves keep what it is worth?"""
    best = max(worth.values())
    return best >= 0 and 2 * sum(sign(score) == sign(best) for score in worth.values()) <= len(
        worth
    )


def some_positions(rng: Random, solver: BitBully) -> Iterable[str]:
    for low, high in PLIES:
        lines: set[str] = set()
        while len(lines) < EACH:
            found = played(rng, rng.randint(low, high))
            if found is None:
                continue
            worth = scores(solver, found[0])
            if telling(worth):
                columns = " ".join(str(worth.get(column, ".")) for column in range(7))
                lines.add(f"{''.join(map(str, found[1]))} {columns}")
        yield from sorted(lines, key=lambda line: (line.index(" "), line))


def some_openings(rng: Random, solver: BitBully) -> Iterable[str]:
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
    for name, lines in (("openings", some_openings), ("positions", some_positions)):
        text = "".join(f"{line}\n" for line in lines(rng, solver))
        (HERE / f"{name}.txt").write_text(text, encoding="ascii")


if __name__ == "__main__":
    main()
