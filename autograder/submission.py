"""Read a submission: only the question files, from a folder or a zip.

Everything is read into memory, once. Only files with the right name in an allowed folder are read.
"""

import hashlib
import importlib
import io
import os
import re
import sys
import tokenize
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path, PurePosixPath

from autograder.packaging import (
    HOW_TO_ZIP,
    LARGEST_ZIP,
    BadSubmission,
    Entries,
    ZipEntries,
    is_tool_folder,
    is_zip,
    open_submission,
)
from autograder.printable import sanitize
from autograder.questions import OFF, QUESTION_FILES, ROOT, find_question, is_bonus

MAX_NAMED = 5  # unused files listed by name
ARCHIVES = (".7z", ".bz2", ".gz", ".rar", ".tar", ".tgz", ".xz")  # never opened
# First bytes of other file formats, which some programs save as .py.
NOT_PYTHON = (
    (b"{\\rtf", "rich text: save it as plain text"),
    (b"%PDF", "a PDF: save the program itself, as plain text"),
    (b"PK\3\4", "a zip or a Word document: save the program itself, as plain text"),
    (b"<!doctype html", "a web page: save the program itself, not the page that shows it"),
)
SIGNPOSTS = ("Makefile", "autograder.py", "starter.py")  # in starter/, for students who start there


@dataclass
class Submission:
    """The question files of one submission, by name, with problems and notes.

    problems: by file, why it can't be used; `files` may still contain it
    notes:    lines for the report
    name:     of its folder or zip
    """

    files: dict[str, bytes] = field(default_factory=dict)
    problems: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
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
        return is_bonus(what) and find_question(what).file not in (*self.files, *self.problems)


def read_submission(path: str | os.PathLike[str]) -> Submission:
    """Read the folder, zip or single question file at `path`.

    The question files may be at the top, under `starter/`, or in one top folder with either form.
    Raises BadSubmission if there is nothing to grade.
    """
    with open_submission(Path(path)) as entries:
        return read_entries(entries, sanitize(path))


def read_entries(entries: Entries, where: str, look_inside: bool = True) -> Submission:
    """Read a submission from a folder, a zip or an inner zip; `where` is its name.

    Raises BadSubmission if there is nothing to grade.
    """
    submission = Submission(name=where)
    names = entries.names()
    for name in QUESTION_FILES:
        read_file(name, names, entries, submission)
    if not submission.files:
        zips = sorted(entry for entry in names if is_zip(entry) and may_stand_at(entry))
        if zips and look_inside:
            return read_inside(zips[0], entries, where)
        reasons = summarise_problems(submission.problems)
        reasons += filter(None, [name_link(entries), name_unusable(names)])
        if zips:
            reasons = [f"{shorten_path(zips[0])} is not opened, because only one zip in another is"]
        raise BadSubmission(f"there is nothing to grade in {where}: {'; '.join(reasons)}")
    if submission.problems.keys() - submission.files and name_link(entries):
        submission.notes.append(name_link(entries))
    unused = list_others(names, *(row.file for row in OFF), *SIGNPOSTS)
    if unused:
        others = list_names(unused)
        submission.notes.append(f"not used: {others}; only the question files are graded")
    return submission


@cache
def list_provided_files() -> tuple[str, ...]:
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


def list_others(names: list[PurePosixPath], *known: str) -> list[PurePosixPath]:
    """Return the files whose names are neither known nor those of question or provided files."""
    ours = {*QUESTION_FILES, *list_provided_files(), *known}
    return [
        entry
        for entry in names  # there may be 200,000
        if entry.name not in ours and "/".join(entry.parts[-2:]) not in ours
    ]


def shorten_path(entry: PurePosixPath) -> str:
    """Return the path of an entry in printable form."""
    return sanitize(entry)[:200]


def summarise_problems(problems: dict[str, str]) -> list[str]:
    """Return the problems, with all merely missing files in one line."""
    absent = [name for name, problem in problems.items() if problem == report_missing(name)]
    rest = [problem for name, problem in problems.items() if name not in absent]
    if not absent:
        return rest
    first, *others = absent
    also = f", nor {'is' if len(others) == 1 else 'are'} {', '.join(others)}" if others else ""
    return [*rest, f"{report_missing(first)}{also}"]


