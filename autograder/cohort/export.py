"""Read the submissions of a class, as Gradescope, Moodle or Canvas export them.

An export is a folder or a zip; nothing of it is unpacked. It holds one of these:

- Gradescope's: a folder submission_ID for each submission, and submission_metadata.yml
- Moodle's: folders or files named NAME_ID_assignsubmission_file_..., or ..._onlinetext_... for text
  that was typed
- Canvas': files named NAME_ID_NUMBER_FILE, or NAME_LATE_ID_NUMBER_FILE; each file has its number;
  text that was typed is NAME_ID_text.html
- PrairieLearn's, Autolab's or Submitty's: see platform_exports.py
- anything else: a folder or a zip for each submission, named after the person

A name that a student has chosen never decides whose a file is. So a folder around all of them is
left out only if it can't be a student's.
"""

import io
import os
import re
import sys
import zipfile
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from autograder.cohort.accepted import AcceptedFiles, read_accepted
from autograder.cohort.class_folder import Person, parse_time
from autograder.cohort.metadata import GRADESCOPE, METADATA, Upload, read_metadata
from autograder.cohort.platform_exports import Files, group_platform_files
from autograder.packaging import (
    LARGEST_FILE,
    LARGEST_ZIP,
    BadSubmission,
    Entries,
    FolderEntries,
    ZipEntries,
    is_tool_folder,
    is_zip,
)
from autograder.printable import sanitize
from autograder.questions import QUESTION_FILES
from autograder.submission import ARCHIVES, read_entries

THE_SUBMISSION = "the submission"  # its name in messages: the real one may be a student's
CANVAS = re.compile(
    r"(?P<name>[^_]+)_(?P<late>LATE_)?(?P<sid>\d+)_((?P<number>\d+)_(?P<file>.+)|text\.html)",
    re.DOTALL,
)
MOODLE = re.compile(
    r"(?P<name>.+?)_(?P<sid>\d+)_assignsubmission_(file|onlinetext)(_(?P<file>.*))?", re.DOTALL
)
# In folders a name's last part is Moodle's; in a file's name the student chooses what follows it.
MOODLE_FOLDER = re.compile(MOODLE.pattern.replace(".+?", ".+"), re.DOTALL)
ENCLOSING = re.compile(r"assignment_\d+_export|class|export|submissions?", re.IGNORECASE)
MAX_METADATA = 200_000_000  # bytes
MISSING = f"its folder is missing in the export, though {METADATA} names it"
RESUBMITTED = re.compile(r"-\d+(?=\.\w+$)")  # Canvas numbers a file that is submitted again
# Types of submitted files; all but a zip are listed and not opened.
SUFFIXES = (".zip", *ARCHIVES, ".ipynb", ".py")
SUFFIX = re.compile(rf"(\.tar)?({'|'.join(map(re.escape, SUFFIXES))})$", re.IGNORECASE)
IGNORED_NAMES = re.compile(r"\..*|__MACOSX|Thumbs\.db|desktop\.ini")


class Export(NamedTuple):
    """All submissions of an export, and remarks about it, a line each."""

    uploads: list[Upload]
    remarks: list[str]


def read_export(path: Path, accepted: AcceptedFiles | None = None) -> Export:
    """Read the export at `path`, with the other files that the instructor accepts.

    Raises BadSubmission if the export can't be read. A problem with one submission is stored in its
    row, and the others are read.
    """
    with ExitStack() as stack:
        try:
            entries: Entries
            if path.is_dir():
                os.scandir(path).close()  # may it be read?
                entries = FolderEntries(path, depth=sys.maxsize)
                files = entries.names()
            else:
                archive = stack.enter_context(zipfile.ZipFile(path))
                entries = ZipEntries(archive)
                files = list(entries.infos)
        except FileNotFoundError:
            reason = "does not exist: give an exported class"
            raise BadSubmission(f"{sanitize(path)} {reason}") from None
        except Exception as error:  # zipfile raises all kinds on damaged data
            raise BadSubmission(
                f"{sanitize(path)} can't be read ({sanitize(error)}): export the class again"
            ) from None
        return read_uploads(path, entries, files, accepted or AcceptedFiles())


