"""Write pairs.txt: `python -m autograder.author.preferences` (half an hour)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from math import inf
from operator import ge, gt, le, lt
from random import Random
from typing import NamedTuple

from autograder.author.preferences import HERE, PreferredPair
from autograder.author.preferences.reference_heuristics import all_prefer
from autograder.author.preferences.squares import (
    CENTRE,
    EDGES,
    FALLING,
    HEIGHT,
    LEVEL,
    LINES,
    RISING,
    WIDTH,
    Square,
    list_rows,
)
from starter.games import BoardState

SEED = 1
EACH_LINE, CENTRES, AROUND = 8, 40, 12  # pairs of each kind

Squares = int  # a set of squares, as in BoardState


def pack_squares(squares: Iterable[Square]) -> Squares:
    return sum(1 << row * (WIDTH + 1) + column for row, column in squares)


LINES_THROUGH = Counter(square for line in LINES for square in line)
TWOS, THREES, FOURS = ([pack_squares(row) for row in list_rows(length)] for length in (2, 3, 4))
# Lines that wrap around the edge of the board, by direction.
AROUND_THE_EDGE = {
    name: [
        pack_squares((row + i * down, (column + i * right) % WIDTH) for i in range(4))
        for row in range(HEIGHT - 3 * down)
        for column in range(WIDTH)
        if not 0 <= column + 3 * right < WIDTH
    ]
    for name, (down, right) in {"level": LEVEL, "falling": FALLING, "rising": RISING}.items()
}


class BoardPair(NamedTuple):
    """My stones on the better and the worse board, and the opponent's on both."""

    better: Squares
    worse: Squares
    theirs: Squares


# --- what a heuristic may count -------------------------------------------------------------------


def count_lines(mine: Squares, theirs: Squares, lines: Iterable[Squares]) -> list[int]:
    """Count lines without the opponent's stones by at least one to four of mine."""
    found = [0] * 4
    for line in lines:
        if not line & theirs:
            for i in range((line & mine).bit_count()):
                found[i] += 1
    return found


def count_full_rows(stones: Squares, rows: Sequence[Squares]) -> int:
    """Count the rows that are full of these stones."""
    return sum(stones & row == row for row in rows)


def find_next_squares(taken: Squares) -> list[Square]:
    """Return the next free square of each column that is not full."""
    free = ([r for r in range(HEIGHT) if not taken & pack_squares([(r, c)])] for c in range(WIDTH))
    return [(rows[-1], column) for column, rows in enumerate(free) if rows]


def count_features(mine: Squares, theirs: Squares) -> list[int]:
    """Return all features that a heuristic may count for a side.

    They are its open lines, those with a free square that can be taken at once, those with only
    such squares, and its adjacent stones.
    """
    soon = pack_squares(find_next_squares(mine | theirs))
    one_soon = [line for line in FOURS if line & ~mine & soon]
    all_soon = [line for line in FOURS if not line & ~mine & ~soon]
    lines = (count_lines(mine, theirs, some) for some in (FOURS, one_soon, all_soon))
    return [*(n for some in lines for n in some), count_full_rows(mine, TWOS)]


def has_no_worse_feature(pair: BoardPair) -> bool:
    """Is no feature in favour of the worse board, with any weights?"""
    better, worse, theirs = pair
    mine = map(ge, count_features(better, theirs), count_features(worse, theirs))
    against = map(le, count_features(theirs, better), count_features(theirs, worse))
    return all(mine) and all(against)


def is_distinguished_only_by(line: list[Square], pair: BoardPair) -> bool:
    """Does only this line, or a similar one, favour the better board?"""
    better, worse, theirs = pair
    for left_out in ([line], find_similar_lines(line)):
        lines = set(FOURS).difference(map(pack_squares, left_out))
        mine = [count_lines(board, theirs, lines) for board in (better, worse)]
        against = [count_lines(theirs, board, lines) for board in (better, worse)]
        if any(map(gt, *mine)) or any(map(lt, *against)):
            return False
    return True


def find_similar_lines(line: list[Square]) -> list[list[Square]]:
    """Return the lines in the same direction that begin in the same row."""
    first, second = line[:2]
    step = second[0] - first[0], second[1] - first[1]
    return [
        other
        for other in LINES
        if other[0][0] == first[0]
        and (other[1][0] - other[0][0], other[1][1] - other[0][1]) == step
    ]


def misleads(around: list[Squares], pair: BoardPair) -> bool:
    """Is no feature in favour of the better board if these lines count, too?"""
    better, worse, theirs = pair
    lines = [*FOURS, *around]
    mine = map(le, count_lines(better, theirs, lines), count_lines(worse, theirs, lines))
    against = map(ge, count_lines(theirs, better, lines), count_lines(theirs, worse, lines))
    return all(mine) and all(against)


# --- boards drawn at random -----------------------------------------------------------------------


