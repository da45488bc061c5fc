"""Reads a submission: the question files from a folder or a zip, and nothing else.

Everything is read into memory, once. Nothing is unpacked, no link is followed, and only regular
files of a sensible size with one of their names, at a place where they may stand, are opened.
"""

from __future__ import annotations

import contextlib
import errno
import io
import os
import re
import stat
import sys
import unicodedata
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path, PurePosixPath

from autograder.errors import UsageError
from autograder.inside.protocol import PROVIDED_FILES  # clean copies are used instead
from autograder.questions import QUESTION_FILES, is_bonus, question_of

LARGEST_FILE = 200_000  # bytes; the solution's longest has less than a twentieth of that
LARGEST_ZIP = 10_000_000  # so that its list of entries fits into memory, however many they are
MOST_ENTRIES = 10_000  # that are looked at, in a zip or in all folders together
# Open without following a link, and without waiting for a writer to a named pipe.
READ = os.O_RDONLY
for _flag in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY"):
    READ |= getattr(os, _flag, 0)
SIGNPOSTS = ("Makefile", "autograder.py", "starter.py")  # in starter/, for those who begin there
MOST_MARKS = 3  # marks on one letter; no language that we know of needs more
# Fillers, blanks and selectors that Unicode counts among letters, marks and symbols.
WITHOUT_INK = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0"
    "\U00013441\U00013442\U00016fe4\U0001d159\U000e0100-\U000e01ef]"
)


class BadSubmission(UsageError):
    """The submission can't be graded at all; the text says why, and what to do."""


@dataclass
class Submission:
    """The question files of one submission, by name, and what is to be said about them."""

    files: dict[str, bytes] = field(default_factory=dict)
    problems: dict[str, str] = field(default_factory=dict)  # by file: why it can't be used
    notes: list[str] = field(default_factory=list)
    name: str = ""  # of its folder or zip

    def leaves_out(self, what: str) -> bool:
        """Is that a bonus question, or a test of one, whose file was simply not handed in?"""
        return is_bonus(what) and question_of(what).file not in (*self.files, *self.problems)


def printable(text: object) -> str:
    """Text without characters that can't be seen, or be UTF-8, or that a terminal or page obeys.

    Nor do marks pile up on a letter into the lines above and below.
    """
    text = str(text)
    if text.isascii() and text.isprintable():
        return text
    shown, marks = [], MOST_MARKS  # a first mark would sit on a character before this text
    for c in text:
        marks = marks + 1 if unicodedata.category(c)[0] == "M" else 0
        fine = c.isprintable() and not WITHOUT_INK.match(c) and marks <= MOST_MARKS
        shown.append(c if fine else "\ufffd")
    return "".join(shown)


def read_submission(path: str | os.PathLike[str]) -> Submission:
    """Read the folder or zip at `path`.

    The question files may stand loose, under `starter/`, or so inside one top folder.
    Raises BadSubmission when there is nothing to grade.
    """
    path = Path(path)
    with opened(path) as entries:
        return read_entries(entries, printable(path))


def read_entries(
    entries: FolderEntries | ZipEntries, where: str, look_inside: bool = True
) -> Submission:
    """Read what a folder or zip holds, or the zip inside that holds it; `where` is its name.

    Raises BadSubmission when there is nothing to grade.
    """
    submission = Submission(name=where)
    names, whole = entries.names()
    for name in QUESTION_FILES:
        read_file(name, names, entries, submission)
    if not submission.files:
        zips = sorted(entry for entry in names if is_zip(entry) and may_stand_at(entry))
        if zips and look_inside:
            return read_inside(zips[0], entries, where)
        reasons = "; ".join(submission.problems.values())
        if zips:
            reasons = f"{printable(zips[0])[:200]} is not opened, for only one zip in another is"
        raise BadSubmission(f"there is nothing to grade in {where}: {reasons}")
    if not whole:
        submission.notes.append(f"only the first {MOST_ENTRIES:,} files and folders were looked at")
    known = (*QUESTION_FILES, *PROVIDED_FILES, *SIGNPOSTS)
    others = sum(not any(map(entry.match, known)) for entry in names)
    if others:
        files = "1 other file" if others == 1 else f"{others} other files"
        are = "is" if others == 1 else "are"
        submission.notes.append(
            f"{files} in the submission {are} not used: only {', '.join(QUESTION_FILES)} are graded"
        )
    return submission


def read_inside(
    entry: PurePosixPath, entries: FolderEntries | ZipEntries, where: str
) -> Submission:
    """Read the zip that lies in a submission without question files, and say so."""
    inner = printable(entry)[:200]
    try:
        content = entries.read(entry, LARGEST_ZIP)
    except BadSubmission as problem:
        raise BadSubmission(f"there is nothing to grade in {where}: {inner} {problem}") from None
    inside = f"{where}, in {inner}"
    submission = read_entries(ZipEntries.of(inside, content), inside, look_inside=False)
    submission.notes.append(f"the files were in {inner} inside the submission: they are graded")
    return submission


