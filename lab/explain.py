"""Describe a search: its steps, its ranking of the moves, and the truth."""

from collections.abc import Sequence
from typing import Any

from autograder.diagram import format_value
from lab.engines import SearchResult
from lab.mcts_trace import MAX_PLAYOUTS, Stats
from lab.node_status import ROUNDING, NodeStatus, Path, SearchStep, describe_value
from lab.trace import MAX_STEPS
from starter.games import State


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


def make_move_rows(
    result: SearchResult, state: State, values: dict[Path, float]
) -> list[dict[str, Any]]:
    """Return a table row for each move, in the order of the search's ranking.

    values: the true values of the moves that are known
    """
    rows = []
    for move, node in result.moves:
        cells: dict[str, Any] = {"move": str(move)}
        if isinstance(node, Stats):
            cells |= {"N": node.N, "U/N": node.U / node.N if node.N else None}
        else:
            cells[f"value for {state.to_move}"] = describe_value(node.bounds, node.v)
        if (move,) in values:
            value = values[move,]
            wrong = isinstance(node, NodeStatus) and node.contradicts(value)
            cells["true value"] = format_value(value) + wrong * " ✗"
        rows.append(cells)
    return rows


def compare_with_truth(result: SearchResult, values: dict[Path, float]) -> tuple[str, bool]:
    """Say whether the search agrees with what is known of the position.

    Return the words, or "" if nothing is known, and whether the search agrees.
    """
    if () not in values or not result.counts:
        return "", True
    true_value = values[()]
    best_moves = [path for path in values if len(path) == 1 and values[path] == true_value]
    if not result.is_mcts and abs(result.value - true_value) > ROUNDING:
        words = f"The search returned {format_value(result.value)}"
        return f"{words}; the true value is {format_value(true_value)}.", False
    if (result.move,) not in best_moves:
        names = " or ".join(str(path[0]) for path in best_moves)
        return f"The true value is {format_value(true_value)}, which {names} would reach.", False
    return f"The true value is {format_value(true_value)}, and {result.move} reaches it.", True
