"""An item: one question about a submission, its answer, and answers that are wrong."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from autograder.diagram import Tree, format_value

NONE = "none"  # the answer that names no node
LETTERS = "ABCD"
FORMS = {  # the forms of an answer, and how to write one
    "number": "a number",
    "node": "a node, such as a/b",
    "nodes": "nodes, such as a/b, c/a; or none",
    "choice": "a letter",
}


class NotAsked(Exception):
    """This tree makes no good question: the next one may."""


@dataclass(frozen=True)
class Item:
    """One question about a submission.

    text:    the question; a line that begins with four spaces is code
    answer:  the right answer, in the form that `read_answer` returns
    why:     the reason, in a sentence or two
    wrong:   other answers; each completes "That would be right if ...", or is "" if nothing does
    form:    one of FORMS; for a choice `choices` are the answers in their order
    lines:   of the student's file `file`: number and text
    facts:   what the answer depends on, so that it can be computed in another way
    kind:    its kind, a name in `kinds.KINDS`
    """

    form: str
    answer: str
    wrong: dict[str, str]
    text: str
    why: str
    choices: tuple[str, ...] = ()
    picture: Tree | None = None
    file: str = ""
    lines: tuple[tuple[int, str], ...] = ()
    facts: dict[str, Any] = field(default_factory=dict)
    kind: str = ""

    @property
    def shown(self) -> list[str]:
        """Return the lines of the question, and below them those of the student's file."""
        code = [f"    {number:>3}  {text}" for number, text in self.lines]
        return [*self.text.split("\n"), *([f"{self.file}:", *code] if code else [])]

    @property
    def written_answer(self) -> str:
        """Return the right answer as a student writes it: of a choice the letter."""
        return self.write(self.answer)

    def write(self, answer: str) -> str:
        """Return an answer as a student writes it."""
        return LETTERS[self.choices.index(answer)] if answer in self.choices else answer

    def judge(self, typed: str) -> tuple[str, bool | None]:
        """Return the verdict in words, and whether the answer is right; None if it is none."""
        try:
            given = typed
            if typed not in self.choices:
                given = read_answer(self.form, self.choices, typed)
        except ValueError as problem:
            return str(problem), None
        if given == self.answer:
            return f"Right. {self.why}", True
        verdict = [f"Not so: {self.answer}.", self.explain(given), self.why]
        return " ".join(filter(None, verdict)), False

    def explain(self, given: str) -> str:
        """Say what is wrong with an answer, as far as it is known."""
        words = self.wrong.get(given)
        return f"That would be right if {words}." if words else ""


def make_item(
    rng: Random, form: str, answer: str, wrong: Iterable[tuple[object, str]], **rest: Any
) -> Item:
    """Return an item; a choice has the first three wrong answers.

    wrong: answers with their misconceptions; of equal ones the first counts

    Raises NotAsked if no mistake would show, or too few for a choice.
    """
    found: dict[str, str] = {}
    for text, misconception in wrong:
        if str(text) != answer:
            found.setdefault(str(text), misconception)
    choices = []
    if form == "choice":
        found = dict(list(found.items())[:3])
        choices = rng.sample([answer, *found], len(found) + 1)
    if not found or len(choices) not in (0, len(LETTERS)):
        raise NotAsked
    return Item(form, answer, found, choices=tuple(choices), **rest)


def read_answer(form: str, choices: Sequence[str], typed: str) -> str:
    """Return a typed answer in one form. Raises ValueError if it has not that form."""
    text = " ".join(typed.split())
    if form == "choice":
        letters = LETTERS[: len(choices)]
        if len(text) == 1 and text.upper() in letters:
            return choices[letters.index(text.upper())]
        raise ValueError(f"type one of the letters {', '.join(letters)}")
    if form == "number":
        try:
            return format_number(float(text.replace("−", "-").replace(",", ".")))
        except (ValueError, OverflowError):
            raise ValueError("type a number, such as -3") from None
    names = [name.strip(" /") for name in text.replace(",", " ").split()]
    if not names:
        raise ValueError(f"type {FORMS[form]}")
    if form == "node":
        return "/".join(names)
    return name_nodes(() if names == [NONE] else names)


def is_code(line: str) -> bool:
    """Is a line of a question's text code?"""
    return line.startswith("    ")


def format_number(number: float) -> str:
    """Return a number as text, the same for 3 and 3.0."""
    return format_value(int(number) if number == int(number) else number)


def name_nodes(nodes: Iterable[str]) -> str:
    """Return a set of nodes as one text."""
    return ", ".join(sorted(set(nodes))) or NONE
