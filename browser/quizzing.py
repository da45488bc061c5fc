"""Ask questions about the search in the editor's files, in the page."""

from typing import Any

from autograder.feedback import svg
from autograder.quiz.item import FORMS, Item, is_code
from autograder.quiz.kinds import make_items
from autograder.quiz.terminal import COUNT, make_subject
from autograder.submission import read_submission
from browser.grading import STARTER, PageTransport

ASKED: list[Item] = []  # the questions that are shown


def quiz(seed: str) -> Any:
    """Make questions about the files. Raises UsageError if there are none."""
    ASKED.clear()
    with make_subject(read_submission(STARTER), PageTransport) as subject:
        ASKED.extend(make_items(subject, seed, COUNT))
    return {"items": [describe(item) for item in ASKED]}


def describe(item: Item) -> dict[str, Any]:
    """Return what the page shows of a question."""
    return {
        "lines": [(is_code(line), line) for line in item.text.split("\n")],
        "caption": item.picture.caption if item.picture is not None else "",
        "drawing": svg.draw(item.picture) if item.picture is not None else "",
        "choices": item.choices,
        "form": FORMS[item.form],
    }


def judge(number: int, typed: str) -> Any:
    """Judge the answer to a question that is shown."""
    words, right = ASKED[number].judge(typed)
    return {"words": words, "right": right}
