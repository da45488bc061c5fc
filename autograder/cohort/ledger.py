"""The ledger of a class: what was handed in, by whom, and what became of its grading.

All of it lies in one folder. Only `class grade` writes what is named here (and `class tournament`
its pairs, into the same ledger):

    ledger.sqlite       the truth: which submissions there are, and the state of each
    key.json            who is behind a pseudonym; for the owner's eyes only, names are nowhere else
    results/ID.json     what Gradescope would show, and the same as a page, ID.html
    files/ID/           the question files that were graded
"""

from __future__ import annotations

import json
import os
import secrets
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from autograder.errors import UsageError
from autograder.feedback.report import write_whole

FORM = "1"  # of the tables below; a ledger of another form is not read
QUEUED, RUNNING, DONE = "queued", "running", "done"
STUDENT, GRADER = "student", "grader"  # whose trouble it is that there is no result
Self = TypeVar("Self", bound="Ledger")
TABLES = f"""
BEGIN;
CREATE TABLE IF NOT EXISTS about (key TEXT PRIMARY KEY, value TEXT);
CREATE TABLE IF NOT EXISTS submission (id TEXT PRIMARY KEY, folder TEXT, content TEXT, grader TEXT,
    state TEXT, attempts INTEGER, seconds REAL, trouble TEXT, created TEXT);
CREATE TABLE IF NOT EXISTS person (pseudonym TEXT, submission TEXT,
    PRIMARY KEY (pseudonym, submission));
CREATE TABLE IF NOT EXISTS attempt (submission TEXT, created TEXT, score REAL, number INTEGER);
INSERT OR IGNORE INTO about VALUES ('form', '{FORM}');
COMMIT;
"""


