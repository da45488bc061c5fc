"""The phases of Monte Carlo tree search: each one alone, then all four in a loop."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterator
from math import inf
from typing import Any

from autograder.cases import (
    BackpropCase,
    GrownCase,
    PhaseCase,
    PlayoutsCase,
    SelectCase,
    UniformCase,
)
from autograder.draw import Node, Picture, game_tree, is_tree, position, show
from autograder.judge.mcts_bounds import MISTAKEN, USUAL_C, Bound, ucb
from autograder.judge.mcts_replay import ends_of, expect_played
from autograder.judge.mcts_tree import SearchTree
from autograder.judge.mcts_worker import simulate
from autograder.judge.pictures import marking
from autograder.judge.values import same
from autograder.referee import Served
from autograder.student import Student
from autograder.wrong import Wrong
from starter.games import Move, State, other


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
        taken = list(taken_for(tree, returned, weight(case))) if type(returned) is int else []
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
            traits=[f"select went {how}" for how in taken],
        )


def weight(case: SelectCase) -> float:
    """The C of a case."""
    return case.args[0] if case.args else USUAL_C


def parted(case: SelectCase, tree: SearchTree, returned: int) -> Iterator[str]:
    """Say where another child was taken than that of the largest UCB."""
    path, C = tree.paths[returned], weight(case)
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


def by_bound(tree: SearchTree, bound: Bound, C: float) -> Callable[[int], float]:
    """What a node's bound is, by such a formula."""

    def key(child: int) -> float:
        row = tree.rows[child]
        N, above, top = (tree.rows[i]["N"] for i in (child, row["under"], 0))
        return bound(row["U"], N, above, top, C) if N else inf

    return key


def taken_for(tree: SearchTree, returned: int, C: float) -> Iterator[str]:
    """Say how the children on the way to the one that was returned may have been chosen."""
    path = tree.paths[returned]
    way = [tree.find(path[:length]) for length in range(len(path) + 1)]
    steps = [(tree.children[node], child) for node, child in itertools.pairwise(way)]
    rows = tree.rows

    def mean(child: int) -> float:
        return rows[child]["U"] / rows[child]["N"] if rows[child]["N"] else inf

    order: dict[str, Callable[[int], float]] = {
        **{f"as if {what}": by_bound(tree, bound, C) for what, bound in MISTAKEN.items()},
        "to the last child each time": lambda child: child,
        "to the first child each time": lambda child: -child,
        "to the child with the largest N each time": lambda child: rows[child]["N"],
        "to the child with the smallest N each time": lambda child: -rows[child]["N"],
        "to the child with the largest U/N each time": mean,
        "to the child with the smallest U/N each time": lambda child: -mean(child),
        "to the child with the largest U each time": lambda child: rows[child]["U"],
    }
    for name, key in order.items():
        if steps and all(key(child) == max(map(key, children)) for children, child in steps):
            yield name


def expect_statistics(tree: SearchTree, nodes: list[Any], phase: str, what: str) -> None:
    """The search tree holds `nodes`, [path, U, N] each. Raises the first fault, with all marked."""
    marks: dict[int, str] = {}
    faults = list(statistics_faults(tree, nodes, phase, what, marks))
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


def end_of(served: Served) -> int:
    """Return the position at which one playout ended: where the utility was asked last."""
    asked = [event.number for event in served.events if event.kind == "utility"]
    return asked[-1] if asked else len(served.positions) - 1


def ended(served: Served, end: State, player: str) -> Picture:
    """Draw where a playout ended: a board as it was then, a node marked in its tree."""
    start = served.positions[0].state
    if is_tree(start):
        return game_tree(served.game, start, player, marking(end, "it ended here"))
    return position(served.game, end, player)


