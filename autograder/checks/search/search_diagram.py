"""Draw the record of a search on a served game."""

from collections import defaultdict
from collections.abc import Callable
from typing import Any

from autograder.checks.ask.finding import Finding, Hint, clean_text
from autograder.checks.ask.values import format_distinct, same
from autograder.diagram import (
    Node,
    Picture,
    describe_position,
    describe_tree,
    format_value,
    is_tree,
    path_name,
    state_name,
)
from autograder.serving.game_server import GameServer
from starter.games import State

Decorate = Callable[[Node, State], None]  # adds texts and marks to the node of a state


def name_node(server: GameServer, number: int) -> str:
    """Name a node by its place in a tree, or by the moves that lead to it."""
    state = server.state(number)
    if is_tree(state):
        return state_name(state)
    return path_name(server.moves(number))


def name_with_rank(server: GameServer, number: int, order: dict[State, int]) -> str:
    """Name a node, with its rank in the order of the search if its state was searched.

    A rank belongs to a state, so a state that several moves lead to is named without it.
    """
    state = server.state(number)
    shared = not is_tree(state) and sum(p.state == state for p in server.nodes) > 1
    return name_node(server, number) + (
        f" (#{order[state]})" if state in order and not shared else ""
    )


def number_states(server: GameServer) -> dict[State, int]:
    """Number the states in the order in which they were searched.

    A state counts as searched when, at one of its nodes, cutoff or h is asked for, the utility if
    the game is over, or anything about a node below it. A state with a recorded call but without
    a request counts as searched when it was generated.
    """
    steps: list[tuple[State, bool]] = []  # and whether the step is certain
    for event in server.events:
        number = event.number
        if event.kind == "result":
            number = server.nodes[number].parent or 0
        state = server.state(number)
        if event.kind in ("result", "cutoff", "h") or server.game.is_terminal(state):
            steps.append((state, True))
        if event.kind == "result" and event.number in server.call_args:
            steps.append((server.state(event.number), False))
    certain = {state for state, sure in steps if sure}
    order: dict[State, int] = {}
    for state, sure in steps:
        if sure or state not in certain:
            order.setdefault(state, len(order))
    return order


MOST_WORDS = 6  # in the text of one node


def collect_texts(server: GameServer, returns: bool) -> dict[State, list[str]]:
    """Return the requests at each state, and the recorded arguments of student code.

    returns: also its return value, if that is not the reply it got
    """
    words: defaultdict[State, list[str]] = defaultdict(list)
    answers: dict[int, Any] = {}
    depths = {event.number for event in server.find_requests("cutoff")}
    for number, found in server.call_args.items():
        here = words[server.state(number)]
        if "alpha" in found and "beta" in found:
            alpha, beta = format_distinct(found["alpha"], found["beta"])
            here.append(f"[{alpha}, {beta}]")
        if "depth" in found and number not in depths:
            here.append(f"depth {format_value(found['depth'])}")
    for event in server.events:
        here = words[server.state(event.number)]
        if event.kind == "cutoff":
            stops = "stop" if event.answer else "go on"
            here.append(f"depth {format_argument(event.said)}: {stops}")
        elif event.kind in ("h", "utility"):
            answers[event.number] = event.answer
            here += [f"h = {format_value(event.answer)}"] if event.kind == "h" else []
            if event.said != server.max_player:
                here.append(f"{event.kind} asked for {format_argument(event.said)}")
    for number, found in server.call_args.items():
        returned = found.get("returned")
        answer = answers.get(number)
        if returns and returned is not None and (answer is None or not same(returned, answer)):
            _, shown = format_distinct(returned if answer is None else answer, returned)
            words[server.state(number)].append(f"returned {shown}")
    different = {state: list(dict.fromkeys(here)) for state, here in words.items()}
    return {
        state: [*here[:MOST_WORDS], *["..."] * (len(here) > MOST_WORDS)]
        for state, here in different.items()
    }


