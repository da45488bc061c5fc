"""Makes positions.txt and openings.txt anew: `python -m autograder.author.solved` (ten minutes).

It needs the solver: `pip install '.[solver]'`.
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from bitbully import BitBully, Board

from autograder.author.solved import HERE

SEED = 1
PHASES, EACH = ((8, 13), (14, 21), (22, 29)), 500  # plies, and positions of each
OPENINGS = 400
# Between these, the solver takes a tenth of a second or more.
SLOW = range(11, 18)


def sign(score: int) -> int:
    return (score > 0) - (score < 0)


def scores(solver: BitBully, board: Board) -> dict[int, int]:
    found: dict[int, int] = solver.score_all_moves(board)
    return found


def played(rng: Random, solver: BitBully, plies: int) -> tuple[Board, list[int]] | None:
    """Play so many plies, half of them at random and half perfectly; None if somebody could win."""
    board, moves = Board(), list[int]()
    for ply in range(plies):
        column = rng.choice(board.legal_moves())
        if ply >= 4 and ply not in SLOW and rng.random() < 0.5:
            worth = scores(solver, board)
            column = rng.choice([move for move in worth if worth[move] == max(worth.values())])
        if board.can_win_next() or not board.play(column):
            return None
        moves.append(column)
    return None if board.is_game_over() or board.can_win_next() else (board, moves)


def threatened(board: Board) -> bool:
    """Would the opponent win at once after all moves but one?"""
    losing = 0
    for column in board.legal_moves():
        after = board.copy()
        after.play(column)
        losing += not after.is_game_over() and bool(after.can_win_next())
    return losing > 1


def telling(worth: dict[int, int]) -> bool:
    """Is it not lost, and do at most half of the moves keep what it is worth?"""
    best = max(worth.values())
    return best >= 0 and 2 * sum(sign(score) == sign(best) for score in worth.values()) <= len(
        worth
    )


def some_positions(rng: Random, solver: BitBully) -> Iterable[str]:
    for low, high in PHASES:
        lines: set[str] = set()
        while len(lines) < EACH:
            found = played(rng, solver, rng.randint(low, high))
            if found is None or threatened(found[0]):
                continue
            worth = scores(solver, found[0])
            if telling(worth):
                columns = " ".join(str(worth.get(column, ".")) for column in range(7))
                lines.add(f"{''.join(map(str, found[1]))} {columns}")
        yield from sorted(lines, key=lambda line: (line.index(" "), line))


def some_openings(rng: Random, solver: BitBully) -> Iterable[str]:
    lines: dict[int, str] = {}
    while len(lines) < OPENINGS:
        found = played(rng, solver, rng.randint(4, 8))
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
