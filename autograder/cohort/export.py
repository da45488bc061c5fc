"""Reads what a whole class has submitted, as Gradescope, Moodle or Canvas export it.

An export is a folder or a zip; nothing of it is unpacked. It holds one of these:

- Gradescope's: a folder submission_ID for each submission, and submission_metadata.yml
- Moodle's: folders or files named NAME_ID_assignsubmission_file_...
- Canvas': files named NAME_ID_NUMBER_FILE, or NAME_LATE_ID_NUMBER_FILE; each file has its number
- anything else: a folder or a zip for each submission, named after the person

A student who typed text in place of a file has NAME_ID_assignsubmission_onlinetext_... or
NAME_ID_text.html.
"""

from __future__ import annotations

import io
import os
import re
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from autograder.cohort.accepted import read_accepted
from autograder.cohort.class_folder import Attempt, Person
from autograder.cohort.metadata import GRADESCOPE, METADATA, Entry, read_metadata
from autograder.questions import QUESTION_FILES
from autograder.submission import (
    LARGEST_FILE,
    LARGEST_ZIP,
    MOST_ENTRIES,
    READ,
    BadSubmission,
    Entries,
    FolderEntries,
    Submission,
    ZipEntries,
    files_of,
    is_tool_folder,
    is_zip,
    printable,
    read_entries,
)

THE_SUBMISSION = "the submission"  # its name in messages: its own may be a student's
MOODLE = re.compile(
    r"(?P<owner>(?P<name>.+)_(?P<sid>\d+)_assignsubmission_file)(_(?P<file>.*))?", re.DOTALL
)
MOODLE_ID = re.compile(r"_\d+_assignsubmission_file")
CANVAS = re.compile(
    r"(?P<owner>(?P<name>[^_]+)_(?P<late>LATE_)?(?P<sid>\d+)_)((?P<number>\d+)_(?P<file>.+))?",
    re.DOTALL,
)
MAX_METADATA = 200_000_000  # bytes
AGAIN = re.compile(r"-\d+(?=\.\w+$)")  # Canvas numbers a file that is submitted again
# What somebody may have submitted, though nothing here opens it.
UNOPENED = (".7z", ".bz2", ".gz", ".ipynb", ".py", ".rar", ".tar", ".tgz", ".xz")
IGNORED_NAMES = re.compile(r"\..*|__MACOSX|Thumbs\.db|desktop\.ini")
# The names that Moodle and Canvas give to text that was typed.
TYPED = re.compile(
    r"(?P<name>.+?)_(LATE_)?(?P<sid>\d+)_(assignsubmission_onlinetext(_.*)?|text\.html)", re.DOTALL
)
ONLY_TYPED = "text was typed in place of a file: ask for the question files"
# Where the question files of a submission may be in its folder.
IN_A_SUBMISSION = [
    PurePosixPath(*above, name) for above in ((), ("starter",)) for name in QUESTION_FILES
]

Accepted = dict[str, str]  # the path of a file, by the question file that it is graded as


@dataclass
class Upload:
    """One submission of a class.

    place:      its name in the export
    id:         of the submission, "" where the export gives none
    submission: what is to be graded, None if it can't be: `problem` says why
    people:     those who submitted it; not empty
    created, late, history: as in `metadata.Entry`
    address:    what its name has besides the person's, "" if the export is none of Moodle or Canvas
    """

    place: str
    people: list[Person]
    created: str = ""
    late: str = ""
    history: Sequence[Attempt] = ()
    id: str = ""
    submission: Submission | None = None
    problem: str = ""
    address: str = ""


@dataclass
class Export:
    """All submissions of an export, and remarks about it, a line each."""

    uploads: list[Upload] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)


def read_export(path: Path, accepted: Callable[[Upload], Accepted] = lambda upload: {}) -> Export:
    """Read the export at `path`.

    accepted: what the instructor accepts in a submission besides its question files

    Raises BadSubmission when it can't be read as a whole; what is wrong with one submission is in
    its `problem`, and the others are read.
    """
    try:
        with open_export(path) as listing:
            return read_uploads(path, listing, accepted)
    except FileNotFoundError:
        raise BadSubmission(f"{printable(path)} does not exist: give an exported class") from None
    except (OSError, ValueError, zipfile.BadZipFile) as error:
        raise BadSubmission(
            f"{printable(path)} can't be read ({printable(error)}): export the class again"
        ) from None


# --- folders and zips -----------------------------------------------------------------------------


Files = dict[PurePosixPath, PurePosixPath]  # paths in an export, by those in a submission


class Listing(NamedTuple):
    """An export that is open: its entries, the paths of all files, and of folders without any."""

    entries: Entries
    files: list[PurePosixPath]
    empty: list[PurePosixPath]


@contextmanager
def open_export(path: Path) -> Iterator[Listing]:
    """Open a folder or a zip. Raises OSError, BadZipFile."""
    if path.is_dir():
        with FolderEntries(os.open(path, READ)) as folder:
            yield walk(path, folder)
        return
    try:
        archive = zipfile.ZipFile(path)
        files = files_of(archive)
    except OSError:
        raise
    except Exception as error:  # zipfile raises all kinds on damaged data
        raise zipfile.BadZipFile(str(error)) from None
    with archive:
        yield Listing(ZipEntries(archive, files), [path for path, _ in files], [])


