"""Reads the bank of lazy submissions: they do without the algorithm, and get what is right in them.

Each folder of lazy/ is a submission, as a student might hand it in: one question file or more. In
deserves.txt stands what it does without and, for each question that there is a file for, the most
points it deserves, the tests that it passes for certain, and why:

    without: the tree: UCB chooses among the root's children, from there on all is random
    4: 27 | 4.1 4.2 4.3 4.4 4.5 | the four phases are right in themselves

There may be a second line, `kind:`, for whom one of the goals in test_lazy.py holds.

A file may hold the line `PUBLIC_CASES = {}`: the cases of its question that students have.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from autograder.cases import FOLDER
from autograder.questions import is_off, question_of
from autograder.submission import Submission

LAZY = Path(__file__).resolve().parent / "lazy"
KINDS = ("", "nothing searched", "alpha-beta, flat playouts", "one line of play", "first moves")
HEADER = re.compile(r"without: (?P<without>.+)\n(kind: (?P<kind>.+)\n)?(?P<deserts>(.+\n)+)")
DESERT = re.compile(r"(?P<question>\d): (?P<most>\d+) \|(?P<passes>( \d\.\d+)*) +\| (?P<why>.+)")


class Desert(NamedTuple):
    """What a submission deserves in one question: the most points, and the tests it passes."""

    most: int
    passes: tuple[str, ...]
    why: str


@dataclass(frozen=True)
class LazySubmission:
    """One entry of the bank."""

    name: str
    without: str
    kind: str
    deserts: dict[str, Desert]  # by question

    @property
    def submission(self) -> Submission:
        """Its question files; one that is not there counts as not handed in."""
        folder = LAZY / self.name
        return Submission({path.name: read_file(path) for path in folder.glob("*.py")})


def read_file(path: Path) -> bytes:
    content = path.read_bytes()
    if b"PUBLIC_CASES = {}" in content:
        public = FOLDER / f"{path.stem}.json"
        cases = json.loads(public.read_text(encoding="utf-8"))["cases"]
        content = content.replace(b"PUBLIC_CASES = {}", f"PUBLIC_CASES = {cases!r}".encode())
    return content


def read_lazy() -> list[LazySubmission]:
    """Return the bank by name, without what is off. Raises ValueError for what can't be read."""
    folders = [folder for folder in sorted(LAZY.iterdir()) if folder.is_dir()]
    return [read_entry(folder) for folder in folders if not any(map(is_off, folder.iterdir()))]


def read_entry(folder: Path) -> LazySubmission:
    header = HEADER.fullmatch((folder / "deserves.txt").read_text(encoding="utf-8"))
    if header is None or (header["kind"] or "") not in KINDS:
        raise ValueError(f"{folder.name}: deserves.txt should have a line without:, perhaps kind:")
    deserts = {}
    for line in header["deserts"].splitlines():
        desert = DESERT.fullmatch(line)
        if desert is None:
            raise ValueError(f"{folder.name}: not of the form 4: most | tests | why: {line}")
        deserts[desert["question"]] = Desert(
            int(desert["most"]), tuple(desert["passes"].split()), desert["why"]
        )
    files = {question_of(question).file for question in deserts}
    if files != {path.name for path in folder.glob("*.py")}:
        raise ValueError(f"{folder.name}: deserves.txt should have a line for each question file")
    return LazySubmission(folder.name, header["without"], header["kind"] or "", deserts)
