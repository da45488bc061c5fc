"""Draw pictures (see `diagram.py`) as text, with a tree reduced to the nodes that fit."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import NamedTuple

from autograder.diagram import Board, Node, Picture

HEIGHT = 24  # lines of one drawing, by default
WIDTH = 76  # characters of its lines


class Line(NamedTuple):
    """A line of a message.

    mark:  a note on it, shown behind an arrow
    style: "expected", "got" or "faded", for terminals with colours
    """

    text: str
    mark: str = ""
    style: str = ""

    @property
    def arrow(self) -> str:
        return f"   <-- {self.mark}" if self.mark else ""

    def __str__(self) -> str:
        return self.text + self.arrow


def draw_lines(picture: Picture, max_lines: int = HEIGHT, width: int = WIDTH) -> list[Line]:
    """Draw a picture in at most `max_lines` lines; a board fully, or not at all.

    A tree shows at least the first mark, the path to it and its neighbours.
    """
    if isinstance(picture, Board):
        board = [*([picture.caption] if picture.caption else []), *str(picture.state).splitlines()]
        return [cut(Line(text), width) for text in board] if len(board) <= max_lines else []
    caption = [picture.caption] if picture.caption and max_lines > 4 else []
    if picture.ordered and max_lines >= HEIGHT // 2:
        caption.append("#0, #1, ... is the order of your search; nodes with - were not searched")
    shown = [cut(Line(text), width) for text in caption]
    lines = draw_tree_lines(fold(picture.root, max_lines - len(shown)), width, picture.ordered)
    return (shown + cut_around_mark(lines, max(1, max_lines - len(shown))))[: max(0, max_lines)]


def cut_around_mark(lines: list[Line], max_lines: int) -> list[Line]:
    """Return at most `max_lines` lines of a drawing, around the first mark."""
    if len(lines) <= max_lines:
        return lines
    mark = next((i for i, line in enumerate(lines) if line.mark), 0)
    first = max(0, min(mark - max_lines // 2, len(lines) - max_lines))
    shown = lines[first : first + max_lines]
    if first:
        shown[0] = Line("...")
    if first + max_lines < len(lines):
        shown[-1] = Line("...")
    return shown


def draw_side_by_side(
    pictures: Sequence[Picture], max_lines: int = HEIGHT, width: int = WIDTH
) -> list[Line]:
    """Draw a picture, or boards beside each other."""
    columns = list(filter(None, (draw_lines(picture, max_lines, width) for picture in pictures)))
    if len(columns) == 1:
        return columns[0]
    widths = [max(len(line.text) for line in column) + 6 for column in columns]
    rows = zip_longest(*columns, fillvalue=Line(""))
    return [
        cut(Line("".join(f"{line.text:<{n}}" for line, n in zip(row, widths)).rstrip()), width)
        for row in rows
    ]


def draw_tree_lines(root: Node, width: int, ordered: bool) -> list[Line]:
    """Draw a tree, one line per node, with the order of the search in the margin.

    A line that is too wide loses the first texts of its node, but not a leaf's value.
    """
    lines: list[Line] = []

    def add(node: Node, head: str, stem: str) -> None:
        margin = ""
        if ordered:
            margin = f"{'-' if node.order is None else f'#{node.order}':>4}  "
        style = "faded" if ordered and node.order is None else ""
        value = node.texts[:1] if node.kind == "leaf" else []
        for first in range(len(value), len(node.texts) + 1):
            text = ", ".join(replace(node, texts=[*value, *node.texts[first:]]).lines)
            text = f"{margin}{head}{node.name}{': ' if text else ''}{text}"
            line = Line(text, node.mark, style)
            if len(str(line)) <= width:
                break
        lines.append(cut(line, width))
        for i, child in enumerate(node.children, 1):
            last = i == len(node.children)
            branch, below = ("`-- ", "    ") if last else ("|-- ", "|   ")
            add(child, stem + branch, stem + below)

    add(root, "", "")
    return lines


def cut(line: Line, width: int) -> Line:
    """Shorten a line to the width; keep its mark if that fits."""
    if len(str(line)) <= width:
        return line
    left = width - len(line.arrow) - len(" ...")
    if left <= len("..."):
        return line._replace(text=str(line)[: width - len(" ...")] + " ...", mark="")
    start = line.text[:left].rpartition(" ")[0]  # whole words: a part of a number is another number
    return line._replace(text=f"{start} ...")


DEEPEST_DRAWN = 10  # plies; deeper nodes do not fit into 80 columns
MOST_CHILDREN = 40  # of one node; a submission's search tree may have thousands


def fold(root: Node, max_nodes: int) -> Node:
    """Return a copy with at most `max_nodes` nodes, if that is enough for the marked ones.

    The path to each mark is shown with its neighbours, and of the rest as many plies as fit. In a
    deep tree single moves from the root on are left out.
    """
    if measure_depth(root) > DEEPEST_DRAWN:
        root = skip_single_moves(root)
    path = {id(node) for node in root.walk() if any(below.mark for below in node.walk())}
    # What decides at a marked node is in its children.
    unfolded = path | {id(child) for node in root.walk() if node.mark for child in node.children}

    def shown(node: Node, plies: int) -> Node:
        if plies or any(id(child) in unfolded for child in node.children):
            below, family = max(0, plies - 1), node.children
            marked = next((i for i, child in enumerate(family) if id(child) in path), 0)
            first = max(0, marked - MOST_CHILDREN // 2)
            children = [shown(child, below) for child in family[first : first + MOST_CHILDREN]]
            if len(children) < len(family):
                children.append(Node(f"... and {len(family) - len(children)} more"))
            return replace(node, children=children)
        hidden = sum(1 for _ in node.walk()) - 1
        texts = [f"({hidden} below)"] if hidden else []
        return replace(node, texts=[*node.texts, *texts], children=[])

    for plies in range(DEEPEST_DRAWN, 0, -1):
        copy = shown(root, plies)
        if sum(1 for _ in copy.walk()) <= max_nodes:
            break
    return copy


def skip_single_moves(root: Node) -> Node:
    """Return the first node below that is marked, or has several children."""
    node, skipped = root, 0
    while len(node.children) == 1 and not node.mark:
        (node,) = node.children
        skipped += 1
    return replace(node, name=f"after {skipped} moves without a choice") if skipped else root


def measure_depth(node: Node) -> int:
    return max((1 + measure_depth(child) for child in node.children), default=0)
