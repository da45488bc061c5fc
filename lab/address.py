"""What a reload keeps: it stands in the page's address, as text that anybody may have changed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from types import ModuleType
from typing import Any

from lab.boards import Category
from lab.quiz import Question

Saved = dict[str, str]


def read(mo: ModuleType) -> Saved:
    """Return what the address held when the page was opened."""
    return {name: str(value) for name, value in mo.query_params().to_dict().items()}


def write(mo: ModuleType, **items: str | Iterable[int]) -> None:
    """Put these into the address, numbers with dots between them."""
    for name, item in items.items():
        mo.query_params().set(name, item if isinstance(item, str) else ".".join(map(str, item)))


def dropdown(
    mo: ModuleType, saved: Saved, name: str, options: Sequence[str], default: str, label: str = ""
) -> Any:
    """Return a dropdown that begins with the saved option, if it is one."""
    value = saved.get(name, "")
    return mo.ui.dropdown(options, value if value in options else default, label=label or name)


def numbers(text: str) -> list[int]:
    """Return the numbers in a text; of one that is too long, its beginning."""
    return [int(word[:9]) for word in text.split(".") if word.isdecimal()]


def moves(saved: Saved) -> list[int]:
    """Return the moves that were played, once: the next game begins without them."""
    return numbers(saved.pop("moves", ""))


def sizes(saved: Saved, category: Category) -> dict[str, int]:
    """Return the sizes of a game of that category, or those to begin with."""
    found = numbers(saved.get("sizes", ""))
    if saved.get("game") != category.name or len(found) != len(category.sizes):
        return category.sizes
    return {
        name: min(max(size, 1), category.largest(name)) for name, size in zip(category.sizes, found)
    }


def answers(saved: Saved, questions: Sequence[Question]) -> list[str | None]:
    """Return the answers that were given to the questions."""
    places = saved.get("answers", "").ljust(len(questions), "-")
    return [
        question.answers[int(place)] if place in "012"[: len(question.answers)] else None
        for question, place in zip(questions, places)
    ]


def places(questions: Sequence[Question], given: Sequence[str | None]) -> str:
    """Return answers as `answers` takes them: of each its place, or "-"."""
    return "".join(
        "-" if answer is None else str(question.answers.index(answer))
        for question, answer in zip(questions, given)
    )
