"""`class similar`: pairs that share unusual code, as a list and side by side."""

from __future__ import annotations

import csv
import io
import json
import shutil
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from autograder.cohort.class_folder import ClassFolder, private_files
from autograder.cohort.fingerprints import as_python_reads, text_of
from autograder.cohort.html import render
from autograder.cohort.side_by_side import SharedFile, shared_file, shared_lines
from autograder.cohort.suspicious_pairs import Comparison, Pair, Read, read
from autograder.errors import UsageError
from autograder.feedback.report import write_whole
from autograder.questions import QUESTION_FILES, ROOT
from autograder.submission import BadSubmission, printable, read_submission

MAX_PAGES = 100  # pairs that are shown side by side, those that share most
# Characters that somebody wrote, in all and for each fingerprint: there sixteen are usual, and
# fifty where there are tables. A file with more hides what it does, say in a text that is run.
SIZE, SPARSE = 300, 100


class Entry(NamedTuple):
    """One submission that is compared: what it is called, and its question files."""

    label: str
    files: dict[str, bytes]


def similar(directory: Path, archive: Path | None = None, layout: Path | None = None) -> int:
    """Compare all submissions of a class; write similar.html, a page for each pair, similar.csv.

    archive: a folder of submissions of former years; each of the class is compared to them too
    layout:  a new folder for the same files as other tools want them

    Raises UsageError for a folder that holds no class, and for one that can't be read or made.
    """
    entries = of_class(ClassFolder(directory))
    newest = len(entries)
    if archive:
        entries += of_former_years(archive, directory / "archive-key.json")
    if layout:
        write_layout(layout, entries[:newest], entries[newest:])
        return 0
    comparison = Comparison([read(entry.files) for entry in entries])
    pairs = comparison.pairs(newest)
    unread = [
        line
        for entry, prints in zip(entries[:newest], comparison.submissions)
        for line in hardly_compared(entry, prints)
    ]
    write_pages(directory, entries, pairs, comparison, unread)
    empty = sum(not entry.files for entry in entries[:newest])
    print(f"{newest - empty} submissions compared" + (f", {empty} without files" if empty else ""))
    count = "1 pair is" if len(pairs) == 1 else f"{len(pairs)} pairs are"
    print(f"{count} worth a look: {printable(directory / 'similar.html')}")
    if unread:
        files = "1 file" if len(unread) == 1 else f"{len(unread)} files"
        print(f"{files} could hardly be compared, as the page says")
    return 0


def of_class(folder: ClassFolder) -> list[Entry]:
    """Return the submissions of a class; the label of a group's names all its members."""
    labels = folder.labels()
    return [Entry(labels[row.id], question_files(folder.files(row))) for row in folder.rows]


def of_former_years(archive: Path, key: Path) -> list[Entry]:
    """Return former submissions, under numbers; the key, for its owner only, has their names.

    Raises UsageError where there is no such folder.
    """
    if not archive.is_dir():
        raise UsageError(f"{archive} is no folder: name one with a folder or zip for each student")
    inside = archive / "files"  # of a class that was graded here
    paths = sorted(
        path
        for path in (inside if inside.is_dir() else archive).iterdir()
        if path.suffix != ".json"
    )
    entries = {f"former {i}": question_files(path) for i, path in enumerate(paths, 1)}
    names = {label: path.name for label, path in zip(entries, paths)}
    with private_files():
        write_whole(key, json.dumps(names, indent=1))
    return [Entry(label, files) for label, files in entries.items() if files]


def question_files(path: Path) -> dict[str, bytes]:
    try:
        return read_submission(path).files
    except BadSubmission:
        return {}


def hardly_compared(entry: Entry, prints: Read) -> Iterator[str]:
    """Name the files that have hardly any fingerprints for what was written there."""
    for name, source in entry.files.items():
        text = as_python_reads(source)
        if text is None:
            yield f"{entry.label}, {name}: Python can't decode it"
            continue
        size = sum(len(line) for line in lines_of(text) if line not in starter_lines(name))
        found = len(prints[name].hashes)
        if size > SIZE and size > SPARSE * found:
            yield f"{entry.label}, {name}: {size:,} characters, fingerprints: {found}"


@cache
def starter_lines(name: str) -> frozenset[str]:
    """Return the lines that everybody has received in a file."""
    return frozenset(lines_of(text_of((ROOT / "starter" / name).read_bytes())))


def lines_of(text: str) -> list[str]:
    return [line.strip() for line in text.split("\n")]


# --- what is written ------------------------------------------------------------------------------


def write_pages(
    directory: Path,
    entries: Sequence[Entry],
    pairs: Sequence[Pair],
    comparison: Comparison,
    unread: Sequence[str],
) -> None:
    folder = directory / "similar"
    folder.mkdir(exist_ok=True)
    for old in folder.glob("*.html"):
        old.unlink()
    for number, pair in enumerate(pairs[:MAX_PAGES], 1):
        both = entries[pair.first], entries[pair.second]
        files = list(shared_files(both, pair, comparison))
        page = render("pair.html", labels=[entry.label for entry in both], files=files)
        write_whole(folder / f"{number}.html", page)
    page = render(
        "similar.html",
        labels=[entry.label for entry in entries],
        pairs=pairs,
        unread=unread,
        common=int(comparison.most),
        compared=len(entries),
        max_pages=MAX_PAGES,
    )
    write_whole(directory / "similar.html", page)
    write_whole(directory / "similar.csv", as_csv(entries, pairs))


def shared_files(
    both: tuple[Entry, Entry], pair: Pair, comparison: Comparison
) -> Iterator[SharedFile]:
    """Yield the files of a pair in which something is shared."""
    for name in pair.files or QUESTION_FILES:
        left, right = (comparison.submissions[place].get(name) for place in pair[:2])
        if left is not None and right is not None:
            marks = shared_lines(left, right, comparison.counts(left))
            one, other = (text_of(entry.files[name]).rstrip("\n") for entry in both)
            yield shared_file(name, (one, other), marks)


def as_csv(entries: Sequence[Entry], pairs: Sequence[Pair]) -> str:
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(["first", "second", "weight", "share", *QUESTION_FILES])
    for pair in pairs:
        shares = [
            f"{pair.files[name]:.3f}" if name in pair.files else "" for name in QUESTION_FILES
        ]
        labels = entries[pair.first].label, entries[pair.second].label
        rows.writerow([*labels, f"{pair.weight:.1f}", f"{pair.share:.3f}", *shares])
    return text.getvalue()


def write_layout(layout: Path, new: Sequence[Entry], former: Sequence[Entry]) -> None:
    """Write the files as compare50, copydetect and JPlag want them, and say how these are called.

    Raises UsageError where something is there already.
    """
    if layout.exists():
        raise UsageError(f"{layout} is there already: name a new folder for the layout")
    for group, entries in (("submissions", new), ("archive", former)):
        for entry in entries:
            folder = layout / group / entry.label.replace(" + ", "+").replace(" ", "-")
            folder.mkdir(parents=True)
            for name, content in entry.files.items():
                (folder / name).write_bytes(content)
    ours = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "starter", layout / "starter", ignore=ours)
    at = printable(layout)
    old = [f" {option} {at}/archive" if former else "" for option in ("-a", "-r", "-old")]
    print(f"{at} holds what these tools take; none of them is part of this project:")
    print(f"  compare50 {at}/submissions/* -d {at}/starter{old[0] + '/*' if former else ''}")
    print(f"  copydetect -e py -t {at}/submissions -b {at}/starter{old[1]}")
    print(f"  java -jar jplag.jar -l python3 {at}/submissions -bc {at}/starter{old[2]}")
