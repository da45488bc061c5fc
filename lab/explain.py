"""A search in words: its steps, the moves as it ranks them, and the truth."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autograder.diagram import show, way
from lab.engines import SearchResult
from lab.mcts_trace import MAX_PLAYOUTS, Phase
from lab.node_status import NodeStatus, Path, contains, known
from lab.trace import MAX_STEPS, Step
from lab.trees import state_after
from lab.truth import truth
from starter.games import Game, State

MAX_NAMED = 6  # positions that a sentence lists


def describe(steps: Sequence[Any], game: Game, root: State) -> str:
    """Say what the last of these steps or phases did."""
    if not steps:
        return "The search has not begun."
    if isinstance(steps[-1], Phase):
        return phase_in_words(steps[-1])
    return step_in_words(steps, game, root)


def legend(result: SearchResult, count: int, root_player: str) -> tuple[dict[str, int], str]:
    """Return figures of the first steps of a search, and what stands in the nodes of its tree."""
    if not result.steps:
        return {}, ""
    if isinstance(result.steps[0], Phase):
        playouts = result.counts["playouts"]
        words = "U and UCB are from the point of view of the player who moved into the node."
        if playouts > MAX_PLAYOUTS:
            words += f" The first {MAX_PLAYOUTS} of {playouts:,} playouts can be watched."
        done = result.steps[:count]
        return {"playouts": done[-1].playout if done else 0}, words
    names = [step.name for step in result.steps[:count]]
    words = LEGEND.format(root_player)
    if len(result.steps) == MAX_STEPS:
        entered = sum(step.name == "enter" for step in result.steps)
        words += (
            f" The first {entered:,} of {result.counts['positions']:,} positions can be watched."
        )
    return {"positions looked at": names.count("enter"), "prunes": names.count("prune")}, words


LEGEND = (
    "In a node stand v, and alpha and beta if the search has them, while it is searched, then what "
    "is known of its value. All are for {}: MAX, to move at the root. #0, #1, ... is "
    "the order of the search. Grey and dashed: never looked at."
)


def step_in_words(steps: Sequence[Step], game: Game, root: State) -> str:
    """Say what the last of these steps of a search with MAX and MIN did."""
    step = steps[-1]
    state = state_after(game, root, step.path)
    assert state is not None
    before: dict[Path, NodeStatus] = {}
    for earlier in steps[:-1]:
        before.update(earlier.seen)
    name, status = way(step.path), step.seen[step.path]
    above = step.path[:-1]
    if step.name == "enter" and game.is_terminal(state):
        return f"The search enters {name}, where the game is over."
    if step.name == "enter":
        return entering(step, before)
    bound = known(status.bounds, status.v)
    if status.judged:
        words = f"h says {bound} of {name}."
    elif bound.startswith("at"):
        words = f"{name} is {bound} for MAX."
    else:
        words = f"{name} is worth {bound} to MAX."
    if step.name in ("prune", "early"):
        left = [str(move) for move in game.actions(state) if (*step.path, move) not in before]
        if len(left) > MAX_NAMED:
            left[MAX_NAMED - 1 :] = [f"{len(left) - MAX_NAMED + 1} more"]
        how = f"{status.prune_reason} at {name}: pruned."
        if step.name == "early":
            without = "" if status.window is None else ", without a reason"
            how = f"{name} is left before all its moves were tried{without}."
        words = f"{how} Never looked at: {', '.join(left)}. {words}"
    if not step.path:
        return words
    was, now = before[above], step.seen[above]
    change = f"becomes {show(now.v)}" if now.v != was.v else f"stays {show(now.v)}"
    bounds = [
        f"{name} becomes {show(new)}"
        for name, old, new in zip(("alpha", "beta"), was.window or (), now.window or ())
        if new != old
    ]
    return f"{words} At {way(above)} v {change}{''.join(f', {words}' for words in bounds)}."


def entering(step: Step, before: dict[Path, NodeStatus]) -> str:
    """Say that the search enters a position, with which alpha and beta."""
    status = step.seen[step.path]
    mover = "chance" if status.chance else "MAX" if status.is_max else "MIN"
    words = f"The search enters {way(step.path)}, {mover} to move"
    if status.window is None:
        return f"{words}."
    alpha, beta = map(show, status.window)
    words += f", with alpha = {alpha} and beta = {beta}"
    above = before.get(step.path[:-1])
    if above and above.window and above.window != status.window:
        alpha, beta = map(show, above.window)
        words += f", where those above are {alpha} and {beta}"
    return f"{words}."


def phase_in_words(phase: Phase) -> str:
    """Say what one phase of a playout did."""
    leaf, child = way(phase.leaf), way(phase.child)
    words = {
        "select": f"follow the largest UCB down to a leaf: {leaf}",
        "expand": f"{leaf} gets its children, and {child} is taken"
        if phase.leaf != phase.child
        else f"{leaf} is the end of a game: nothing to expand",
        "simulate": f"random moves from {child} to the end: {show(phase.utility)} for "
        "the player who moved there",
        "backprop": f"the result goes into every node from {child} up, its sign flipped each time",
    }
    return f"Playout {phase.playout}, {phase.name}: {words[phase.name]}."


# --- The result -----------------------------------------------------------------------------------


def ranking(result: SearchResult, state: State, values: dict[Path, float]) -> list[dict[str, Any]]:
    """Return the moves as the search ranks them, as rows of a table, the one played first.

    values: the true values of the moves, as far as they are known
    """
    solved = {str(move): true for move, true in truth(state).items()}
    true_values = {str(path[0]): value for path, value in values.items() if len(path) == 1}
    names = dict.fromkeys([str(result.move), *solved]) if solved else ()
    rows = []
    for row in result.moves or [{"move": name} for name in names]:
        name = row["move"]
        cells = {key: shown for key, shown in row.items() if key not in ("v", "bounds", "claim")}
        if "v" in row:
            cells[f"value for {state.to_move}"] = known(row["bounds"], row["v"])
        if name in true_values:
            value = true_values[name]
            wrong = "claim" in row and not contains(row["claim"], value)
            cells["true value"] = show(value) + wrong * " ✗"
        if name in solved:
            true = solved[name]
            ends = f"{true.worth} in {true.stones}" if true.stones else true.worth
            keeps = "✓" if true.keeps else ""
            cells |= {"exact score": true.score, "truth": ends, "keeps the value": keeps}
        rows.append(cells)
    return rows


def verdict(result: SearchResult, state: State, values: dict[Path, float]) -> tuple[str, bool]:
    """Say whether the search agrees with what is known of the position, and return whether it does;
    "" where nothing is known."""
    if solved := truth(state):
        best, true = max(solved.values()), solved[result.move]
        if true.keeps:
            return f"{result.move} keeps the {best.worth}, by perfect play of both sides.", True
        keeping = " or ".join(str(move) for move, other in solved.items() if other.keeps)
        words = f"{result.move} turns a {best.worth} into a {true.worth}"
        return f"{words}, by perfect play of both sides; {keeping} would keep it.", False
    if () not in values or not result.counts:
        return "", True
    true_value = values[()]
    best_moves = [path for path in values if len(path) == 1 and values[path] == true_value]
    if "playouts" not in result.counts and abs(result.value - true_value) > 1e-9:
        shown = f"The search returned {show(result.value)}"
        return f"{shown}; the true value is {show(true_value)}.", False
    if (result.move,) not in best_moves:
        names = " or ".join(str(path[0]) for path in best_moves)
        return f"The true value is {show(true_value)}, which {names} would reach.", False
    return f"The true value is {show(true_value)}, and {result.move} reaches it.", True


def choice(result: SearchResult) -> str:
    """Say by what the final choice is made; "" if the moves are not rated."""
    if not result.moves:
        return ""
    if "N" in result.moves[0]:
        return "The choice goes by N, the number of visits; U/N is the mean result."
    return (
        "The choice goes by the value, of equal ones the first. A bound, such as “at most 2”, is "
        "all that the search had to know of a move."
    )
