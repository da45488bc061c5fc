"""The phases of Monte Carlo tree search, each one alone: select, expand and backprop."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from autograder.cases import (
    BackpropCase,
    PhaseCase,
    SelectCase,
)
from autograder.draw import Node, show
from autograder.judge.mcts_bounds import USUAL_C, ucb
from autograder.judge.mcts_tree import SearchTree
from autograder.judge.values import same
from autograder.wrong import Wrong
from starter.games import State


def expect_selection(case: SelectCase, answer: dict[str, Any]) -> None:
    """The node with the path `case.leaf` was returned, and nothing in the tree has changed."""
    tree, returned = SearchTree(case, answer["tree"]), answer["returned"]
    expect_statistics(tree, case.nodes, "select", "select changed the search tree")
    ucbs = {tuple(path): value for path, value in case.ucbs}

    def decorate(node: Node, i: int) -> None:
        value = ucbs.get(tuple(tree.paths[i]))
        if value is not None:
            node.texts.append(f"UCB = {show(value) if value < 1e300 else 'inf'}")
        if tree.paths[i] == case.leaf:
            node.mark = "the leaf to select"
        elif i == returned:
            node.mark = "returned instead"

    if type(returned) is not int or tree.paths[returned] != case.leaf:
        raise Wrong(
            "select/wrong-leaf",
            "select did not return the leaf that the largest UCB leads to",
            expected=tree.place(case.leaf),
            got=tree.place(tree.paths[returned])
            if type(returned) is int
            else "a node that is not in the tree",
            where=[
                f"select started at {tree.place(case.at)}, with C = {show(weight(case))}",
                *(parted(case, tree, returned) if type(returned) is int else []),
            ],
            pictures=[tree.drawn(decorate)],
        )


def weight(case: SelectCase) -> float:
    """The C of a case."""
    return case.args[0] if case.args else USUAL_C


def parted(case: SelectCase, tree: SearchTree, returned: int) -> Iterator[str]:
    """Say where another child was taken than that of the largest UCB."""
    path, C = tree.paths[returned], weight(case)
    if path[: len(case.at)] != case.at:
        yield "that is not below it: select goes down from the node that it is given"
        return
    for length, (due, taken) in enumerate(zip(case.leaf, path)):
        if due != taken:
            above = case.leaf[:length]
            right, wrong = (tree.find([*above, step]) for step in (due, taken))
            better, worse = tree.moves(case.leaf)[length], tree.moves(path)[length]
            yield (
                f"at {tree.place(above)} it took {worse}, whose UCB is "
                f"{show(upper_bound(tree, wrong, C))}; {better} has "
                f"{show(upper_bound(tree, right, C))}"
            )
            siblings = tree.children[tree.find(above)]
            by_default = {child: upper_bound(tree, child, USUAL_C) for child in siblings}
            if C != USUAL_C and by_default[wrong] == max(by_default.values()):
                yield f"with C = {USUAL_C}, the default, {worse} has the largest there"
            return


def upper_bound(tree: SearchTree, child: int, C: float) -> float:
    """The UCB of a node."""
    row = tree.rows[child]
    return ucb(row["U"], row["N"], tree.rows[row["under"]]["N"], C)


MOST_MARKS = 10  # of nodes in one drawing


def expect_statistics(tree: SearchTree, nodes: list[Any], phase: str, what: str) -> None:
    """The search tree holds `nodes`, [path, U, N] each. Raises the first fault, with all marked."""
    marks: dict[int, str] = {}
    faults = list(itertools.islice(statistics_faults(tree, nodes, phase, what, marks), MOST_MARKS))
    if faults:
        faults[0].pictures = [tree.marked(marks)]
        raise faults[0]


def statistics_faults(
    tree: SearchTree, nodes: list[Any], phase: str, what: str, marks: dict[int, str]
) -> Iterator[Wrong]:
    """Find where a phase left something else in the search tree than `nodes`, [path, U, N] each.

    What is to be said at a node of the drawing is added to `marks`.
    """
    wanted = {tuple(path): (U, N) for path, U, N in nodes}
    for i, (row, path) in enumerate(zip(tree.rows, tree.paths)):
        got = f"U = {show(row['U'])}, N = {show(row['N'])}"
        if tuple(path) not in wanted:
            marks[i] = "new"
            place = f"{what}: look at {tree.place(path)}"
            yield Wrong(f"{phase}/new-node", place, "no such node", got)
            continue
        U, N = wanted.pop(tuple(path))
        if not same(row["U"], U) or row["N"] != N:
            should = f"U = {show(U)}, N = {N}"
            which = "visits" if row["N"] != N else "utility"
            marks[i] = f"should be {should}"
            place = f"{what}: look at {tree.place(path)}"
            yield Wrong(f"{phase}/{which}", place, should, got)
    for missing in wanted:
        yield Wrong(
            f"{phase}/missing-node",
            f"{what}: a node is missing",
            expected=tree.place(list(missing)),
            got="no such node",
        )


def expect_expansion(case: PhaseCase, answer: dict[str, Any]) -> None:
    """Node `case.at` got one fresh child per action, in order, and one of them was returned."""
    tree = SearchTree(case, answer["tree"])
    leaf = tree.find(case.at)
    for wrong in expansion_faults(tree, case.at, answer["returned"]):
        wrong.pictures = [tree.marked({leaf: "the leaf to expand"})]
        raise wrong
    fresh = [[[*case.at, tree.rows[child]["key"]], 0, 0] for child in tree.children[leaf]]
    nodes = [*case.nodes, *fresh]
    expect_statistics(tree, nodes, "expand", "expand changed a statistic")


def expansion_faults(tree: SearchTree, path: list[int], returned: Any) -> Iterator[Wrong]:
    """Find what is wrong with the children of an expanded leaf, and with what was returned."""
    leaf, state = tree.find(path), tree.state(path)
    actions = tree.game.actions(state)
    children = tree.children[leaf]
    keys = [tree.rows[child]["key"] for child in children]
    named = dict(enumerate(actions))
    if again := tree.rows[leaf].get("again"):
        yield Wrong(
            "expand/same-node",
            "expand put one and the same Node under several moves",
            expected="a Node of its own for each action",
            got=", ".join(show(named.get(key, key)) for key in [*keys, *again])
            + ": not all differ",
        )
    if keys != list(range(len(actions))):
        if not actions:
            code, what = "expand/terminal", "expand should give a terminal node no children"
        else:
            code = "expand/children" if keys else "expand/no-children"
            what = "expand should give the leaf one child per action, in the order of game.actions"
        skips = len(actions) > 2 and keys == list(range(0, len(actions), 2))
        yield Wrong(
            code,
            what,
            expected=", ".join(map(show, actions)) or "no children",
            got=", ".join(show(named.get(key, key)) for key in keys) or "no children",
            where=[EVERY_SECOND] if skips else [],
        )
    for child in children:
        yield from child_faults(tree, child, leaf, state)
    if returned not in (children or [leaf]):
        got = tree.place(tree.paths[returned]) if type(returned) is int else str(returned)
        if actions:
            what = "expand should return one of the new children"
            yield Wrong("expand/returned", what, "a child of the leaf", got)
        else:
            what = "expand should return a terminal node itself"
            yield Wrong("expand/terminal-returned", what, tree.place(path), got)


EVERY_SECOND = (
    "that is every second action: does a loop go over a list from which it takes moves away?"
)


def child_faults(tree: SearchTree, child: int, leaf: int, state: State) -> Iterator[Wrong]:
    """Find which fields of a new child of `state` are wrong."""
    row, named = tree.rows[child], dict(enumerate(tree.game.actions(state)))
    move = named[row["key"]]
    after = tree.game.result(state, move).key
    what = f"the child under {show(move)} has a wrong"
    if row["state"] != after:
        got = row["state"] or "the root's own state"
        yield Wrong("expand/child-state", f"{what} state", after, got)
    if row["parent"] != leaf:
        known = type(row["parent"]) is int and 0 <= row["parent"] < len(tree.rows)
        got = tree.place(tree.paths[row["parent"]]) if known else str(row["parent"])
        yield Wrong("expand/child-parent", f"{what} parent", "the leaf", got)
    if row["move"] != row["key"]:
        got = show(named.get(row["move"], row["move"]))
        yield Wrong("expand/child-move", f"{what} move", show(move), got)
    if tree.children[child]:
        yield Wrong("expand/child-children", f"{what} set of children", "none yet", "some")


def expect_backprop(case: BackpropCase, answer: dict[str, Any]) -> None:
    """Every node from `case.at` to the root got the result from its own side, no other node."""
    tree = SearchTree(case, answer["tree"])
    before = "; ".join(
        f"U = {show(U)}, N = {N} at {tree.place(path)}"
        for path, U, N in reversed(case.nodes)
        if path == case.at[: len(path)]
    )
    try:
        expect_statistics(tree, case.after, "backprop", "backprop left wrong statistics")
    except Wrong as wrong:
        wrong.where = [
            f"backprop(node, utility) began at {tree.place(case.at)}, utility {case.utility}",
            f"before: {before}",
        ]
        added = added_to_U(case, tree)
        due = [case.utility * (-1) ** i for i in range(len(added))]
        if not all(map(same, added, due)):
            grown, right = (", then ".join(map(show, steps)) for steps in (added, due))
            wrong.where.insert(0, f"on the way up U grew by {grown}; expected {right}")
        signs = signs_added(case, tree)
        if signs:
            wrong.code = f"backprop/{signs}"
            wrong.where.insert(0, SIGNS[signs])
        raise


SIGNS = {
    "inverted": "the first node gets `utility` itself, for it is seen from who made the move into "
    "that node; the sign flips after that",
    "no-flip": "every node got the same sign, as if U were seen from one fixed side; it is seen "
    "from who moved into the node: flip the sign at every step here, and nowhere else",
}


def added_to_U(case: BackpropCase, tree: SearchTree) -> list[float]:
    """By how much U has grown at each node from `case.at` upwards."""
    old = {tuple(path): U for path, U, _ in case.nodes}
    paths = [case.at[:length] for length in range(len(case.at), -1, -1)]
    return [tree.rows[tree.find(path)]["U"] - old[tuple(path)] for path in paths]


def signs_added(case: BackpropCase, tree: SearchTree) -> str | None:
    """Return which of SIGNS was added instead of the right ones, from `case.at` upwards, if any."""
    added = added_to_U(case, tree)
    if case.utility == 0:
        return None  # a draw has no sign
    if all(same(step, -case.utility * (-1) ** i) for i, step in enumerate(added)):
        return "inverted"
    if (
        len(added) > 1
        and all(same(step, added[0]) for step in added)
        and same(abs(added[0]), abs(case.utility))
    ):
        return "no-flip"
    return None