def walk(path: Path, entries: FolderEntries) -> Listing:
    """List all files of a folder, at any depth. No link is followed."""
    listing = Listing(entries, [], [])
    for place, folders, files in os.walk(path):
        here = PurePosixPath(Path(place).relative_to(path).as_posix())
        links = [name for name in folders if os.path.islink(os.path.join(place, name))]
        entries.links += [here / name for name in links]
        folders[:] = [name for name in folders if not is_tool_folder(name)]
        listing.files.extend(here / name for name in (*files, *links))
        if not files and not folders:
            listing.empty.append(here)
    return listing


class Part:
    """Files of an export that are one submission."""

    def __init__(self, whole: Entries, files: Files) -> None:
        self.whole, self.files = whole, files
        self.links = [path for path, there in files.items() if there in whole.links]

    def __enter__(self) -> Part:
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def names(self) -> tuple[list[PurePosixPath], bool]:
        """Return the files, and whether that is all of them; deeper ones come later."""
        found = [path for path in self.files if not any(map(is_tool_folder, path.parts))]
        found.sort(key=lambda path: (len(path.parts), path))
        return found[:MOST_ENTRIES], len(found) <= MOST_ENTRIES

    def read(self, entry: PurePosixPath, most: int = LARGEST_FILE) -> bytes:
        return self.whole.read(self.files[entry], most)


# --- names ----------------------------------------------------------------------------------------


def is_ignored(name: str) -> bool:
    return IGNORED_NAMES.fullmatch(name) is not None or TYPED.fullmatch(name) is not None


def format_of(names: Iterable[str]) -> re.Pattern[str]:
    """Return the format of the names in an export.

    Decide from all names together; a single file name can match both formats.
    """
    fits = [{form for form in (MOODLE, CANVAS) if form.fullmatch(name)} for name in names]
    return MOODLE if {MOODLE} in fits and {CANVAS} not in fits else CANVAS


class Name(NamedTuple):
    """What the name of a file or folder in an export says.

    owner:   what all files of the same person begin with, "" for a file that is nobody's
    file:    its name when it was submitted, "" for a folder
    address: what the name has besides the person's and the file's: Moodle and Canvas know by that
             whose feedback a file is
    """

    owner: str
    file: str
    person: Person
    address: str = ""
    late: str = ""


def is_ambiguous(name: str) -> bool:
    """Return whether this may be a file of several people of Moodle's.

    A person's name and a file's name, which are theirs to choose, stand on both sides of the id. A
    folder's name ends with the id.
    """
    match = MOODLE.fullmatch(name)
    return bool(match and match["file"]) and len(MOODLE_ID.findall(name)) > 1


def read_name(name: str, form: re.Pattern[str]) -> Name:
    """Read a name; an ambiguous one is its own owner."""
    stem = name
    while PurePosixPath(stem).suffix.lower() in (".zip", *UNOPENED):
        stem = PurePosixPath(stem).stem
    if is_ambiguous(name):
        return Name(name, name, Person(name))
    match = form.fullmatch(name)
    if match is None:
        match = form.fullmatch(stem)
        return Name("", "", Person(match["name"], match["sid"]) if match else Person(stem))
    person, file = Person(match["name"], match["sid"]), match["file"] or ""
    once = AGAIN.sub("", file)
    file = once if once in QUESTION_FILES else file
    owner = match["owner"] if file else ""
    if match.re is MOODLE:
        return Name(owner, file, person, f"_{person.sid}_assignsubmission_file_")
    address = f"_{person.sid}_{match['number']}_" if match["number"] else ""
    return Name(owner, file, person, address, "yes" if match["late"] else "")


def is_submission_name(name: str) -> bool:
    """Return whether that is the name of one submission, not of a folder with all of them."""
    return any(pattern.fullmatch(name) for pattern in (GRADESCOPE, MOODLE, CANVAS))


def count_enclosing(files: list[PurePosixPath]) -> int:
    """Return how many folders, one in another, hold all submissions."""
    depth = 0
    while files:
        tops = {path.parts[depth] for path in files}
        inner = [PurePosixPath(*path.parts[depth + 1 :]) for path in files]
        one_folder = len(tops) == 1 and all(path.parts for path in inner)
        one_submission = is_submission_name(min(tops)) or any(
            path in IN_A_SUBMISSION for path in inner
        )
        several = any(len(path.parts) > 1 or is_zip(path) for path in inner)
        if not one_folder or one_submission or not several:
            break
        depth += 1
    return depth


# --- reading them ---------------------------------------------------------------------------------


