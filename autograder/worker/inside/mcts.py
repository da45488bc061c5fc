"""Verbs of question 4: phases on a prepared search tree, and the loop over them."""

import random
from collections.abc import Callable
from typing import Any

from autograder.worker.inside.protocol import LARGEST_TREE, PHASES
from autograder.worker.inside.request import Request
from autograder.worker.inside.to_json import (
    describe_odd,
    encode_state,
    find_move_index,
    to_number,
    to_pair,
)

SHARED = "a new node has another's children; does __init__ make a new dict for each?"


class Unbuildable(Exception):
    """The student's Node can't be built with given statistics."""


class Unreadable(Exception):
    """The nodes under a node do not form a search tree."""


class WrongNode(Exception):
    """A node lacks a field, or its state is none of the game."""


class TooLarge(Exception):
    """The search tree has more nodes than any test's playouts can make."""


def find_nodes(root: Any) -> dict[int, tuple[Any, Any, Any]]:
    """Return (node, its parent's id, its key there) by id, for `root` and all below.

    `root` is first. Raises Unreadable for an object that is no node, or has no dictionary of
    children; TooLarge if there are too many.
    """
    found: dict[int, tuple[Any, Any, Any]] = {id(root): (root, None, None)}
    queue = [root]
    for node in queue:
        if not hasattr(node, "children"):
            raise Unreadable(f"{type(node).__name__} where a node should be")
        children: Any = node.children
        if not hasattr(children, "items"):
            raise Unreadable(f"{type(children).__name__} of a {type(node).__name__}")
        for key, child in children.items():
            if id(child) not in found:
                found[id(child)] = child, id(node), key
                queue.append(child)
        if len(queue) > LARGEST_TREE:
            raise TooLarge(f"more than {LARGEST_TREE:,} nodes")
    return found


def dump_tree(root: Any, game: Any) -> list[dict[str, Any]]:
    """Return the search tree under `root` as a flat list, parents first.

    A node that occurs several times is listed at the first one. Its other parents have in `again`
    the move to it, and its index in the list.
    """
    found = find_nodes(root)
    order = {name: i for i, name in enumerate(found)}
    plain = []
    for node, above, key in found.values():
        entry = {
            "state": encode_state(read_field(node, "state")),
            "U": to_number(read_field(node, "U")),
            "N": to_number(read_field(node, "N")),
            "parent": find_index(read_field(node, "parent"), order),
            "under": None,
            "key": None,
            "move": None,
        }
        if above is not None:
            actions = list_actions(found[above][0], game)
            entry["under"] = order[above]
            entry["key"] = find_move_index(key, actions)
            entry["move"] = find_move_index(read_field(node, "move"), actions)
        again = [
            (find_move_index(key, list_actions(node, game)), order[id(child)])
            for key, child in node.children.items()
            if found.get(id(child), (child, id(node), key))[1:] != (id(node), key)
        ]
        if again:
            entry["again"] = again
        plain.append(entry)
    return plain


def read_field(node: Any, name: str) -> Any:
    """Return an attribute of a node. Raises WrongNode if it has none."""
    try:
        return getattr(node, name)
    except AttributeError:
        raise WrongNode(f"a {type(node).__name__} without {name}") from None


def list_actions(node: Any, game: Any) -> tuple[Any, ...]:
    """Return the moves at a node. Raises WrongNode if its state is none of the game."""
    try:
        return tuple(game.actions(read_field(node, "state")))
    except (AttributeError, TypeError):
        what = type(node.state).__name__
        raise WrongNode(f"a {type(node).__name__} whose state is a {what}") from None


def find_index(node: Any, order: dict[int, int]) -> Any:
    """Return the index of a node in the search tree, None for None."""
    if node is None or id(node) in order:
        return order.get(id(node))
    return describe_odd(node)


