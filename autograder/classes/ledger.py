"""The ledger of a class: what was handed in, by whom, and what became of its grading.

All of it lies in one folder, and only `class grade` writes there:

    ledger.sqlite       the truth: which submissions there are, and the state of each
    key.json            who is behind a pseudonym; for the owner's eyes only, names are nowhere else
    results/ID.json     what Gradescope would show, and the same as a page, ID.html
    files/ID/           the question files that were graded
"""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any, NamedTuple

FORM = "1"  # of the tables below; a ledger of another form is not read
QUEUED, RUNNING, DONE = "queued", "running", "done"
STUDENT, GRADER = "student", "grader"  # whose trouble it is that there is no result
TABLES = """
CREATE TABLE IF NOT EXISTS about (key TEXT PRIMARY KEY, value TEXT);
CREATE TABLE IF NOT EXISTS submission (id TEXT PRIMARY KEY, folder TEXT, content TEXT, grader TEXT,
    state TEXT, attempts INTEGER, seconds REAL, trouble TEXT, created TEXT);
CREATE TABLE IF NOT EXISTS person (pseudonym TEXT, submission TEXT,
    PRIMARY KEY (pseudonym, submission));
CREATE TABLE IF NOT EXISTS attempt (submission TEXT, created TEXT, score REAL, number INTEGER);
"""


class BadLedger(ValueError):
    """A folder holds no ledger that can be used here; the text says why, and what to do."""


class Submitted(NamedTuple):
    """One submission of the class.

    id:       of the submission on Gradescope, otherwise one that was drawn
    folder:   its name in the export, "" where that may tell a name
    content:  hash of what is graded: equal submissions are graded once
    grader:   hash of the grader and its cases that have graded it, "" before that
    state:    queued, running, done; "student" or "grader" when it could not be graded, for the
              submission's fault or for the grader's
    attempts: how often it was graded, 0 for one that shares the result of an equal submission
    seconds:  that its grading took
    trouble:  why it could not be graded
    created:  when it was handed in, in ISO 8601, "" where that is not known
    """

    id: str
    folder: str
    content: str
    grader: str = ""
    state: str = QUEUED
    attempts: int = 0
    seconds: float = 0.0
    trouble: str = ""
    created: str = ""


class Attempt(NamedTuple):
    """A submission made on the way to a graded one, from the export's history; number from 1."""

    submission: str
    created: str
    score: float | None
    number: int


class Person(NamedTuple):
    """Who is behind a pseudonym; what is not known is ""."""

    name: str = ""
    sid: str = ""
    email: str = ""


class Ledger:
    """Reads the ledger in a folder."""

    def __init__(self, folder: Path) -> None:
        """Raises BadLedger where there is none, or one of another form."""
        self.folder = folder
        if not (folder / "ledger.sqlite").is_file():
            raise BadLedger(f"{folder} holds no graded class: `class grade EXPORT --out {folder}`")
        try:
            self.connection = sqlite3.connect(
                folder / "ledger.sqlite", timeout=60, isolation_level=None
            )
            form = self.about().get("form")
        except sqlite3.DatabaseError as error:
            raise BadLedger(f"{folder}/ledger.sqlite can't be read ({error})") from None
        if form != FORM:
            raise BadLedger(
                f"{folder} is of another version of this grader: grade the class into a new folder"
            )

    def about(self) -> dict[str, str]:
        """What holds for the whole class: grader (hash), assignment, when, total (points)."""
        return dict(self.connection.execute("SELECT key, value FROM about"))

    def submissions(self) -> list[Submitted]:
        """The submissions of the last export, by id."""
        rows = self.connection.execute(
            "SELECT * FROM submission WHERE id IN (SELECT submission FROM person) ORDER BY id"
        )
        return [Submitted(*row) for row in rows]

    def people(self) -> dict[str, list[str]]:
        """The submissions of each pseudonym; the members of a group have the same one."""
        found: dict[str, list[str]] = {}
        for pseudonym, submission in self.connection.execute(
            "SELECT pseudonym, submission FROM person ORDER BY pseudonym, submission"
        ):
            found.setdefault(pseudonym, []).append(submission)
        return found

    def attempts(self) -> list[Attempt]:
        """The history of all submissions, by submission and number; the last one is the graded."""
        rows = self.connection.execute("SELECT * FROM attempt ORDER BY submission, number")
        return [Attempt(*row) for row in rows]

    def result(self, submission: str) -> dict[str, Any] | None:
        """What results.json says of a submission; None if it was not graded."""
        try:
            found: dict[str, Any] = json.loads(self.result_file(submission).read_bytes())
        except FileNotFoundError:
            return None
        return found

    def result_file(self, submission: str, ending: str = ".json") -> Path:
        """Where the result of a submission lies, or its page (".html")."""
        return self.folder / "results" / f"{submission}{ending}"

    def files(self, submission: str) -> Path:
        """The folder with the question files of a submission."""
        return self.folder / "files" / submission

    def key(self) -> dict[str, Person]:
        """Who is behind each pseudonym; empty where the key was taken away."""
        try:
            known = json.loads((self.folder / "key.json").read_bytes())
            return {pseudonym: Person(**person) for pseudonym, person in known.items()}
        except FileNotFoundError:
            return {}
        except (ValueError, TypeError, AttributeError):
            raise BadLedger(
                f"{self.folder}/key.json can't be read: put back a copy of it"
            ) from None
