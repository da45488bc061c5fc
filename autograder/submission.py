"""Read a submission: only the question files, from a folder or a zip.

Everything is read into memory, once. Nothing is unpacked and no link is followed. Only regular
files of limited size, with the right name in an allowed folder, are opened.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import importlib
import io
import os
import re
import stat
import sys
import tokenize
import unicodedata
import zipfile
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from functools import cache
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO, Protocol

from autograder.commands import command
from autograder.errors import UsageError
from autograder.questions import OFF, QUESTION_FILES, ROOT, is_bonus, question_of

LARGEST_FILE = 200_000  # bytes; twenty times the solution's longest file
LARGEST_ZIP = 100_000_000  # bytes of an inner zip, which is read into memory
LARGEST_LIST = 10_000_000  # bytes of a zip's list of entries, so that it fits into memory
MOST_ENTRIES = 10_000  # examined in a zip, or in all folders together
MAX_SEARCHED = 20  # files searched for the functions of a missing file
MAX_NAMED = 5  # unused files listed by name
# Folders made by tools, besides names with a leading dot.
TOOL_FOLDERS = ("__pycache__", "__MACOSX", "node_modules", "venv")
# Open without following a link, and without waiting for a writer to a named pipe.
READ = os.O_RDONLY
for _flag in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY"):
    READ |= getattr(os, _flag, 0)
ARCHIVES = (".7z", ".bz2", ".gz", ".rar", ".tar", ".tgz", ".xz")  # never opened
HOW_TO_ZIP = f"submit the question files, or a zip of them (`{command('submit')}` writes one)"
# First bytes of other file formats, which some programs save as .py.
NOT_PYTHON = (
    (b"{\\rtf", "rich text: save it as plain text"),
    (b"%PDF", "a PDF: save the program itself, as plain text"),
    (b"PK\3\4", "a zip or a Word document: save the program itself, as plain text"),
    (b"<!doctype html", "a web page: save the program itself, not the page that shows it"),
)
SIGNPOSTS = ("Makefile", "autograder.py", "starter.py")  # in starter/, for students who start there
MOST_MARKS = 3  # marks on one letter; known languages need no more
# Fillers, blanks and selectors that Unicode classifies as letters, marks or symbols.
WITHOUT_INK = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0"
    "\U00013441\U00013442\U00016fe4\U0001d159\U000e0100-\U000e01ef]"
)


class BadSubmission(UsageError):
    """The submission can't be graded; the text says why, and what to do."""


@dataclass
class Submission:
    """The question files of one submission, by name, with problems and notes.

    problems: by file, why it can't be used; `files` may still contain it
    notes:    lines for the report
    unused:   the paths of examined files that are not graded
    name:     of its folder or zip
    """

    files: dict[str, bytes] = field(default_factory=dict)
    problems: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    unused: list[str] = field(default_factory=list)
    name: str = ""

    @property
    def digest(self) -> str:
        """Return a hash of the files, independent of their author and packaging."""
        digest = hashlib.sha256()
        for name, content in sorted(self.files.items()):
            digest.update(f"{name} {len(content)}\n".encode() + content)
        return digest.hexdigest()

    def leaves_out(self, what: str) -> bool:
        """Is it a bonus question, or a test of one, whose file is not in the submission?"""
        return is_bonus(what) and question_of(what).file not in (*self.files, *self.problems)


class Entries(Protocol):
    """The files of a submission in some packaging.

    links: the entries that are links
    """

    links: list[PurePosixPath]

    def __enter__(self) -> Entries: ...

    def __exit__(self, *error: object) -> None: ...

    def names(self) -> tuple[list[PurePosixPath], bool]:
        """Return the files, and whether the list is complete."""

    def read(self, entry: PurePosixPath, most: int = ...) -> bytes:
        """Return a file's content. Raises BadSubmission, also above `most` bytes."""


def printable(text: object) -> str:
    """Return text without invisible, invalid and control characters.

    The number of marks on a letter is limited, so that they do not reach other lines.
    """
    text = str(text)
    if text.isascii() and text.isprintable():
        return text
    shown, marks = [], MOST_MARKS  # a leading mark would modify the character before this text
    for c in text:
        marks = marks + 1 if unicodedata.category(c)[0] == "M" else 0
        fine = c.isprintable() and not WITHOUT_INK.match(c) and marks <= MOST_MARKS
        shown.append(c if fine else "\ufffd")
    return "".join(shown)


def read_submission(path: str | os.PathLike[str]) -> Submission:
    """Read the folder, zip or single question file at `path`.

    The question files may be at the top, under `starter/`, or in one top folder with either form.
    Raises BadSubmission if there is nothing to grade.
    """
    path = Path(path)
    above = []
    folder = Path(os.path.abspath(path))
    if folder.name == "starter" and folder.is_dir():
        above = [name for name in QUESTION_FILES if (folder.parent / name).is_file()]
    with opened(path) as entries:
        return read_entries(entries, printable(path), above)


