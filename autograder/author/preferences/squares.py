"""The squares of the board, the directions on it, and its lines."""

from __future__ import annotations

HEIGHT, WIDTH = 6, 7
CENTRE, EDGES = WIDTH // 2, (0, WIDTH - 1)
LEVEL, UPRIGHT, FALLING, RISING = (0, 1), (1, 0), (1, 1), (1, -1)  # a step down, and to the right
DIRECTIONS = (LEVEL, UPRIGHT, FALLING, RISING)

Square = tuple[int, int]  # (row, column), row 0 on top


def list_rows(length: int) -> list[list[Square]]:
    """Return all rows of this length, each from its upper or left end."""
    return [
        [(row + i * down, column + i * right) for i in range(length)]
        for row in range(HEIGHT)
        for column in range(WIDTH)
        for down, right in DIRECTIONS
        if row + (length - 1) * down < HEIGHT and 0 <= column + (length - 1) * right < WIDTH
    ]


LINES = list_rows(4)
