"""Questions about the searches; they stand in quiz.json."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

from lab.student import FUNCTIONS


class Question(NamedTuple):
    """A question with its possible answers.

    right: the place of the right answer
    why:   why it is right
    about: the graded question, by its name; "" for several
    """

    text: str
    answers: list[str]
    right: int
    why: str
    about: str = ""

    @property
    def right_answer(self) -> str:
        return self.answers[self.right]


def verdict(question: Question, answer: str | None) -> str:
    """Say whether an answer is right, and why; nothing before one is given."""
    if answer is None:
        return ""
    right = answer == question.right_answer
    return f"{'✓ **Right.**' if right else '✗ **Not so.**'} {question.why}"


FILE = Path(__file__).resolve().parent / "quiz.json"
ALL = [Question(**fields) for fields in json.loads(FILE.read_text(encoding="utf-8"))]
QUIZ = [question for question in ALL if question.about in ("", *FUNCTIONS)]
