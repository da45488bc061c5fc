"""The page Check yourself: questions, and why an answer is right."""

from __future__ import annotations

from collections.abc import Sequence

from lab import drawing
from lab.concepts import Question


def tally(questions: Sequence[Question], answers: Sequence[str | None]) -> str:
    """How many of the questions are answered, and how many rightly."""
    right = sum(
        answer == question.answers[question.right] for question, answer in zip(questions, answers)
    )
    given = sum(answer is not None for answer in answers)
    return drawing.facts({"questions": len(questions), "answered": given, "right": right})


def verdict(question: Question, answer: str | None) -> str:
    """Whether an answer is right, and why; nothing before one is given."""
    if answer is None:
        return ""
    if answer == question.answers[question.right]:
        return f"✓ **Right.** {question.why}"
    return f"✗ **Not so.** {question.why}"
