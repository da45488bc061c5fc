"""Compute the answers of items again: by the solution, in this process, or by brute force.

Nothing of `autograder/quiz/` is used here but the facts of an item: the tree and the node.
"""

from __future__ import annotations

import ast
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import inf, log, sqrt
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Any

import starter
from autograder.quiz.item import Item, format_number, name_nodes
from autograder.settings import SETTINGS
from solution import alphabeta, cutoff, minimax
from starter.games import Game, GameTree, TreeState

Oracle = Callable[[Item, dict[str, bytes]], str]


class WatchedTree(GameTree):
    """A game that notes the leaves whose utility is asked for."""

    def __init__(self, tree: Any, to_move: str) -> None:
        super().__init__(tree if to_move == "X" else negate(tree), to_move)
        self.asked: list[str] = []

    def utility(self, state: TreeState, player: str) -> float:
        self.asked.append(state.key)
        return super().utility(state, player)


def negate(tree: Any) -> Any:
    if isinstance(tree, dict):
        return {move: negate(child) for move, child in tree.items()}
    return list(map(negate, tree)) if isinstance(tree, list) else -tree


def watch(item: Item) -> WatchedTree:
    return WatchedTree(item.facts["tree"], item.facts["to_move"])


def list_leaves(tree: Any, path: tuple[int, ...] = ()) -> list[tuple[tuple[int, ...], Any]]:
    if not isinstance(tree, list):
        return [(path, tree)]
    return [leaf for i, child in enumerate(tree) for leaf in list_leaves(child, (*path, i))]


def put(tree: Any, path: tuple[int, ...], value: float) -> Any:
    if not path:
        return value
    return [put(child, path[1:], value) if i == path[0] else child for i, child in enumerate(tree)]


def name_path(path: tuple[int, ...]) -> str:
    return "/".join(chr(ord("a") + index) for index in path)


def evaluate(tree: Any, ply: int = 0) -> float:
    """Return the value of a nested list for MAX, who is to move at even plies."""
    if not isinstance(tree, list):
        return float(tree)
    return (min if ply % 2 else max)(evaluate(child, ply + 1) for child in tree)


def find_best(tree: Any) -> list[str]:
    values = [evaluate(child, 1) for child in tree]
    return [name_path((i,)) for i, value in enumerate(values) if value == max(values)]


# --- minimax and alpha-beta -----------------------------------------------------------------------


def value(item: Item, files: dict[str, bytes]) -> str:
    game, node = watch(item), item.facts["node"]
    search = minimax.min_value if node.count("/") % 2 == 0 else minimax.max_value
    return format_number(search(game, game.from_key(node), item.facts["to_move"])[0])


def move(item: Item, files: dict[str, bytes]) -> str:
    (best,) = find_best(item.facts["tree"])
    return best


def change(item: Item, files: dict[str, bytes]) -> str:
    tree = item.facts["tree"]
    (before,) = find_best(tree)
    for size in range(1, 60):
        found = [
            f"{name_path(path)}: {leaf} becomes {leaf + by}"
            for path, leaf in list_leaves(tree)
            for by in (size, -size)
            if len(best := find_best(put(tree, path, leaf + by))) == 1 and best != [before]
        ]
        if found:
            (only,) = found
            return only
    raise AssertionError("no change of one leaf changes the move")


def search_watched(item: Item, tree: Any = None) -> list[str]:
    game = WatchedTree(item.facts["tree"] if tree is None else tree, item.facts["to_move"])
    alphabeta.alphabeta_search(game, game.initial)
    return game.asked


def window(item: Item, files: dict[str, bytes]) -> str:
    calls = {}
    own = {name: getattr(alphabeta, name) for name in ("max_value", "min_value")}

    def note(name: str) -> Any:
        def called(game: Game, state: Any, player: str, alpha: float, beta: float) -> Any:
            calls[state.key] = alpha, beta
            return own[name](game, state, player, alpha, beta)

        return called

    vars(alphabeta).update({name: note(name) for name in own})
    try:
        search_watched(item)
    finally:
        vars(alphabeta).update(own)
    alpha, beta = (format_number(b) if abs(b) < inf else str(b) for b in calls[item.facts["node"]])
    return f"alpha = {alpha}, beta = {beta}"


