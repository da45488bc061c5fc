"""Open a submission's folder, zip or single file, and read its files.

Nothing is unpacked and no link is followed. Only regular files of limited size are read.
"""

from __future__ import annotations

import os
import stat
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO, Protocol

from autograder.commands import format_command
from autograder.errors import UsageError
from autograder.printable import sanitize

LARGEST_FILE = 200_000  # bytes; twenty times the solution's longest file
LARGEST_ZIP = 100_000_000  # bytes of an inner zip, which is read into memory
LARGEST_LIST = 10_000_000  # bytes of a zip's list of entries, so that it fits into memory
# Folders made by tools, besides names with a leading dot.
TOOL_FOLDERS = ("__pycache__", "__MACOSX", "node_modules", "venv")
HOW_TO_ZIP = (
    f"submit the question files, or a zip of them (`{format_command('submit')}` writes one)"
)


class BadSubmission(UsageError):
    """The submission can't be graded; the text says why, and what to do."""


class Entries(Protocol):
    """The files of a submission in some packaging, and the entries that are links."""

    links: list[PurePosixPath]

    def names(self) -> list[PurePosixPath]:
        """Return the files, deeper ones later."""

    def read(self, entry: PurePosixPath, max_bytes: int = ...) -> bytes:
        """Return a file's content. Raises BadSubmission, also above `max_bytes`."""


def is_zip(entry: PurePosixPath) -> bool:
    return entry.suffix.lower() == ".zip" and not entry.name.startswith("._")  # macOS metadata


@contextmanager
def open_submission(path: Path) -> Iterator[Entries]:
    """Open a folder, a zip or a question file. Raises BadSubmission otherwise."""
    name = sanitize(path)
    try:
        kind = path.lstat().st_mode
        if stat.S_ISDIR(kind):
            os.scandir(path).close()  # may it be read?
        elif stat.S_ISREG(kind):
            stream = path.open("rb")
    except FileNotFoundError:
        raise BadSubmission(
            f"{name} does not exist: give a folder or a zip with the question files"
        ) from None
    except OSError as error:
        raise BadSubmission(f"{name} can't be read: {error.strerror}") from None
    if stat.S_ISLNK(kind):
        raise BadSubmission(f"{name} is a link: give the folder or the zip itself")
    if stat.S_ISDIR(kind):
        yield FolderEntries(path)
    elif stat.S_ISREG(kind):
        with stream:
            one_file = path.suffix == ".py"
            yield FolderEntries(path.parent, path.name) if one_file else ZipEntries.of(name, stream)
    else:
        raise BadSubmission(f"{name} is neither a folder nor a zip with the question files")


def is_tool_folder(name: str) -> bool:
    return name.startswith(".") or name in TOOL_FOLDERS


class FolderEntries:
    """The files of a folder, or `only` one; no link is followed.

    depth: how deep the folders are that are listed: by default, those of question files
    """

    def __init__(self, folder: Path, only: str = "", depth: int = 2) -> None:
        self.folder, self.only, self.depth = folder, only, depth
        self.links: list[PurePosixPath] = []  # found by `names`

    def names(self) -> list[PurePosixPath]:
        if self.only:
            return [PurePosixPath(self.only)]
        found: list[PurePosixPath] = []
        folders = [PurePosixPath()]
        for folder in folders:
            entries: list[os.DirEntry[str]] = []
            with suppress(OSError), os.scandir(self.folder / folder) as listing:
                entries += listing
            for entry in sorted(entries, key=lambda entry: entry.name):
                if is_tool_folder(entry.name):
                    continue
                path = folder / entry.name
                if entry.is_symlink():
                    self.links.append(path)
                if not entry.is_dir(follow_symlinks=False):
                    found.append(path)
                elif len(path.parts) <= self.depth:
                    folders.append(path)
        return found

    def read(self, entry: PurePosixPath, max_bytes: int = LARGEST_FILE) -> bytes:
        path = self.folder / entry
        try:
            if not stat.S_ISREG(path.lstat().st_mode):
                raise BadSubmission("is not a regular file: submit the file itself, not a link")
            with path.open("rb") as file:
                return check_size(file.read(max_bytes + 1), max_bytes)
        except OSError as error:
            raise BadSubmission(f"can't be read: {error.strerror}") from None


class BoundedReads:
    """A zip's bytes; one read gives at most LARGEST_LIST, also of its list of files."""

    def __init__(self, stream: BinaryIO) -> None:
        self.stream = stream

    def read(self, size: int = -1) -> bytes:
        return self.stream.read(LARGEST_LIST if size < 0 else min(size, LARGEST_LIST))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


class ZipEntries:
    """The files of a zip, by their normalised names, read one by one."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self.zip = archive
        self.entries = [  # some programs write backslashes, and a name may be empty
            (PurePosixPath(info.filename.replace("\\", "/")), info)
            for info in archive.infolist()
            if not info.filename.endswith("/")
        ]
        self.infos = dict(self.entries)
        self.links = [path for path, info in self.entries if stat.S_ISLNK(info.external_attr >> 16)]

    @classmethod
    def of(cls, name: str, content: BinaryIO) -> ZipEntries:
        """Return all files of a zip. Raises BadSubmission, with its `name`."""
        try:
            return cls(zipfile.ZipFile(BoundedReads(content)))
        except Exception:  # zipfile raises all kinds on damaged data
            raise BadSubmission(f"{name} is not a zip that can be read: {HOW_TO_ZIP}") from None

    def names(self) -> list[PurePosixPath]:
        names = [path for path, _ in self.entries if not any(map(is_tool_folder, path.parts))]
        return sorted(names, key=lambda path: len(path.parts))

    def read(self, entry: PurePosixPath, max_bytes: int = LARGEST_FILE) -> bytes:
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
                return check_size(file.read(max_bytes + 1), max_bytes)
        except BadSubmission:
            raise
        except Exception:  # zipfile and zlib raise all kinds on damaged data
            raise BadSubmission("is damaged in the zip: make the zip again") from None


def check_size(content: bytes, max_bytes: int) -> bytes:
    if len(content) > max_bytes:
        raise BadSubmission(f"is larger than {max_bytes:,} bytes, the most that a file may have")
    return content