class SubmissionEntries:
    """Files of an export that are one submission."""

    def __init__(self, whole: Entries, files: Files) -> None:
        self.whole, self.files = whole, files
        self.links = [path for path, there in files.items() if there in whole.links]

    def names(self) -> list[PurePosixPath]:
        """Return the files, deeper ones later."""
        found = [path for path in self.files if not any(map(is_tool_folder, path.parts))]
        return sorted(found, key=lambda path: (len(path.parts), path))

    def read(self, entry: PurePosixPath, max_bytes: int = LARGEST_FILE) -> bytes:
        return self.whole.read(self.files[entry], max_bytes)


def strip_enclosing_folders(export: Path, files: list[PurePosixPath]) -> Files:
    """Return the files by their paths below the folders that enclose all of them.

    Raises BadSubmission if a folder may be a student's, or a class.
    """
    found = {file: file for file in files}
    while len(tops := {path.parts[0] for path in found}) == 1:
        (top,) = tops
        below = {path: file for path, file in found.items() if len(path.parts) > 1}
        inner = {PurePosixPath(*path.parts[1:]): file for path, file in below.items()}
        parts = {path for path in inner if len(path.parts) > 1 or may_be_one(path)}
        parts |= {PurePosixPath(METADATA)} & inner.keys()
        if is_submission_name(top) or any(map(is_question_file, inner)) or not parts:
            break  # one submission
        if not ENCLOSING.fullmatch(top) and top not in (export.name, export.stem):
            may_be = {path.parts[0] for path in inner if may_be_one(path)}
            if len(may_be) > 1 or PurePosixPath(METADATA) in inner:
                raise BadSubmission(
                    f"{sanitize(export)} holds one folder, and that holds several submissions: if "
                    "it is the class, give that folder itself; if it is one student's, put a zip "
                    "of it in its place"
                )
            break
        found = inner
    return found


def is_question_file(path: PurePosixPath) -> bool:
    return str(path).removeprefix("starter/") in QUESTION_FILES


def may_be_one(path: PurePosixPath) -> bool:
    """Return whether a file, or the folder that holds it, may be a submission."""
    top, *rest = path.parts
    inside = PurePosixPath(*rest)
    return is_submission_name(top) or (is_question_file(inside) if rest else is_zip(path))


def parse_name(name: str, is_folder: bool = False) -> tuple[Upload, str]:
    """Return the submission of a file or folder, as far as it follows from its name.

    All files and folders of a person get the same place. The second value is the name of the file
    when it was submitted, "" if there is none.
    """
    stem = SUFFIX.sub("", name)
    match = CANVAS.fullmatch(name) or MOODLE.fullmatch(name) or MOODLE.fullmatch(stem)
    if is_folder:
        match = MOODLE_FOLDER.fullmatch(name)
    if match is None:
        return Upload(name, [Person(name if is_folder else stem)]), ""
    person, file = Person(match["name"], match["sid"]), match["file"] or ""
    once = RESUBMITTED.sub("", file)
    file = once if once in QUESTION_FILES else file
    upload = Upload(f"{person.name}_{person.sid}", [person])
    if match.re is not CANVAS:
        upload.address = f"_{person.sid}_assignsubmission_file_"
        return upload, file
    upload.address = f"_{person.sid}_{match['number']}_" if match["number"] else ""
    upload.row.late = "yes" if match["late"] else ""
    return upload, file or "text.html"


def is_submission_name(name: str) -> bool:
    """Is it the name of one submission, not of a folder with all of them?"""
    return any(pattern.fullmatch(name) for pattern in (GRADESCOPE, MOODLE, CANVAS))


