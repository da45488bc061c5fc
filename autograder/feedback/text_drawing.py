"""Draw pictures (see `diagram.py`) as text."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from autograder.diagram import Board, Node, Picture
from autograder.feedback.folding import folded

MOST_LINES = 24  # of one drawing, by default


def lines_of(picture: Picture, most: int = MOST_LINES) -> list[str]:
    """Draw a picture in at most `most` lines; a board fully, or not at all.

    A tree shows at least the first mark, the path to it and its neighbours.
    """
    if isinstance(picture, Board):
        board = [*([picture.caption] if picture.caption else []), *str(picture.state).splitlines()]
        return board if len(board) <= most else []
    caption = [picture.caption] if picture.caption and most > 4 else []
    if picture.ordered and most >= MOST_LINES // 2:
        caption.append("#0, #1, ... is the order of your search; nodes with - were not searched")
    lines = tree_lines(folded(picture.root, most - len(caption)), picture.ordered)
    return (caption + around_the_mark(lines, max(1, most - len(caption))))[: max(0, most)]


def around_the_mark(lines: list[str], most: int) -> list[str]:
    """Return at most `most` lines of a drawing, around the first mark."""
    if len(lines) <= most:
        return lines
    mark = next((i for i, line in enumerate(lines) if "<-- " in line), 0)
    first = max(0, min(mark - most // 2, len(lines) - most))
    shown = lines[first : first + most]
    if first:
        shown[0] = "..."
    if first + most < len(lines):
        shown[-1] = "..."
    return shown


def side_by_side(pictures: Sequence[Picture], most: int = MOST_LINES) -> list[str]:
    """Draw pictures beside each other; all but the last are boards, and narrow."""
    columns = list(filter(None, (lines_of(picture, most) for picture in pictures)))
    widths = [max(map(len, column)) + 6 for column in columns]
    rows = zip_longest(*columns, fillvalue="")
    return [
        "".join(f"{line:<{width}}" for line, width in zip(row, widths)).rstrip() for row in rows
    ]


def tree_lines(root: Node, ordered: bool = False) -> list[str]:
    """Draw a tree, one line per node, with the order of the search in the margin."""
    lines: list[str] = []

    def add(node: Node, head: str, stem: str) -> None:
        margin = ""
        if ordered:
            margin = f"{'-' if node.order is None else f'#{node.order}':>4}  "
        text = ", ".join(node.lines)
        mark = f"   <-- {node.mark}" if node.mark else ""
        lines.append(f"{margin}{head}{node.name}{': ' if text else ''}{text}{mark}")
        for i, child in enumerate(node.children, 1):
            last = i == len(node.children)
            branch, below = ("`-- ", "    ") if last else ("|-- ", "|   ")
            add(child, stem + branch, stem + below)

    add(root, "", "")
    return lines
