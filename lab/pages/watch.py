"""The page Watch the search: its tree after each step, and the step in words."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from autograder.diagram import way
from autograder.worker.inside.protocol import PHASES
from lab import drawing
from lab.engines import OWN
from lab.pages.parts import kindly, state_of
from lab.table import Desk
from lab.trees import Row, mcts_rows, search_rows, state_after
from lab.watch import MOST_PLAYOUTS, MOST_STEPS, Path, Phase, Seen, Step
from lab.words import known, number
from starter.games import Game, State

LEGEND = (
    "v, alpha and beta stand in a node while it is searched, then what is known of its "
    "value. All are for {}, who is to move at the root and is MAX. #0, #1, ... is the order of the "
    "search. Grey and dashed: cut off, never looked at."
)


MOST_NAMED = 6  # positions that a sentence lists


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
    words = "The search has not begun."
    if isinstance(desk.steps[0], Phase):
        words = phase_in_words(desk.steps[number - 1]) if number else "The tree is its root alone."
    elif number:
        words = step_in_words(desk.steps[:number], desk.task.game, desk.task.state)
    return f'<p aria-live="polite">{escape(words)}</p>'


def rows(desk: Desk, number: int) -> list[Row]:
    """The tree after so many steps, as the page draws it."""
    if desk.task is None or not desk.steps:
        return []
    game, root = desk.task.game, desk.task.state
    if isinstance(desk.steps[0], Phase):
        return mcts_rows(desk.steps[number - 1], game, root) if number else []
    return search_rows(game, root, desk.steps, number, {})


def legend(desk: Desk, number: int) -> str:
    """What the search has done so far, and what stands in the nodes."""
    if desk.task is None or not desk.steps or not desk.thought:
        return ""
    if isinstance(desk.steps[0], Phase):
        words = "U and UCB are from the point of view of the player who moved into the node."
        playouts = desk.thought.counts["playouts"]
        if playouts > MOST_PLAYOUTS:
            words += f" The first {MOST_PLAYOUTS} of {playouts:,} playouts can be watched."
        return f"<small>{words}</small>"
    names = [step.name for step in desk.steps[:number]]
    words = LEGEND.format(desk.task.state.to_move)
    if len(desk.steps) == MOST_STEPS:
        entered = sum(step.name == "enter" for step in desk.steps)
        positions = desk.thought.counts["positions"]
        words += f" The first {entered:,} of {positions:,} positions can be watched."
    facts = {"positions looked at": names.count("enter"), "cut-offs": names.count("cut")}
    return f"{drawing.facts(facts)}<small>{words}</small>"


def step_in_words(steps: Sequence[Step], game: Game, root: State) -> str:
    """The last of these steps in words."""
    step = steps[-1]
    state = state_after(game, root, step.path)
    assert state is not None
    before: dict[Path, Seen] = {}
    for earlier in steps[:-1]:
        before.update(earlier.seen)
    name, sight = way(step.path), step.seen[step.path]
    above = step.path[:-1]
    if step.name == "enter" and game.is_terminal(state):
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
    if step.name in ("cut", "early"):
        left = [str(move) for move in game.actions(state) if (*step.path, move) not in before]
        if len(left) > MOST_NAMED:
            left[MOST_NAMED - 1 :] = [f"{len(left) - MOST_NAMED + 1} more"]
        how = f"{sight.cut_reason} at {name}: cut off."
        if step.name == "early":
            without = "" if sight.alpha is None else ", without a reason"
            how = f"{name} is left before all its moves were tried{without}."
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