def expect_simulation(result: float, served: Served) -> None:
    """The result is that of the game that was played, for who made the move into the state."""
    start = served.positions[0].state
    player = other(start.to_move)
    path = served.path(end_of(served))
    end = served.positions[path[-1]].state
    played = [show(served.positions[n].move) for n in path[1:]]
    asked = sum(event.kind == "utility" for event in served.events)
    begun = sum(position.parent == 0 for position in served.positions)
    where = [f"the game it played: {', '.join(played) or 'no move'}"]
    if begun > 1 and asked > 1:
        where = [f"simulate began {begun} games, and should play one; {where[0]}, the last one"]
    if path[0] != 0:
        raise Wrong(
            "simulate/wrong-start",
            "simulate should play from the state that it is given",
            expected="random moves from `state` on",
            got="a game from game.initial",
            where=where,
            pictures=[position(served.game, start, player)],
        )
    if not served.game.is_terminal(end):
        raise Wrong(
            "simulate/not-finished",
            "simulate should play random moves until the game is over",
            expected="a finished game",
            got=f"{len(played)} move{'s' * (len(played) != 1)}, and the game is not over",
            where=where,
            pictures=[ended(served, end, player)],
        )
    true = served.game.utility(end, player)
    if not same(result, true):
        kind, hints = other_result(result, true, start.to_move)
        raise Wrong(
            f"simulate/{kind}",
            "simulate returned a result that is not that of the game it played",
            expected=f"{show(true)}: the utility for {player}, who made the move into the state",
            got=show(result),
            where=[
                *hints,
                f"{start.to_move} is to move in the state",
                *where,
                *([] if is_tree(start) else ["at the end:"]),
            ],
            pictures=[ended(served, end, player)],
        )


def other_result(result: float, true: float, mover: str) -> tuple[str, list[str]]:
    """Name a wrong result, and explain it in lines if it is one that students often return."""
    if true and same(result, -true):
        return "other-side", [
            f"that is {mover}'s utility, who is to move in the state: remember, before the first "
            "move, whose result is wanted"
        ]
    if true in (-1, 0, 1) and same(result, (true + 1) / 2):
        return "zero-to-one", [
            "a loss counts -1 here, a draw 0, a win 1: not 0, 1/2, 1, or backprop can't flip the "
            "sign; return the utility itself"
        ]
    if result and abs(true) > 1 and same(abs(result), 1) and (result > 0) == (true > 0):
        return "sign-only", ["that is the utility's sign: return the utility itself"]
    return "wrong-result", []


def expect_uniform(student: Student, case: UniformCase) -> None:
    """One move of many playouts, the first or a later one, is spread evenly, by Pearson's test.

    `case.most` is the value that chi-square exceeds once in ten million times when they are.
    """
    game, start = case.make_game(), case.make_state()
    state, forced = start, 1
    while len(game.actions(state)) == 1:
        state, forced = game.result(state, game.actions(state)[0]), forced + 1
    moves = game.actions(state)
    counts = dict.fromkeys(range(len(moves)) if case.second else moves, 0)
    for i in range(case.playouts):
        _, served = simulate(student, case, case.seed + i)
        path = served.path(end_of(served))
        if path[0] != 0:
            continue
        made = [served.positions[number].move for number in path[1:]]
        if case.second and len(made) > 1:
            first, second = map(moves.index, made[:2])
            counts[(second - first) % len(moves)] += 1
        elif not case.second and len(made) >= forced:
            counts[made[forced - 1]] += 1
    if not any(counts.values()):
        raise Wrong(
            "simulate/no-move",
            "simulate made no move where there is a choice",
            expected="random moves until the game is over",
            got=f"{case.playouts} playouts without a move there",
            pictures=[position(game, start)],
        )
    mean = case.playouts / len(counts)
    chi_square = distance(list(counts.values()), [mean] * len(counts))
    if chi_square > case.most:
        shown = ", ".join(f"{show(move)}: {count}" for move, count in counts.items())
        raise Wrong(
            "simulate/not-uniform",
            f"simulate does not choose every legal move equally often ({case.playouts} playouts)",
            expected=f"about {show(mean)} times each (chi-square at most {show(case.most)})",
            got=f"{shown} (chi-square {show(chi_square)})",
            where=[
                *([] if case.second else ends_half_as_often(list(counts.values()), case.most)),
                SECOND if case.second else FIRST,
            ],
            pictures=[position(game, start)],
        )


FIRST = "in each playout, the first move at which there is a choice was counted"
SECOND = (
    "in each playout, the second move was counted, by how many columns to the right of the first "
    "it is, the leftmost coming after the rightmost: each move is chosen anew from all that are "
    "legal, the one made before among them"
)


