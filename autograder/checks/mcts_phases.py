"""The phases of Monte Carlo tree search: select, expand and backprop alone, and all together."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

from autograder.checks.finding import Wrong
from autograder.checks.implied_tree import expect_played, too_few_playouts
from autograder.checks.mcts_queries import Grown, changed_by_simulate, grow, phase
from autograder.checks.reported_tree import ReportedTree, expect_statistics
from autograder.checks.student import Student
from autograder.checks.ucb import USUAL_C, ucb
from autograder.checks.wrong_rules import WRONG_SIGNS, agrees, rules_giving
from autograder.diagram import Node, show
from autograder.serving.cases import BackpropCase, PhaseCase, PlayoutsCase, SelectCase
from starter.games import State

# --- select ---------------------------------------------------------------------------------------


def expect_selection(student: Student, case: SelectCase) -> None:
    """The node with the path `case.leaf` is returned, and nothing in the tree has changed."""
    tree, returned = phase(student, "mcts.select", case, case.C)
    expect_statistics(tree, case.nodes, "select", "select changed the search tree")
    if type(returned) is int and tree.paths[returned] == case.leaf:
        return
    ucbs = {tuple(path): value for path, value in case.ucbs}

    def decorate(node: Node, i: int) -> None:
        value = ucbs.get(tuple(tree.paths[i]))
        if value is not None:
            node.texts.append(f"UCB = {show(value) if value < 1e300 else 'inf'}")
        if tree.paths[i] == case.leaf:
            node.mark = "the leaf to select"
        elif i == returned:
            node.mark = "returned instead"

    raise Wrong(
        "select/wrong-leaf",
        "select did not return the leaf that the largest UCB leads to",
        expected=tree.place(case.leaf),
        got=tree.place_of(returned),
        where=[
            f"select started at {tree.place(case.at)}, with C = {show(case.C)}",
            *(first_other_step(case, tree, returned) if type(returned) is int else []),
        ],
        pictures=[tree.drawn(decorate)],
    )


def first_other_step(case: SelectCase, tree: ReportedTree, returned: int) -> Iterator[str]:
    """Say where another child was taken than that with the largest UCB."""
    path, C = tree.paths[returned], case.C
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
                f"{show(bound_of(tree, wrong, C))}; {better} has {show(bound_of(tree, right, C))}"
            )
            siblings = tree.children[tree.find(above)]
            by_default = {child: bound_of(tree, child, USUAL_C) for child in siblings}
            if C != USUAL_C and by_default[wrong] == max(by_default.values()):
                yield f"with C = {USUAL_C:g}, the default, {worse} has the largest there"
            return


def bound_of(tree: ReportedTree, child: int, C: float) -> float:
    """Return the UCB of a node."""
    row = tree.rows[child]
    return ucb(row["U"], row["N"], tree.rows[row["under"]]["N"], C)


# --- expand ---------------------------------------------------------------------------------------


def expect_expansion(student: Student, case: PhaseCase) -> None:
    """Node `case.at` gets one fresh child per action, in order, and one of them is returned."""
    tree, returned = phase(student, "mcts.expand", case)
    leaf = tree.find(case.at)
    for wrong in expansion_faults(tree, leaf, returned):
        wrong.pictures = [tree.marked({leaf: "the leaf to expand"})]
        raise wrong
    fresh = [(tree.paths[child], 0.0, 0) for child in tree.children[leaf]]
    expect_statistics(tree, [*case.nodes, *fresh], "expand", "expand changed a statistic")


def expansion_faults(tree: ReportedTree, leaf: int, returned: int | str) -> Iterator[Wrong]:
    """Find what is wrong with the children of an expanded leaf, and with what was returned."""
    state = tree.state(tree.paths[leaf])
    actions = tree.game.actions(state)
    children = tree.children[leaf]
    keys = [tree.rows[child]["key"] for child in children]
    named = dict(enumerate(actions))
    if again := tree.rows[leaf].get("again"):
        yield Wrong(
            "expand/same-node",
            "expand put one and the same Node under several moves",
            expected="a Node of its own for each action",
            got=", ".join(show(named.get(key, key)) for key in [*keys, *dict(again)])
            + ": not all differ",
        )
    if keys != list(range(len(actions))):
        if not actions:
            code, what = "expand/terminal", "expand should give a terminal node no children"
        else:
            code = "expand/children" if keys else "expand/no-children"
            what = "expand should give the leaf one child per action, in the order of game.actions"
        yield Wrong(
            code,
            what,
            expected=", ".join(map(show, actions)) or "no children",
            got=", ".join(show(named.get(key, key)) for key in keys) or "no children",
        )
    for child in children:
        yield from child_faults(tree, child, leaf, state)
    if returned not in (children or [leaf]):
        got = tree.place_of(returned)
        if actions:
            what = "expand should return one of the new children"
            yield Wrong("expand/returned", what, "a child of the leaf", got)
        else:
            what = "expand should return a terminal node itself"
            yield Wrong("expand/terminal-returned", what, tree.place_of(leaf), got)


def child_faults(tree: ReportedTree, child: int, leaf: int, state: State) -> Iterator[Wrong]:
    """Find which fields of a new child of `state` are wrong."""
    row, named = tree.rows[child], dict(enumerate(tree.game.actions(state)))
    move = named[row["key"]]
    after = tree.game.result(state, move).key
    what = f"the child under {show(move)} has a wrong"
    if row["state"] != after:
        got = row["state"] or "the root's own state"
        yield Wrong("expand/child-state", f"{what} state", after, got)
    if row["parent"] != leaf:
        known = row["parent"] in range(len(tree.rows))
        got = tree.place_of(row["parent"]) if known else str(row["parent"])
        yield Wrong("expand/child-parent", f"{what} parent", "the leaf", got)
    if row["move"] != row["key"]:
        got = show(named.get(row["move"], row["move"]))
        yield Wrong("expand/child-move", f"{what} move", show(move), got)
    if tree.children[child]:
        yield Wrong("expand/child-children", f"{what} set of children", "none yet", "some")


# --- backprop -------------------------------------------------------------------------------------


def expect_backprop(student: Student, case: BackpropCase) -> None:
    """Every node from `case.at` to the root gets the result from its own side, no other node."""
    tree, _ = phase(student, "mcts.backprop", case, case.utility)
    added = added_to_U(case, tree)
    due = [case.utility * (-1) ** i for i in range(len(added))]
    hints = [f"backprop(node, utility) began at {tree.place(case.at)}, utility {case.utility}"]
    found = rules_giving(added, WRONG_SIGNS, case.utility, len(added)) if case.utility else []
    if not agrees(due, added):
        hints.insert(0, f"on the way up U grew by {steps(added)}; expected {steps(due)}")
        hints[:0] = [f"backprop added {rule.words}" for rule in found[:1]]
    what, cause = "backprop left wrong statistics", found[0].code if found else ""
    expect_statistics(tree, case.after, "backprop", what, hints, cause)


def steps(added: list[float]) -> str:
    return ", then ".join(map(show, added))


def added_to_U(case: BackpropCase, tree: ReportedTree) -> list[float]:
    """Return by how much U has grown at each node from `case.at` upwards."""
    old = {tuple(path): U for path, U, _ in case.nodes}
    paths = [case.at[:length] for length in range(len(case.at), -1, -1)]
    return [tree.rows[tree.find(path)]["U"] - old[tuple(path)] for path in paths]


# --- together -------------------------------------------------------------------------------------


def expect_unchanged_tree(student: Student, case: PlayoutsCase) -> None:
    """The tree is the same before and after each simulate."""
    state, served = changed_by_simulate(student, case)
    if state is not None:
        raise Wrong(
            "simulate/changed-tree",
            "simulate changed the search tree",
            expected="a playout is played on states alone: no node is added or changed",
            got=f"a changed tree after the playout from {state}",
        )
    expect_played(served, case.playouts // 2)


def expect_consistent_visits(student: Student, case: PlayoutsCase) -> None:
    """N and U of each node are the sums over its children and the playouts that began there.

    A playout begins at a child just made, so no two begin at the same node, unless the game is over
    there. Whether U is seen from the right side is for the test of backprop alone.
    """
    grown = grow(student, case)
    tree = grown.tree
    for node, wrong in misplaced_nodes(tree, grown.began):
        wrong.pictures = [tree.marked({node: "here"})]
        raise wrong
    expect_moves_played(grown)
    own_N, own_U = Counter(grown.began), defaultdict[int | str, float](float)
    for began, result in zip(grown.began, grown.results):
        own_U[began] += result
    due = []
    for node, (row, path, below) in enumerate(zip(tree.rows, tree.paths, tree.children)):
        N = sum(tree.rows[child]["N"] for child in below) + own_N[node]
        U = -sum(tree.rows[child]["U"] for child in below)
        sides = (U + own_U[node], U - own_U[node])
        due.append((path, min(sides, key=lambda side: abs(row["U"] - side)), N))
    what = "U and N are not those of the children and the playout that began there"
    expect_statistics(tree, due, "phases", what)


def misplaced_nodes(tree: ReportedTree, began: list[int | str]) -> Iterator[tuple[int, Wrong]]:
    """Find the nodes that have no place of their own in the tree, or no children when due."""
    for node, times in Counter(began).items():
        if type(node) is not int:
            what = "expand returned a node that is not in the tree at the end"
            yield 0, Wrong("phases/not-in-tree", what, "one of the leaf's children", str(node))
        elif times > 1 and not tree.is_over(node):
            what = f"a node without children was visited again: look at {tree.place_of(node)}"
            expected = "one child per action, from its second visit on"
            yield node, Wrong("phases/not-expanded", what, expected, f"{times} visits")
    for above, row in enumerate(tree.rows):
        for move, node in row.get("again", ()):
            if tree.rows[node]["under"] != above:
                place = tree.place([*tree.paths[above], move])
                what = f"one Node has two parents: look at {place}"
                expected = "a Node for each way to a position: backprop goes up one way only"
                yield node, Wrong("phases/shared-node", what, expected, tree.place_of(node))


def expect_moves_played(grown: Grown) -> None:
    """From half of the nodes at which playouts began, at least, simulate has made moves."""
    rows = grown.tree.rows
    tree = {row["state"] for row in rows}
    left = {
        str(position.parent)
        for number, position in enumerate(grown.served.positions)
        if str(number) not in tree
    }
    began = [rows[node]["state"] for node in grown.began if type(node) is int]
    count, least = sum(position in left for position in began), len(grown.began) // 2
    if count < least:
        raise too_few_playouts(count, f"{least} playouts, each with moves from a new child")