def read_entries(
    entries: Entries, where: str, above: Collection[str] = (), look_inside: bool = True
) -> Submission:
    """Read a submission from a folder, a zip or an inner zip; `where` is its name.

    above: question files one folder up, where they are not graded

    Raises BadSubmission if there is nothing to grade.
    """
    submission = Submission(name=where)
    names, whole = entries.names()
    for name in QUESTION_FILES:
        read_file(name, names, entries, submission)
    limit = f"only the first {MOST_ENTRIES:,} files and folders were looked at"
    missing_files = [name for name in submission.problems if name not in submission.files]
    for name in above:
        if name in missing_files:
            submission.problems[name] += "; it lies one folder up: move it into starter/"
        else:
            submission.notes.append(f"{name} lies one folder up, too: that in starter/ is graded")
    if not submission.files:
        zips = sorted(entry for entry in names if is_zip(entry) and may_stand_at(entry))
        if zips and look_inside:
            return read_inside(zips[0], entries, where)
        reasons = in_short(submission.problems)
        reasons += filter(None, [linked(entries), unusable(names)])
        if zips:
            reasons = [f"{shown(zips[0])} is not opened, because only one zip in another is"]
        if not whole:
            reasons.append(f"{limit}: submit only the question files")
        raise BadSubmission(f"there is nothing to grade in {where}: {'; '.join(reasons)}")
    if missing_files and linked(entries):
        submission.notes.append(linked(entries))
    if not whole:
        submission.notes.append(limit)
    known = (*QUESTION_FILES, *(row.file for row in OFF), *provided_files(), *SIGNPOSTS)
    unused = [entry for entry in names if not any(map(entry.match, known))]
    submission.unused = [str(entry) for entry in unused]
    if unused:
        submission.notes.append(f"not used: {listed(unused)}; only the question files are graded")
    return submission


@cache
def provided_files() -> tuple[str, ...]:
    """Return the provided files in starter/, which are replaced by clean copies.

    Other modules there are the student's: they may be unfinished, and are not graded.
    """
    importlib.import_module("starter.players")
    loaded = [
        Path(module.__file__)
        for name, module in sorted(sys.modules.items())
        if re.fullmatch(r"starter(\.players|\.games(\.\w+)?)?", name) and module.__file__
    ]
    here = ROOT / "starter"
    return tuple(path.relative_to(here).as_posix() for path in loaded if here in path.parents)


def shown(entry: PurePosixPath) -> str:
    """Return the path of an entry in printable form."""
    return printable(entry)[:200]


def in_short(problems: dict[str, str]) -> list[str]:
    """Return the problems, with all merely missing files in one line."""
    absent = [name for name, problem in problems.items() if problem == missing(name)]
    rest = [problem for name, problem in problems.items() if name not in absent]
    if not absent:
        return rest
    first, *others = absent
    also = f", nor {'is' if len(others) == 1 else 'are'} {', '.join(others)}" if others else ""
    return [*rest, f"{missing(first)}{also}"]


def linked(entries: Entries) -> str:
    """Name the folder that was not opened because it is a link, "" if there is none."""
    folders = [link for link in entries.links if not link.suffix]
    if not folders:
        return ""
    return f"{shown(folders[0])} is a link: submit the folder itself, not a link to it"


def unusable(names: list[PurePosixPath]) -> str:
    """Name the files found instead of question files, "" for none."""
    for entry in names:
        if entry.suffix.lower() in ARCHIVES:
            return f"{shown(entry)} is not opened: {HOW_TO_ZIP}"
        if entry.suffix.lower() == ".ipynb":
            return f"{shown(entry)} is a Jupyter notebook: export it as a Python file"
    return f"it holds {listed(names)}" if names else ""


def listed(names: list[PurePosixPath]) -> str:
    """Name the first of these files, and the number of others."""
    more = len(names) - MAX_NAMED
    return ", ".join([*map(shown, names[:MAX_NAMED]), *([f"{more} more"] if more > 0 else [])])


def read_inside(entry: PurePosixPath, entries: Entries, where: str) -> Submission:
    """Read an inner zip of a submission without question files, with a note."""
    inner = shown(entry)
    try:
        content = entries.read(entry, LARGEST_ZIP)
    except BadSubmission as problem:
        raise BadSubmission(f"there is nothing to grade in {where}: {inner} {problem}") from None
    inside = f"{where}, in {inner}"
    submission = read_entries(ZipEntries.of(inside, io.BytesIO(content)), inside, look_inside=False)
    submission.notes.append(f"the files were in {inner} inside the submission: they are graded")
    return submission