def format_argument(said: object) -> str:
    """Show an argument that student code passed."""
    return format_value(said) if type(said) in (int, float) else clean_text(said)


def draw_search(
    server: GameServer,
    decorate: Decorate = lambda node, state: None,
    returns: bool = False,
) -> Picture:
    """Draw a tree with searched nodes numbered; draw other games as a board.

    returns: whether to show the student code's return value at each node
    """
    root = server.root
    if not is_tree(root):
        return describe_position(server.game, root)
    order = number_states(server)
    texts = collect_texts(server, returns)

    def describe(node: Node, state: State) -> None:
        node.order = order.get(state)
        node.look = "" if state in order else "faded"
        node.texts += texts.get(state, [])
        decorate(node, state)

    picture = describe_tree(server.game, root, server.max_player, describe)
    windows = any("alpha" in found for found in server.call_args.values())
    plain, negated = count_fits(server)
    if negated > plain and (returns or windows):
        turned = " and ".join(["returned"] * returns + ["[alpha, beta]"] * windows)
        picture.caption = f"leaves: {server.max_player}'s values; {turned}: of the player to move"
    elif windows:
        picture.caption += "; [alpha, beta]: what your code was called with"
    return picture


def mark_states(marks: dict[State, str]) -> Decorate:
    """Return a decorator that marks the nodes of these states."""

    def decorate(node: Node, state: State) -> None:
        node.mark = marks.get(state, node.mark)

    return decorate


def report_at_node(
    code: str, server: GameServer, state: State, mark: str, *hints: Hint, **facts: Any
) -> Finding:
    """Return a finding about a node, which is marked in the tree."""
    drawn = draw_search(server, mark_states({state: mark}), returns=True)
    return Finding(code, {"node": state_name(state), **facts}, hints, (drawn,))


def negates(server: GameServer) -> bool:
    """Do at least as many return values fit negamax as fit values for MAX?"""
    plain, negated = count_fits(server)
    return (negated > 0 and negated >= plain) or turns_windows_and_ends(server)


def turns_windows_and_ends(server: GameServer) -> bool:
    """Are the signs turned in the windows and at the ends of MIN, as in negamax?

    Then a plain value of an inner node lacks its minus.
    """
    windows = {
        number: (call["alpha"], call["beta"])
        for number, call in server.call_args.items()
        if {"alpha", "beta"} <= call.keys()
    }
    turned = plain = 0
    for number, (alpha, beta) in windows.items():
        parent = server.nodes[number].parent
        if parent in windows:
            low, high = windows[parent]
            inside, turned_inside = low <= alpha <= beta <= high, low <= -beta <= -alpha <= high
            turned += turned_inside and not inside
            plain += inside and not turned_inside
    ends = []
    for event in server.find_requests("utility"):
        worth = event.answer if event.said == server.max_player else -event.answer
        if worth and server.kind(event.number) == "min":
            ends.append(same(server.find_return(event.number) or 0, -worth))
    return turned > plain and bool(ends) and all(ends)


def count_fits(server: GameServer, below: int = 0, zeros: bool = False) -> tuple[int, int]:
    """Return how many return values fit values for MAX, and how many fit negamax.

    Neither, if more fit a search that takes MIN for MAX.

    below: the first position that counts; the one of a direct call may only pass values on
    zeros: whether a returned 0 counts, which has no sign
    """
    plain = negated = inverted = 0
    for number, children in server.children().items():
        kind = server.kind(number)
        returned = server.find_return(number)
        values = [server.find_return(child) for child in children]
        known = [value for value in values if value is not None]
        whole = number >= below and len(known) == len(values) and any(known)  # 0 has no sign
        if (returned or (returned is not None and zeros)) and kind != "chance" and whole:
            plain += same(returned, (max if kind == "max" else min)(known))
            inverted += same(returned, (min if kind == "max" else max)(known))
            negated += same(returned, max(-value for value in known))
    return (0, 0) if inverted > max(plain, negated) else (plain, negated)
