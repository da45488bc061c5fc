"""Compute the answers of items again: by the solution, in this process, or by brute force.

Nothing of `autograder/quiz/` is used here but the facts of an item: the tree and the node.
"""

import ast
import io
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from math import log, sqrt
from operator import itemgetter
from types import ModuleType
from typing import Any
from unittest.mock import patch

from autograder.diagram import format_value
from autograder.quiz.item import Item, name_nodes
from autograder.settings import SETTINGS
from solution import alphabeta, cutoff, minimax
from starter.games import Game, GameTree, TreeState

Files = dict[str, bytes]


class WatchedTree(GameTree):
    """A game that notes the leaves whose utility is asked for."""

    def __init__(self, tree: Any, to_move: str) -> None:
        super().__init__(tree if to_move == "X" else negate(tree), to_move)
        self.asked: list[str] = []

    def utility(self, state: TreeState, player: str) -> float:
        self.asked.append(state.key)
        return super().utility(state, player)


def negate(tree: Any) -> Any:
    return list(map(negate, tree)) if isinstance(tree, list) else -tree


def watch(item: Item, tree: Any = None) -> WatchedTree:
    return WatchedTree(tree or item.facts["tree"], item.facts["to_move"])


def list_leaves(tree: Any, node: str = "") -> list[tuple[str, Any]]:
    if not isinstance(tree, list):
        return [(node.strip("/"), tree)]
    return [leaf for a, child in zip("abcd", tree) for leaf in list_leaves(child, f"{node}/{a}")]


def put(tree: Any, leaf: str, value: float) -> Any:
    if not leaf:
        return value
    move, _, rest = leaf.partition("/")
    return [put(child, rest, value) if a == move else child for a, child in zip("abcd", tree)]


def evaluate(tree: Any, ply: int = 0) -> float:
    """Return the value of a nested list for MAX, who is to move at even plies."""
    if not isinstance(tree, list):
        return float(tree)
    return (min if ply % 2 else max)(evaluate(child, ply + 1) for child in tree)


def find_best(tree: Any) -> list[str]:
    return [a for a, child in zip("abcd", tree) if evaluate(child, 1) == evaluate(tree)]


def value(item: Item, files: Files) -> str:
    game, node = watch(item), item.facts["node"]
    search = minimax.min_value if node.count("/") % 2 == 0 else minimax.max_value
    return format_value(search(game, game.from_key(node), item.facts["to_move"])[0])


def move(item: Item, files: Files) -> str:
    (best,) = find_best(item.facts["tree"])
    return best


def change(item: Item, files: Files) -> str:
    tree = item.facts["tree"]
    before = find_best(tree)
    for size in range(1, 60):
        found = [
            f"{leaf}: {value} becomes {value + by}"
            for leaf, value in list_leaves(tree)
            for by in (size, -size)
            if len(best := find_best(put(tree, leaf, value + by))) == 1 and best != before
        ]
        if found:
            (only,) = found
            return only
    raise AssertionError("no change of one leaf changes the move")


def search_watched(item: Item, tree: Any = None) -> list[str]:
    game = watch(item, tree)
    alphabeta.alphabeta_search(game, game.initial)
    return game.asked


def window(item: Item, files: Files) -> str:
    calls = {}

    def note(search: Any) -> Any:
        def called(game: Game, state: Any, player: str, alpha: float, beta: float) -> Any:
            calls[state.key] = alpha, beta
            return search(game, state, player, alpha, beta)

        return called

    noted = {name: note(getattr(alphabeta, name)) for name in ("max_value", "min_value")}
    with patch.multiple(alphabeta, **noted):
        search_watched(item)
    alpha, beta = map(format_value, calls[item.facts["node"]])
    return f"alpha = {alpha}, beta = {beta}"


def pruned(item: Item, files: Files) -> str:
    return name_nodes(dict(list_leaves(item.facts["tree"])).keys() - search_watched(item))


def threshold(item: Item, files: Files) -> str:
    trees = {value: put(item.facts["tree"], item.facts["leaf"], value) for value in range(-30, 31)}
    target = item.facts["target"]
    there = [value for value, tree in trees.items() if target in search_watched(item, tree)]
    return str(there[0] if "smallest" in item.text else there[-1])


@contextmanager
def load(source: bytes) -> Iterator[ModuleType]:
    """Yield a question file as a module; what it prints is dropped."""
    module = sys.modules["starter.own"] = ModuleType("starter.own")
    module.__file__ = "own.py"
    with redirect_stdout(io.TextIOWrapper(io.BytesIO(), encoding="utf-8")):  # some close it
        exec(compile(source, "own.py", "exec"), vars(module))
        yield module


