"""Monte Carlo tree search: its phases one by one, and what a whole search has done."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any

from autograder.chance import SequentialTest
from autograder.draw import Board, Node, Tree, position, show, square_of
from autograder.judge.search_tree import SearchTree
from autograder.judge.values import same
from autograder.referee import Served, make_state
from autograder.student import Answer, Case, Search, Student, Wrong
from starter.games import State, other

SEARCH = "mcts.monte_carlo_tree_search"
FROM_RNG = "every random choice comes from rng: rng.choice(...), not random.choice(...)"


def playouts_of(served: Served) -> list[int]:
    """Return the position at the end of each playout: its utility is asked, and the game is over.

    Every playout generates positions of its own. Only those from a terminal node do not: the first
    of these stands for all.
    """
    over = served.game.is_terminal
    return list(
        dict.fromkeys(
            event.number
            for event in served.events
            if event.kind == "utility" and over(served.positions[event.number].state)
        )
    )


def visits_of(served: Served) -> dict[Any, list[float]]:
    """Return, by move at the root, [sum of utilities for the root's player, visits]."""
    root = served.positions[0].state
    table: dict[Any, list[float]] = {move: [0.0, 0] for move in served.game.actions(root)}
    for end in playouts_of(served):
        path = served.path(end)
        if len(path) > 1 and path[0] == 0:
            entry = table[served.positions[path[1]].move]
            entry[0] += served.game.utility(served.positions[end].state, root.to_move)
            entry[1] += 1
    return table


def expect_selection(case: Case, answer: dict) -> None:
    """The node with the path `case.leaf` was returned, and nothing in the tree has changed."""
    tree, returned = SearchTree(case, answer["tree"]), answer["returned"]
    expect_statistics(tree, case.nodes, "select changed the search tree")
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
            "select did not return the leaf that the largest UCB leads to",
            expected=tree.place(case.leaf),
            got=tree.place(tree.paths[returned])
            if type(returned) is int
            else "a node that is not in the tree",
            where=[
                f"select started at {tree.place(case.at)}, "
                f"with C = {show(case.args[0] if case.args else 1.4)}"
            ],
            pictures=[tree.drawn(decorate)],
        )


def expect_statistics(tree: SearchTree, nodes: list, what: str, where: Sequence[str] = ()) -> None:
    """The search tree consists of `nodes`, [path, U, N] each."""
    wanted = {tuple(path): (U, N) for path, U, N in nodes}
    for i, (row, path) in enumerate(zip(tree.rows, tree.paths)):
        U, N = wanted.pop(tuple(path), (None, None))
        if U is None or not same(row["U"], U) or row["N"] != N:
            should = f"U = {show(U)}, N = {N}"
            raise Wrong(
                f"{what}: look at {tree.place(path)}",
                expected="no such node" if U is None else should,
                got=f"U = {show(row['U'])}, N = {show(row['N'])}",
                where=list(where),
                pictures=[tree.marked(i, "new" if U is None else f"should be {should}")],
            )
    for missing in wanted:
        raise Wrong(
            f"{what}: a node is missing",
            expected=tree.place(list(missing)),
            got="no such node",
            pictures=[tree.drawn()],
        )


def expect_expansion(case: Case, answer: dict) -> None:
    """Node `case.at` got one fresh child per action, in order, and one of them was returned."""
    tree, returned = SearchTree(case, answer["tree"]), answer["returned"]
    leaf = tree.find(case.at)
    picture = tree.marked(leaf, "the leaf to expand")
    state = make_state(tree.game, case.data.get("state"))
    for index in case.at:
        state = tree.game.result(state, tree.game.actions(state)[index])
    actions = tree.game.actions(state)
    children = tree.children[leaf]
    keys = [tree.rows[child]["key"] for child in children]
    if keys != list(range(len(actions))):
        named = dict(enumerate(actions))
        shown = [show(named.get(key, key)) for key in keys]
        raise Wrong(
            "expand should give the leaf one child per action, in the order of game.actions"
            if actions
            else "expand should give a terminal node no children",
            expected=", ".join(map(show, actions)) or "no children",
            got=", ".join(shown) or "no children",
            pictures=[picture],
        )
    for child in children:
        wrong = child_fault(tree, child, leaf, state)
        if wrong:
            raise Wrong(
                f"the child under {show(actions[tree.rows[child]['key']])} has a wrong {wrong[0]}",
                expected=wrong[1],
                got=wrong[2],
                pictures=[picture],
            )
    if returned not in (children or [leaf]):
        raise Wrong(
            "expand should return one of the new children"
            if actions
            else "expand should return a terminal node itself",
            expected="a child of the leaf" if actions else tree.place(case.at),
            got=tree.place(tree.paths[returned]) if type(returned) is int else str(returned),
            pictures=[picture],
        )
    fresh = [[[*case.at, key], 0, 0] for key in keys]
    expect_statistics(tree, [*case.nodes, *fresh], "expand changed a statistic")


