"""Reads what a whole class has handed in, from what Gradescope, Moodle or Canvas exports.

An export is a folder or a zip; nothing of it is unpacked. It holds one of these:

- Gradescope's: a folder submission_ID for each submission, and submission_metadata.yml
- Moodle's: folders or files named NAME_ID_assignsubmission_file_...
- Canvas': files named NAME_ID_NUMBER_FILE, or NAME_LATE_ID_NUMBER_FILE; each file has its number

Who typed text in place of a file has NAME_ID_assignsubmission_onlinetext_... or NAME_ID_text.html.
- anything else: a folder or a zip for each submission, named after whoever handed it in
"""

from __future__ import annotations

import base64
import binascii
import contextlib
import io
import os
import re
import zipfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import Any

import yaml

from autograder.cohort.ledger import Person
from autograder.questions import QUESTION_FILES
from autograder.submission import (
    LARGEST_ZIP,
    READ,
    BadSubmission,
    Entries,
    FolderEntries,
    Submission,
    ZipEntries,
    files_of,
    is_zip,
    opened,
    printable,
    read_entries,
)

METADATA = "submission_metadata.yml"
THE_SUBMISSION = "the submission"  # what troubles call it: its own name may be a student's
GRADESCOPE = re.compile(r"submission_(?P<id>\d+)")
MOODLE = re.compile(
    r"(?P<owner>(?P<name>.+)_(?P<sid>\d+)_assignsubmission_file)(_(?P<file>.*))?", re.DOTALL
)
MOODLE_ID = re.compile(r"_\d+_assignsubmission_file")
CANVAS = re.compile(
    r"(?P<owner>(?P<name>[^_]+)_(LATE_)?(?P<sid>\d+)_)(\d+_(?P<file>.+))?", re.DOTALL
)
MAX_DEPTH = 100  # of the metadata's nesting
TIME = re.compile(r"[\dTtZz :.+-]{1,40}")
MAX_SCORE = 1e6
RESULTS = re.compile(rb"( *(?:- )?):results:")
AGAIN = re.compile(r"-\d+(?=\.\w+$)")  # Canvas numbers a file that is handed in again
# What somebody may have handed in, though nothing here opens it.
MAY_BE_ONE = (".7z", ".bz2", ".gz", ".py", ".rar", ".tar", ".tgz", ".xz")
LEFTOVERS = re.compile(r"\..*|__MACOSX|Thumbs\.db|desktop\.ini")
# The names that Moodle and Canvas give to text that was typed.
TYPED = re.compile(
    r"(?P<name>.+?)_(LATE_)?(?P<sid>\d+)_(assignsubmission_onlinetext(_.*)?|text\.html)", re.DOTALL
)
ONLY_TYPED = "text was typed in place of a file: ask for the question files"

Forms = tuple[re.Pattern[str], re.Pattern[str]]
Opening = Callable[[], Entries]
ZipFiles = list[tuple[PurePosixPath, zipfile.ZipInfo]]


@dataclass
class HandedIn:
    """One submission of a class.

    place:      its name in the export
    id:         of the submission, "" where the export gives none
    submission: what is to be graded, None if it can't be: then `trouble` says why
    people:     who has handed it in; not empty
    created:    when, in ISO 8601, "" if that is not known
    history:    when those before it were handed in, and their scores
    """

    place: str
    id: str = ""
    submission: Submission | None = None
    trouble: str = ""
    people: list[Person] = field(default_factory=list)
    created: str = ""
    history: list[tuple[str, float | None]] = field(default_factory=list)


@dataclass
class Export:
    """All submissions of an export, and what else is to be said about it, a line each."""

    handed_in: list[HandedIn] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)


def read_export(path: Path) -> Export:
    """Read the export at `path`.

    Raises BadSubmission when it can't be read as a whole; what is wrong with one submission stands
    there, and the others are read.
    """
    try:
        if path.is_dir():
            return read_places(path, FolderExport(path))
        export = zip_export(path)
        with export.archive:
            return read_places(path, export)
    except FileNotFoundError:
        raise BadSubmission(f"{printable(path)} does not exist: give an exported class") from None
    except (OSError, ValueError, zipfile.BadZipFile) as error:
        raise BadSubmission(
            f"{printable(path)} can't be read ({printable(error)}): export the class again"
        ) from None


