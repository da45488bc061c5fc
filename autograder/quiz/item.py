"""An item: one question about a submission, its answer, and answers that are wrong."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from math import isfinite
from typing import Any

from autograder.diagram import Node, Tree, format_value
from autograder.printable import sanitize

NONE = "none"  # the answer that names no node
ROOT = "root"  # the name of the node that has no move
LETTERS = "ABCD"
FORMS = {  # the forms of an answer, and how to write one
    "number": "a number",
    "move": "a move, such as b",
    "node": "a node, such as a/b",
    "leaves": "leaves, such as a/b, c/a; or none",
    "nodes": "nodes, such as a/b, c/a; or none",
    "choice": "a letter",
}
SETS = ("leaves", "nodes")  # the forms that name several nodes, or none


class NotAsked(Exception):
    """This tree makes no good question: the next one may."""


def expect(condition: bool) -> None:
    """Go on only with a tree that makes a good question. Raises NotAsked."""
    if not condition:
        raise NotAsked


@dataclass(frozen=True)
class Item:
    """One question about a submission.

    text:    the question; a line that begins with four spaces is code
    answer:  the right answer, in the form that `read_answer` returns
    why:     the reason, in a sentence or two
    wrong:   other answers; each completes "That would be right if ...", or is "" if nothing does
    form:    one of FORMS; for a choice `choices` are the answers in their order
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
    facts: dict[str, Any] = field(default_factory=dict)
    kind: str = ""

    @property
    def names(self) -> list[str]:
        """Return what an answer that names nodes of the drawing may name."""
        if self.picture is None:
            return []
        root = self.picture.root
        if self.form == "move":
            return [child.name for child in root.children]
        nodes = walk_paths(root)
        return [path for path, node in nodes if self.form != "leaves" or not node.children]

    def write(self, answer: str) -> str:
        """Return an answer as a student writes it: of a choice the letter."""
        return LETTERS[self.choices.index(answer)] if answer in self.choices else answer

    def judge(self, typed: str) -> tuple[str, bool | None]:
        """Return the verdict in words, and whether the answer is right; None if it is none."""
        try:
            given = read_answer(self.form, self.choices, typed, self.names)
        except ValueError as problem:
            return str(problem), None
        if given == self.answer:
            return f"Right. {self.why}", True
        words = self.wrong.get(given)
        known = f"That would be right if {words}. " if words else ""
        return f"Not so: {self.answer}. {known}{self.why}", False


def list_mistakes(mistakes: Iterable[tuple[object, str]]) -> dict[str, str]:
    """Return wrong answers with their misconceptions; of equal answers the first counts."""
    found: dict[str, str] = {}
    for answer, misconception in mistakes:
        found.setdefault(str(answer), misconception)
    return found


def walk_paths(root: Node, path: str = "") -> Iterator[tuple[str, Node]]:
    """Yield the nodes of a drawing with their paths, such as a/b; the root is "root"."""
    yield path or ROOT, root
    for child in root.children:
        yield from walk_paths(child, f"{path}/{child.name}".strip("/"))


def read_answer(form: str, choices: Sequence[str], typed: str, names: Collection[str]) -> str:
    """Return a typed answer in one form. Raises ValueError if it has not that form.

    names: the nodes that an answer may name
    """
    text = " ".join(typed.split())
    if form == "choice":
        letters, letter = dict(zip(LETTERS, choices)), text.strip("().").upper()
        if typed in choices:
            return typed
        if letter in letters:
            return letters[letter]
        raise ValueError(f"type one of the letters {', '.join(letters)}")
    if form == "number":
        with suppress(ValueError):
            if isfinite(number := float(text.replace("−", "-").replace(",", "."))):
                return format_value(number)
        raise ValueError("type a number, such as -3")
    words = [word.lower().strip("/.()[]{}'\"") for word in re.split(r"[\s,;]+", text)]
    found = [word.removeprefix(f"{ROOT}/") for word in words if word not in ("", "and")]
    if form in SETS and found == [NONE]:
        return NONE
    for name in found:
        if name not in names:
            kind = {"move": "move at the root", "leaves": "leaf"}.get(form, "node")
            raise ValueError(f"type {FORMS[form]}: {sanitize(name)} is no {kind} of this drawing")
    if not found or (form not in SETS and len(found) > 1):
        raise ValueError(f"type {FORMS[form]}")
    return name_nodes(found)


def is_code(line: str) -> bool:
    """Is a line of a question's text code?"""
    return line.startswith("    ")


def name_nodes(nodes: Iterable[str]) -> str:
    """Return a set of nodes as one text."""
    return ", ".join(sorted(set(nodes))) or NONE