def child_fault(
    tree: SearchTree, child: int, leaf: int, state: State
) -> tuple[str, str, str] | None:
    """Return which field of a new child of `state` is wrong, what it should be and what it is."""
    row, named = tree.rows[child], dict(enumerate(tree.game.actions(state)))
    after = tree.game.result(state, named[row["key"]])
    wanted = "".join(after.path) if hasattr(after, "path") else "/".join(after.rows)
    if row["state"] != wanted:
        return "state", wanted, row["state"] or "the root's own state"
    if row["parent"] != leaf:
        return "parent", "the leaf", "something else" if row["parent"] is not None else "None"
    if row["move"] != row["key"]:
        return "move", show(named[row["key"]]), show(named.get(row["move"], row["move"]))
    if tree.children[child]:
        return "set of children", "none yet", "some"
    return None


def expect_backprop(case: Case, answer: dict) -> None:
    """Every node from `case.at` to the root got the result from its own side, no other node."""
    tree = SearchTree(case, answer["tree"])
    before = "; ".join(
        f"U = {show(U)}, N = {N} at {tree.place(path)}"
        for path, U, N in reversed(case.nodes)
        if path == case.at[: len(path)]
    )
    where = [
        f"backprop(node, utility) began at {tree.place(case.at)}, utility {case.utility}",
        f"before: {before}",
    ]
    expect_statistics(tree, case.after, "backprop left wrong statistics", where)


def end_of(served: Served) -> int:
    """Return the position at which one playout ended: where the utility was asked last."""
    asked = [event.number for event in served.events if event.kind == "utility"]
    return asked[-1] if asked else len(served.positions) - 1


def expect_simulation(result: float, served: Served) -> None:
    """The result is that of the game that was played, for who made the move into the state."""
    start = served.positions[0].state
    player = other(start.to_move)
    path = served.path(end_of(served))
    end = served.positions[path[-1]].state
    played = [show(served.positions[n].move) for n in path[1:]]
    where = [f"the game it played: {', '.join(played) or 'no move'}"]
    if path[0] != 0:
        raise Wrong(
            "simulate should play from the state that it is given",
            expected="random moves from `state` on",
            got="a game from game.initial",
            where=where,
            pictures=[position(served.game, start, player)],
        )
    if not served.game.is_terminal(end):
        raise Wrong(
            "simulate should play random moves until the game is over",
            expected="a finished game",
            got=f"{len(played)} move{'s' * (len(played) != 1)}, and the game is not over",
            where=where,
            pictures=[position(served.game, end, player)],
        )
    true = served.game.utility(end, player)
    if not same(result, true):
        raise Wrong(
            "simulate returned a result that is not that of the game it played",
            expected=f"{show(true)}: the utility for {player}, who made the move into the state",
            got=show(result),
            where=[f"{start.to_move} is to move in the state", *where, "at the end:"],
            pictures=[position(served.game, end, player)],
        )


def expect_uniform(student: Student, case: Case) -> None:
    """One move of many playouts, the first or a later one, is spread evenly, by Pearson's test.

    `case.most` is the value that chi-square exceeds once in ten million times when they are.
    """
    game = case.make_game()
    state, forced = make_state(game, case.data.get("state")), 1
    while len(game.actions(state)) == 1:
        state, forced = game.result(state, game.actions(state)[0]), forced + 1
    counts = dict.fromkeys(game.actions(state), 0)
    for i in range(case.playouts):
        _, served = student.simulate(case, case.seed + i)
        path = served.path(end_of(served))
        if len(path) > forced and path[0] == 0:
            counts[served.positions[path[forced]].move] += 1
    if not any(counts.values()):
        raise Wrong(
            "simulate made no move where there is a choice",
            expected="random moves until the game is over",
            got=f"{case.playouts} playouts without a move there",
            pictures=[position(game, make_state(game, case.data.get("state")))],
        )
    mean = case.playouts / len(counts)
    chi_square = sum((count - mean) ** 2 / mean for count in counts.values())
    if chi_square > case.most:
        shown = ", ".join(f"{show(move)}: {count}" for move, count in counts.items())
        raise Wrong(
            f"simulate does not choose every legal move equally often ({case.playouts} playouts)",
            expected=f"about {show(mean)} times each (chi-square at most {show(case.most)})",
            got=f"{shown} (chi-square {show(chi_square)})",
            where=["in each playout, the first move at which there is a choice was counted"],
            pictures=[position(game, make_state(game, case.data.get("state")))],
        )


