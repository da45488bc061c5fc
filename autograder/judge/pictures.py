"""Pictures of what a search on a served game asked for."""

from __future__ import annotations

from collections.abc import Callable

from autograder.draw import Node, Picture, game_tree, is_tree, name_of, position, way
from autograder.referee import Served
from autograder.wrong import text
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
    position below it; one at which a search of its own stops, when it was made.
    """
    steps: list[tuple[State, bool]] = []  # and whether it is certain
    for event in served.events:
        number = event.number
        if event.kind == "result":
            number = served.positions[number].parent or 0
        state = served.positions[number].state
        if event.kind in ("result", "cutoff", "h") or served.game.is_terminal(state):
            steps.append((state, True))
        if event.kind == "result" and event.number in served.handed:
            steps.append((served.positions[event.number].state, False))
    certain = {state for state, sure in steps if sure}
    order: dict[State, int] = {}
    for state, sure in steps:
        if sure or state not in certain:
            order.setdefault(state, len(order))
    return order


def handed_on(served: Served) -> dict[State, list[str]]:
    """What student code was called with at each state, as far as that was watched."""
    texts: dict[State, list[str]] = {}
    for number, found in served.handed.items():
        said = texts.setdefault(served.positions[number].state, [])
        if "alpha" in found and "beta" in found:
            said.append(f"[{found['alpha']}, {found['beta']}]")
        if "depth" in found:
            said.append(f"depth {found['depth']}")
    return texts


def asked_for_others(served: Served, player: str) -> dict[State, list[str]]:
    """Where the utility was asked for from another side than MAX's."""
    return {
        served.positions[event.number].state: [f"utility asked for {text(event.said)}"]
        for event in served.events
        if event.kind == "utility" and event.said != player
    }


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
    handed, others = handed_on(served), asked_for_others(served, player or root.to_move)

    def describe(node: Node, state: State) -> None:
        node.order = order.get(state)
        node.faded = state not in order
        node.texts += [*handed.get(state, []), *others.get(state, [])]
        decorate(node, state)

    picture = game_tree(served.game, root, player, describe)
    if any("[" in said for texts in handed.values() for said in texts):
        picture.caption += "; [alpha, beta]: what your code was called with"
    return picture


def marking(marked: State, words: str) -> Callable[[Node, State], None]:
    """Return what marks the node of one state."""

    def decorate(node: Node, state: State) -> None:
        if state == marked:
            node.mark = words

    return decorate