def read_uploads(
    path: Path, whole: Entries, everything: list[PurePosixPath], accepted: AcceptedFiles
) -> Export:
    """Read all submissions of an export, with its metadata."""
    everything = [
        file
        for file in everything
        if file.parts and not any(map(IGNORED_NAMES.fullmatch, file.parts))
    ]
    groups = group_platform_files(everything, whole.read)
    files = {} if groups else strip_enclosing_folders(path, everything)
    if any(str(file) in QUESTION_FILES for file in files):
        raise BadSubmission(
            f"{sanitize(path)} is one submission, not a class: make grade SUBMISSION=..."
        )
    metadata = files.pop(PurePosixPath(METADATA), None)
    known: dict[str, Upload] = {}
    if metadata is not None:
        known = read_metadata(read_named(whole, metadata, METADATA, MAX_METADATA))
    uploads = []
    for upload, part in groups or group_files(files, whole.links, known):
        if number := GRADESCOPE.fullmatch(upload.place):
            upload.row.id = upload.address = number["id"]
        if part:
            read_upload(upload, whole, part, accepted)
        elif not groups:
            upload.row.problem = MISSING
        uploads.append(upload)
    if not uploads:
        raise BadSubmission(
            f"there are no submissions in {sanitize(path)}: give the folder or zip that "
            "Gradescope, Moodle or Canvas exports, or one folder or zip for each submission"
        )
    chosen: dict[str | Person, Upload] = {}  # one for each person
    for one in sorted(uploads, key=lambda one: one.submission is None):
        chosen.setdefault(one.row.id or one.people[0], one)
    kept, remarks = [], []
    for one in uploads:
        first = chosen[one.row.id or one.people[0]]
        if one is not first:  # such as a zip beside the folder
            who = f"the same person has submitted {first.place}, which counts"
            remarks.append(f"{one.place} is ignored: {who}")
            continue
        kept.append(one)
        if known and one.place not in known:
            remarks.append(f"{one.place} is not in {METADATA}: nobody is known for it")
        if one.row.created and parse_time(one.row.created) is None:
            remarks.append(f"the time of {one.place} can't be read: {one.row.created}")
    remarks += accepted.describe_unused()
    return Export(kept, list(map(sanitize, remarks)))


def group_files(
    files: Files, links: Sequence[PurePosixPath], known: dict[str, Upload]
) -> Iterable[tuple[Upload, Files]]:
    """Return each submission with its files: known ones first, others by their names.

    A submission is a folder, the files and folders of one person, or a single file. If it has
    several names, the first one with an address counts.
    """
    places = {place: (upload, Files()) for place, upload in known.items()}
    for path, file in sorted(files.items()):
        top, *rest = path.parts
        upload, name = parse_name(top, bool(rest))
        if rest:
            inside = PurePosixPath(*rest)
        elif name:
            inside = PurePosixPath(name)
        elif path.suffix.lower() in SUFFIXES or file in links:
            inside = path
        else:
            continue
        first, part = places.get(upload.place, (upload, Files()))
        part[inside] = file
        keep = upload.place in known or first.address
        places[upload.place] = first if keep else upload, part
    return places.values()


def read_upload(upload: Upload, whole: Entries, files: Files, accepted: AcceptedFiles) -> None:
    """Read one submission; store a problem with it in its row."""
    part: Entries = SubmissionEntries(whole, files)
    try:
        alone = PurePosixPath(upload.place)
        if alone in files and is_zip(alone):
            content = read_named(part, alone, THE_SUBMISSION, LARGEST_ZIP)
            part = ZipEntries.of(THE_SUBMISSION, io.BytesIO(content))
        if chosen := accepted.find_files(upload):
            upload.submission = read_accepted(part, chosen)
        else:
            upload.submission = read_entries(part, THE_SUBMISSION)
    except BadSubmission as error:
        upload.row.problem = str(error)
    except Exception as error:  # readers of zips and archives raise all kinds on damaged data
        reason = f"{type(error).__name__}: {str(error)[:200]}"
        upload.row.problem = sanitize(f"{THE_SUBMISSION} can't be read ({reason})")


def read_named(entries: Entries, path: PurePosixPath, name: str, max_bytes: int) -> bytes:
    """Read a file. Raises BadSubmission, whose text begins with the name."""
    try:
        return entries.read(path, max_bytes)
    except BadSubmission as error:
        raise BadSubmission(f"{name} {error}") from None
