"""Run the lab's modules in the page: watch searches and play against them."""

import random
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from autograder.questions import find_question
from autograder.serving.case_files import Cases
from autograder.serving.cases import PlayoutsCase, PositionsCase, SearchCase
from browser.grading import WATCH_S, time_limit
from lab import squares, student, trees
from lab.boards import BY_NAME, MAX_PLIES
from lab.engines import ENGINES, SearchResult, Task, rate_moves, search
from lab.match import Match, describe_match, describe_result, explain_opponent
from lab.positions import POSITIONS, read_typed_position
from starter.games import other

WATCHED: list[tuple[Task, SearchResult]] = []  # the search that is watched


def watch(subject: str, engine: str, **limits: str) -> Any:
    """Let an engine search a position, within the limits that are typed in.

    Return the number of steps, the stops, and the tree before the first step. Raises ValueError if
    the search fails.
    """
    game, state = read_typed_position(subject, POSITIONS[subject])
    return record(Task(engine, game, state, **read_limits(limits), recorded=True))


def read_limits(limits: Mapping[str, str]) -> dict[str, Any]:
    return {name: int(text) for name, text in limits.items()}


def watch_case(chosen: str) -> Any:
    """Let the engine of its question search the position of a case; see `watch`."""
    case = Cases().only(chosen).chosen
    file = find_question(chosen.partition(".")[0]).name
    (engine,) = (name for name in ENGINES if ENGINES[name].file == file)
    own_rules = ("function", "h", "cut", "squares")  # a window, or a heuristic, of the case itself
    if not isinstance(case, SearchCase | PositionsCase | PlayoutsCase) or any(
        getattr(case, name, None) for name in own_rules
    ):
        raise ValueError("this case is more than a search: run it alone, and read its report")
    if isinstance(case, PositionsCase):
        case = replace(case, state=case.positions[0][0])
    depth, playouts = getattr(case, "depth", None), getattr(case, "playouts", 0)
    plies = MAX_PLIES if depth is None else depth + 1
    task = Task(engine, case.make_game(), case.make_state(), plies, playouts, recorded=True)
    return record(task)


def record(task: Task) -> Any:
    """Record a search. Raises ValueError if it fails."""
    WATCHED.clear()
    try:
        with time_limit(WATCH_S):
            result = search(student.read_code(), task)
    except (Exception, SystemExit) as problem:
        raise ValueError(student.explain_exception(problem)) from problem
    WATCHED.append((task, result))
    name, stops = trees.find_stops(result)
    return {"steps": len(result.steps), "next": name, "stops": stops, **show(0)}


def show(step: int) -> Any:
    """Describe the search after its first `step` steps, and draw its tree."""
    if not WATCHED:
        raise ValueError("Python was started again since this search: press Watch again")
    ((task, result),) = WATCHED
    figures, legend = trees.make_legend(result, step, task.state.to_move)
    return {
        "words": trees.describe_last_step(result.steps[:step]),
        "rows": trees.make_rows_at_step(task, result, step),
        "figures": [f"{value:,} {name}." for name, value in figures.items()],
        "legend": legend,
    }


def play(subject: str, side: str, engine: str, played: list[str], back: bool, **limits: str) -> Any:
    """Continue a game after the moves in `played`, and let the engine move.

    back: whether to take the human's last move back
    """
    code, game = student.read_code(), BY_NAME[subject].make_game()
    match = Match(game, side, random.getrandbits(32)).play_named_moves(played)
    match = match.take_back() if back else match
    task = Task(engine, game, match.state, **read_limits(limits))
    problem, values = "", {}
    try:
        with time_limit(WATCH_S):
            while not match.is_over and not match.is_human_to_move:
                result = search(code, task._replace(state=match.state))
                match = match.play(result.move, result)
            if not match.is_over:
                values = rate_moves(code, task._replace(state=match.state))
    except (Exception, SystemExit) as failed:
        problem = student.explain_exception(failed)
    found = describe_result(match.last_result, other(side)) if match.last_result else ""
    return {
        **squares.describe_board(match, values),
        "turn": problem or describe_match(match, engine, None),
        "found": found,
        "explained": explain_opponent(engine),
        "played": list(map(str, match.moves)),
    }
