"""The page Watch the search: its tree after each step, and the step in words."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from autograder.diagram import way
from autograder.worker.inside.mcts import PHASES
from lab import drawing
from lab.drawing import known, number
from lab.engines import OWN
from lab.pages.parts import kindly, state_of
from lab.table import Desk
from lab.watch import MOST_PLAYOUTS, MOST_STEPS, Path, Phase, Seen, Step, seen_after, tree_below
from starter.games import Game, State

LEGEND = (
    "<small>v, alpha and beta stand in a node while it is searched, then what is known of its "
    "value. All are for {}, who is to move at the root and is MAX. #0, #1, ... is the order of the "
    "search. Grey and dashed: cut off, never looked at.</small>"
)


def stops(desk: Desk) -> tuple[str, list[int]]:
    """What "next" goes to in the steps of a search, and where that is."""
    playouts = bool(desk.steps) and isinstance(desk.steps[0], Phase)
    next_, name = ("next playout", "select") if playouts else ("next cut", "cut")
    return next_, [i for i, step in enumerate(desk.steps, 1) if step.name == name]


def watched(desk: Desk, number: int) -> str:
    """The search after so many of its steps."""
    if desk.task is None:
        return ""
    if not desk.steps:
        game, state = desk.task.game, desk.task.state
        if desk.thought and desk.task.engine == OWN:
            return kindly("What goes on inside your player can't be watched: see the Playground.")
        if desk.thought:
            return kindly(
                f"Your search calls none of its functions {', '.join(PHASES)} by name: see the "
                "Playground."
            )
        return state_of(desk) + drawing.position(game, state, state.to_move)
    if isinstance(desk.steps[0], Phase):
        return watched_growth(desk, number)
    if len(desk.steps) == MOST_STEPS:
        return kindly("This search is too long to be watched: choose fewer plies.")
    game, root = desk.task.game, desk.task.state
    deepest = max(len(step.path) for step in desk.steps)
    try:
        tree = tree_below(game, root, deepest)
    except ValueError as problem:
        return kindly(str(problem))
    steps: list[Step] = desk.steps[:number]
    seen = seen_after(steps, number, tree)
    cuts = {step.path: reason(step) for step in steps if step.name == "cut"}
    words = step_in_words(steps, tree, game) if steps else "The search has not begun."
    facts = {
        "positions looked at": sum(sight.order > 0 for sight in seen.values()),
        "cut off": sum(sight.status == "cut" for sight in seen.values()),
        "in the tree": len(tree),
    }
    now = steps[-1].path if steps else ()
    return (
        f'<p aria-live="polite">{escape(words)}</p>'
        f"{drawing.searched_tree(game, tree, seen, now, cuts)}"
        f"{drawing.facts(facts)}{LEGEND.format(root.to_move)}"
    )


def reason(step: Step) -> str:
    """Why a node was left before all its moves were tried, if there is a reason."""
    sight = step.seen[step.path]
    v = number(sight.v)
    if sight.v is None or sight.alpha is None or sight.beta is None:
        return ""
    if sight.is_max and sight.v >= sight.beta:
        return f"v = {v} >= beta = {number(sight.beta)}"
    if not sight.is_max and sight.v <= sight.alpha:
        return f"v = {v} <= alpha = {number(sight.alpha)}"
    return ""


def step_in_words(steps: Sequence[Step], tree: dict[Path, State], game: Game) -> str:
    """The last of these steps in words."""
    step = steps[-1]
    before: dict[Path, Seen] = {}
    for earlier in steps[:-1]:
        before.update(earlier.seen)
    name, sight = way(step.path), step.seen[step.path]
    above = step.path[:-1]
    if step.name == "enter" and game.is_terminal(tree[step.path]):
        return f"The search enters {name}, where the game is over."
    if step.name == "enter":
        return entering(step, before)
    bound = known((sight.low, sight.high), sight.v)
    if sight.judged:
        words = f"h says {bound} of {name}."
    elif bound.startswith("at"):
        words = f"{name} is {bound} for MAX."
    else:
        words = f"{name} is worth {bound} to MAX."
    if step.name == "cut":
        left = [
            way(path) for path in tree if path[:-1] == step.path and path and path not in before
        ]
        why = reason(step)
        early = "is left before all its moves were tried"
        if sight.alpha is not None:
            early = "is left early, without a reason"
        how = f"{why} at {name}: cut off." if why else f"{name} {early}."
        words = f"{how} Never looked at: {', '.join(left)}. {words}"
    if not step.path:
        return words
    was, now = before[above], step.seen[above]
    change = f"becomes {number(now.v)}" if now.v != was.v else f"stays {number(now.v)}"
    bounds = [
        f"{name} becomes {number(new)}"
        for name, old, new in (("alpha", was.alpha, now.alpha), ("beta", was.beta, now.beta))
        if new != old
    ]
    return f"{words} At {way(above)} v {change}{''.join(f', {words}' for words in bounds)}."


def entering(step: Step, before: dict[Path, Seen]) -> str:
    """That the search enters a position, with which alpha and beta."""
    sight = step.seen[step.path]
    mover = "chance" if sight.chance else "MAX" if sight.is_max else "MIN"
    words = f"The search enters {way(step.path)}, {mover} to move"
    if sight.alpha is None:
        return f"{words}."
    words += f", with alpha = {number(sight.alpha)} and beta = {number(sight.beta)}"
    above = before.get(step.path[:-1])
    if above and (above.alpha, above.beta) != (sight.alpha, sight.beta):
        words += f", where those above are {number(above.alpha)} and {number(above.beta)}"
    return f"{words}."


def watched_growth(desk: Desk, number: int) -> str:
    """The tree of MCTS after so many phases."""
    assert desk.task
    if number == 0:
        return "<p>The tree is its root alone.</p>"
    phase: Phase = desk.steps[number - 1]
    return (
        f'<p aria-live="polite">{escape(phase_in_words(phase))}</p>'
        f"{drawing.growing_tree(phase, desk.task.game, desk.task.state)}"
        "<small>U and UCB are seen by the player who moved into the node. Of many playouts the "
        f"first {MOST_PLAYOUTS} can be watched.</small>"
    )


def phase_in_words(phase: Phase) -> str:
    """One phase of a playout in words."""
    leaf, child = way(phase.leaf), way(phase.child)
    words = {
        "select": f"follow the largest UCB down to a leaf: {leaf}",
        "expand": f"{leaf} gets its children, and {child} is taken"
        if phase.leaf != phase.child
        else f"{leaf} is the end of a game: nothing to expand",
        "simulate": f"random moves from {child} to the end: {number(phase.utility)} for "
        "the player who moved there",
        "backprop": f"the result goes into every node from {child} up, its sign flipped each time",
    }
    return f"Playout {phase.playout}, {phase.name}: {words[phase.name]}."