def draw_pairs(
    rng: Random, heights: list[int], stones: list[Square], moved: Square, three: int
) -> Iterator[BoardPair]:
    """Fill the columns of the better board up to these heights, in several ways.

    stones: some of mine
    moved:  the stone that lies no nearer to the centre on the worse board, on no more lines
    three:  the number of open lines with three of mine on the better board; there are no others
    """
    taken = [(HEIGHT - 1 - i, c) for c, height in enumerate(heights) for i in range(height)]
    instead = [
        square
        for square in find_next_squares(pack_squares(taken))
        if square[1] != moved[1]
        and abs(square[1] - CENTRE) >= abs(moved[1] - CENTRE)
        and LINES_THROUGH[square] <= LINES_THROUGH[moved]
    ]
    others = [square for square in taken if square not in stones]
    more = (len(taken) + rng.randrange(2)) // 2 - len(stones)
    if not 0 < more < len(others):
        return
    # Random colours make too many threes on a nearly full board. Alternating along a row, and in
    # twos along a column, they make none, so this is the start.
    phase = rng.randrange(4)
    others.sort(key=lambda at: ((at[0] + phase) // 2 % 2 ^ at[1] % 2) + rng.uniform(0, 1.2))
    fewest = inf
    for _ in range(60):
        i, j = rng.randrange(more), rng.randrange(more, len(others))
        others[i], others[j] = others[j], others[i]
        mine, theirs = pack_squares([*stones, *others[:more]]), pack_squares(others[more:])
        stray = count_stray_threes(mine, theirs, three)
        if stray > fewest:
            others[i], others[j] = others[j], others[i]
            continue
        fewest = stray
        for square in instead if not stray else []:
            pair = BoardPair(mine, mine & ~pack_squares([moved]) | pack_squares([square]), theirs)
            if not count_stray_threes(pair.worse, theirs, 0) and not count_full_rows(
                pair.worse, THREES
            ):
                yield pair


def count_stray_threes(mine: Squares, theirs: Squares, wanted: int) -> int:
    """Return a board's distance from the wanted open lines with three stones."""
    return abs(count_lines(mine, theirs, FOURS)[2] - wanted) + count_lines(theirs, mine, FOURS)[2]


def draw_three_anywhere(rng: Random) -> Iterator[BoardPair]:
    return draw_three_to_two(rng.choice(LINES), rng)


def draw_three_to_two(line: list[Square], rng: Random) -> Iterator[BoardPair]:
    """Yield pairs with three adjacent stones on a line, or only two of them."""
    upright = line[0][1] == line[3][1]
    *three, free = line[::-1] if upright or rng.random() < 0.5 else line
    least = [0] * WIDTH  # the heights below the three stones
    for row, column in three:
        least[column] = max(least[column], HEIGHT - row)
    tall = max(least)
    heights = [rng.choice((low, tall, rng.randint(low, HEIGHT))) for low in least]
    moved = rng.choice([(r, c) for r, c in three if HEIGHT - r == least[c]])
    heights[moved[1]], heights[free[1]] = least[moved[1]], HEIGHT - 1 - free[0]
    return draw_pairs(rng, heights, three, moved, 1)


def draw_centre_to_edge(rng: Random) -> Iterator[BoardPair]:
    """Yield pairs with few stones, one in the centre or in another column."""
    heights = [rng.choice((0, 0, 1, 2)) for _ in range(WIDTH)]
    heights[CENTRE] = rng.randint(1, 2)
    moved = HEIGHT - heights[CENTRE], CENTRE
    return draw_pairs(rng, heights, [moved], moved, 0)


def is_at_edge(pair: BoardPair) -> bool:
    """Is the stone at the edge on the worse board, which has fewer open lines?"""
    better, worse, theirs = pair
    edges = pack_squares((row, column) for row in range(HEIGHT) for column in EDGES)
    lines = [count_lines(mine, theirs, FOURS)[0] for mine in (better, worse)]
    return worse & ~better & edges != 0 and lines[0] > lines[1]


# --- as text --------------------------------------------------------------------------------------


def add_sides(rng: Random, pair: BoardPair) -> PreferredPair:
    """Name the sides: X has one stone more, or as many as O."""
    more = pair.better.bit_count() - pair.theirs.bit_count()
    side = "XO"[more < 0] if more else rng.choice("XO")
    keys = []
    for mine in pair[:2]:
        x, o = (mine, pair.theirs) if side == "X" else (pair.theirs, mine)
        keys.append(BoardState(x, o, "XO"[abs(more)], None, (HEIGHT, WIDTH)).key)
    return PreferredPair(side, *keys)


def name_line(line: list[Square]) -> str:
    """Return the name of pairs that differ by this line."""
    return "-".join(f"{row}{column}" for row, column in (line[0], line[3]))


def draw_pair_lines(
    what: str,
    count: int,
    draw: Callable[[Random], Iterator[BoardPair]],
    wanted: Callable[[BoardPair], bool],
) -> list[str]:
    """Return `count` lines of pairs.txt of one kind, each from a separate drawing."""
    rng, found = Random(f"{SEED} {what}"), set[str]()
    while len(found) < count:
        for pair in draw(rng):
            if wanted(pair) and has_no_worse_feature(pair):
                preferred = add_sides(rng, pair)
                if all_prefer(preferred):
                    found.add(" ".join((what, *preferred)))
                    break
    return sorted(found)


def main() -> None:
    found = draw_pair_lines("centre", CENTRES, draw_centre_to_edge, is_at_edge)
    for line in LINES:
        draw, alone = partial(draw_three_to_two, line), partial(is_distinguished_only_by, line)
        found += draw_pair_lines(name_line(line), EACH_LINE, draw, alone)
    for name, lines in AROUND_THE_EDGE.items():
        found += draw_pair_lines(
            f"around-{name}", AROUND, draw_three_anywhere, partial(misleads, lines)
        )
    (HERE / "pairs.txt").write_text("".join(f"{pair}\n" for pair in found), encoding="ascii")


if __name__ == "__main__":
    main()
