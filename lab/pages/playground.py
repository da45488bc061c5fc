"""The page Playground: a position, and what a search found there."""

from __future__ import annotations

from html import escape
from typing import Any

from lab import drawing
from lab.engines import Thought
from lab.pages.parts import found, state_of
from lab.solved import Truth, truth
from lab.table import Desk
from lab.words import known
from starter.games import Move, State


def searched(desk: Desk) -> str:
    """A position, and what the search found there."""
    if desk.task is None:
        return ""
    name, game, state = desk.task[:3]
    before = drawing.position(game, state, state.to_move)
    thought = desk.thought
    if thought is None:
        return before + state_of(desk)
    after = drawing.position(game, game.result(state, thought.move), state.to_move)
    words = f"<p><b>{escape(name)}</b> plays {escape(str(thought.move))}:</p>"
    return (
        f'{words}<div class="side">{before}{after}</div>{found(thought, state.to_move)}'
        f"{drawing.table(ranking(thought, state))}<p>{escape(choice(thought))}</p>"
        f"{in_truth(thought.move, truth(state))}"
    )


def ranking(thought: Thought, state: State) -> list[dict[str, Any]]:
    """The moves as the search ranks them, for a table, beside their truth where that is known; the
    one that is played comes first."""
    known_truth = {str(move): true for move, true in truth(state).items()}
    played = str(thought.move)
    others = [{"move": move} for move in [played, *known_truth] if known_truth]
    rows = thought.moves or list({row["move"]: row for row in others}.values())
    value = f"value for {state.to_move}"
    return [
        {name: cell for name, cell in row.items() if name not in ("v", "bounds")}
        | ({value: known(row["bounds"], row["v"])} if "v" in row else {})
        | (as_row(known_truth[row["move"]]) if known_truth else {})
        for row in rows
    ]


def as_row(true: Truth) -> dict[str, Any]:
    """The truth of a move, for a table."""
    ends = f"{true.worth} in {true.stones}" if true.stones else true.worth
    return {"exact score": true.score, "truth": ends, "keeps the value": "✓" if true.keeps else ""}


def in_truth(move: Move, known_truth: dict[Move, Truth]) -> str:
    """Whether a move keeps what its position is worth, and what the exact scores mean."""
    if not known_truth:
        return ""
    best, true = max(known_truth.values()), known_truth[move]
    words = f"{move} keeps the {best.worth}."
    if not true.keeps:
        keeping = " or ".join(str(other) for other, that in known_truth.items() if that.keeps)
        words = f"{move} turns a {best.worth} into a {true.worth}; {keeping} would keep it."
    return (
        f"<p><b>In truth {words}</b></p><small>That is by perfect play of both sides. “Win in 3”: "
        "with the third stone from here. A score is the larger, the sooner the win and the later "
        "the loss.</small>"
    )


def choice(thought: Thought) -> str:
    """By what the final choice is made, and whether it was."""
    rows = thought.moves
    if not rows:
        return ""
    if "N" not in rows[0]:
        words = (
            "The choice goes by the value, of equal ones the first. A bound, such as “at most 2”, "
            "is all that the search had to know of a move."
        )
        largest = max(rows, key=lambda row: row["v"])
        if rows[0]["v"] < largest["v"]:
            words += f" But {largest['move']} is worth more than {rows[0]['move']}, the one played."
        return words
    words = "The choice goes by N, the number of visits; U/N is the mean result."
    most = max(rows, key=lambda row: row["N"])
    if rows[0]["N"] < most["N"]:
        words += (
            f" But {most['move']} was visited more often than {rows[0]['move']}, the one played."
        )
    return words
