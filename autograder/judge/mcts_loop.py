"""The four phases in a loop: the search tree that they leave behind agrees with the playouts."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator
from typing import Any

from autograder.cases import GrownCase, PlayoutsCase
from autograder.draw import show
from autograder.judge.mcts_replay import Path, ends_of, expect_played
from autograder.judge.mcts_tree import Reached, SearchTree
from autograder.judge.values import same
from autograder.referee import Served
from autograder.wrong import Wrong


def expect_untouched(case: PlayoutsCase, grown: tuple[dict[str, Any], Served]) -> None:
    """The tree was the same before and after each simulate."""
    answer, served = grown
    if "touched" in answer:
        raise Wrong(
            "simulate/changed-tree",
            "simulate changed the search tree",
            expected="a playout is played on states alone: no node is added or changed",
            got=f"a changed tree after the playout from {answer['touched']}",
        )
    expect_played(served, case.playouts // 2)


def expect_consistent_visits(case: GrownCase, grown: tuple[dict[str, Any], Served]) -> None:
    """N of every node is the sum over its children plus the playouts that began at it; U likewise.

    A playout begins at a child just made, so a node that has children has had one at most.
    """
    answer, served = grown
    expect_played(served, case.playouts // 2)
    tree = SearchTree(case, answer["tree"])
    reached = tree.reached()
    faults = itertools.chain(
        faults_at_the_root(case, tree, answer["results"]),
        sums_that_differ(case, tree),
        visits_that_differ(tree, reached, served),
        own_results(tree, reached, answer["results"]),
    )
    for node, due, wrong in faults:
        phase = FIRST_TO_DIFFER.get(wrong.code)
        wrong.where = shared(tree) or ([f"first difference: {phase}"] if phase else [])
        wrong.where.append(f"after {case.playouts} playouts, at {tree.place(tree.paths[node])}")
        wrong.pictures = [tree.marked({node: f"should be {due}" if due else "here"})]
        raise wrong


def shared(tree: SearchTree) -> list[str]:
    """Say if one Node stands in two places of the tree."""
    for row, path in zip(tree.rows, tree.paths):
        for index in row.get("again", ()):
            return [
                f"first difference: expand. {tree.place([*path, index])} stands in the tree "
                "elsewhere, too: one Node has two parents, and backprop goes up from it to one of "
                "them only. Equal boards need a Node for each way to them"
            ]
    return []


Fault = tuple[int, str, Wrong]  # a node, what is due there if that is known, and what is wrong
FIRST_TO_DIFFER = {
    "phases/no-children": "expand",
    "phases/root-visits": "backprop",
    "phases/visits": "backprop",
    "phases/not-expanded": "expand",
    "phases/results": "backprop",
}


def faults_at_the_root(case: GrownCase, tree: SearchTree, results: list[float]) -> Iterator[Fault]:
    if not tree.children[0]:
        what = "the root has no children after all the playouts"
        yield 0, "", Wrong("phases/no-children", what, "one child per action", "no children")
    N = tree.rows[0]["N"]
    if case.playouts != N:
        what = "the root's visits are not the number of playouts"
        due = f"N = {case.playouts}"
        yield 0, due, Wrong("phases/root-visits", what, due, f"N = {show(N)}")
    if any(results) and not any(row["U"] for row in tree.rows):
        what = "no result of a playout was added to any node's U"
        wanted = "the sum of the results"
        yield 0, "", Wrong("phases/no-results", what, wanted, "U = 0 everywhere")


def sums_that_differ(case: GrownCase, tree: SearchTree) -> Iterator[Fault]:
    """Find the nodes whose N or U is not their children's sum, plus a playout of their own."""
    for i, (row, below) in enumerate(zip(tree.rows, tree.children)):
        if not below:
            continue
        visits = sum(tree.rows[child]["N"] for child in below)
        own = row["N"] - visits
        if not 0 <= own <= 1:
            due = f"N = {show(visits)}"
            expected = f"{due} from the children, and one more if a playout began here"
            got = f"N = {show(row['N'])}"
            yield i, due, Wrong("phases/visits", "the visits don't add up", expected, got)
        utility = -sum(tree.rows[child]["U"] for child in below)
        if not abs(row["U"] - utility) <= case.largest * own + 1e-6:
            due = f"U = {show(utility)}"
            expected = f"{due} from the children"
            if own:
                expected += f", and at most {show(case.largest)} more from its own playout"
            what = "the utilities don't add up: the sign flips between a node and its children"
            yield i, due, Wrong("phases/utilities", what, expected, f"U = {show(row['U'])}")


def visits_that_differ(tree: SearchTree, reached: Reached, served: Served) -> Iterator[Fault]:
    """Find the nodes whose N is not the number of playouts through them."""
    ends = list(ends_of(served))
    if len(ends) < tree.rows[0]["N"]:
        return  # some were not played to the end; the tests of simulate report that
    through: Counter[str] = Counter()
    by_moves: Counter[Path] = Counter()
    known = {moves for moves, _ in reached.values()}
    for end in ends:
        through.update(map(str, served.path(end)))
        moves = served.moves(end)
        inside = (moves[:length] for length in range(1, len(moves) + 1))
        by_moves.update(itertools.takewhile(known.__contains__, inside))
    for node, row in enumerate(tree.rows[1:], 1):
        moves, _ = reached.get(node, ((), None))
        played = by_moves[moves]
        # A playout that began above went through no node here, whatever moves came by chance. One
        # at most has begun at each node.
        least = played - max(0, len(moves) - 1)
        if row["N"] != through[row["position"]] and not least <= row["N"] <= played:
            what = "the visits of a child are not the playouts that went through it"
            due, got = f"N = {show(played)}", f"N = {show(row['N'])}"
            yield node, due, Wrong("phases/child-visits", what, due, got)


def own_results(tree: SearchTree, reached: Reached, results: list[float]) -> Iterator[Fault]:
    """Find a node that was visited again without children, or that got no result of a playout.

    What the U of a node at which a playout began holds besides its children's is what simulate
    returned then, whichever sign backprop gives it.
    """
    left = list(map(abs, results))
    over = {n for n, (_, state) in reached.items() if tree.game.is_terminal(state)}
    for i, (row, below) in enumerate(zip(tree.rows, tree.children)):
        begun = row["N"] - sum(tree.rows[child]["N"] for child in below)
        if not begun or i in over:
            continue
        if begun > 1:
            what = "a node without children was visited again"
            wanted = "one child per action, from its second visit on"
            yield i, "", Wrong("phases/not-expanded", what, wanted, f"N = {show(row['N'])}")
        own = abs(row["U"] + sum(tree.rows[child]["U"] for child in below))
        found = next((result for result in left if same(result, own)), None)
        if found is None:
            what = "backprop added something else than simulate had returned"
            wanted = f"{' or '.join(map(show, sorted(set(results))))} from the playout begun here"
            yield i, "", Wrong("phases/results", what, wanted, f"{show(own)}, whatever its sign")
        else:
            left.remove(found)