def is_zip(entry: PurePosixPath) -> bool:
    return entry.suffix.lower() == ".zip" and not entry.name.startswith("._")  # macOS metadata


def read_file(name: str, names: list[PurePosixPath], entries: Entries, into: Submission) -> None:
    """Read one question file from an allowed path, or note why there is none.

    A bonus question's file may be missing, unless it seems to be misplaced.
    """
    found = [entry for entry in names if entry.name == name and may_stand_at(entry)]
    if not found:
        instead = found_instead(name, names, entries)
        if instead or not is_bonus(name):
            into.problems[name] = missing(name) + instead
        return
    found.sort(key=lambda entry: (entry.parent.name != "starter", len(entry.parts), entry))
    try:
        into.files[name] = entries.read(found[0])
        if problem := not_python(into.files[name]):
            into.problems[name] = f"{name} {problem}"
    except BadSubmission as unreadable:
        into.problems[name] = f"{shown(found[0])} {unreadable}"
    if len(found) > 1:
        graded, other = shown(found[0]), shown(found[1])
        which = f"{graded} is graded, not {other}" if graded != other else "the last is graded"
        into.notes.append(f"{name} is there twice: {which}")


def not_python(content: bytes) -> str:
    """Say why Python can't read a file, and how to save it; "" if Python can."""
    if content.lstrip()[:1] == b"{" and b'"cell_type"' in content:
        return "is a Jupyter notebook: export it as a Python file"
    for beginning, what in NOT_PYTHON:
        if content.lstrip()[: len(beginning)].lower() == beginning.lower():
            return f"is {what}"
    if b"\0" in content:
        return "is not saved as UTF-8, but perhaps as UTF-16: save it as UTF-8"
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(content).readline)
        content.decode(encoding)
    except (SyntaxError, ValueError, LookupError):  # "coding: hex" names no text encoding
        line = first_line_outside_utf_8(content)
        return f"is not saved as UTF-8 (see line {line}): save it as UTF-8" if line else ""
    return ""


def first_line_outside_utf_8(content: bytes) -> int:
    """Return the number of the first line that is not UTF-8, 0 if there is none."""
    try:
        content.decode()
    except UnicodeDecodeError as error:
        return content[: error.start].count(b"\n") + 1
    return 0


def missing(name: str) -> str:
    return f"{name} is not in the submission"


def found_instead(name: str, names: list[PurePosixPath], entries: Entries) -> str:
    """Describe the file found instead of a missing question file, "" for none."""
    question = question_of(name.removesuffix(".py"))
    astray = [entry for entry in names if entry.name == name]
    if astray:
        return f" where it may stand, loose or under starter/, but at {shown(astray[-1])}"
    known = (*QUESTION_FILES, *provided_files())
    others = [entry for entry in names if not any(map(entry.match, known))]
    similar = [
        entry
        for entry in others
        if question.name in re.sub("[^a-z]", "", entry.stem.lower()) and not is_zip(entry)
    ]
    define = re.compile(rf"^\s*(def|class) {question.search}\b".encode(), re.M)
    sources = [entry for entry in others if entry.suffix == ".py"][:MAX_SEARCHED]
    for entry in similar or sources:
        with contextlib.suppress(BadSubmission):
            if similar or define.search(entries.read(entry)):
                return f"; there is {shown(entry)}, but the name must be {name}"
    return ""


