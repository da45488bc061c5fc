"""Read accept.csv, in which the instructor accepts files that would be left out.

These files have another name, place or form than a question file. The columns are `submission`
(its id, place in the export, or pseudonym), `file` (the path in that submission, which may lead
through zips and tar archives; a notebook counts by its code cells) and `as` (the question file that
it is graded as).
"""

import bz2
import io
import json
import lzma
import tarfile
import zlib
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from typing import Any

from autograder.cohort.class_folder import ClassFolder, Person, find_pseudonym
from autograder.cohort.gradebooks import Sheet
from autograder.cohort.metadata import Upload
from autograder.errors import UsageError
from autograder.packaging import (
    LARGEST_FILE,
    LARGEST_ZIP,
    BadSubmission,
    Entries,
    ZipEntries,
    check_size,
    is_zip,
)
from autograder.printable import sanitize
from autograder.questions import QUESTION_FILES
from autograder.submission import Submission, read_file

COLUMNS = ("submission", "file", "as")
MAX_MEMORY = 200_000_000  # bytes that one archive may need to be unpacked
UNPACKERS: dict[bytes, Callable[[], Any]] = {  # by the first bytes of an archive
    b"\x1f\x8b": lambda: zlib.decompressobj(wbits=31),
    b"BZh": bz2.BZ2Decompressor,
    b"\xfd7zXZ": lambda: lzma.LZMADecompressor(memlimit=MAX_MEMORY),
}
MAX_NOTEBOOK = 10_000_000  # bytes: it may hold pictures
MAGIC = ("%", "!", "?")  # beginnings of a notebook's lines that are not Python

Accepted = dict[str, str]  # the path of a file, by the question file that it is graded as


class AcceptedFiles:
    """What accept.csv accepts, if there is one."""

    def __init__(self, out: Path | None = None) -> None:
        """Read accept.csv in the folder of a class, if it is there.

        Raises UsageError for an incomplete row, or one that names no question file.
        """
        self.by_submission: dict[str, Accepted] = {}
        self.used: set[str] = set()
        self.key: dict[str, Person] = {}
        if out is None or not (out / "accept.csv").exists():
            return
        sheet = Sheet(out / "accept.csv")
        for row in range(1, len(sheet.rows)):
            submission, file, name = (sheet.read_cell(row, name) for name in COLUMNS)
            if not any(sheet.rows[row]):
                continue
            if not (submission and file and name):
                raise UsageError(f"{out}/accept.csv needs the columns {','.join(COLUMNS)}")
            if name not in QUESTION_FILES:
                raise UsageError(f"{out}/accept.csv: {sanitize(name)} is no question file")
            self.by_submission.setdefault(submission, {})[name] = file
        if (out / "class.json").exists():
            self.key = ClassFolder(out).read_key()

    def find_files(self, one: Upload) -> Accepted:
        names = [one.row.id, one.place, *(find_pseudonym(self.key, who) for who in one.owners)]
        found = [name for name in names if name in self.by_submission]
        self.used.update(found)
        return {name: file for one in found for name, file in self.by_submission[one].items()}

    def describe_unused(self) -> list[str]:
        """Name the submissions in accept.csv that are not in the export."""
        missing = [name for name in self.by_submission if name not in self.used]
        return [f"accept.csv: {name} is not in this export" for name in missing]


def read_accepted(entries: Entries, accepted: Accepted) -> Submission:
    """Read a submission with the files that are accepted.

    Raises BadSubmission if one of them is not there, and all kinds for a damaged one.
    """
    submission = Submission()
    names = entries.names()
    for name in QUESTION_FILES:
        if name not in accepted:
            read_file(name, names, entries, submission)
            continue
        path = accepted[name].replace("\\", "/").removeprefix("./")
        if path.endswith(".ipynb"):
            code = extract_code(read_path(entries, path, MAX_NOTEBOOK))
            content = check_size(code, LARGEST_FILE)
        else:
            content = read_path(entries, path, LARGEST_FILE)
        submission.files[name] = content
        submission.notes.append(
            f"{sanitize(accepted[name])} is graded as {name}: your instructor has accepted it"
        )
    return submission


def read_path(entries: Entries, path: str, max_bytes: int) -> bytes:
    """Return a file's content; the path may lead through zips and tar archives."""
    for entry in entries.names():
        inside = path.removeprefix(f"{entry}/")
        if str(entry) == path:
            return entries.read(entry, max_bytes)
        if inside != path:
            archive = entries.read(entry, LARGEST_ZIP)
            if not is_zip(entry):
                return read_from_tar(archive, inside, max_bytes)
            return read_path(ZipEntries.of(sanitize(entry), io.BytesIO(archive)), inside, max_bytes)
    raise BadSubmission(f"accept.csv names {sanitize(path)}, which is not in the submission")


def read_from_tar(content: bytes, path: str, max_bytes: int) -> bytes:
    with tarfile.open(fileobj=io.BytesIO(unpack(content)), mode="r:") as archive:
        for member in archive:
            if PurePosixPath(member.name) == PurePosixPath(path) and member.isfile():
                file = archive.extractfile(member)
                assert file
                return check_size(file.read(max_bytes + 1), max_bytes)
    raise BadSubmission(f"accept.csv names {sanitize(path)}, which is not in the archive")


def unpack(content: bytes) -> bytes:
    """Return the bytes from which an archive was packed. Raises BadSubmission."""
    for magic, make_unpacker in UNPACKERS.items():
        if content.startswith(magic):
            content = make_unpacker().decompress(content, LARGEST_ZIP + 1)
    if len(content) > LARGEST_ZIP:
        raise BadSubmission(f"its archive holds more than {LARGEST_ZIP:,} bytes")
    return content


def extract_code(notebook: bytes) -> bytes:
    """Return the code cells of a notebook as one file, without IPython's commands."""
    cells = json.loads(notebook)["cells"]
    sources = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    lines = "\n\n".join(sources).split("\n")
    code = "\n".join(line for line in lines if not line.lstrip().startswith(MAGIC))
    return code.encode() + b"\n"