def expect_untouched(case: Case, grown: tuple[dict, Served]) -> None:
    """The tree was the same before and after each simulate."""
    answer, served = grown
    if "touched" in answer:
        raise Wrong(
            "simulate changed the search tree",
            expected="a playout is played on states alone: no node is added or changed",
            got=f"a changed tree after the playout from {answer['touched']}",
        )
    expect_played(case, served)


def expect_played(case: Case, served: Served, share: float = 0.5) -> None:
    """On a board, this share of the playouts was played: with fewer there is nothing to judge.

    (In a small tree most playouts begin where the game is over, and can't be told apart.)
    """
    count = len(playouts_of(served))
    board = hasattr(served.positions[0].state, "rows")
    if count < (case.playouts * share if board else 1):
        raise Wrong(
            "too few games were played to the end to judge the rest",
            expected=f"{case.playouts} playouts, each of which asks for the utility at its end",
            got=f"{count} game{'s' * (count != 1)} played to the end",
        )


def expect_consistent_visits(case: Case, grown: tuple[dict, Served]) -> None:
    """N of every node is the sum over its children plus the playouts that began at it; U likewise.

    Every playout but those at terminal nodes begins at a child just made: such a child, and a
    terminal node, may have visits of its own; a node that has children has had one at most.
    """
    answer, served = grown
    expect_played(case, served, 1)
    tree = SearchTree(case, answer["tree"])
    rows = tree.rows

    def wrong(i: int, what: str, expected: str, got: str) -> Wrong:
        return Wrong(
            what,
            expected=expected,
            got=got,
            where=[f"after {case.playouts} playouts, at {tree.place(tree.paths[i])}"],
            pictures=[tree.marked(i, f"should be {expected}")],
        )

    if not tree.children[0]:
        raise wrong(
            0,
            "the root has no children after all the playouts",
            "one child per action",
            "no children",
        )
    if rows[0]["N"] != case.playouts:
        raise wrong(
            0,
            "the root's visits are not the number of playouts",
            f"N = {case.playouts}",
            f"N = {show(rows[0]['N'])}",
        )
    if any(answer["results"]) and not any(row["U"] for row in rows):
        raise wrong(
            0,
            "no result of a playout was added to any node's U",
            "the sum of the results",
            "U = 0 everywhere",
        )
    for i, (row, below) in enumerate(zip(rows, tree.children)):
        visits = sum(rows[child]["N"] for child in below)
        own = row["N"] - visits
        if below and not 0 <= own <= (i > 0):
            raise wrong(
                i,
                "the visits don't add up",
                f"N = {show(visits)} from the children"
                + (", and one more if a playout began here" if i else ""),
                f"N = {show(row['N'])}",
            )
        utility = -sum(rows[child]["U"] for child in below)
        if below and not abs(row["U"] - utility) <= case.largest * own + 1e-6:
            raise wrong(
                i,
                "the utilities don't add up: the sign flips between a node and its children",
                f"U = {show(utility)} from the children"
                + (f", and at most {show(case.largest)} more from its own playout" if own else ""),
                f"U = {show(row['U'])}",
            )
    if not hasattr(served.positions[0].state, "rows"):
        return  # in a small tree, playouts that begin where the game is over can't be told apart
    played = dict(enumerate(N for _, N in visits_of(served).values()))
    for child in tree.children[0]:
        key, move = rows[child]["key"], rows[child]["move"]
        visits = played.get(key if key in played else move, 0)
        if rows[child]["N"] != visits:
            raise wrong(
                child,
                "the visits of a child are not the playouts that went through it",
                f"N = {show(visits)}",
                f"N = {show(rows[child]['N'])}",
            )


