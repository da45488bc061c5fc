"""Reads the bank of wrong submissions: the solution with one mistake each.

An entry is a small text file. A header tells the mistake, the file it is made in and the tests it
is there for; below are the changes, in the style of merge conflicts, each for one place of the
file. They are of whole lines, and those of the solution stand in the file once:

    mistake: prunes only when v lies strictly beyond the bound
    file: alphabeta.py
    aim: 2.6
    says: you pruned on v > beta and v < alpha; equality is enough
    <<<<<<< solution
            if v >= beta:
    =======
            if v > beta:
    >>>>>>> wrong

aim: the tests that must fail because of this mistake
perhaps: (not in every entry) tests that fail or pass by the luck of the cases
says: (not in every entry) completes "This is what you would get if ..."

All tests that fail for certain, and the code of what the first of them finds, are computed by
`make matrix UPDATE=1`. They stand in wrong/expected.json, to be reviewed as a diff.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from autograder.questions import QUESTION_FILES, ROOT, is_off, question_of
from autograder.submission import Submission

SOLUTION = ROOT / "solution"
WRONG = Path(__file__).resolve().parent / "wrong"
EXPECTED = WRONG / "expected.json"
HEADER = ("mistake", "file", "aim", "perhaps", "says")
CHANGE = re.compile(r"^<<<<<<< solution\n(.*?)^=======\n(.*?)^>>>>>>> wrong\n", re.M | re.S)


@dataclass(frozen=True)
class WrongSubmission:
    """One entry of the bank; the fields are those of its header."""

    name: str
    mistake: str
    file: str
    aim: tuple[str, ...]
    perhaps: tuple[str, ...]
    says: str
    changes: tuple[tuple[str, str], ...]

    @property
    def question(self) -> str:
        return question_of(self.file).number

    def certain(self, failed: Iterable[str]) -> set[str]:
        """Those of the failed tests in which chance plays no part."""
        return set(failed) - set(self.perhaps)

    @cached_property
    def source(self) -> str:
        """The file with the mistake. Raises ValueError if a change fits no place, or several."""
        source = (SOLUTION / self.file).read_text(encoding="utf-8")
        for old, new in self.changes:
            if source.count(old) != 1:
                raise ValueError(
                    f"{self.name}: this stands {source.count(old)} times in {self.file}, "
                    f"but must stand there once:\n{old}"
                )
            source = source.replace(old, new)
        return source

    @property
    def submission(self) -> Submission:
        """The whole solution, with this one mistake."""
        files = {name: (SOLUTION / name).read_bytes() for name in QUESTION_FILES}
        return Submission({**files, self.file: self.source.encode()})


class Expected(NamedTuple):
    """What is expected of one entry: the tests that fail for certain, what the first one finds."""

    fails: tuple[str, ...]
    code: str


def read_expected() -> dict[str, Expected]:
    """Return what is expected of each entry, by name, without what is off."""
    found = json.loads(EXPECTED.read_text(encoding="ascii"))
    return {
        name: Expected(tuple(row["fails"]), row["code"])
        for name, row in found.items()
        if not is_off(Path(name))
    }


def write_expected(expected: dict[str, Expected]) -> None:
    """Write it with one line for each entry, in the order of their names."""
    lines = [
        f"{json.dumps(name)}: {json.dumps(expected[name]._asdict())}" for name in sorted(expected)
    ]
    EXPECTED.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="ascii")


def read_wrong() -> list[WrongSubmission]:
    """Return the bank, by question and name, without what is off.

    Raises ValueError for an entry that can't be read.
    """
    paths = [path for path in sorted(WRONG.glob("*.txt")) if not is_off(path)]
    found = [read_entry(path) for path in paths]
    return sorted(found, key=lambda wrong: wrong.question)


def read_entry(path: Path) -> WrongSubmission:
    text = path.read_text(encoding="utf-8")
    header, mark, _ = text.partition("<<<<<<<")
    fields = dict.fromkeys(HEADER, "")
    for line in header.splitlines():
        key, colon, value = line.partition(": ")
        if not colon or key not in fields:
            raise ValueError(f"{path.name}: not a header line: {line}")
        fields[key] = value
    changes = CHANGE.findall(text)
    if not mark or CHANGE.sub("", text) != header or fields["file"] not in QUESTION_FILES:
        raise ValueError(f"{path.name}: the changes or the name of the file can't be read")
    return WrongSubmission(
        path.stem,
        fields["mistake"],
        fields["file"],
        tuple(fields["aim"].split()),
        tuple(fields["perhaps"].split()),
        fields["says"],
        tuple(changes),
    )