def opened(path: Path, name: str = "") -> Entries:
    """Open a folder, a zip or a question file. Raises BadSubmission otherwise.

    name: its name in error messages, by default its path
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
    stream = open(file, "rb")
    if not stat.S_ISREG(kind):
        stream.close()
        raise BadSubmission(f"{name} is neither a folder nor a zip with the question files")
    if path.suffix == ".py":
        return OneFile(path.name, stream)
    return ZipEntries.of(name, stream)


def may_stand_at(entry: PurePosixPath) -> bool:
    """Is it at the top or in starter/, possibly in one top folder not made by a tool?"""
    folders = entry.parts[:-1]
    if any(map(is_tool_folder, folders)) or entry.is_absolute():
        return False
    return len(folders) <= 1 or (len(folders) == 2 and folders[1] == "starter")


def is_tool_folder(name: str) -> bool:
    return name.startswith(".") or name in TOOL_FOLDERS


class FolderEntries:
    """The files of a folder, down to the depth of question files.

    Everything is opened relative to the folder's descriptor, and no link is followed: a concurrent
    change of the folder can only lose files.
    """

    def __init__(self, folder: int) -> None:
        self.folder = folder  # its descriptor
        self.links: list[PurePosixPath] = []  # found by `names`

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

    def listing(self, parts: tuple[str, ...], most: int) -> list[tuple[str, bool, bool]]:
        """Return at most so many entries of the folder at `parts`, [] if it is missing.

        An entry is (name, is it a folder, is it a link).
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

        Deeper files come later, so that no other folder hides the question files.
        """
        found: list[PurePosixPath] = []
        folders: list[tuple[str, ...]] = [()]
        left = MOST_ENTRIES
        for parts in folders:
            entries = self.listing(parts, left)
            left -= len(entries)
            for name, is_folder, is_link in sorted(entries):
                if is_tool_folder(name):
                    continue
                if is_link:
                    self.links.append(PurePosixPath(*parts, name))
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
    """The same by paths, for Windows, which has no folder descriptors."""

    def __init__(self, folder: Path) -> None:
        self.path = folder
        self.links = []

    def __exit__(self, *error: object) -> None:
        pass

    def open(self, parts: tuple[str, ...]) -> int:
        path = self.path
        for part in parts:
            path = path / part
            if path.is_symlink():
                raise OSError(errno.ELOOP, "it is a link")
        return os.open(path, READ)

    def listing(self, parts: tuple[str, ...], most: int) -> list[tuple[str, bool, bool]]:
        try:
            with os.scandir(self.path.joinpath(*parts)) as entries:
                return named(entries, most)
        except OSError:
            return []


class OneFile:
    """A submission that is a single question file."""

    def __init__(self, name: str, stream: BinaryIO) -> None:
        self.name, self.stream = name, stream
        self.links: list[PurePosixPath] = []

    def __enter__(self) -> OneFile:
        return self

    def __exit__(self, *error: object) -> None:
        self.stream.close()

    def names(self) -> tuple[list[PurePosixPath], bool]:
        return [PurePosixPath(self.name)], True

    def read(self, entry: PurePosixPath, most: int = LARGEST_FILE) -> bytes:
        self.stream.seek(0)
        return checked_size(self.stream.read(most + 1), most)


class ZipStream:
    """A zip's bytes; a read of its directory returns at most LARGEST_LIST."""

    def __init__(self, stream: BinaryIO) -> None:
        self.stream, self.bounded, self.exceeded = stream, True, False

    def read(self, size: int = -1) -> bytes:
        if not self.bounded:
            return self.stream.read(size)
        self.exceeded = self.exceeded or size > LARGEST_LIST
        return self.stream.read(LARGEST_LIST if size < 0 else min(size, LARGEST_LIST))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


class ZipEntries:
    """The files of a zip, by their normalised names, read one by one."""

    def __init__(
        self,
        archive: zipfile.ZipFile,
        files: list[tuple[PurePosixPath, zipfile.ZipInfo]],
        stream: ZipStream | None = None,
    ) -> None:
        """stream: closed at the end, if this object owns it"""
        self.zip, self.stream = archive, stream
        self.entries = files
        self.infos = dict(files)
        self.links = [path for path, info in files if stat.S_ISLNK(info.external_attr >> 16)]

    @classmethod
    def of(cls, name: str, content: BinaryIO) -> ZipEntries:
        """Return all files of a zip. Raises BadSubmission, with its `name`."""
        stream = ZipStream(content)
        try:
            archive = zipfile.ZipFile(stream)
            entries = cls(archive, files_of(archive), stream)
        except Exception:  # zipfile raises all kinds on damaged data
            content.close()
            if stream.exceeded:
                raise BadSubmission(f"{name} lists too many files: {HOW_TO_ZIP}") from None
            raise BadSubmission(f"{name} is not a zip that can be read: {HOW_TO_ZIP}") from None
        stream.bounded = False
        return entries

    def __enter__(self) -> ZipEntries:
        return self

    def __exit__(self, *error: object) -> None:
        if self.stream is not None:
            self.stream.close()

    def names(self) -> tuple[list[PurePosixPath], bool]:
        """Return the files, deeper ones later, and whether the list is complete."""
        names = [path for path, _ in self.entries if not any(map(is_tool_folder, path.parts))]
        names.sort(key=lambda path: len(path.parts))
        return names[:MOST_ENTRIES], len(names) <= MOST_ENTRIES

    def read(self, entry: PurePosixPath, most: int = LARGEST_FILE) -> bytes:
        info = self.infos[entry]
        mode = info.external_attr >> 16
        if stat.S_IFMT(mode) not in (0, stat.S_IFREG):
            raise BadSubmission("is not a regular file: submit the file itself, not a link")
        if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            # Other methods may unpack a gigabyte before they can be stopped.
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


def named(entries: Iterable[os.DirEntry[str]], most: int) -> list[tuple[str, bool, bool]]:
    """Read at most so many entries, while their folder is open."""
    return [
        (entry.name, entry.is_dir(follow_symlinks=False), entry.is_symlink())
        for entry in islice(entries, most)
    ]


def checked_size(content: bytes, most: int) -> bytes:
    if len(content) > most:
        raise BadSubmission(f"is larger than {most:,} bytes, the most that a file may have")
    return content
