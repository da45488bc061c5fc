"""Findings of the checks, as data. `feedback/messages.ini` holds their texts."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from autograder.diagram import Picture
from autograder.printable import sanitize
from autograder.serving.case import Case
from autograder.worker.inside.protocol import PHASES

LONGEST_TEXT = 2_000  # characters of one line of a message
LONGEST_WORD = 80  # characters without a place to break the line
FIRST_WRONG_CALL = "first-wrong-call/"  # of a code: then comes the hint with the words
NOT_WRITTEN = ("not-written", "not-written/missing", "no-file")


@dataclass(frozen=True)
class Hint:
    """A remark on a finding: a key of [hints], and facts."""

    name: str
    facts: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Finding:
    """One defect of a submission. A finding is immutable.

    code:     names its entry in the messages, e.g. "missed-cut/min"; independent of the text
    facts:    the values of the text's placeholders, by name
    hints:    in the order in which they are shown
    diagrams: the position, tree or search tree, with the fault marked in it
    call:     the index of the call it is about, where one request holds several
    stop:     further cases would show the same defect, or take as long
    case:     a smaller case that reproduces it
    reproducible: the case reproduces it without the cases before it
    """

    code: str
    facts: Mapping[str, Any] = field(default_factory=dict)
    hints: tuple[Hint, ...] = ()
    diagrams: tuple[Picture, ...] = ()
    call: int | None = None
    stop: bool = False
    case: Case | None = None
    reproducible: bool = True

    @property
    def not_written(self) -> bool:
        """Is the function still a stub, or missing?"""
        return self.code in NOT_WRITTEN

    @property
    def hint_names(self) -> list[str]:
        return [hint.name for hint in self.hints]

    @property
    def shows_a_call(self) -> bool:
        """Does it show calls, of student code or by it, that are wrong by themselves?"""
        shown = (FIRST_WRONG_CALL, "raised", "search-tree", "node-not-built", "seed-", *PHASES)
        by_code = self.code.startswith(shown) and self.code != "simulate/not-uniform"
        names = self.hint_names
        by_hint = bool(names) and names[0].startswith(("call-", "generator", "chosen-by"))
        return by_code or by_hint or "wrong-side" in names

    def with_hints(self, *hints: Hint) -> Finding:
        """Return the finding with more hints after its own."""
        return replace(self, hints=(*self.hints, *hints))


class Failed(AssertionError):
    """A finding that costs a graded test its points."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.code, dict(finding.facts))
        self.finding = finding


def make_failure(
    code: str,
    facts: Mapping[str, Any] | None = None,
    hints: Iterable[Hint] = (),
    diagrams: Iterable[Picture] = (),
    **more: Any,
) -> Failed:
    """Return the exception for a new finding; `more` are its other fields."""
    return Failed(Finding(code, facts or {}, tuple(hints), tuple(diagrams), **more))


def count_hint(wrong: int, positions: int) -> Hint:
    """Return the hint that says in how many positions a finding occurs."""
    return Hint("so-many", {"wrong": wrong, "positions": positions})


@contextmanager
def attach_case(case: Case) -> Iterator[None]:
    """Attach a smaller case to each finding raised in this context."""
    try:
        yield
    except Failed as failed:
        raise Failed(replace(failed.finding, case=case)) from None


class JudgedMove(NamedTuple):
    """A player's move in a solved position.

    phase:  the phase of the game
    keeps:  does it preserve the value of the position?
    regret: the best score minus its score
    saving: is it the only such move?
    """

    phase: str
    keeps: bool
    regret: int
    saving: bool


def mean_regret(moves: Sequence[JudgedMove]) -> float:
    return sum(move.regret for move in moves) / len(moves)


def clean_text(value: Any) -> str:
    """Return student-derived text, shortened and without terminal control characters."""
    shown = value if isinstance(value, str) else json.dumps(value)
    words = shown[:LONGEST_TEXT].split()
    shown = " ".join(w if len(w) <= LONGEST_WORD else f"{w[:LONGEST_WORD]}..." for w in words)
    return sanitize(remove_addresses(shown))


def remove_addresses(text: str) -> str:
    """Remove addresses, as in <Node object at 0x...>: they differ in each run."""
    return re.sub(r" at 0x[0-9A-Fa-f]+", "", text)


def lookup_keys(code: str) -> tuple[str, str, str]:
    """Return the keys under which to look up a code, the most specific one first.

    "left-too-early/h/no-stop" has the cause "h/no-stop"; "raised/ValueError" is in "raised".
    """
    family, _, cause = code.partition("/")
    return code, cause if "/" in cause else family, family


def name_exception(kind: str) -> str:
    """Return the name of an exception type, perhaps a student's, for a code."""
    return kind if re.fullmatch("[A-Za-z]{1,40}", kind) else "Exception"