def zip_export(path: Path) -> ZipExport:
    """Open a zip and list what it holds. Raises OSError, BadZipFile."""
    try:
        return ZipExport(zipfile.ZipFile(path))
    except OSError:
        raise
    except Exception as error:  # zipfile raises all kinds on damaged data
        raise zipfile.BadZipFile(str(error)) from None


# --- where submissions lie ------------------------------------------------------------------------


def is_leftover(name: str) -> bool:
    return LEFTOVERS.fullmatch(name) is not None or TYPED.fullmatch(name) is not None


def forms_of(names: Iterable[str]) -> Forms:
    """The forms of the names in an export, its own first.

    All names tell which one that is: one student may call a file as the other form would.
    """
    fits = [{form for form in (MOODLE, CANVAS) if form.fullmatch(name)} for name in names]
    moodle = {MOODLE} in fits and {CANVAS} not in fits
    return (MOODLE, CANVAS) if moodle else (CANVAS, MOODLE)


def told_by(name: str, forms: Forms) -> re.Match[str] | None:
    return next(filter(None, (form.fullmatch(name) for form in forms)), None)


def is_ambiguous(name: str) -> bool:
    """Could that be a file of several people of Moodle's?

    A person's name and a file's name, which are theirs to choose, stand on both sides of the id. A
    folder's name ends with the id.
    """
    match = MOODLE.fullmatch(name)
    return bool(match and match["file"]) and len(MOODLE_ID.findall(name)) > 1


def owner_and_file(name: str, forms: Forms) -> tuple[str, str]:
    """Tell whose a loose file is, and its name when it was handed in; ("", "") for nobody's.

    One that is ambiguous is its own owner's.
    """
    if is_ambiguous(name):
        return name, name
    match = told_by(name, forms)
    if not match or not match["file"]:
        return "", ""
    once = AGAIN.sub("", match["file"])
    return match["owner"], once if once in QUESTION_FILES else match["file"]


def is_somebodys(name: str) -> bool:
    """Is that the name of one submission, not of a folder with all of them?"""
    return any(pattern.fullmatch(name) for pattern in (GRADESCOPE, MOODLE, CANVAS))


# Where the question files of a submission may lie in its folder.
IN_A_SUBMISSION = [
    PurePosixPath(*above, name) for above in ((), ("starter",)) for name in QUESTION_FILES
]


class FolderExport:
    """An export that was unpacked."""

    def __init__(self, path: Path) -> None:
        self.path = path
        while len(names := self.names()) == 1 and not self.is_submission():
            inner = self.path / names[0]
            if inner.is_symlink() or not inner.is_dir() or is_somebodys(names[0]):
                break
            if any((inner / file).is_file() for file in IN_A_SUBMISSION):
                break
            if not any(one.is_dir() or is_zip(PurePosixPath(one.name)) for one in inner.iterdir()):
                break
            self.path = inner
        self.forms = forms_of(self.names())

    def names(self) -> list[str]:
        return sorted(name for name in os.listdir(self.path) if not is_leftover(name))

    def typed(self) -> list[str]:
        return sorted(filter(TYPED.fullmatch, os.listdir(self.path)))

    def is_submission(self) -> bool:
        return any((self.path / name).is_file() for name in QUESTION_FILES)

    def metadata(self) -> bytes | None:
        file = self.path / METADATA
        return file.read_bytes() if file.is_file() else None

    def places(self) -> dict[str, Opening]:
        found: dict[str, Opening] = {}
        loose: dict[str, dict[PurePosixPath, PurePosixPath]] = {}
        for name in self.names():
            owner, file = owner_and_file(name, self.forms)
            path = self.path / name
            if path.is_dir() or (not owner and is_zip(PurePosixPath(name))):
                found[name] = lambda path=path: opened(path, THE_SUBMISSION)  # type: ignore[misc]
            elif owner:
                loose.setdefault(owner, {})[PurePosixPath(file)] = PurePosixPath(name)
        for owner, files in loose.items():
            found[owner] = lambda files=files: LooseFiles(self.path, files)  # type: ignore[misc]
        return found


