"""Reads files that the instructor accepts in accept.csv, though a submission names, places or packs
them otherwise: a notebook, a file deep in a project, one in a tar archive.
"""

from __future__ import annotations

import io
import json
import tarfile
from pathlib import PurePosixPath

from autograder.questions import QUESTION_FILES
from autograder.submission import (
    LARGEST_FILE,
    LARGEST_ZIP,
    BadSubmission,
    Entries,
    Submission,
    ZipEntries,
    checked_size,
    is_zip,
    not_python,
    printable,
    read_file,
)

TAR_ENDINGS = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz")
MAX_NOTEBOOK = 10_000_000  # bytes: it may hold pictures
MAGIC = ("%", "!", "?")  # how a notebook's lines begin that are no Python


class TarEntries:
    """The files of a tar archive."""

    def __init__(self, content: bytes) -> None:
        """Raises BadSubmission."""
        self.links: list[PurePosixPath] = []
        try:
            self.archive = tarfile.open(fileobj=io.BytesIO(content))
            self.files = {PurePosixPath(one.name): one for one in self.archive if one.isfile()}
        except (tarfile.TarError, OSError, EOFError, ValueError) as error:
            raise BadSubmission(f"its archive can't be read ({printable(error)})") from None

    def __enter__(self) -> TarEntries:
        return self

    def __exit__(self, *error: object) -> None:
        self.archive.close()

    def names(self) -> tuple[list[PurePosixPath], bool]:
        return list(self.files), True

    def read(self, entry: PurePosixPath, most: int = LARGEST_FILE) -> bytes:
        file = self.archive.extractfile(self.files[entry])
        assert file is not None  # only links have none
        return checked_size(file.read(most + 1), most)


def read_accepted(entries: Entries, accepted: dict[str, str]) -> Submission:
    """Read a submission with the files that are accepted, by the question files that they are.

    Raises BadSubmission if one of them is not there.
    """
    submission = Submission()
    names, _ = entries.names()
    for name in QUESTION_FILES:
        if name not in accepted:
            read_file(name, names, entries, submission)
            continue
        path = accepted[name]
        content = read_path(entries, path.replace("\\", "/").removeprefix("./"))
        submission.files[name] = content
        if problem := not_python(content):
            submission.problems[name] = f"{name} {problem}"
        submission.notes.append(
            f"{printable(path)} is graded as {name}: your instructor has accepted it"
        )
    return submission


def read_path(entries: Entries, path: str) -> bytes:
    """Return a file, also in an archive, whose name is then a part of the path."""
    for entry in entries.names()[0]:
        if str(entry) == path:
            if not path.endswith(".ipynb"):
                return entries.read(entry)
            return checked_size(code_of(entries.read(entry, MAX_NOTEBOOK)), LARGEST_FILE)
        if path.startswith(f"{entry}/"):
            with open_archive(entry, entries.read(entry, LARGEST_ZIP)) as inner:
                return read_path(inner, path.removeprefix(f"{entry}/"))
    raise BadSubmission(f"accept.csv names {printable(path)}, which is not in the submission")


def open_archive(entry: PurePosixPath, content: bytes) -> Entries:
    if is_zip(entry):
        return ZipEntries.of(printable(entry), io.BytesIO(content))
    if entry.name.lower().endswith(TAR_ENDINGS):
        return TarEntries(content)
    raise BadSubmission(f"{printable(entry)} is no archive that can be opened")


def code_of(notebook: bytes) -> bytes:
    """Return the code cells of a notebook as one file, without IPython's commands."""
    try:
        cells = json.loads(notebook)["cells"]
        sources = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    except (ValueError, KeyError, TypeError) as error:
        raise BadSubmission(f"the notebook can't be read ({printable(error)})") from None
    lines = "\n\n".join(sources).split("\n")
    return "\n".join(line for line in lines if not line.lstrip().startswith(MAGIC)).encode() + b"\n"
