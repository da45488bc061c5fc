"""Draw the handout's pictures, for light and dark pages and narrow phones.

They are drawn from the rules and from runs of the solution, so they always agree with it.
"""

import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from unittest.mock import Mock, patch

from autograder.diagram import (
    Board,
    Picture,
    Tree,
    describe_tree,
    format_value,
    make_statistics_node,
)
from autograder.diagram import Node as Drawn
from autograder.feedback import svg
from autograder.quiz.tree_rules import ExplicitTree
from solution import mcts
from solution.expectiminimax import expectiminimax
from solution.mcts import Node, ucb
from starter.games import FIGURE_5_2, SAFE_OR_RISKY, ConnectFour, Move, TicTacToe, TreeState

MARGIN = 8
GAP = 6  # between neighbours: closer than elsewhere, so that a phone shows a picture in full size
EXAMPLE_C = 1.4  # of the iteration that the handout works out


def format_number(value: float) -> str:
    """Format a number as books print it."""
    return format_value(value).replace("-", "−").replace("inf", "∞")


def draw_alphabeta_tree() -> Tree:
    """Draw figure 5.2 with alpha-beta's order, windows, values and pruned leaves."""
    tree = ExplicitTree(FIGURE_5_2._tree, "X")
    searched = [node for node in tree.states if not tree.is_pruned(node)]

    def decorate(node: Drawn, state: TreeState) -> None:
        if state.key not in searched:
            node.look = "faded"
            return
        node.order = searched.index(state.key)
        below = tree.children[state.key]
        if not below:
            return
        best = max if tree.side(state.key) == "max" else min
        value = best(tree.values[child] for child in below if child in searched)
        (alpha, beta), pruned = tree.window(state.key), not set(below) <= set(searched)
        node.texts = [f"α = {format_number(alpha)}", f"β = {format_number(beta)}"]
        node.texts += [f"v = {format_number(value)}{' ≤ α' * pruned}", *["prune"] * pruned]

    return describe_tree(tree.game, tree.game.initial, "X", decorate)


def draw_expectiminimax_tree() -> Tree:
    """Draw each node's value for X, and the chance node's mean as a sum."""
    game = SAFE_OR_RISKY

    def format_worth(state: TreeState) -> str:
        return format_number(float(expectiminimax(game, state, "X")[0]))

    def decorate(node: Drawn, state: TreeState) -> None:
        if state.to_move == "chance":
            node.texts = [
                f"{chance} · {format_worth(game.result(state, move))}"
                for chance, move in game.outcomes(state)
            ]
            node.texts[1:] = [f"+ {text}" for text in node.texts[1:]]
            node.texts.append(f"= {format_worth(state)}")
        elif not game.is_terminal(state):
            node.texts = [f"v = {format_worth(state)}"]

    return describe_tree(game, game.initial, "X", decorate)


HEURISTIC_ROWS = (*["......."] * 4, "...O...", "..XXXO.")


def draw_heuristic_board() -> Board:
    stones = frozenset((5, column) for column in (2, 3, 4))
    return Board(ConnectFour().state(HEURISTIC_ROWS), good=stones)


@dataclass
class Iteration:
    """One iteration: the tree, its statistics before, and the four phases' effects."""

    root: Node
    before: dict[Node, tuple[float, int]]  # U and N
    bounds: dict[Node, float]  # UCB of the root's children
    leaf: Node
    child: Node
    moves: list[Move]
    utility: float


def run_playout(game: Any, root: Node, rng: random.Random) -> tuple[Node, Node, float]:
    """Do one playout, as the search does; return its leaf, the child and the result."""
    leaf = mcts.select(root, EXAMPLE_C)
    child = mcts.expand(leaf, game)
    game.result.reset_mock()  # so that the moves of simulate remain
    utility = mcts.simulate(game, child.state, rng)
    mcts.backprop(child, utility)
    return leaf, child, utility


