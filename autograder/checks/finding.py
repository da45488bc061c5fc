"""What is wrong with an answer, and words from the student's side that may be shown."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from autograder.diagram import Picture
from autograder.serving.cases import Case
from autograder.submission import printable
from autograder.worker.inside.protocol import LONGEST_SHOWN

LONGEST_TEXT = 2_000  # characters of one line of a message
LONGEST_WORD = 80  # characters of what a screen can't break


@dataclass(eq=False)
class Wrong(AssertionError):
    """An answer that is not right.

    code:     a short name of the finding, e.g. "missed-cut/min"; it stays when the words change
    what:     one line: what is wrong
    expected: what a right answer would have been, and `got` what came
    where:    lines that show where it first went wrong
    pictures: the position, tree or search tree, with what is to be seen in it
    call:     the index of the call it is about, where one question holds several
    """

    code: str
    what: str
    expected: str = ""
    got: str = ""
    where: list[str] = field(default_factory=list)
    pictures: list[Picture] = field(default_factory=list)
    call: int | None = None
    final: bool = False  # further cases would show the same, or take as long
    case: Case | None = None  # a smaller case that shows it
    alone: bool = True  # the case alone, without those before it, shows it too

    def __post_init__(self) -> None:
        """Shorten what student code may have made long."""
        self.what, self.expected, self.got = (
            line[:LONGEST_TEXT] for line in (self.what, self.expected, self.got)
        )

    def __str__(self) -> str:
        return self.what


@contextmanager
def about_call(index: int, where: Sequence[str] = ()) -> Iterator[None]:
    """What is found here is about the call with that index; `where` is said besides."""
    try:
        yield
    except Wrong as wrong:
        wrong.call = index
        wrong.where += where
        raise


class NotWritten(Wrong):
    """The function is still a stub, or is not there."""


@dataclass(eq=False)
class TooSlow(Wrong):
    """The worker was stopped at its time limit.

    first: no other test of the same file was, before
    """

    first: bool = True


def word(value: Any) -> str:
    return text(value)[:LONGEST_SHOWN]


def text(value: Any) -> str:
    """Student-derived text: cut, also in its words, and without what a terminal would obey."""
    shown = value if isinstance(value, str) else json.dumps(value)
    words = shown[:LONGEST_TEXT].split()
    shown = " ".join(w if len(w) <= LONGEST_WORD else f"{w[:LONGEST_WORD]}..." for w in words)
    return printable(re.sub(r" at 0x[0-9A-Fa-f]+", "", shown))  # <Node object at ...>


def named(kind: str) -> str:
    """The name of a type of exception, as a part of a code; it may be the student's own."""
    return kind if re.fullmatch("[A-Za-z]{1,40}", kind) else "Exception"