class LooseFiles(FolderEntries):
    """One owner's files in a folder where everybody's lie, by the names they were handed in by."""

    def __init__(self, folder: Path, files: dict[PurePosixPath, PurePosixPath]) -> None:
        super().__init__(os.open(folder, READ))
        self.files = files

    def names(self) -> tuple[list[PurePosixPath], bool]:
        return list(self.files), True

    def read(self, entry: PurePosixPath, *most: int) -> bytes:
        return super().read(self.files[entry], *most)


class ZipExport:
    """An export as it was downloaded."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self.archive = archive
        everything = files_of(archive)
        self.files: ZipFiles = [
            (path, info)
            for path, info in everything
            if path.parts and not any(map(is_leftover, path.parts))
        ]
        self.parts = {part for path, _ in everything for part in path.parts}
        while self.files and not self.is_submission():
            tops = {path.parts[0] for path, _ in self.files}
            deep = any(len(path.parts) > 2 or is_zip(path) for path, _ in self.files)
            if len(tops) > 1 or is_somebodys(min(tops)) or not deep:
                break
            if any(path.relative_to(path.parts[0]) in IN_A_SUBMISSION for path, _ in self.files):
                break
            if any(len(path.parts) < 2 for path, _ in self.files):
                break
            self.files = [(path.relative_to(path.parts[0]), info) for path, info in self.files]
        self.forms = forms_of(self.names())

    def names(self) -> list[str]:
        return sorted({path.parts[0] for path, _ in self.files})

    def typed(self) -> list[str]:
        return sorted(filter(TYPED.fullmatch, self.parts))

    def is_submission(self) -> bool:
        return any(str(path) in QUESTION_FILES for path, _ in self.files)

    def metadata(self) -> bytes | None:
        for path, info in self.files:
            if str(path) == METADATA:
                try:
                    return self.archive.read(info)
                except Exception as error:  # zipfile and zlib raise all kinds on damaged data
                    raise BadSubmission(
                        f"{METADATA} is damaged in the zip ({error}): export it again"
                    ) from None
        return None

    def inner(self, info: zipfile.ZipInfo) -> ZipEntries:
        """Open a submission that is a zip in this one. Raises BadSubmission."""
        entry = PurePosixPath(info.filename)
        try:
            content = ZipEntries(self.archive, [(entry, info)]).read(entry, LARGEST_ZIP)
        except BadSubmission as problem:
            raise BadSubmission(f"{THE_SUBMISSION} {problem}") from None
        return ZipEntries.of(THE_SUBMISSION, io.BytesIO(content))

    def places(self) -> dict[str, Opening]:
        found: dict[str, ZipFiles] = {}
        zips: dict[str, zipfile.ZipInfo] = {}
        for path, info in self.files:
            top, *rest = path.parts
            owner, file = owner_and_file(top, self.forms)
            if rest:
                found.setdefault(top, []).append((PurePosixPath(*rest), info))
            elif owner:
                found.setdefault(owner, []).append((PurePosixPath(file), info))
            elif is_zip(path):
                zips[top] = info
        openings: dict[str, Opening] = {
            name: lambda files=files: ZipEntries(self.archive, files)  # type: ignore[misc]
            for name, files in found.items()
        }
        for name, info in zips.items():
            openings[name] = lambda info=info: self.inner(info)  # type: ignore[misc]
        return dict(sorted(openings.items()))


# --- reading them ---------------------------------------------------------------------------------


def read_places(path: Path, export: FolderExport | ZipExport) -> Export:
    """Read all that lies in an export, with what its metadata tell."""
    if export.is_submission():
        raise BadSubmission(
            f"{printable(path)} is one submission, not a class: make grade SUBMISSION=..."
        )
    content = export.metadata()
    places = export.places()
    known, remarks = read_metadata(content) if content is not None else ({}, [])
    found = Export(remarks=remarks)
    for place in {**known, **places}:
        one = known.get(place) or HandedIn(place, people=[person_of(place, export.forms)])
        if content is not None and place not in known:
            found.remarks.append(f"{printable(place)} is not in {METADATA}: nobody is known for it")
        number = GRADESCOPE.fullmatch(place)
        one.id = number["id"] if number else ""
        if is_ambiguous(place):
            one.people = [Person(place)]
            one.trouble = "its name has the ids of several people: rename it"
        elif place in places:
            read_one(one, places[place])
        else:
            one.trouble = f"its folder is missing in the export, though {METADATA} names it"
        found.handed_in.append(one)
    found.handed_in += only_typed(export.typed(), found.handed_in)
    found.remarks += [
        f"{printable(name)} is passed over: it is neither a folder nor a zip"
        for name in export.names()
        if name not in places
        and PurePosixPath(name).suffix.lower() in MAY_BE_ONE
        and not owner_and_file(name, export.forms)[0]
    ]
    found.remarks += shared_numbers(found.handed_in)
    if not found.handed_in:
        raise BadSubmission(
            f"there are no submissions in {printable(path)}: give the folder or zip that "
            "Gradescope, Moodle or Canvas exports, or one folder or zip for each submission"
        )
    return found


def read_one(one: HandedIn, opening: Opening) -> None:
    """Read one submission; what is wrong with it stands in `trouble`."""
    try:
        with opening() as entries:
            one.submission = read_entries(entries, THE_SUBMISSION)
    except BadSubmission as problem:
        one.trouble = str(problem)


def only_typed(names: list[str], handed_in: list[HandedIn]) -> list[HandedIn]:
    """Return an entry, with its trouble, for each person who typed text and gave no file.

    names: of what was typed
    """
    people = {person for one in handed_in for person in one.people}
    found: dict[Person, HandedIn] = {}
    for name in names:
        match = TYPED.fullmatch(name)
        assert match
        person = Person(match["name"], match["sid"])
        if person not in people:
            found.setdefault(person, HandedIn(name, trouble=ONLY_TYPED, people=[person]))
    return list(found.values())


def person_of(place: str, forms: Forms) -> Person:
    """Tell from the name of a submission's place who has handed it in, as far as it tells."""
    name = place[:-4] if is_zip(PurePosixPath(place)) else place
    match = told_by(name, forms)
    return Person(match["name"], match["sid"]) if match else Person(name)


