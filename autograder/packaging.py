"""Open a submission's folder, zip or single file, and read its files.

Nothing is unpacked and no link is followed. Only regular files of limited size are read.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import sys
import zipfile
from collections.abc import Iterable
from contextlib import AbstractContextManager
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO, Protocol

from autograder.commands import command
from autograder.errors import UsageError
from autograder.printable import printable

LARGEST_FILE = 200_000  # bytes; twenty times the solution's longest file
LARGEST_ZIP = 100_000_000  # bytes of an inner zip, which is read into memory
LARGEST_LIST = 10_000_000  # bytes of a zip's list of entries, so that it fits into memory
MOST_ENTRIES = 10_000  # examined in a zip, or in all folders together
# Folders made by tools, besides names with a leading dot.
TOOL_FOLDERS = ("__pycache__", "__MACOSX", "node_modules", "venv")
# Open without following a link, and without waiting for a writer to a named pipe.
READ = os.O_RDONLY
for _flag in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY"):
    READ |= getattr(os, _flag, 0)
HOW_TO_ZIP = f"submit the question files, or a zip of them (`{command('submit')}` writes one)"


class BadSubmission(UsageError):
    """The submission can't be graded; the text says why, and what to do."""


class Entries(Protocol):
    """The files of a submission in some packaging.

    links: the entries that are links
    """

    links: list[PurePosixPath]

    def names(self) -> tuple[list[PurePosixPath], bool]:
        """Return the files, and whether the list is complete."""

    def read(self, entry: PurePosixPath, most: int = ...) -> bytes:
        """Return a file's content. Raises BadSubmission, also above `most` bytes."""


def is_zip(entry: PurePosixPath) -> bool:
    return entry.suffix.lower() == ".zip" and not entry.name.startswith("._")  # macOS metadata


def opened(path: Path, name: str = "") -> AbstractContextManager[Entries]:
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
