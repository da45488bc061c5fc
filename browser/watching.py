"""Run the lab's modules in the page: watch searches and play against them."""

from __future__ import annotations

import random
from collections.abc import Mapping
from html import escape
from typing import Any

from browser.grading import Page, lay_out, read_files
from lab import explain, squares, student, trees
from lab.boards import BY_NAME
from lab.engines import SearchResult, SearchSettings, Task, rate_moves, search
from lab.match import Match, describe_match, describe_result, explain_opponent
from lab.positions import POSITIONS, read_typed_position
from starter.games import other

WATCHED: list[tuple[Task, SearchResult]] = []  # the search that is watched


def watch(
    page: Page, files: Mapping[str, str], position: str, engine: str, settings: dict[str, Any]
) -> Any:
    """Let an engine search a position.

    Return the number of steps, the stops, and the tree before the first step. Raises ValueError if
    the search fails.
    """
    lay_out(read_files(files))
    WATCHED.clear()
    game, state = read_typed_position(position, POSITIONS[position])
    task = Task(engine, game, state, SearchSettings(**settings), recorded=True)
    try:
        result = search(student.read_code(), task)
    except (Exception, SystemExit) as problem:
        raise ValueError(student.explain_exception(problem)) from problem
    WATCHED.append((task, result))
    name, stops = trees.find_stops(result)
    return {"steps": len(result.steps), "next": name, "stops": stops, **show(page, 0)}


def show(page: Page, step: int) -> Any:
    """Describe the search after its first `step` steps, and draw its tree."""
    ((task, result),) = WATCHED
    figures, legend = explain.make_legend(result, step, task.state.to_move)
    counts = "".join(f"<b>{value:,}</b> {name}. " for name, value in figures.items())
    return {
        "words": f"<p>{escape(explain.describe_last_step(result.steps[:step]))}</p>",
        "rows": trees.make_rows_at_step(task, result, step, {}),
        "legend": f"<p>{counts}</p><small>{legend}</small>",
    }


def play(
    page: Page,
    files: Mapping[str, str],
    game: str,
    side: str,
    engine: str,
    settings: dict[str, Any],
    played: list[str],
    move: str,
    back: bool,
) -> Any:
    """Continue a game after the moves in `played`, and let the engine move.

    move: the human's move, or "" if there is none
    back: whether to take the human's last move back
    """
    lay_out(read_files(files))
    code, category = student.read_code(), BY_NAME[game]
    start = Match(category.make_game(), side, random.getrandbits(32))
    match = start.play_named_moves(played)
    match = match.play_human_move(move) if move else match
    match = match.take_back() if back else match
    problem, values = "", {}

    def task() -> Task:
        return Task(engine, match.game, match.state, SearchSettings(**settings))

    try:
        while not match.is_over and not match.is_human_to_move:
            result = search(code, task())
            match = match.play(result.move, result)
        if not match.is_over:
            values = rate_moves(code, task())
    except (Exception, SystemExit) as failed:
        problem = student.explain_exception(failed)
    found = f"<p>{describe_result(match.last_result, other(side))}</p>" if match.last_result else ""
    return {
        **squares.describe_board(match, values),
        "turn": escape(problem or describe_match(match, engine, None)),
        "behind": f"{found}<small>{explain_opponent(engine)}</small>",
        "played": list(map(str, match.moves)),
    }