def read_uploads(path: Path, listing: Listing, accepted: Callable[[Upload], Accepted]) -> Export:
    """Read all submissions of an export, with what its metadata say."""
    whole, everything, empty = listing
    typed = sorted({part for file in everything for part in file.parts if TYPED.fullmatch(part)})
    files = [file for file in everything if file.parts and not any(map(is_ignored, file.parts))]
    depth = count_enclosing(files)
    inner = {PurePosixPath(*file.parts[depth:]): file for file in files}
    if any(str(file) in QUESTION_FILES for file in inner):
        raise BadSubmission(
            f"{printable(path)} is one submission, not a class: make grade SUBMISSION=..."
        )
    metadata = inner.pop(PurePosixPath(METADATA), None)
    known: dict[str, Entry] = {}
    found = Export()
    if metadata is not None:
        try:
            content = whole.read(metadata, MAX_METADATA)
        except BadSubmission as error:
            raise BadSubmission(f"{METADATA} {error}") from None
        known, found.remarks = read_metadata(content)
    form = format_of({file.parts[0] for file in inner})
    singles = [".zip", *(() if metadata else UNOPENED)]
    places = group(inner, form, singles, whole.links)
    for folder in empty:
        if len(folder.parts) == depth + 1 and not is_ignored(folder.name):
            places.setdefault(folder.name, {})
    for place in {**known, **dict(sorted(places.items()))}:
        if metadata is not None and place not in known:
            found.remarks.append(f"{printable(place)} is not in {METADATA}: nobody is known for it")
        first = [file.parts[depth] for file in places.get(place, {}).values()][:1]
        name = read_name(first[0] if first else place, form)
        entry = known.get(place) or Entry([name.person])
        upload = Upload(place, *entry)
        found.uploads.append(upload)
        number = GRADESCOPE.fullmatch(place)
        upload.id = number["id"] if number else ""
        if is_ambiguous(place):
            upload.people = [Person(place)]
            upload.problem = "its name has the ids of several people: rename it"
        elif place in places:
            upload.address = name.address
            upload.late = upload.late or name.late
            read_one(upload, whole, places[place], accepted(upload))
        else:
            upload.problem = f"its folder is missing in the export, though {METADATA} names it"
    found.uploads += only_typed(typed, found.uploads)
    found.remarks += shared_numbers(found.uploads)
    if not found.uploads:
        raise BadSubmission(
            f"there are no submissions in {printable(path)}: give the folder or zip that "
            "Gradescope, Moodle or Canvas exports, or one folder or zip for each submission"
        )
    return found


def group(
    inner: Files, form: re.Pattern[str], singles: Sequence[str], links: Sequence[PurePosixPath]
) -> dict[str, Files]:
    """Return the files of each submission: a folder, files of one owner, or a single file.

    singles: the endings of files that are a submission by themselves
    """
    places: dict[str, Files] = {}
    for path, file in inner.items():
        top, *rest = path.parts
        name = read_name(top, form)
        if rest:
            places.setdefault(top, {})[PurePosixPath(*rest)] = file
        elif name.owner:
            places.setdefault(name.owner, {})[PurePosixPath(name.file)] = file
        elif path.suffix.lower() in singles or file in links:
            places[top] = {path: file}
    return places


def read_one(upload: Upload, whole: Entries, files: Files, accepted: Accepted) -> None:
    """Read one submission; what is wrong with it is its `problem`."""
    try:
        with open_part(upload.place, whole, files) as entries:
            if accepted:
                upload.submission = read_accepted(entries, accepted)
            else:
                upload.submission = read_entries(entries, THE_SUBMISSION)
    except BadSubmission as error:
        upload.problem = str(error)


def open_part(place: str, whole: Entries, files: Files) -> Entries:
    """Open a submission. Raises BadSubmission."""
    alone = PurePosixPath(place)
    if files.get(alone) in whole.links:
        raise BadSubmission(f"{THE_SUBMISSION} is a link: give the folder or the zip itself")
    if alone not in files or not is_zip(alone):
        return Part(whole, files)
    try:
        content = whole.read(files[alone], LARGEST_ZIP)
    except BadSubmission as error:
        raise BadSubmission(f"{THE_SUBMISSION} {error}") from None
    return ZipEntries.of(THE_SUBMISSION, io.BytesIO(content))


def only_typed(names: list[str], uploads: list[Upload]) -> list[Upload]:
    """Return an upload, with its problem, for each person who typed text and gave no file.

    names: of what was typed
    """
    people = {person for upload in uploads for person in upload.people}
    found: dict[Person, Upload] = {}
    for name in names:
        match = TYPED.fullmatch(name)
        assert match
        person = Person(match["name"], match["sid"])
        if person not in people:
            found.setdefault(person, Upload(name, [person], problem=ONLY_TYPED))
    return list(found.values())


def shared_numbers(uploads: list[Upload]) -> list[str]:
    """Return a remark for each number that people of several names have."""
    names: dict[str, set[str]] = {}
    for person in (person for upload in uploads for person in upload.people if person.sid):
        names.setdefault(person.sid, set()).add(person.name)
    return [
        printable(
            f"{sid} is the number of {' and of '.join(sorted(several))}: they count as one person"
        )
        for sid, several in names.items()
        if len(several) > 1
    ]
