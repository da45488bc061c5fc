"""The folder of a class: who submitted what, and the result of each grading.

    class.json          the submissions, one entry each
    key.json            the person behind each pseudonym: names, and the numbers by which a platform
                        knows people and submissions, are in no other file
    files/HASH/         the question files that are graded; HASH.json holds remarks about them
    results/HASH.json   what Gradescope would show of the submission with this content
    results/HASH.html   the same as a page; HASH.report has what both can be made from again

HASH is the hash of a submission's content, so equal submissions share one result. Every file is
written in one step, by rename. A submission counts as graded once its result exists. So after a
killed run, the next one grades the submissions without a result.
"""

from __future__ import annotations

import fcntl
import json
import os
import secrets
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, NamedTuple

from autograder.errors import UsageError
from autograder.feedback.report import write_atomically
from autograder.packaging import BadSubmission
from autograder.submission import Submission, read_submission

FORMAT = "4"  # of class.json; a folder of another format is not read
DONE, QUEUED = "done", "queued"
STUDENT, GRADER = "student", "grader"
STATES = {
    DONE: "graded",
    QUEUED: "not graded yet",
    STUDENT: "not graded, because of the submission",
    GRADER: "not graded, because the grader failed",
}


class Person(NamedTuple):
    """The person behind a pseudonym; unknown fields are empty.

    address: how the platform names this person's submission: Gradescope's number, or the part of a
             file's name after the person, with Moodle's or Canvas' number; see `publish.zip_pages`
    """

    name: str = ""
    sid: str = ""
    email: str = ""
    address: str = ""

    @property
    def fields(self) -> tuple[str, str, str]:
        """The fields that say who it is."""
        return self[:3]

    @property
    def marks(self) -> list[tuple[str, str]]:
        """What should be one person's alone, with its kind: a name only if nothing else is."""
        marks = [("number", self.sid), ("mail address", self.email.lower())]
        return [mark for mark in marks if mark[1]] or [("name", self.name)]

    def is_same(self, other: Person) -> bool:
        """Return whether two entries, of different exports, are of one person.

        A number in an address is the platform's. Students can type all the rest but the mail
        address of their account, so another address is another person.
        """
        if self.address.startswith("_") and other.address.startswith("_"):
            return self.sid == other.sid
        if self.email and other.email:
            return self.email.lower() == other.email.lower()
        if self.sid:
            return (self.sid, self.name) == (other.sid, other.name)
        return self.fields == other.fields


@dataclass
class Row:
    """One submission of the class; unknown fields are empty.

    id:      the pseudonym of one of its people; in an export, Gradescope's number
    content: hash of what is graded
    people:  the pseudonyms of the people who submitted it
    problem: why it can't be graded
    created: when it was submitted, in ISO 8601, or the export's text if that is no time
    late:    by how much, or "yes" if the export does not say; "" if it was on time
    history: when each attempt was made, the graded one last
    """

    id: str = ""
    content: str = ""
    people: list[str] = field(default_factory=list)
    problem: str = ""
    created: str = ""
    late: str = ""
    history: list[str] = field(default_factory=list)


class Status(NamedTuple):
    """The state of a submission's grading.

    state:   DONE, QUEUED, or the one at fault if it can't be graded: STUDENT or GRADER
    problem: why there is no result, or only a part of one; "" if the result is complete
    result:  its results.json, if it is done
    """

    state: str
    problem: str = ""
    result: dict[str, Any] | None = None