def name_link(entries: Entries) -> str:
    """Name the folder that was not opened because it is a link, "" if there is none."""
    folders = [link for link in entries.links if not link.suffix]
    if not folders:
        return ""
    return f"{shorten_path(folders[0])} is a link: submit the folder itself, not a link to it"


def name_unusable(names: list[PurePosixPath]) -> str:
    """Name the files found instead of question files, "" for none."""
    for entry in names:
        if entry.suffix.lower() in ARCHIVES:
            return f"{shorten_path(entry)} is not opened: {HOW_TO_ZIP}"
        if entry.suffix.lower() == ".ipynb":
            return f"{shorten_path(entry)} is a Jupyter notebook: export it as a Python file"
    return f"it holds {list_names(names)}" if names else ""


def list_names(names: list[PurePosixPath]) -> str:
    """Name the first of these files, and the number of others."""
    more = len(names) - MAX_NAMED
    parts = list(map(shorten_path, names[:MAX_NAMED])) + [f"{more} more"] * (more > 0)
    return ", ".join(parts)


def read_inside(entry: PurePosixPath, entries: Entries, where: str) -> Submission:
    """Read an inner zip of a submission without question files, with a note."""
    inner = shorten_path(entry)
    try:
        content = entries.read(entry, LARGEST_ZIP)
    except BadSubmission as problem:
        raise BadSubmission(f"there is nothing to grade in {where}: {inner} {problem}") from None
    inside = f"{where}, in {inner}"
    submission = read_entries(ZipEntries.of(inside, io.BytesIO(content)), inside, look_inside=False)
    submission.notes.append(f"the files were in {inner} inside the submission: they are graded")
    return submission


def read_file(name: str, names: list[PurePosixPath], entries: Entries, into: Submission) -> None:
    """Read one question file from an allowed path, or note why there is none.

    A bonus question's file may be missing, unless it seems to be misplaced.
    """
    found = [entry for entry in names if entry.name == name and may_stand_at(entry)]
    if not found:
        instead = describe_found(name, names)
        if instead or not is_bonus(name):
            into.problems[name] = report_missing(name) + instead
        return
    found.sort(key=lambda entry: (entry.parent.name != "starter", len(entry.parts), entry))
    try:
        into.files[name] = entries.read(found[0])
        if problem := explain_not_python(into.files[name]):
            into.problems[name] = f"{name} {problem}"
    except BadSubmission as unreadable:
        into.problems[name] = f"{shorten_path(found[0])} {unreadable}"
    if len(found) > 1:
        graded, other = shorten_path(found[0]), shorten_path(found[1])
        which = f"{graded} is graded, not {other}" if graded != other else "the last is graded"
        into.notes.append(f"{name} is there twice: {which}")


def explain_not_python(content: bytes) -> str:
    """Say why Python can't read a file, and how to save it; "" if Python can."""
    if content.lstrip()[:1] == b"{" and b'"cell_type"' in content:
        return "is a Jupyter notebook: export it as a Python file"
    for beginning, what in NOT_PYTHON:
        if content.lstrip()[: len(beginning)].lower() == beginning.lower():
            return f"is {what}"
    if b"\0" in content:
        return "is not saved as UTF-8, but perhaps as UTF-16: save it as UTF-8"
    try:
        content.decode()
        return ""
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(content).readline)
        content.decode(encoding)
        return ""
    except (SyntaxError, ValueError, LookupError):  # "coding: hex" names no text encoding
        return f"is not saved as UTF-8 (see line {line}): save it as UTF-8"


def report_missing(name: str) -> str:
    return f"{name} is not in the submission"


def describe_found(name: str, names: list[PurePosixPath]) -> str:
    """Describe the file found instead of a missing question file, "" for none."""
    astray = [entry for entry in names if entry.name == name]
    if astray:
        return f" where it may stand, loose or under starter/, but at {shorten_path(astray[-1])}"
    for entry in list_others(names):
        similar = find_question(name).name in re.sub("[^a-z]", "", entry.stem.lower())
        if similar and not is_zip(entry):
            return f"; there is {shorten_path(entry)}, but the name must be {name}"
    return ""


def may_stand_at(entry: PurePosixPath) -> bool:
    """Is it at the top or in starter/, possibly in one top folder not made by a tool?"""
    folders = entry.parts[:-1]
    if any(map(is_tool_folder, folders)) or entry.is_absolute():
        return False
    return len(folders) <= 1 or (len(folders) == 2 and folders[1] == "starter")
