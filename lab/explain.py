"""Describe a search: its steps, its ranking of the moves, and the truth."""

from collections.abc import Sequence
from typing import Any

from autograder.diagram import format_value
from lab.engines import SearchResult
from lab.mcts_trace import MAX_PLAYOUTS
from lab.trace import MAX_STEPS
from lab.visits import SearchStep

ROUNDING = 1e-9  # errors of a search that adds up fractions


def describe_last_step(steps: Sequence[SearchStep]) -> str:
    """Say what the last of these steps did."""
    return steps[-1].words if steps else "The search has not begun."


def make_legend(result: SearchResult, count: int, root_player: str) -> tuple[dict[str, int], str]:
    """Return figures of the first `count` steps, and the legend of the tree."""
    if not result.steps:
        return {}, ""
    names = [step.name for step in result.steps[:count]]
    if result.is_mcts:
        playouts = result.counts["playouts"]
        words = "U and UCB are from the point of view of the player who moved into the node."
        if playouts > MAX_PLAYOUTS:
            words += f" The first {MAX_PLAYOUTS} of {playouts:,} playouts can be watched."
        return {"playouts": names.count("select")}, words
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


def make_move_rows(result: SearchResult, values: dict[str, float]) -> list[dict[str, Any]]:
    """Return a table row for each move, in the order of the search's ranking.

    values: the true values of the moves by their names, if they are known
    """
    rows = [{"move": str(move), **found} for move, found in result.moves]
    for row in rows if values else ():
        row["true value"] = format_value(values[row["move"]])
    return rows


def compare_with_truth(result: SearchResult, values: dict[str, float]) -> tuple[str, bool]:
    """Say whether the search agrees with what is known of the position.

    Return the words, or "" if nothing is known, and whether the search agrees.
    """
    if not values or not result.counts:
        return "", True
    true_value = max(values.values())
    if not result.is_mcts and abs(result.value - true_value) > ROUNDING:
        words = f"The search returned {format_value(result.value)}"
        return f"{words}; the true value is {format_value(true_value)}.", False
    if values[str(result.move)] < true_value:
        names = " or ".join(name for name, value in values.items() if value == true_value)
        return f"The true value is {format_value(true_value)}, which {names} would reach.", False
    return f"The true value is {format_value(true_value)}, and {result.move} reaches it.", True