class BadLedger(UsageError):
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
    """Reads the ledger in a folder: `with Ledger(folder) as ledger: ...`."""

    def __init__(self, folder: Path) -> None:
        """Raises BadLedger where there is none, or one of another form."""
        self.folder = folder
        if not (folder / "ledger.sqlite").is_file():
            raise BadLedger(f"{folder} holds no graded class: `class grade EXPORT --out {folder}`")
        self.connection = sqlite3.connect(
            folder / "ledger.sqlite", timeout=60, isolation_level=None
        )
        try:
            form = self.about().get("form")
        except sqlite3.DatabaseError as error:
            self.connection.close()
            raise BadLedger(f"{folder}/ledger.sqlite can't be read ({error})") from None
        if form != FORM:
            self.connection.close()
            raise BadLedger(
                f"{folder} is of another version of this grader: grade the class into a new folder"
            )

    def __enter__(self: Self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.connection.close()

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

    def owners(self) -> dict[str, list[str]]:
        """The pseudonyms behind each submission."""
        found: dict[str, list[str]] = {}
        for pseudonym, handed_in in self.people().items():
            for submission in handed_in:
                found.setdefault(submission, []).append(pseudonym)
        return found

    def labels(self) -> dict[str, str]:
        """What each submission is called: by its owners, and by its id if they have others."""
        names = {one: " + ".join(owners) for one, owners in self.owners().items()}
        times = Counter(names.values())
        return {one: name if times[name] == 1 else f"{name} {one}" for one, name in names.items()}

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


class KeptLedger(Ledger):
    """The ledger as `class grade` keeps it. Each method is one step: done, or not begun."""

    def __init__(self, folder: Path) -> None:
        """Make the ledger, if there is none. Raises BadLedger, OSError."""
        file = folder / "ledger.sqlite"
        if folder.exists() and not file.exists() and any(folder.iterdir()):
            raise BadLedger(f"{folder} holds other things: name a new folder after --out")
        folder.mkdir(parents=True, exist_ok=True)
        if not file.exists():
            folder.chmod(0o700)  # student code may run as another user of this machine
        with closing(sqlite3.connect(file)) as connection, suppress(sqlite3.DatabaseError):
            connection.executescript(TABLES)  # what is damaged is said below
        (folder / "results").mkdir(exist_ok=True)
        (folder / "files").mkdir(exist_ok=True)
        super().__init__(folder)
        self.connection.execute("PRAGMA journal_mode=WAL")

    def note(self, **about: str) -> None:
        """Write down what holds for the whole class."""
        rows = about.items()
        self.connection.executemany("INSERT OR REPLACE INTO about VALUES (?, ?)", rows)

    def pseudonyms(self, people: Iterable[Person]) -> dict[Person, str]:
        """Return everybody's pseudonym; who is new gets one that tells nothing, and is kept.

        Who is known already, by number, mail address or else name, may be called otherwise today.
        Where these people are at odds about that, the key stays as it is.
        """
        key = self.key()
        known = {identity(person): pseudonym for pseudonym, person in key.items()}
        found: dict[Person, str] = {}
        called: dict[str, list[Person]] = {}
        for person in dict.fromkeys(people):
            pseudonym = known.setdefault(identity(person), f"s{secrets.token_hex(4)}")
            found[person] = pseudonym
            called.setdefault(pseudonym, []).append(person)
        for pseudonym, (person, *others) in called.items():
            if not others or pseudonym not in key:
                key[pseudonym] = person
        content = {pseudonym: person._asdict() for pseudonym, person in key.items()}
        with only_for_owner():
            write_whole(self.folder / "key.json", json.dumps(content, indent=1))
        return found

    def take_in(
        self,
        submissions: list[Submitted],
        people: Mapping[str, list[str]],
        attempts: list[Attempt],
    ) -> None:
        """Take in what an export holds: all that is new, or has changed, is queued.

        people: the submissions of each pseudonym
        """
        names = ", ".join(Submitted._fields)
        with self.connection:
            self.connection.execute("BEGIN")
            self.connection.executemany(
                f"INSERT INTO submission ({names}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) "
                "ON CONFLICT (id) DO UPDATE SET folder=excluded.folder, created=excluded.created, "
                "content=excluded.content, state=excluded.state, trouble=excluded.trouble, "
                "attempts=0 WHERE content != excluded.content",
                submissions,
            )
            self.connection.execute("UPDATE submission SET state='queued' WHERE state='running'")
            self.connection.execute("DELETE FROM person")
            rows = [(who, one) for who, handed_in in people.items() for one in handed_in]
            self.connection.executemany("INSERT OR IGNORE INTO person VALUES (?, ?)", rows)
            self.connection.execute("DELETE FROM attempt")
            self.connection.executemany("INSERT INTO attempt VALUES (?, ?, ?, ?)", attempts)

    def queue(self, submissions: Iterable[str]) -> None:
        """Let these be graded anew; until then their results stay."""
        with self.connection:
            self.connection.execute("BEGIN")
            self.connection.executemany(
                "UPDATE submission SET state='queued', attempts=0, trouble='' WHERE id=?",
                [[one] for one in submissions],
            )

    def update(self, submission: str, **values: object) -> None:
        """Write down what has changed for a submission."""
        names = ", ".join(f"{name}=?" for name in values)
        self.connection.execute(
            f"UPDATE submission SET {names} WHERE id=?", [*values.values(), submission]
        )

    def keep_files(self, submission: str, files: dict[str, bytes]) -> None:
        """Keep a copy of the question files, and none of an older submission."""
        folder = self.files(submission)
        folder.mkdir(exist_ok=True)
        for old in folder.iterdir():
            if old.name not in files:
                old.unlink()
        for name, content in files.items():
            write_whole(folder / name, content)

    def keep_result(self, submission: str, files: dict[str, str]) -> None:
        """Keep the result and its page, by their endings."""
        for ending, content in files.items():
            write_whole(self.result_file(submission, ending), content)


@contextmanager
def only_for_owner() -> Iterator[None]:
    """Write files that nobody else can read, not for a moment."""
    before = os.umask(0o077)
    try:
        yield
    finally:
        os.umask(before)


def identity(person: Person) -> tuple[str, str]:
    """What a person is known by."""
    if person.sid or person.email:
        return ("id", person.sid) if person.sid else ("email", person.email.lower())
    return "name", person.name