def is_zip(entry: PurePosixPath) -> bool:
    return entry.suffix.lower() == ".zip" and not entry.name.startswith("._")  # a Mac's leftover


def read_file(
    name: str, names: list[PurePosixPath], entries: FolderEntries | ZipEntries, into: Submission
) -> None:
    """Read one question file from where it may stand, or say why there is none.

    That of a bonus question may be missing, unless it seems to be there by mistake elsewhere.
    """
    found = [entry for entry in names if entry.name == name and may_stand_at(entry)]
    if not found:
        instead = found_instead(name, names)
        if instead or not is_bonus(name):
            into.problems[name] = missing(name) + instead
        return
    found.sort(key=lambda entry: (entry.parent.name != "starter", len(entry.parts), entry))
    try:
        into.files[name] = entries.read(found[0])
    except BadSubmission as problem:
        into.problems[name] = f"{printable(found[0])[:200]} {problem}"
    if len(found) > 1:
        graded, other = printable(found[0])[:200], printable(found[1])[:200]
        which = f"{graded} is graded, not {other}" if graded != other else "the last is graded"
        into.notes.append(f"{name} is there twice: {which}")


def missing(name: str) -> str:
    return f"{name} is not in the submission"


def found_instead(name: str, names: list[PurePosixPath]) -> str:
    stem = name.removesuffix(".py")
    astray = [entry for entry in names if entry.name == name]
    alike = [
        entry
        for entry in names
        if entry.name.lower().startswith(stem) and not any(map(entry.match, PROVIDED_FILES))
    ]
    if astray:
        stray = printable(astray[-1])[:200]
        return f" where it may stand, loose or under starter/, but at {stray}"
    if alike:
        near = printable(alike[-1])[:200]
        return f"; there is {near}, but the name must be {name}"
    return ""


def opened(path: Path, name: str = "") -> FolderEntries | ZipEntries:
    """Open a folder or a zip; raises BadSubmission if it is neither, or a link to one.

    name: what the trouble calls it, if not by its path
    """
    name = name or printable(path)
    try:
        if sys.platform == "win32" and path.is_dir():
            return FolderOnWindows(path)
        file = os.open(path, READ)
    except FileNotFoundError:
        raise BadSubmission(
            f"{name} does not exist: give a folder or a zip with the question files"
        ) from None
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise BadSubmission(f"{name} is a link: give the folder or the zip itself") from None
        raise BadSubmission(f"{name} can't be read: {error.strerror}") from None
    kind = os.fstat(file).st_mode
    if stat.S_ISDIR(kind):
        return FolderEntries(file)
    with open(file, "rb") as stream:
        if not stat.S_ISREG(kind):
            raise BadSubmission(f"{name} is neither a folder nor a zip with the question files")
        return ZipEntries.of(name, stream.read(LARGEST_ZIP + 1))


def may_stand_at(entry: PurePosixPath) -> bool:
    """Is it loose, under starter/, or either of these inside one top folder that no tool made?"""
    folders = entry.parts[:-1]
    tools = any(name.startswith(".") or name in ("__pycache__", "__MACOSX") for name in folders)
    if tools or entry.is_absolute():
        return False
    return len(folders) <= 1 or (len(folders) == 2 and folders[1] == "starter")


class FolderEntries:
    """The files of a folder, down to the depth at which a question file may stand.

    Everything is opened from the folder itself downwards, and no link is followed: anyone who
    changes the folder meanwhile can only lose files.
    """

    def __init__(self, folder: int) -> None:
        self.folder = folder  # its descriptor

    def __enter__(self) -> FolderEntries:
        return self

    def __exit__(self, *error: object) -> None:
        os.close(self.folder)

    def open(self, parts: tuple[str, ...]) -> int:
        with contextlib.ExitStack() as stack:
            above = self.folder
            for part in parts[:-1]:
                above = os.open(part, READ | os.O_DIRECTORY, dir_fd=above)
                stack.callback(os.close, above)
            return os.open(parts[-1] if parts else ".", READ, dir_fd=above)

    def listing(self, parts: tuple[str, ...], most: int) -> list[tuple[str, bool]]:
        """Return at most so many entries of the folder at these parts, none if there is no such.

        Of each its name, and whether it is a folder.
        """
        try:
            folder = self.open(parts)
        except OSError:
            return []
        try:
            with os.scandir(folder) as entries:
                return named(entries, most)
        except OSError:
            return []
        finally:
            os.close(folder)

    def names(self) -> tuple[list[PurePosixPath], bool]:
        """Return the files, and whether that is all of them.

        What lies deeper comes later, so that no other folder hides the question files.
        """
        found: list[PurePosixPath] = []
        folders: list[tuple[str, ...]] = [()]
        left = MOST_ENTRIES
        for parts in folders:
            entries = self.listing(parts, left)
            left -= len(entries)
            for name, is_folder in sorted(entries):
                if name.startswith(".") or name == "__pycache__":
                    continue
                if not is_folder:
                    found.append(PurePosixPath(*parts, name))
                elif len(parts) < 2:
                    folders.append((*parts, name))
            if not left:
                return found, False
        return found, True

    def read(self, entry: PurePosixPath, most: int = LARGEST_FILE) -> bytes:
        try:
            with open(self.open(entry.parts), "rb") as file:
                if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                    return checked_size(file.read(most + 1), most)
        except OSError as error:
            if error.errno not in (errno.ELOOP, errno.ENOTDIR, errno.ENXIO):
                raise BadSubmission(f"can't be read: {error.strerror}") from None
        raise BadSubmission("is not a regular file: submit the file itself, not a link")


