"""Reads a submission: four question files from a folder or a zip, and nothing else.

Everything is read into memory. Nothing is unpacked, no link is followed, and only regular files of
a sensible size with one of the four names, at a place where they may stand, are opened at all.
"""

import io
import os
import stat
import zipfile
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path, PurePosixPath

QUESTION_FILES = ("minimax.py", "alphabeta.py", "cutoff.py", "mcts.py")
PROVIDED_FILES = ("__init__.py", "games.py", "players.py")  # clean copies are used instead
LARGEST_FILE = 200_000  # bytes; the solution's longest has less than a twentieth of that
LARGEST_ZIP = 10_000_000  # so that its list of entries fits into memory, however many they are
MOST_ENTRIES = 20_000  # that are looked at, in a folder or a zip


class BadSubmission(Exception):
    """The submission can't be graded at all; the text says why, and what to do."""


@dataclass
class Submission:
    """The question files of one submission, by name, and what is to be said about them."""

    files: dict[str, bytes] = field(default_factory=dict)
    problems: dict[str, str] = field(default_factory=dict)  # by file: why it can't be used
    notes: list[str] = field(default_factory=list)


def printable(text: object) -> str:
    """Text without what a terminal or a page would obey, nor what can't be written as UTF-8."""
    return "".join(c if c.isprintable() else "\ufffd" for c in str(text))


def read_submission(path: str | os.PathLike) -> Submission:
    """Read the folder or zip at `path`.

    The question files may stand loose, under `starter/`, or so inside one top folder.
    Raises BadSubmission when there is nothing to grade.
    """
    path = Path(path)
    entries: FolderEntries | ZipEntries
    if path.is_dir():
        entries = FolderEntries(path)
    elif path.is_file():
        entries = ZipEntries(path)
    else:
        raise BadSubmission(
            f"{printable(path)} does not exist: give a folder or a zip with the question files"
        )
    submission = Submission()
    places: dict[str, list[PurePosixPath]] = {name: [] for name in QUESTION_FILES}
    elsewhere: dict[str, PurePosixPath] = {}
    alike: dict[str, PurePosixPath] = {}
    others = 0
    for entry in entries.names():
        if entry.name in places and may_stand_at(entry):
            places[entry.name].append(entry)
        elif entry.name in places:
            elsewhere[entry.name] = entry
        elif entry.name not in PROVIDED_FILES:
            others += 1
            for name in QUESTION_FILES:
                if entry.name.lower().startswith(name[: -len(".py")]):
                    alike[name] = entry
    for name, found in places.items():
        if not found:
            problem = f"{name} is not in the submission"
            if name in elsewhere:
                stray = printable(elsewhere[name])[:200]
                problem += f" where it may stand, loose or under starter/, but at {stray}"
            elif name in alike:
                near = printable(alike[name])[:200]
                problem += f"; there is {near}, but the name must be {name}"
            submission.problems[name] = problem
            continue
        found.sort(key=lambda entry: (entry.parent.name != "starter", len(entry.parts), entry))
        try:
            submission.files[name] = entries.read(found[0])
        except BadSubmission as problem:
            submission.problems[name] = f"{printable(found[0])[:200]} {problem}"
        if len(found) > 1:
            graded, other = printable(found[0])[:200], printable(found[1])[:200]
            which = f"{graded} is graded, not {other}" if graded != other else "the last is graded"
            submission.notes.append(f"{name} is there twice: {which}")
    if not submission.files:
        reasons = "; ".join(submission.problems.values())
        raise BadSubmission(f"there is nothing to grade in {printable(path)}: {reasons}")
    if others:
        files = (
            "1 other file in the submission is"
            if others == 1
            else (f"{others} other files in the submission are")
        )
        submission.notes.append(f"{files} not used: only {', '.join(QUESTION_FILES)} are graded")
    return submission


def may_stand_at(entry: PurePosixPath) -> bool:
    """Loose, under starter/, or either of these inside one top folder that is no tool's own."""
    folders = entry.parts[:-1]
    tools = any(name.startswith(".") or name in ("__pycache__", "__MACOSX") for name in folders)
    if tools or entry.is_absolute():
        return False
    return len(folders) <= 1 or (len(folders) == 2 and folders[1] == "starter")


class FolderEntries:
    """The regular files of a folder, down to the depth at which a question file may stand."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def names(self) -> list[PurePosixPath]:
        found: list[PurePosixPath] = []
        self.add(PurePosixPath(), 0, found)
        return found

    def add(self, below: PurePosixPath, depth: int, found: list[PurePosixPath]) -> None:
        try:
            with os.scandir(self.folder / below) as listing:
                entries = sorted(islice(listing, MOST_ENTRIES), key=lambda entry: entry.name)
        except OSError:
            return
        for entry in entries:
            if len(found) >= MOST_ENTRIES:
                return
            if entry.name.startswith(".") or entry.name == "__pycache__":
                continue
            if entry.is_dir(follow_symlinks=False):
                if depth < 2:
                    self.add(below / entry.name, depth + 1, found)
            else:
                found.append(below / entry.name)

    def read(self, entry: PurePosixPath) -> bytes:
        path = self.folder / entry
        try:
            if not stat.S_ISREG(os.lstat(path).st_mode):
                raise BadSubmission("is not a regular file: submit the file itself, not a link")
            flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
            with open(os.open(path, flags), "rb") as file:
                return checked_size(file.read(LARGEST_FILE + 1))
        except OSError as error:
            raise BadSubmission(f"can't be read: {error.strerror}") from None


class ZipEntries:
    """The files of a zip, read from it one by one."""

    def __init__(self, path: Path) -> None:
        name = printable(path)
        try:
            with path.open("rb") as file:
                content = file.read(LARGEST_ZIP + 1)
            if len(content) > LARGEST_ZIP:
                raise BadSubmission(f"{name} is too large: submit only the question files")
            self.zip = zipfile.ZipFile(io.BytesIO(content))
        except BadSubmission:
            raise
        except Exception:  # zipfile raises all kinds on damaged data
            raise BadSubmission(
                f"{name} is not a zip that can be read: submit a folder or a zip with the question "
                "files"
            ) from None
        # Some programs on Windows write backslashes, which no zip should have.
        self.entries = [
            (PurePosixPath(info.filename.replace("\\", "/")), info)
            for info in self.zip.infolist()[:MOST_ENTRIES]
            if not info.is_dir()
        ]

    def names(self) -> list[PurePosixPath]:
        return [entry for entry, _ in self.entries]

    def read(self, entry: PurePosixPath) -> bytes:
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
                return checked_size(file.read(LARGEST_FILE + 1))
        except BadSubmission:
            raise
        except Exception:  # zipfile and zlib raise all kinds on damaged data
            raise BadSubmission("is damaged in the zip: make the zip again") from None


def checked_size(content: bytes) -> bytes:
    if len(content) > LARGEST_FILE:
        raise BadSubmission(f"is larger than {LARGEST_FILE:,} bytes: no honest answer is")
    return content