def run_example_iteration() -> Iteration:
    """Run iteration seven of a search from a state with four free squares, O to move."""
    game = Mock(wraps=TicTacToe())  # records the moves
    rng = random.Random(7)
    root = Node(game.state(["XXO", "..X", ".O."]))
    for _ in range(6):
        run_playout(game, root, rng)
    before = {node: (node.U, node.N) for node in list_nodes(root)}
    bounds = {node: ucb(node, EXAMPLE_C) for node in root.children.values()}
    leaf, child, utility = run_playout(game, root, rng)
    moves = [call.args[1] for call in game.result.call_args_list]
    return Iteration(root, before, bounds, leaf, child, moves, utility)


def list_nodes(root: Node) -> list[Node]:
    return [root, *(below for child in root.children.values() for below in list_nodes(child))]


def draw_mcts_tree() -> Tree:
    """Draw one iteration: the chosen path, the new nodes, the changes of U and N.

    The subtrees beside the path are only counted.
    """
    it = run_example_iteration()
    nodes = [it.root, *it.root.children.values(), *it.leaf.children.values()]

    def format_change(old: float, now: float) -> str:
        return format_number(now) if old == now else f"{format_number(old)} → {format_number(now)}"

    boxes: dict[Node, Drawn] = {}
    for node in nodes:
        U, N = it.before.get(node, (0.0, 0))
        name = str(node.move) if node.parent else f"root, {node.state.to_move} to move"
        box = boxes[node] = make_statistics_node(
            name, format_change(U, node.U), format_change(N, node.N)
        )
        if node.parent:
            boxes[node.parent].children.append(box)
        if node in (it.root, it.leaf):
            box.look = "lit"
        elif node not in it.before:
            box.look = "new"
        if node in it.bounds:
            box.texts[:0] = ["UCB", f"{it.bounds[node]:.3f}"]
            if node is not it.leaf:
                box.children = [Drawn(f"{len(list_nodes(node)) - 1} more", look="faded")]
        if node is it.child:
            box.look = "lit new"
            moves = [f"{side}: {move}" for side, move in zip("OX", it.moves, strict=True)]
            result = [*moves, "X wins:", f"{format_number(it.utility)} for X"]
            box.children = [Drawn("playout", texts=result, look="new")]
    return Tree(boxes[it.root])


PICTURES: dict[str, tuple[Callable[[], Picture], str]] = {
    "alphabeta": (draw_alphabeta_tree, "Alpha-beta on the tree of figure 5.2"),
    "expectiminimax": (
        draw_expectiminimax_tree,
        "Expectiminimax on a tree with all kinds of nodes",
    ),
    "heuristic": (draw_heuristic_board, "A board of Connect Four, with three stones of X in a row"),
    "mcts": (draw_mcts_tree, "One iteration of Monte Carlo tree search"),
}
# Each file has one theme, because GitHub's theme may differ from the browser's preference.
THEMES = {"light": f"{svg.LIGHT};background:#fff", "dark": f"{svg.DARK};background:#0d1117"}


def draw_pictures() -> dict[str, str]:
    return {
        f"{name}-{theme}.svg": render_picture(describe(), caption, colours)
        for name, (describe, caption) in PICTURES.items()
        for theme, colours in THEMES.items()
    }


def render_picture(picture: Picture, caption: str, colours: str) -> str:
    """Return the picture as a file, with a margin, in these colours on every page."""
    picture.caption = caption
    style = svg.STYLE.replace(f"@media(prefers-color-scheme:dark){{.drawing{{{svg.DARK}}}}}", "")
    style += f".drawing{{{colours}}}"
    with patch.object(svg, "GAP", GAP):
        text = svg.draw(picture).replace(">", f"><style>{style}</style>", 1)

    def widen(size: re.Match[str]) -> str:
        width, height = (float(number) + 2 * MARGIN for number in size.groups())
        box = f"{-MARGIN} {-MARGIN} {width:g} {height:g}"
        return f'viewBox="{box}" width="{width:g}" height="{height:g}"'

    return (
        re.sub(r'viewBox="0 0 (\S+) (\S+)" width="\S+" height="\S+"', widen, text, count=1) + "\n"
    )