class FolderOnWindows(FolderEntries):
    """The same by paths, for Windows: no folder has a descriptor there, and links need rights."""

    def __init__(self, folder: Path) -> None:
        self.path = folder

    def __exit__(self, *error: object) -> None:
        pass

    def open(self, parts: tuple[str, ...]) -> int:
        path = self.path
        for part in parts:
            path = path / part
            if path.is_symlink():
                raise OSError(errno.ELOOP, "it is a link")
        return os.open(path, READ)

    def listing(self, parts: tuple[str, ...], most: int) -> list[tuple[str, bool]]:
        try:
            with os.scandir(self.path.joinpath(*parts)) as entries:
                return named(entries, most)
        except OSError:
            return []


class ZipEntries:
    """Files of a zip, by the names they count under; read from it one by one."""

    def __init__(
        self, archive: zipfile.ZipFile, files: list[tuple[PurePosixPath, zipfile.ZipInfo]]
    ):
        self.zip = archive
        self.entries = files

    @classmethod
    def of(cls, name: str, content: bytes) -> ZipEntries:
        """All files of a zip in memory; `name` is for what is raised, BadSubmission."""
        if len(content) > LARGEST_ZIP:
            raise BadSubmission(f"{name} is too large: submit only the question files")
        try:
            archive = zipfile.ZipFile(io.BytesIO(content))
            return cls(archive, files_of(archive))
        except Exception:  # zipfile raises all kinds on damaged data
            raise BadSubmission(
                f"{name} is not a zip that can be read: submit a folder or a zip with the question "
                "files"
            ) from None

    def __enter__(self) -> ZipEntries:
        return self

    def __exit__(self, *error: object) -> None:
        pass  # it is in memory, or belongs to who has opened it

    def names(self) -> tuple[list[PurePosixPath], bool]:
        """Return the files, and whether that is all of them."""
        names = [entry for entry, _ in self.entries[:MOST_ENTRIES]]
        return names, len(self.entries) <= MOST_ENTRIES

    def read(self, entry: PurePosixPath, most: int = LARGEST_FILE) -> bytes:
        info = dict(self.entries)[entry]
        mode = info.external_attr >> 16
        if stat.S_IFMT(mode) not in (0, stat.S_IFREG):
            raise BadSubmission("is not a regular file: submit the file itself, not a link")
        if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            # The others may unpack a gigabyte before they can be stopped.
            raise BadSubmission("is compressed in an unusual way: make the zip with the usual one")
        if info.flag_bits & 1:
            raise BadSubmission("is locked with a password: make the zip without one")
        try:
            with self.zip.open(info) as file:
                return checked_size(file.read(most + 1), most)
        except BadSubmission:
            raise
        except Exception:  # zipfile and zlib raise all kinds on damaged data
            raise BadSubmission("is damaged in the zip: make the zip again") from None


def files_of(archive: zipfile.ZipFile) -> list[tuple[PurePosixPath, zipfile.ZipInfo]]:
    """Return the files of a zip by their paths.

    Some programs on Windows write backslashes, which no zip should have. A name may be empty.
    """
    return [
        (PurePosixPath(info.filename.replace("\\", "/")), info)
        for info in archive.infolist()
        if not info.filename.endswith("/")
    ]


def named(entries: Iterable[os.DirEntry[str]], most: int) -> list[tuple[str, bool]]:
    """Read at most so many entries, while their folder is open: some file systems have to look."""
    return [(entry.name, entry.is_dir(follow_symlinks=False)) for entry in islice(entries, most)]


def checked_size(content: bytes, most: int) -> bytes:
    if len(content) > most:
        raise BadSubmission(f"is larger than {most:,} bytes, the most that a file may have")
    return content