def shared_numbers(handed_in: list[HandedIn]) -> list[str]:
    """Say which numbers people of several names have."""
    names: dict[str, set[str]] = {}
    for person in (person for one in handed_in for person in one.people if person.sid):
        names.setdefault(person.sid, set()).add(person.name)
    return [
        printable(
            f"{sid} is the number of {' and of '.join(sorted(called))}: they count as one person"
        )
        for sid, called in names.items()
        if len(called) > 1
    ]


# --- Gradescope's metadata ------------------------------------------------------------------------


def read_metadata(content: bytes) -> tuple[dict[str, HandedIn], list[str]]:
    """Return what is known of each submission, by its folder, and what is to be said about it.

    Raises BadSubmission if it can't be read.
    """
    try:
        try:
            entries = read_yaml(without_results(content))
        except yaml.YAMLError:  # what was left out may have been referred to
            entries = read_yaml(content)
        found: dict[str, HandedIn] = {}
        remarks = []
        for key, value in entries:
            one = entry_of(str(key), value)
            if one.place in found:
                remarks.append(
                    f"{METADATA} has two entries for {printable(one.place)}: those of both have "
                    "handed it in"
                )
                one.people = list(dict.fromkeys(found[one.place].people + one.people))
            found[one.place] = one
    except (yaml.YAMLError, ValueError, TypeError, AttributeError) as error:
        said = " ".join(str(error).split())[:200]
        raise BadSubmission(f"{METADATA} can't be read ({said}): export the class again") from None
    return found, remarks


