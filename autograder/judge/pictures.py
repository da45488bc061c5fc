"""Pictures of what was tried: the tree that a search asked for, a search tree of statistics."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograder.draw import Node, Picture, Tree, game_tree, position, show
from autograder.referee import Served, make_state
from autograder.student import Case
from starter.games import State


def searched_order(served: Served) -> dict[State, int]:
    """Number the states in the order in which they were searched.

    A position is searched when its utility, cutoff or h is asked for, or a position below it.
    """
    order: dict[State, int] = {}
    for event in served.events:
        number = event.number
        if event.kind == "result":
            number = served.positions[number].parent or 0
        order.setdefault(served.positions[number].state, len(order))
    return order


def searched_tree(
    served: Served,
    player: str | None = None,
    decorate: Callable[[Node, State], None] = lambda node, state: None,
) -> Picture:
    """Draw an explicit tree, searched positions numbered and the others faded; a board as it is."""
    order = searched_order(served)

    def describe(node: Node, state: State) -> None:
        node.order = order.get(state)
        node.faded = state not in order
        decorate(node, state)

    root = served.positions[0].state
    if not hasattr(root, "path"):
        return position(served.game, root)
    return game_tree(served.game, root, player, describe)


def marking(marked: State, words: str) -> Callable[[Node, State], None]:
    """Return what marks the node of one state."""

    def decorate(node: Node, state: State) -> None:
        if state == marked:
            node.mark = words

    return decorate


def children_of(rows: list[dict], node: int) -> list[int]:
    return [i for i, row in enumerate(rows) if row["under"] == node]


def path_of(rows: list[dict], node: int) -> list[Any]:
    """Return the moves' indices from the root to a node."""
    path = []
    while rows[node]["under"] is not None:
        path.append(rows[node]["key"])
        node = rows[node]["under"]
    return path[::-1]


def moves_of(case: Case, path: list[Any]) -> list[str]:
    """Name the moves with these indices; what is no legal move is left as it came."""
    game = case.make_game()
    state = make_state(game, case.data.get("state"))
    names: list[str] = []
    for index in path:
        actions = game.actions(state)
        if type(index) is not int or not 0 <= index < len(actions):
            return [*names, *map(str, path[len(names) :])]
        names.append(str(actions[index]))
        state = game.result(state, actions[index])
    return names


def place(case: Case, path: list[Any]) -> str:
    """Name a node of a search tree by the moves that lead to it."""
    if not path:
        return "the root"
    return "the node reached by " + ", then ".join(moves_of(case, path))


def search_tree(
    case: Case,
    rows: list[dict],
    decorate: Callable[[Node, int], None] = lambda node, i: None,
) -> Tree:
    """Draw a search tree with U and N in every node."""
    nodes: list[Node] = []
    for i, row in enumerate(rows):
        path = path_of(rows, i)
        name = moves_of(case, path)[-1] if path else "root"
        node = Node(name, texts=[f"U = {show(row['U'])}", f"N = {show(row['N'])}"])
        decorate(node, i)
        nodes.append(node)
        if row["under"] is not None:
            nodes[row["under"]].children.append(node)
    return Tree(nodes[0])