def expect_playouts(case: Case, search: Search) -> None:
    """So many games were played to the end as asked."""
    count = len(playouts_of(search.served))
    if count != case.playouts:
        raise Wrong(
            "monte_carlo_tree_search did not make as many playouts as asked for",
            expected=f"{case.playouts} playouts, for playouts={case.playouts}",
            got=f"{count} game{'s' * (count != 1)} played to the end",
            where=[
                "a playout counts when it was played until the game was over and the utility was "
                "asked for there: test 4.3 looks at simulate alone"
            ],
        )


def expect_final_choice(case: Case, search: Search) -> None:
    """Given the playouts that were played: the most visited move, and its mean result."""
    expect_played(case, search.served)
    table = visits_of(search.served)
    most = max(N for _, N in table.values())
    if not most:
        raise Wrong(
            "no playout began below the root",
            expected="playouts from the state that the search is given",
            got="playouts from elsewhere",
        )
    right = search.move in table and table[search.move][1] == most
    children = [
        Node(
            show(move),
            texts=[f"U = {show(U)}", f"N = {N}", *([f"U/N = {show(U / N)}"] if N else [])],
            mark="your choice"
            if move == search.move
            else "most visited"
            if most == N and not right
            else "",
        )
        for move, (U, N) in table.items()
    ]
    picture = Tree(Node("root", children=children), "the root's children after the playouts")
    if not right:
        raise Wrong(
            "the move is not that of the most visited child",
            expected=" or ".join(show(move) for move, (_, N) in table.items() if most == N),
            got=show(search.move),
            pictures=[picture],
        )
    U, N = table[search.move]
    if N and not same(search.value, U / N):
        raise Wrong(
            "the value is not U/N of the chosen child",
            expected=f"{show(U / N)}, the mean result of its playouts",
            got=show(search.value),
            pictures=[picture],
        )


def expect_moves_found(student: Student, case: Case, test: SequentialTest) -> None:
    """The one right move is found in nearly all searches."""
    found: list[str] = []

    def searches() -> Iterator[bool]:
        for seed in itertools.count(case.seed):
            options = {"playouts": case.playouts, "rng": {"rng": seed}}
            (answer,) = student.search(SEARCH, case.game, [case.state], **options)
            found.append(show(answer.move))
            yield answer.index in case.best

    sound, words = test.run(searches(), "searches")
    if not sound:
        game = case.make_game()
        state = make_state(game, case.state)
        right = [game.actions(state)[k] for k in case.best]
        good = frozenset(square_of(game, state, move) for move in right)
        raise Wrong(
            f"{case.why} was not found with {case.playouts} playouts",
            expected=" or ".join(map(show, right)),
            got=f"{', '.join(dict.fromkeys(found))} ({words})",
            pictures=[Board(state, good=good)],
        )
    student.remarks.append(words)


def expect_repeatable(student: Student, case: Case) -> None:
    """Two searches with equal rng ask for the same positions and give the same answer.

    With another rng the playouts differ: that 40 games from the empty board are the same by chance,
    move by move, is out of the question.
    """
    options = {"playouts": case.playouts, "rng": {"rng": case.seed}}

    def expect_same(first: Answer, second: Answer, asked_the_same: bool = True) -> None:
        if not asked_the_same or (first.value, first.index) != (second.value, second.index):
            raise Wrong(
                "two searches, each with a new random.Random of the same seed, were not the same",
                expected=f"{FROM_RNG}; nothing is kept from one search to the next",
                got=f"value {show(first.value)} and move {show(first.move)}, "
                f"then value {show(second.value)} and move {show(second.move)}",
            )

    first, second = (student.serve(SEARCH, case, **options) for _ in range(2))
    expect_played(case, first.served, 1 / case.playouts)
    expect_same(first, second, first.served.same_as(second.served))
    # States of two served games are never equal; here what was kept for an equal one is found.
    third, fourth = student.search(SEARCH, case.game, [None, None], **options)
    expect_same(third, fourth)
    another = student.serve(SEARCH, case, **{**options, "rng": {"rng": case.seed + 1}})
    if another.served.same_as(first.served):
        raise Wrong(
            "two searches, each with a random.Random of another seed, were the same",
            expected=FROM_RNG,
            got=f"the same {case.playouts} playouts, move by move",
        )