class ClassFolder:
    """A class in a folder. A method is carried out as a whole, or not at all."""

    def __init__(self, path: Path) -> None:
        """Read the class. Raises UsageError if there is none in the present format."""
        self.path = path
        self.rows: list[Row] = []
        self.about: dict[str, str] = {}
        try:
            content = json.loads((path / "class.json").read_bytes())
            if content["format"] != FORMAT:
                raise UsageError(
                    f"{path} has the format of another version: grade the export into a new folder"
                )
            self.about = content["about"]
            self.rows += [Row(**row) for row in content["submissions"]]
        except FileNotFoundError:
            raise UsageError(
                f"{path} holds no graded class: `class grade EXPORT --out {path}`"
            ) from None
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise UsageError(f"{path}/class.json can't be read ({error})") from None

    @classmethod
    def make(cls, path: Path) -> ClassFolder:
        """Open the class in a folder; make it if need be. Raises UsageError, OSError."""
        expect_own_folder(path)
        if not (path / "class.json").exists():
            others = {name for name in os.listdir(path) if not name.startswith(".")}
            if others - {"accept.csv"}:
                raise UsageError(f"{path} holds other things: name a new folder after --out")
            path.chmod(0o700)  # student code may run as another user of this machine
            write_index(path, {}, [])
        for name in ("results", "files"):
            (path / name).mkdir(exist_ok=True)
        return cls(path)

    def update(self, rows: Iterable[Row], assignment: str, when: str) -> None:
        """Store the submissions of the class, its assignment and the time of grading."""
        self.rows = sorted(rows, key=lambda row: row.id)
        self.about = {"assignment": assignment, "when": when}
        write_index(self.path, self.about, self.rows)

    def read_key(self) -> dict[str, Person]:
        """Return the person behind each pseudonym, {} if the key was removed."""
        try:
            known = json.loads((self.path / "key.json").read_bytes())
            return {pseudonym: Person(**person) for pseudonym, person in known.items()}
        except FileNotFoundError:
            return {}
        except (ValueError, TypeError, AttributeError):
            raise UsageError(f"{self.path}/key.json can't be read: put back a copy of it") from None

    def assign_pseudonyms(self, people: Iterable[Person]) -> dict[Person, str]:
        """Return the pseudonym of each person in an export; new people get random ones.

        Two entries of one export have two pseudonyms, whatever they have in common.
        """
        key = self.read_key()
        known = dict(key)
        found: dict[Person, str] = {}
        for person in dict.fromkeys(people):
            pseudonym = find_pseudonym(known, person) or draw_pseudonym()
            known.pop(pseudonym, None)
            found[person] = pseudonym
            key[pseudonym] = person
        content = {pseudonym: person._asdict() for pseudonym, person in key.items()}
        write_atomically(self.path / "key.json", json.dumps(content, indent=1), private=True)
        return found

    def people(self) -> list[str]:
        """Return the pseudonyms of everybody who has submitted something."""
        return sorted({pseudonym for row in self.rows for pseudonym in row.people})

    def find_conflicts(self) -> list[tuple[str, list[str]]]:
        """Return what several people have in common though it should be one person's alone.

        Each has the pseudonyms that it concerns; a person with two submissions is one of them.
        """
        key, owners = self.read_key(), defaultdict[tuple[str, str], list[str]](list)
        for row in self.rows:
            for pseudonym in row.people:
                owners["pseudonym", pseudonym].append(pseudonym)
                for mark in key[pseudonym].marks if pseudonym in key else ():
                    owners[mark].append(pseudonym)
        found: dict[tuple[str, ...], str] = {}
        for (kind, _), several in owners.items():
            if len(several) > 1:
                found.setdefault(tuple(dict.fromkeys(several)), kind)
        return [(kind, list(several)) for several, kind in found.items()]

    def read_files(self, content: str) -> dict[str, bytes]:
        """Return the question files of a submission, {} if it can't be graded."""
        return read_question_files(self.path / "files" / content)

    def store_submission(self, content: str, submission: Submission) -> None:
        """Store the question files, and last the remarks about them."""
        folder = self.path / "files" / content
        remarks = folder.with_suffix(".json")
        if not remarks.exists():
            folder.mkdir(exist_ok=True)
            for name, source in submission.files.items():
                write_atomically(folder / name, source)
            write_atomically(remarks, json.dumps([submission.problems, submission.notes]))

    def read_submission(self, content: str) -> Submission:
        remarks = self.path / "files" / f"{content}.json"
        problems, notes, *_ = json.loads(remarks.read_bytes())
        return Submission(self.read_files(content), problems, notes)

    def result_file(self, content: str, ending: str = ".json") -> Path:
        return self.path / "results" / f"{content}{ending}"

    def read_result(self, content: str, ending: str = ".json") -> Any:
        """Return the content of a submission's result file, None if there is none."""
        try:
            return json.loads(self.result_file(content, ending).read_bytes())
        except (FileNotFoundError, ValueError):  # not there, or cut short by a power failure
            return None

    def read_statuses(self) -> dict[str, Status]:
        found = {}
        for row in self.rows:
            if row.problem:
                found[row.id] = Status(STUDENT, row.problem)
            elif error := self.read_result(row.content, ".failed"):
                found[row.id] = Status(GRADER, error)
            elif result := self.read_result(row.content):
                found[row.id] = Status(DONE, "", result)
            else:
                found[row.id] = Status(QUEUED)
        return found

    def store_result(self, content: str, files: dict[str, str]) -> None:
        """Store a result; results.json comes last and marks the submission as graded."""
        for ending in sorted(files, key=lambda ending: ending == ".json"):
            write_atomically(self.result_file(content, ending), files[ending])
        self.result_file(content, ".failed").unlink(missing_ok=True)

    def store_failure(self, content: str, error: str) -> None:
        """Store the grader's error on a submission."""
        write_atomically(self.result_file(content, ".failed"), json.dumps(error))