def pruned(item: Item, files: dict[str, bytes]) -> str:
    leaves = {name_path(path) for path, _ in list_leaves(item.facts["tree"])}
    return name_nodes(leaves - set(search_watched(item)))


def threshold(item: Item, files: dict[str, bytes]) -> str:
    path = tuple(ord(move) - ord("a") for move in item.facts["leaf"].split("/"))
    there = [
        number
        for number in range(-30, 31)
        if item.facts["target"] in search_watched(item, put(item.facts["tree"], path, number))
    ]
    return str(there[0] if "smallest" in item.text else there[-1])


def order(item: Item, files: dict[str, bytes]) -> str:
    tree, counts = item.facts["tree"], {}
    for choice in item.choices:
        named = {move: tree[ord(move) - ord("a")] for move in choice.split(", ")}
        counts[choice] = len(search_watched(item, named))
    fewest = [choice for choice in item.choices if counts[choice] == min(counts.values())]
    (only,) = fewest
    return only


# --- the student's own lines ----------------------------------------------------------------------


@contextmanager
def load(files: dict[str, bytes], name: str, counting: bool = False) -> Iterator[ModuleType]:
    """Run a question file here, which may import the others until the context ends.

    counting: let each statement count itself
    """
    tree = ast.parse(files[f"{name}.py"])
    if counting:
        tree = ast.fix_missing_locations(CountStatements().visit(tree))
    module = ModuleType(f"starter.{name}")
    module.__package__ = "starter"
    vars(module)["COUNT"] = Counter()
    with TemporaryDirectory() as folder, replaced(files):
        for file, source in files.items():
            (Path(folder) / file).write_bytes(source)
        starter.__path__.insert(0, folder)
        sys.modules[module.__name__] = module
        try:
            exec(compile(tree, f"{name} of a bank", "exec"), vars(module))
            yield module
        finally:
            starter.__path__.remove(folder)


@contextmanager
def replaced(files: dict[str, bytes]) -> Iterator[None]:
    """Forget the provided modules of these names; know them again at the end."""
    names = [file.removesuffix(".py") for file in files]
    modules = {f"starter.{name}": sys.modules.get(f"starter.{name}") for name in names}
    attributes = {name: vars(starter).get(name) for name in names}

    def put(known: dict[str, Any], found: dict[str, Any]) -> None:
        for key, value in found.items():
            known.pop(key, None)
            if value is not None:
                known[key] = value

    put(sys.modules, dict.fromkeys(modules))
    put(vars(starter), dict.fromkeys(attributes))
    try:
        yield
    finally:
        put(sys.modules, modules)
        put(vars(starter), attributes)


class CountStatements(ast.NodeTransformer):
    """Put a statement that counts before each simple statement of a function."""

    def visit(self, node: ast.AST) -> Any:
        self.generic_visit(node)
        if isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign | ast.Return):
            (count,) = ast.parse(f"COUNT[{node.lineno}] += 1").body
            return [count, node]
        return node


def line_count(item: Item, files: dict[str, bytes]) -> str:
    game = watch(item)
    with load(files, "minimax", counting=True) as module:
        vars(module)["COUNT"].clear()
        module.minimax_search(game, game.initial)
        return str(vars(module)["COUNT"][item.facts["line"]])


def return_line(item: Item, files: dict[str, bytes]) -> str:
    game, lines = watch(item), []

    def profile(frame: Any, event: str, value: Any) -> None:
        if event == "return" and isinstance(value, tuple) and len(value) == 2:
            names = frame.f_code.co_varnames[: frame.f_code.co_argcount]
            arguments = [frame.f_locals[name] for name in names]
            states = [one for one in arguments if isinstance(one, TreeState)]
            if frame.f_code.co_filename.endswith("of a bank") and states:
                lines.append((states[0].key, frame.f_lineno))

    with load(files, "alphabeta") as module:
        sys.setprofile(profile)
        try:
            module.alphabeta_search(game, game.initial)
        finally:
            sys.setprofile(None)
    (line,) = {line for node, line in lines if node == item.facts["node"]}
    ends = {
        node.name: node
        for node in ast.walk(ast.parse(files["alphabeta.py"]))
        if isinstance(node, ast.FunctionDef)
    }
    inside = [n for n in ends.values() if n.lineno <= line <= (n.end_lineno or 0)]
    return f"line {line}, in {max(inside, key=lambda n: n.lineno).name}"


