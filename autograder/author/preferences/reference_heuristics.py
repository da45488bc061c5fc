"""Reference heuristics for Connect Four. All of them must agree on every pair.

They resemble students' heuristics, and use more than the number of lines.
"""

from __future__ import annotations

from autograder.author.preferences import PreferredPair
from autograder.author.preferences.squares import CENTRE, DIRECTIONS, LINES, Square
from starter.games import ConnectFour, other

Board = dict[Square, str]  # the squares by row and column: "X", "O" or "."


def count_in_a_row(board: Board, square: Square, step: Square, player: str) -> int:
    """Count the player's consecutive stones from the next square on."""
    (row, column), (down, right) = square, step
    stones = 0
    while board.get((row + (stones + 1) * down, column + (stones + 1) * right)) == player:
        stones += 1
    return stones


def weigh_centre(board: Board, player: str) -> int:
    """Return the sum of the player's stones, weighted by nearness to the centre."""
    return sum(3 - abs(at[1] - CENTRE) for at, stone in board.items() if stone == player)


def weigh_free_ends(board: Board, player: str) -> float:
    """Return the sum of free ends of the player's rows, weighted by length."""
    total = weigh_centre(board, player)
    for (row, column), stone in board.items():
        for down, right in DIRECTIONS if stone == player else ():
            before = board.get((row - down, column - right))
            if before != player:
                length = 1 + count_in_a_row(board, (row, column), (down, right), player)
                after = board.get((row + length * down, column + length * right))
                total += (before, after).count(".") * (0, 3, 12, 50)[min(length, 4) - 1]
    return total


def weigh_wanted_squares(board: Board, player: str) -> float:
    """Return the sum of free squares, weighted by the player's adjacent stones."""
    total: float = weigh_centre(board, player)
    for square, stone in board.items():
        for down, right in DIRECTIONS if stone == "." else ():
            sides = ((down, right), (-down, -right))
            stones = sum(count_in_a_row(board, square, side, player) for side in sides)
            total += (0, 0.5, 3, 20)[min(stones, 3)]
    return total


def weigh_open_lines(board: Board, player: str) -> float:
    """Return the sum of open lines, weighted by missing and supporting stones."""
    total = 0.0
    for line in LINES:
        marks = [board[square] for square in line]
        if player in marks and other(player) not in marks:
            free = [(row, column) for row, column in line if board[row, column] == "."]
            waiting = sum(board.get((row + 1, column)) == "." for row, column in free)
            upright = line[0][1] == line[1][1]
            lacks = len(free) if upright else 1.5 * len(free) + 0.5 * waiting
            total += 3.0 ** (3 - lacks)
    return total


HEURISTICS = (weigh_free_ends, weigh_wanted_squares, weigh_open_lines)


def all_prefer(pair: PreferredPair) -> bool:
    """Do all prefer the better board, by the sides' difference and by their ratio?"""
    side = pair.side
    boards = []
    for key in (pair.better, pair.worse):
        rows = enumerate(ConnectFour().from_key(key).rows)
        boards.append({(i, j): mark for i, row in rows for j, mark in enumerate(row)})
    for heuristic in HEURISTICS:
        (mine, theirs), (less, more) = (
            (heuristic(board, side), heuristic(board, other(side))) for board in boards
        )
        if mine - theirs <= less - more or compute_share(mine, theirs) <= compute_share(less, more):
            return False
    return True


def compute_share(mine: float, theirs: float) -> float:
    return (mine - theirs) / (1 + mine + theirs)