class CountStatements(ast.NodeTransformer):
    """Put a statement that counts before each simple statement of a function."""

    def visit(self, node: ast.AST) -> Any:
        self.generic_visit(node)
        if isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign | ast.Return):
            return [*ast.parse(f"COUNT[{node.lineno}] += 1").body, node]
        return node


def line_count(item: Item, files: Files) -> str:
    tree = CountStatements().visit(ast.parse(files["minimax.py"]))
    game, count = watch(item), Counter[int]()
    source = ast.unparse(tree).encode()
    with patch("builtins.COUNT", count, create=True), load(source) as module:
        count.clear()
        module.minimax_search(game, game.initial)
    return str(count[item.facts["line"]])


def return_line(item: Item, files: Files) -> str:
    game, found = watch(item), dict[str, tuple[int, str]]()

    def profile(frame: Any, event: str, value: Any) -> None:
        if frame.f_code.co_filename == module.__file__ and event == "return":
            names = frame.f_code.co_varnames[: frame.f_code.co_argcount]
            states = [frame.f_locals[name] for name in names if name in frame.f_locals]
            for state in [state for state in states if isinstance(state, TreeState)][:1]:
                if isinstance(value, tuple) and len(value) == 2:
                    found[state.key] = frame.f_lineno, frame.f_code.co_name

    with load(files["alphabeta.py"]) as module:
        sys.setprofile(profile)
        try:
            module.alphabeta_search(game, game.initial)
        finally:
            sys.setprofile(None)
    return "line {}, in {}".format(*found[item.facts["node"]])


def line_change(item: Item, files: Files) -> str:
    asked = []
    for source in (files["alphabeta.py"], item.facts["source"].encode()):
        game = watch(item)
        with load(source) as module:
            module.alphabeta_search(game, game.initial)
        asked.append(set(game.asked))
    return name_nodes(asked[1] - asked[0])


def search_to_depth(item: Item) -> tuple[dict[str, int], list[str]]:
    """Return the depth of each node that cutoff got, and the nodes that h got."""
    game, depths, estimated = watch(item), {}, []

    def stops(game: Game, state: Any, depth: int) -> bool:
        depths[state.key] = depth
        return bool(depth > item.facts["depth"])

    def estimate(state: Any, player: str) -> float:
        estimated.append(state.key)
        return float(item.facts["h"][state.key])

    cutoff.h_alphabeta_search(game, game.initial, stops, estimate)
    return depths, estimated


def depth(item: Item, files: Files) -> str:
    return str(search_to_depth(item)[0].get(item.facts["node"], "cutoff is not called there"))


def estimates(item: Item, files: Files) -> str:
    return name_nodes(search_to_depth(item)[1])


def name_path(path: list[int]) -> str:
    return "/".join("abcd"[index] for index in path)


def read_tree(item: Item) -> dict[str, tuple[float, int]]:
    return {name_path(path): (U, N) for path, U, N in item.facts["nodes"]}


def selection(item: Item, files: Files) -> str:
    nodes = read_tree(item)
    path = ""

    def ucb(child: str) -> float:
        U, N = nodes[child]
        return U / N + SETTINGS.C * sqrt(log(nodes[path][1]) / N)

    while below := [one for one in nodes if one and one.rpartition("/")[0] == path]:
        path = max(below, key=ucb)
    return path


def backprop(item: Item, files: Files) -> str:
    nodes, path, sign, rows = read_tree(item), name_path(item.facts["at"]), 1, []
    for _ in range(3):
        U, N = nodes[path][0] + sign * item.facts["utility"], nodes[path][1] + 1
        rows.append(f"{path or 'root'}: U = {format_value(U)}, N = {N}")
        path, sign = path.rpartition("/")[0], -sign
    return "; ".join(rows)


def final(item: Item, files: Files) -> str:
    U, N, move = max(
        ((U, N, move) for move, (U, N) in read_tree(item).items() if move), key=itemgetter(1)
    )
    return f"value {U / N + 0.0:.2f}, move {move}"


ORACLES: dict[str, Callable[[Item, Files], str]] = {
    "minimax-value": value,
    "minimax-move": move,
    "minimax-change": change,
    "minimax-line-count": line_count,
    "alphabeta-window": window,
    "alphabeta-pruned": pruned,
    "alphabeta-threshold": threshold,
    "alphabeta-return-line": return_line,
    "alphabeta-line-change": line_change,
    "cutoff-depth": depth,
    "cutoff-estimates": estimates,
    "mcts-select": selection,
    "mcts-backprop": backprop,
    "mcts-final": final,
}