def build_tree(asked: Request, spec: dict[str, Any]) -> tuple[Any, dict[tuple[int, ...], Any]]:
    """Build the tree `spec`, [path, U, N] per node; return the root and all by path.

    Raises Unbuildable if the student's Node does not allow it.
    """
    Node, game = asked.function("Node"), asked.game
    nodes: dict[tuple[int, ...], Any] = {}
    try:
        for path, U, N in spec["nodes"]:
            path = tuple(path)
            if path:
                parent = nodes[path[:-1]]
                move = game.actions(parent.state)[path[-1]]
                node = Node(game.result(parent.state, move), parent, move)
                parent.children[move] = node
            else:
                node = Node(asked.state(spec.get("state")))
            if node.children:
                raise Unbuildable(SHARED)
            node.U, node.N = U, N
            nodes[path] = node
    except Unbuildable:
        raise
    except Exception as error:
        why = f"{type(error).__name__}: {error}"
        raise Unbuildable(why).with_traceback(error.__traceback__) from None
    return nodes[()], nodes


def call_phase(asked: Request, call: dict[str, Any]) -> Any:
    """Call one phase on a search tree with chosen statistics."""
    function = asked.function()
    root, nodes = build_tree(asked, call["tree"])
    target = nodes[tuple(call["at"])]
    returned = function(target, *([asked.game] if asked.name == "expand" else call["args"]))
    places = list(find_nodes(root))
    known = id(returned) in places
    return {
        "returned": places.index(id(returned)) if known else describe_odd(returned),
        "tree": dump_tree(root, asked.game),
    }


def choose_move(asked: Request, call: dict[str, Any]) -> Any:
    """Let the search loop end on a prepared tree, with stand-ins for its phases.

    A root that the loop makes is the prepared one. Return None if the loop does not use `Node` or
    `select`, because then it has not seen the tree, and if it fails: it may assert something that
    is false for stand-ins.
    """
    root, _ = build_tree(asked, call["tree"])
    seen: set[str] = set()

    def stand_in(name: str, answer: Any) -> Callable[..., Any]:
        def phase(*args: Any, **kwargs: Any) -> Any:
            seen.add(name)
            return answer

        return phase

    def node(state: Any, parent: Any = None, *args: Any, **kwargs: Any) -> Any:
        if parent is not None:
            return own["Node"](state, parent, *args, **kwargs)
        seen.add("Node")
        return root

    phases = {"select": root, "expand": root, "simulate": 0, "backprop": None}
    own = {name: asked.function(name) for name in ("Node", *phases)}
    module = vars(asked.module)
    module.update({name: stand_in(name, answer) for name, answer in phases.items()})
    module["Node"] = node
    try:
        search = asked.function()
        result = search(asked.game, root.state, rng=random.Random(0), **call["options"])
    except Exception:  # an error also shows in a search without stand-ins
        return None
    finally:
        module.update(own)
    return to_pair(result, asked.game.actions(root.state)) if {"Node", "select"} <= seen else None


def grow_tree(asked: Request, call: dict[str, Any]) -> Any:
    """Grow a search tree with the student's phases; `watch` it around simulate.

    Return the tree, and for each playout the result of simulate and its start node.
    """
    Node = asked.function("Node")
    select, expand, simulate, backprop = map(asked.function, PHASES)
    rng = random.Random(call["seed"])
    root = Node(asked.state(call.get("state")))
    results, began = [], []
    for _ in range(call["playouts"]):
        child = expand(select(root, call["C"]), asked.game)
        began.append(child)
        before = dump_tree(root, asked.game) if call["watch"] else None
        utility = simulate(asked.game, child.state, rng)
        if before is not None and dump_tree(root, asked.game) != before:
            return {"touched": encode_state(child.state)}
        results.append(to_number(utility))
        backprop(child, utility)
    order = {name: i for i, name in enumerate(find_nodes(root))}
    return {
        "results": results,
        "began": [find_index(child, order) for child in began],
        "tree": dump_tree(root, asked.game),
    }
