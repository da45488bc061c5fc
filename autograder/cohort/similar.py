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
from autograder.cohort.side_by_side import pair_page, shared_lines
from autograder.cohort.suspicious_pairs import Comparison, Pair, Read, read
from autograder.errors import UsageError
from autograder.feedback.page import document, words
from autograder.feedback.report import write_whole
from autograder.questions import QUESTION_FILES, ROOT
from autograder.submission import BadSubmission, printable, read_submission

MOST_PAGES = 100  # pairs that are shown side by side, those that share most
# Characters that somebody wrote, in all and for each fingerprint: there sixteen are usual, and
# fifty where there are tables. A file with more hides what it does, say in a text that is run.
SIZE, SPARSE = 300, 100
STYLE = (
    "th{text-align:left;font-weight:600;padding:.28rem .4rem}th.n{text-align:right}"
    "td a{color:var(--x)}"
    "@media print{*{print-color-adjust:exact}}"
)
CAUTION = (
    "Who learned from the same book writes alike. Each pair here shares code that few others of "
    "this class have, whatever its names are and in whichever order: that is worth a look, and no "
    "more. It does not say that anybody copied, and still less who from whom."
)


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
        size = sum(len(line) for line in lines_of(text) if line not in given(name))
        found = len(prints[name].hashes)
        if size > SIZE and size > SPARSE * found:
            yield f"{entry.label}, {name}: {size:,} characters, fingerprints: {found}"


@cache
def given(name: str) -> frozenset[str]:
    """The lines that everybody has got in a file."""
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
    folder, prints = directory / "similar", comparison.submissions
    folder.mkdir(exist_ok=True)
    for old in folder.glob("*.html"):
        old.unlink()
    for number, pair in enumerate(pairs[:MOST_PAGES], 1):
        both = entries[pair.first], entries[pair.second]
        files = []
        for name in pair.files or QUESTION_FILES:
            sides = [prints[place].get(name) for place in pair[:2]]
            if sides[0] is not None and sides[1] is not None:
                marks = shared_lines(sides[0], sides[1], comparison.weighs(sides[0]))
                left, right = (text_of(entry.files[name]).rstrip("\n") for entry in both)
                files.append((name, (left, right), marks))
        page = pair_page((both[0].label, both[1].label), words(CAUTION), files)
        write_whole(folder / f"{number}.html", page)
    write_whole(directory / "similar.html", index_page(entries, pairs, unread))
    write_whole(directory / "similar.csv", as_csv(entries, pairs))


def index_page(entries: Sequence[Entry], pairs: Sequence[Pair], unread: Sequence[str]) -> str:
    """The list of pairs, most shared first, and of files that could hardly be compared."""
    rows = []
    for number, pair in enumerate(pairs[:MOST_PAGES], 1):
        both = f"{words(entries[pair.first].label)} and {words(entries[pair.second].label)}"
        link = f'<a href="similar/{number}.html">{both}</a>'
        files = ", ".join(f"{words(name)} {share:.0%}" for name, share in pair.files.items())
        rows.append(
            f'<tr><td class="n">{number}</td><td>{link}</td><td class="n">{pair.weight:.1f}</td>'
            f'<td class="n">{pair.share:.0%}</td><td>{files}</td></tr>'
        )
    heads = (
        '<th></th><th>pair</th><th class="n">weight</th><th class="n">share</th><th>by file</th>'
    )
    table = f'<section class="scroll"><table><tr>{heads}</tr>{"".join(rows)}</table></section>'
    explained = (
        "<p><strong>Weight</strong>: the longer and the rarer what both have, the more; 1 is about "
        "two lines that nobody else has. "
        "<strong>Share</strong>: how much of what is unusual in the one with less of it stands in "
        "the other too. What more than a tenth of the class wrote counts for nothing, nor do the "
        "provided files.</p>"
    )
    rest = len(pairs) - MOST_PAGES
    more = f"<p>{rest} more, which share less, are in similar.csv.</p>" if rest > 0 else ""
    if unread:
        files = "".join(f"<li>{words(line)}</li>" for line in unread)
        more += (
            "<h2>Hardly compared</h2><p>What these files share is not seen, for they have few "
            f"fingerprints for their size, or none: look at them yourself.</p><ul>{files}</ul>"
        )
    title = f"{len(pairs)} pairs worth a look" if len(pairs) != 1 else "1 pair worth a look"
    body = f"<h1>{title}</h1><p>{words(CAUTION)}</p>{explained}{table if pairs else ''}{more}"
    return document(title, body, STYLE)


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
