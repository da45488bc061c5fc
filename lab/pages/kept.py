"""What a reload keeps: it stands in the page's address, as text that anybody may have changed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lab.boards import Kind
from lab.concepts import Question


def numbers(text: Any) -> list[int]:
    """The numbers in what was kept; of one that is too long to be read, its beginning."""
    return [int(word[:9]) for word in str(text).split(".") if word.isdecimal()]


def kept_moves(kept: dict[str, Any]) -> list[int]:
    """The moves that were played, once: the next game begins afresh."""
    return numbers(kept.pop("moves", ""))


def kept_sizes(kept: dict[str, Any], kind: Kind) -> dict[str, int]:
    """The sizes of a game of that kind, or those to begin with."""
    sizes = numbers(kept.get("sizes"))
    if kept.get("game") != kind.name or len(sizes) != len(kind.sizes):
        return kind.sizes
    return {name: min(max(n, 1), kind.largest(name)) for name, n in zip(kind.sizes, sizes)}


def kept_answers(kept: dict[str, Any], questions: Sequence[Question]) -> list[str | None]:
    """The answers that were given to the questions."""
    places = str(kept.get("answers", "")).ljust(len(questions), "-")
    return [
        question.answers[int(place)] if place in "012"[: len(question.answers)] else None
        for question, place in zip(questions, places)
    ]


def as_kept(questions: Sequence[Question], answers: Sequence[str | None]) -> str:
    """The answers as `kept_answers` takes them: of each its place, or "-"."""
    return "".join(
        "-" if answer is None else str(question.answers.index(answer))
        for question, answer in zip(questions, answers)
    )
