"""Pictures of what a search on a served game asked for."""

from __future__ import annotations

from collections.abc import Callable

from autograder.draw import Node, Picture, game_tree, is_tree, name_of, position, way
from autograder.referee import Served
from starter.games import State


def called(served: Served, number: int) -> str:
    """Name a position: by its place in a tree, otherwise by the moves that lead to it."""
    state = served.positions[number].state
    if is_tree(state):
        return name_of(state)
    return way(served.moves(number))


def searched_order(served: Served) -> dict[State, int]:
    """Number the states in the order in which they were searched.

    A position is searched when its cutoff or h is asked for, its utility if the game is over, or a
    position below it.
    """
    order: dict[State, int] = {}
    for event in served.events:
        number = event.number
        if event.kind == "result":
            number = served.positions[number].parent or 0
        state = served.positions[number].state
        if event.kind in ("result", "cutoff", "h") or served.game.is_terminal(state):
            order.setdefault(state, len(order))
    return order


def searched_tree(
    served: Served,
    player: str | None = None,
    decorate: Callable[[Node, State], None] = lambda node, state: None,
) -> Picture:
    """Draw a tree, searched positions numbered and the others faded; any other game as it is."""
    root = served.positions[0].state
    if not is_tree(root):
        return position(served.game, root)
    order = searched_order(served)

    def describe(node: Node, state: State) -> None:
        node.order = order.get(state)
        node.faded = state not in order
        decorate(node, state)

    return game_tree(served.game, root, player, describe)


def marking(marked: State, words: str) -> Callable[[Node, State], None]:
    """Return what marks the node of one state."""

    def decorate(node: Node, state: State) -> None:
        if state == marked:
            node.mark = words

    return decorate
