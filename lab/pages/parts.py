"""What several pages have, and what stands above them all."""

from __future__ import annotations

from html import escape
from types import ModuleType
from typing import Any

from autograder.feedback.page import last_step
from autograder.settings import SETTINGS
from lab import drawing
from lab.engines import ENGINES, Thought, ready
from lab.jobs import Job, Page
from lab.student import FUNCTIONS, STUB, Student, written
from lab.table import Desk

HEADING = (
    f'<h1 class="lab-title">{escape(SETTINGS.title)}: the lab</h1>'
    '<p class="lab-lead">Play against your own functions, '
    "watch them search, measure what they cost.</p>"
)
PATIENCE = 10  # seconds that the student's files may take to be read


def columns(left: str, right: str) -> str:
    """Two things side by side, or one below the other where the window is narrow."""
    return f'<div class="columns"><div>{left}</div><div>{right}</div></div>'


def kindly(problem: str) -> str:
    """A trouble, told as something to do next; nothing if there is none."""
    return f'<div class="kind">{escape(problem)}</div>' if problem else ""


def what_can_be_used(page: Page) -> Student:
    """What of the student's functions can be used; without the functions, which stay away from the
    page."""
    try:
        return Student({}, Job(page, written).wait(PATIENCE))
    except (TimeoutError, RuntimeError) as problem:
        why = f"your files can't be read: {problem}"
        return Student({}, {(file, name): why for file in FUNCTIONS for name in FUNCTIONS[file]})


def what_is_written(code: Student) -> str:
    """Which of the student's files are ready, what can't be read, and what to do next."""
    troubles = {e.name: code.trouble(e.file) for e in ENGINES.values() if e.file}
    chips = [
        f'<span class="chip {"missing" if trouble else "ready"}" '
        f'title="{escape(trouble or "written")}">{"○" if trouble else "✓"} {name}</span>'
        for name, trouble in troubles.items()
    ]
    bad = [trouble for trouble in troubles.values() if trouble and STUB not in trouble]
    next_ = f"<span>{escape(last_step())}</span>"
    return f'<div class="chips">{"".join(chips)}{next_}</div>{kindly("".join(bad[:1]))}'


def favourite(code: Student) -> str:
    """The engine to begin with: quick and strong, if it is written."""
    names = ready(code)
    return "alpha-beta" if "alpha-beta" in names else names[0]


def setting_controls(mo: ModuleType, engine: str, depth: int | None) -> Any:
    """The controls of the settings that concern an engine, and a depth that fits the game."""
    uses = ENGINES[engine].uses if engine in ENGINES else ()
    to_the_end = engine in ("minimax", "alpha-beta") and depth is None
    controls = {
        "plies": mo.ui.slider(
            1, 9, value=9 if to_the_end else depth or 5, label="plies looked ahead", show_value=True
        ),
        "playouts": mo.ui.slider(
            steps=[10, 30, 100, 300, 1000, 3000, 10000],
            value=1000,
            label="playouts",
            show_value=True,
        ),
        "C": mo.ui.slider(
            0, 4, step=0.1, value=SETTINGS.C, label="C, exploration", show_value=True
        ),
    }
    return mo.ui.dictionary({name: controls[name] for name in uses})


def found(thought: Thought, side: str) -> str:
    """The value, if it is known, and the cost of a search by the player `side`."""
    value = {f"value for {side}": thought.value} if thought.counts else {}
    return drawing.facts(value | thought.counts | {"seconds": f"{thought.seconds:.3f}"})


def state_of(desk: Desk) -> str:
    """How far a search is, or why it found nothing."""
    if desk.running:
        return f'<p class="thinking">searching … {desk.progress}</p>'
    return kindly(desk.problem)
