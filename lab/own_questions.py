"""Questions about the student's own search: made in a job, shown on the page of the quiz."""

from html import escape
from typing import Any

import marimo as mo

from autograder.feedback import svg
from autograder.quiz.item import FORMS, Item, is_code
from autograder.quiz.kinds import make_items
from autograder.quiz.terminal import COUNT, make_subject
from autograder.submission import read_submission
from lab.jobs import Session
from lab.student import FOLDER, StudentCode

TIMEOUT_S = 120  # for the tests that the questions need, and the questions
KINDS: dict[bool | None, Any] = {True: "success", False: "danger", None: "warn"}


def make_own_items(code: StudentCode, seed: str) -> list[Item]:
    """Make items about the files, without the general ones. A job does this."""
    with make_subject(read_submission(FOLDER)) as subject:
        return [item for item in make_items(subject, seed, COUNT) if item.picture is not None]


def load_items(session: Session, seed: str) -> tuple[list[Item], str]:
    """Return items about the student's files, or why there are none."""
    job = session.run(make_own_items, seed)
    if not job.wait(TIMEOUT_S):
        job.stop()
        return [], f"no end within {TIMEOUT_S} seconds: do your files pass their tests?"
    if job.problem:
        return [], job.problem
    return job.result, "" if job.result else "Your files pass too few tests yet for questions."


def make_control(item: Item) -> Any:
    """Return what an answer is given with."""
    if item.choices:
        return mo.ui.radio(dict(zip(item.choices, item.choices)), label="your answer")
    return mo.ui.text(label="your answer", placeholder=FORMS[item.form])


def show_item(number: int, item: Item, control: Any) -> Any:
    """Return a question with its drawing, the control, and the verdict on its value."""
    drawing = ""
    if item.picture is not None:
        scrolled = f'<div class="scroll" tabindex="0">{svg.draw_file(item.picture)}</div>'
        drawing = f"<p>{escape(item.picture.caption)}</p>{scrolled}"
    lines = [
        f"<pre>{escape(line)}</pre>" if is_code(line) else f"{escape(line)}<br>"
        for line in item.text.split("\n")
    ]
    legend = "".join([f"<b>{number}.</b> ", *lines])
    group = f"<fieldset><legend>{legend}</legend>{drawing}{control}</fieldset>"
    verdict: Any = ""
    if control.value:
        words, right = item.judge(control.value)
        verdict = mo.callout(mo.Html(f"<p>{escape(words)}</p>"), KINDS[right])
    return mo.vstack([mo.Html(group), mo.Html(f'<div role="status">{verdict}</div>')])