def line_change(item: Item, files: dict[str, bytes]) -> str:
    asked = []
    for source in (files["alphabeta.py"], item.facts["source"].encode()):
        game = watch(item)
        with load({**files, "alphabeta.py": source}, "alphabeta") as module:
            module.alphabeta_search(game, game.initial)
        asked.append(set(game.asked))
    return name_nodes(asked[1] - asked[0])


# --- depth ----------------------------------------------------------------------------------------


def search_to_depth(item: Item) -> tuple[str, dict[str, int], list[str]]:
    """Return the move, the depth of each node asked about, and the nodes that h got."""
    game, depths, estimated = watch(item), {}, []
    h = item.facts.get("h", {})

    def stops(game: Game, state: Any, depth: int) -> bool:
        depths[state.key] = depth
        return bool(depth > item.facts["depth"])

    def estimate(state: Any, player: str) -> float:
        estimated.append(state.key)
        return float(h.get(state.key, 0))

    _, best = cutoff.h_alphabeta_search(game, game.initial, stops, estimate)
    return str(best), depths, estimated


def depth(item: Item, files: dict[str, bytes]) -> str:
    return str(search_to_depth(item)[1][item.facts["node"]])


def estimates(item: Item, files: dict[str, bytes]) -> str:
    return name_nodes(search_to_depth(item)[2])


def deeper(item: Item, files: dict[str, bytes]) -> str:
    return search_to_depth(item)[0]


# --- Monte Carlo tree search ----------------------------------------------------------------------


def read_tree(item: Item) -> dict[tuple[int, ...], tuple[float, int]]:
    return {tuple(path): (U, N) for path, U, N in item.facts["nodes"]}


def selection(item: Item, files: dict[str, bytes]) -> str:
    nodes = read_tree(item)
    path: tuple[int, ...] = ()
    while below := [one for one in nodes if one[:-1] == path and one]:
        above = nodes[path][1]
        path = max(
            below,
            key=lambda one: (
                nodes[one][0] / nodes[one][1] + SETTINGS.C * sqrt(log(above) / nodes[one][1])
            ),
        )
    return name_path(path)


def backprop(item: Item, files: dict[str, bytes]) -> str:
    nodes, at = read_tree(item), tuple(item.facts["at"])
    rows = []
    for steps in range(len(at) + 1):
        path = at[: len(at) - steps]
        U, N = nodes[path][0] + (-1) ** steps * item.facts["utility"], nodes[path][1] + 1
        rows.append(f"{name_path(path) or 'root'}: U = {format_number(U)}, N = {N}")
    return "; ".join(rows)


def final(item: Item, files: dict[str, bytes]) -> str:
    nodes = read_tree(item)
    most = max((path for path in nodes if path), key=lambda path: nodes[path][1])
    return f"value {nodes[most][0] / nodes[most][1] + 0.0:.2f}, move {name_path(most)}"


ORACLES: dict[str, Oracle] = {
    "minimax-value": value,
    "minimax-move": move,
    "minimax-change": change,
    "minimax-line-count": line_count,
    "alphabeta-window": window,
    "alphabeta-pruned": pruned,
    "alphabeta-threshold": threshold,
    "alphabeta-order": order,
    "alphabeta-return-line": return_line,
    "alphabeta-line-change": line_change,
    "cutoff-depth": depth,
    "cutoff-estimates": estimates,
    "cutoff-deeper": deeper,
    "mcts-select": selection,
    "mcts-backprop": backprop,
    "mcts-final": final,
}