def write_index(path: Path, about: dict[str, str], rows: list[Row]) -> None:
    content = {"format": FORMAT, "about": about, "submissions": [asdict(row) for row in rows]}
    write_atomically(path / "class.json", json.dumps(content, indent=1))


def describe_conflict(what: str, people: Sequence[str]) -> str:
    """Return a line about people whom `find_conflicts` has found."""
    if len(people) == 1:
        return f"{people[0]} has several submissions: nothing is filled in for them"
    return f"{' and '.join(sorted(people))} have the same {what}: nothing is filled in for them"


def select_results(statuses: Mapping[str, Status]) -> dict[str, dict[str, Any]]:
    """Return the results.json of each graded submission, by its id."""
    return {id: one.result for id, one in statuses.items() if one.result is not None}


def read_question_files(path: Path) -> dict[str, bytes]:
    """Return the question files of a folder or zip, {} if it can't be read."""
    try:
        return read_submission(path).files
    except BadSubmission:
        return {}


@contextmanager
def exclusive_lock(path: Path) -> Iterator[None]:
    """Lock a folder; make it if need be. Raises UsageError if it is locked already."""
    expect_own_folder(path)
    file = os.open(path, os.O_RDONLY)
    try:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise UsageError(
                f"{path} is written by another `class grade` or `class tournament`"
            ) from None
        yield
    finally:
        os.close(file)


def draw_pseudonym() -> str:
    return f"s{secrets.token_hex(4)}"


def expect_own_folder(path: Path) -> None:
    """Make a folder, if need be. Raises UsageError if it is another user's."""
    path.mkdir(parents=True, exist_ok=True)
    if path.stat().st_uid != os.geteuid():
        raise UsageError(f"{path} belongs to another user: name a new folder")


def find_pseudonym(key: Mapping[str, Person], person: Person) -> str | None:
    """Return the pseudonym of a person; None if nobody fits, or several equally well."""
    fitting = [one for one in key if key[one].is_same(person)]
    equal = [one for one in fitting if key[one].fields == person.fields]
    exact = [one for one in equal if key[one].address == person.address]
    return next((several[0] for several in (exact, equal, fitting) if len(several) == 1), None)


def parse_time(text: str) -> datetime | None:
    """Return the time in an ISO 8601 text, UTC without an offset; None if invalid."""
    try:
        when = datetime.fromisoformat(text)
    except ValueError:
        return None
    if not 1970 <= when.year < 9000:  # in other time zones, others may not exist
        return None
    return when if when.tzinfo else when.replace(tzinfo=timezone.utc)