def distance(counts: list[int], due: list[float]) -> float:
    """Pearson's chi-square of what was counted, beside what is due."""
    return sum((count - mean) ** 2 / mean for count, mean in zip(counts, due))


def ends_half_as_often(counts: list[int], most: float) -> Iterator[str]:
    """Say if the first and the last move came half as often as the others, by the same test."""
    inner = sum(counts) / (len(counts) - 1)
    due = [inner / 2, *[inner] * (len(counts) - 2), inner / 2]
    if len(counts) > 2 and distance(counts, due) <= most:
        yield (
            "the first and the last move came half as often as the others: does round(...) make "
            "the index? Each end gets half of what it rounds; rng.choice does it right"
        )


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
    faults = itertools.chain(
        faults_at_the_root(case, tree, answer["results"]),
        sums_that_differ(case, tree),
        visits_that_differ(tree, served),
    )
    for node, wrong in faults:
        phase = FIRST_TO_DIFFER.get(wrong.code)
        wrong.where = shared(tree) or ([f"first difference: {phase}"] if phase else [])
        wrong.where.append(f"after {case.playouts} playouts, at {tree.place(tree.paths[node])}")
        wrong.pictures = [tree.marked({node: f"should be {wrong.expected}"})]
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


Fault = tuple[int, Wrong]  # a node, and what is wrong with it
FIRST_TO_DIFFER = {
    "phases/no-children": "expand",
    "phases/root-visits": "backprop",
    "phases/visits": "backprop",
}


def faults_at_the_root(case: GrownCase, tree: SearchTree, results: list[float]) -> Iterator[Fault]:
    if not tree.children[0]:
        what = "the root has no children after all the playouts"
        yield 0, Wrong("phases/no-children", what, "one child per action", "no children")
    N = tree.rows[0]["N"]
    if case.playouts != N:
        what = "the root's visits are not the number of playouts"
        yield 0, Wrong("phases/root-visits", what, f"N = {case.playouts}", f"N = {show(N)}")
    if any(results) and not any(row["U"] for row in tree.rows):
        what = "no result of a playout was added to any node's U"
        wanted = "the sum of the results"
        yield 0, Wrong("phases/no-results", what, wanted, "U = 0 everywhere")


def sums_that_differ(case: GrownCase, tree: SearchTree) -> Iterator[Fault]:
    """Find the nodes whose N or U is not their children's sum, plus a playout of their own."""
    for i, (row, below) in enumerate(zip(tree.rows, tree.children)):
        if not below:
            continue
        visits = sum(tree.rows[child]["N"] for child in below)
        own = row["N"] - visits
        if not 0 <= own <= 1:
            expected = f"N = {show(visits)} from the children, and one more if a playout began here"
            got = f"N = {show(row['N'])}"
            yield i, Wrong("phases/visits", "the visits don't add up", expected, got)
        utility = -sum(tree.rows[child]["U"] for child in below)
        if not abs(row["U"] - utility) <= case.largest * own + 1e-6:
            expected = f"U = {show(utility)} from the children"
            if own:
                expected += f", and at most {show(case.largest)} more from its own playout"
            what = "the utilities don't add up: the sign flips between a node and its children"
            yield i, Wrong("phases/utilities", what, expected, f"U = {show(row['U'])}")


def visits_that_differ(tree: SearchTree, served: Served) -> Iterator[Fault]:
    """Find the root's children whose N is not the number of playouts through them."""
    ends = list(ends_of(served))
    if len(ends) < tree.rows[0]["N"]:
        return  # some were not played to the end; the tests of simulate report that
    through: Counter[str] = Counter()
    by_move: Counter[Move] = Counter()
    for end in ends:
        path = served.path(end)
        through.update(map(str, path))
        by_move.update(served.positions[number].move for number in path[1:2])
    named = dict(enumerate(tree.game.actions(tree.root)))
    for child in tree.children[0]:
        row = tree.rows[child]
        index = row["key"] if row["key"] in named else row["move"]
        played = by_move[named[index]] if index in named else 0
        # A playout that began at the root went through no child, whatever its first move.
        if row["N"] not in (played, through[row["position"]]):
            what = "the visits of a child are not the playouts that went through it"
            got = f"N = {show(row['N'])}"
            yield child, Wrong("phases/child-visits", what, f"N = {show(played)}", got)
