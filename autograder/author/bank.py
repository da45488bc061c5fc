"""Read banks of submissions: the solution with changes, and the expected result.

An entry is a text file. Its first line describes it, the next lines give the expected result, and
then the changed files follow:

    prunes only when v lies strictly beyond the bound
    fails: 2.6
    says: you pruned on v > beta and v < alpha; equality is enough
    --- alphabeta.py: changes
    <<<<<<< solution
            if v >= beta:
    =======
            if v > beta:
    >>>>>>> entry

changes: for each place of the solution's file, whole lines that occur once, and their replacement
added:   code after the solution's file, such as functions that replace others
whole:   the whole file

`@cases@` stands for the public cases of the file's question.

The keys depend on the bank. A right submission has none: it gets all points.

Wrong submissions (autograder/author/known_mistakes/, autograder/selftest/banks/wrong/):
fails:       the tests that must fail
may fail:    tests that may pass or fail
says:        completes "This is what you would get if ..."; only in known_mistakes/
shows:       a test, and a part of its message that messages.ini does not hold: a number, a line of
             code, a mark of the drawing; one line for each part

Shortcuts (autograder/selftest/banks/shortcuts/) avoid the algorithm. Only the entry's files are
submitted:
scores:   for each question the maximum points (or all), the tests that it always passes, and why:
          `4: 27 | 4.1 4.2 | the phases are right in themselves`

Hostile submissions (autograder/selftest/banks/hostile/) gain no points by the added code:
tests:    the question or test that is graded
needs:    the system's features that stop it
base:     starter, if the file is the starter's instead of the solution's
seen:     the codes of its findings, which change if the attack is stopped before its aim
"""

import json
import re
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path, PurePath
from typing import NamedTuple

from autograder.questions import QUESTION_FILES, ROOT, find_question, is_off
from autograder.serving.case_files import FOLDER
from autograder.submission import Submission

SOLUTION = ROOT / "solution"
KNOWN_MISTAKES = Path(__file__).resolve().parent / "known_mistakes"
KEYS = ("fails", "may fail", "says", "shows", "scores", "tests", "needs", "base", "seen")
PART = re.compile(r"^--- (\w+\.py): (changes|added|whole)\n", re.M)
CHANGE = re.compile(r"^<<<<<<< solution\n(.*?)^=======\n(.*?)^>>>>>>> entry\n", re.M | re.S)


class FileChanges(NamedTuple):
    file: str
    how: str
    text: str


@dataclass(frozen=True, eq=False)
class Entry:
    """One submission of a bank; `expected` has the lines of each key."""

    name: str
    expected: dict[str, list[str]]
    parts: tuple[FileChanges, ...]

    def get(self, key: str) -> str:
        """Return the line of a key, "" if there is none."""
        return "".join(self.expected.get(key, []))

    @property
    def fails(self) -> tuple[str, ...]:
        return tuple(self.get("fails").split())

    @property
    def may_fail(self) -> tuple[str, ...]:
        return tuple(self.get("may fail").split())

    @property
    def says(self) -> str:
        return self.get("says")

    @property
    def question(self) -> str:
        """Return the number of its first file's question."""
        return find_question(self.parts[0].file).number

    @cached_property
    def files(self) -> dict[str, bytes]:
        """Return the changed files. Raises ValueError if a change is not applicable once."""
        return self.apply_parts()

    @property
    def honest(self) -> dict[str, bytes]:
        """Return the files without the added code."""
        return self.apply_parts(with_added=False)

    @property
    def submission(self) -> Submission:
        """Return the whole solution with its changes."""
        files = {name: (SOLUTION / name).read_bytes() for name in QUESTION_FILES}
        return Submission({**files, **self.files})

    def apply_parts(self, with_added: bool = True) -> dict[str, bytes]:
        found: dict[str, bytes] = {}
        for file, how, text in self.parts:
            if how == "whole":
                source = text
            else:
                base = ROOT / (self.get("base") or "solution") / file
                source = (found.get(file) or base.read_bytes()).decode()
                if how == "changes":
                    source = self.apply_changes(source, file, text)
                elif with_added:
                    source += f"\n\n{text}"
            if "@cases@" in source:
                cases = json.loads((FOLDER / file).with_suffix(".json").read_text("utf-8"))
                source = source.replace("@cases@", repr(cases["cases"]))
            found[file] = source.encode()
        return found

    def apply_changes(self, source: str, file: str, text: str) -> str:
        for old, new in CHANGE.findall(text):
            if (count := source.count(old)) != 1:
                place = f"this stands {count} times in {file}, but must stand there once"
                raise ValueError(f"{self.name}: {place}:\n{old}")
            source = source.replace(old, new)
        return source


def read_bank(folder: Path) -> list[Entry]:
    """Return the entries in a folder by question and name, without questions off.

    Raises ValueError for an invalid entry.
    """
    entries = [read_entry(path) for path in sorted(folder.glob("*.txt"))]
    return sorted((one for one in entries if one.parts), key=lambda entry: entry.question)


def read_entry(path: Path) -> Entry:
    """Read one entry without files of questions that are off. Raises ValueError."""
    head, *rest = PART.split(path.read_text(encoding="utf-8"))
    description, *lines = head.splitlines() or [""]
    expected: dict[str, list[str]] = {}
    for line in lines:
        key, colon, value = line.partition(": ")
        if not colon or key not in KEYS:
            raise ValueError(f"{path.name}: not one of {', '.join(KEYS)}: {line}")
        expected.setdefault(key, []).append(value)
    parts = [FileChanges(*rest[i : i + 3]) for i in range(0, len(rest), 3)]
    for part in parts:
        unread = CHANGE.sub("", part.text) if part.how == "changes" else not part.text
        if unread:
            raise ValueError(f"{path.name}: the changes of {part.file} can't be read")
    if not description or not parts:
        raise ValueError(f"{path.name}: there should be a description and a changed file")
    on = tuple(part for part in parts if not is_off(PurePath(part.file)))
    return Entry(path.stem, expected, on)


@cache
def read_known_mistakes() -> list[Entry]:
    """Return the mistakes that have a diagnosis for students."""
    return read_bank(KNOWN_MISTAKES)