def without_results(content: bytes) -> bytes:
    """Leave out the results of each attempt: most of the file, not needed, and slow to parse.

    In YAML all that belongs to a key is indented deeper than the key.
    """
    kept = []
    inside: int | None = None  # the indentation of the key that is left out
    for line in content.splitlines(keepends=True):
        indent = len(line) - len(line.lstrip(b" "))
        if inside is not None and (indent > inside or not line.strip()):
            continue
        results = RESULTS.match(line)
        inside = len(results[1]) if results else None
        kept.append(results[0] + b"\n" if results else line)
    return b"".join(kept)


def read_yaml(content: bytes) -> list[tuple[Any, Any]]:
    """Return the entries at the root as plain data: all scalars are text, and Ruby's symbols that
    are keys lose their colon.

    What is referred to is one object wherever it stands, so references to references take no room.

    Raises YAMLError, and ValueError where it is something else or nested too deeply.
    """
    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    open_ones: list[tuple[yaml.CollectionStartEvent, list[Any]]] = []  # and what is in them
    anchors: dict[str, Any] = {}
    for event in yaml.parse(content, Loader=loader):
        if isinstance(event, yaml.CollectionStartEvent):
            if len(open_ones) == MAX_DEPTH:
                raise ValueError("it is nested too deeply")
            open_ones.append((event, []))
            continue
        data: Any
        begun = event
        if isinstance(event, yaml.CollectionEndEvent):
            begun, items = open_ones.pop()
            pairs = list(zip(items[::2], items[1::2]))
            if isinstance(begun, yaml.SequenceStartEvent):
                data = items
            elif open_ones:
                data = {key.lstrip(":"): value for key, value in pairs}
            else:
                return pairs
        elif isinstance(event, yaml.AliasEvent):
            if event.anchor not in anchors:
                raise yaml.YAMLError(f"nothing whole is called {event.anchor}")
            data = anchors[event.anchor]
        elif isinstance(event, yaml.ScalarEvent):
            data = text_of_scalar(event)
        else:  # a stream or document begins or ends
            continue
        if begun.anchor is not None:
            anchors[begun.anchor] = data
        if not open_ones:
            break
        open_ones[-1][1].append(data)
    raise ValueError("it names no submissions")


def text_of_scalar(event: yaml.ScalarEvent) -> str:
    text: str = event.value
    if (event.tag or "").endswith("binary"):
        with contextlib.suppress(binascii.Error):
            return base64.b64decode(text).decode(errors="replace")
    return text


def entry_of(place: str, entry: dict[str, Any]) -> HandedIn:
    """One entry of the metadata. Whatever is missing there is left empty."""
    people = [
        Person(*(text_of(one.get(key)) for key in ("name", "sid", "email")))
        for one in listed(entry.get("submitters"))
    ]
    known = [person for person in people if any(person)]
    number = GRADESCOPE.fullmatch(place)
    history = [
        (time_of(one.get("created_at")), number_of(one.get("score")))
        for one in listed(entry.get("history"))
        if not number or text_of(one.get("id")) != number["id"]
    ]
    created, score = time_of(entry.get("created_at")), number_of(entry.get("score"))
    return HandedIn(
        place,
        people=known or [Person(place)],
        created=created,
        history=[*sorted(history, key=lambda one: one[0]), (created, score)] if history else [],
    )


def listed(value: object) -> list[dict[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def text_of(value: object) -> str:
    return value.strip() if isinstance(value, str) and value not in ("~", "null") else ""


def number_of(value: object) -> float | None:
    """A score, as far as it may be one: none is infinite."""
    try:
        number = float(text_of(value))
    except ValueError:
        return None
    return number if abs(number) < MAX_SCORE else None


def time_of(value: object) -> str:
    """A time in ISO 8601, however Ruby has written it; the text itself if it is something else."""
    text = text_of(value)
    if not TIME.fullmatch(text):  # YAML that is no time may be anything
        return text
    try:
        known = yaml.safe_load(text)
    except (yaml.YAMLError, ValueError):  # no such day, for one
        return text
    return known.isoformat(timespec="seconds") if isinstance(known, datetime) else text
