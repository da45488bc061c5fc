"""`class similar`: pairs that share unusual code, as a list and side by side."""

from collections import Counter
from collections.abc import Container, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from autograder.cohort.class_folder import ClassFolder, read_question_files
from autograder.cohort.fingerprints import Fingerprint, decode_source
from autograder.cohort.rendering import format_count, make_csv, render
from autograder.cohort.suspicious_pairs import Comparison, Files, SuspiciousPair
from autograder.errors import UsageError
from autograder.feedback.report import write_atomically
from autograder.printable import sanitize
from autograder.questions import QUESTION_FILES

MAX_PAGES = 100  # pairs that are shown side by side: those that share most
GROUP_SHARE = 0.5  # of the unusual code that two of a group share, at least
MAX_GAP = 6  # shared places belong to one passage if no more lines lie between them

Marks = dict[int, int]  # the passage that a shared line belongs to, by the line's number
Line = tuple[str, int, bool]  # text, passage (0: not shared), does the passage begin here?


class SharedFile(NamedTuple):
    """One file of a pair: both versions, and the passages marked in both."""

    name: str
    sides: tuple[list[Line], list[Line]]
    linked: list[int]


def compare_class(directory: Path, archive: Path | None = None) -> int:
    """Compare all submissions of a class; write a page for each pair, and lists.

    archive: a folder of submissions of former years, which the class is compared with, too

    Raises UsageError if the directory holds no class, or if the archive is no folder.
    """
    submissions = read_class(ClassFolder(directory))
    newest = list(submissions)
    if archive:
        submissions |= read_former_years(archive)
    comparison = Comparison(submissions)
    pairs = comparison.find_pairs(newest)
    write_pages(directory, pairs, comparison)
    empty = sum(not submissions[label] for label in newest)
    compared = len(newest) - empty
    print(f"{compared} submissions compared" + (f", {empty} without files" if empty else ""))
    found = format_count(len(pairs), "pair")
    if groups := find_groups(pairs):
        found = f"{format_count(len(groups), 'group')}, {found}"
    print(f"{found} worth a look: {sanitize(directory / 'similar.html')}")
    return 0


def find_groups(pairs: Sequence[SuspiciousPair]) -> list[list[str]]:
    """Return groups of three or more that are linked by pairs with most code in common.

    The largest group comes first.
    """
    groups: dict[str, set[str]] = {}
    for pair in pairs:
        if pair.share >= GROUP_SHARE:
            both = groups.get(pair.first, {pair.first}) | groups.get(pair.second, {pair.second})
            groups.update(dict.fromkeys(both, both))
    found = {tuple(sorted(group)) for group in groups.values() if len(group) > 2}
    return [list(group) for group in sorted(found, key=lambda group: (-len(group), group))]


def read_class(folder: ClassFolder) -> dict[str, Files]:
    """Return a class's submissions; the label of a group has all its members.

    A person with several submissions has a number in the labels of all but the first.
    """
    found: dict[str, Files] = {}
    submitted = Counter[str]()
    for row in folder.rows:
        label = " + ".join(row.people)
        submitted[label] += 1
        label += f", no. {submitted[label]}" if submitted[label] > 1 else ""
        found[label] = folder.read_files(row.content)
    return found


def read_former_years(archive: Path) -> dict[str, Files]:
    """Return former submissions, labelled by the names of their folders or zips.

    Raises UsageError if there is no such folder.
    """
    if not archive.is_dir():
        raise UsageError(f"{archive} is no folder: name one with a folder or zip for each student")
    inside = archive / "files"  # of a class that was graded here
    paths = sorted((inside if inside.is_dir() else archive).iterdir())
    found = {f"former: {path.name}": read_question_files(path) for path in paths}
    return {label: files for label, files in found.items() if files}


def write_pages(directory: Path, pairs: Sequence[SuspiciousPair], comparison: Comparison) -> None:
    folder = directory / "similar"
    folder.mkdir(exist_ok=True)
    for old in folder.glob("*.html"):
        old.unlink()
    for number, pair in enumerate(pairs[:MAX_PAGES], 1):
        page = render("pair.html", pair=pair, files=list(find_shared_files(pair, comparison)))
        write_atomically(folder / f"{number}.html", page)
    page = render(
        "similar.html",
        pairs=pairs,
        groups=find_groups(pairs),
        comparison=comparison,
        max_pages=MAX_PAGES,
    )
    write_atomically(directory / "similar.html", page)
    write_atomically(directory / "similar.csv", make_csv(make_pair_rows(pairs)))


def find_shared_files(pair: SuspiciousPair, comparison: Comparison) -> Iterator[SharedFile]:
    """Yield the files of a pair in which something is shared."""
    both = pair.first, pair.second
    for name in pair.files or QUESTION_FILES:
        left, right = (comparison.prints[label].get(name) for label in both)
        if left is not None and right is not None:
            marks = find_shared_lines(left, right, comparison.weights)
            sources = (decode_source(comparison.files[label][name]).rstrip("\n") for label in both)
            one, other = map(mark_lines, sources, marks)
            linked = set(marks[0].values()) & set(marks[1].values())
            yield SharedFile(name, (one, other), sorted(linked))


def mark_lines(source: str, marks: Marks) -> list[Line]:
    lines, begun = [], {0}
    for number, line in enumerate(source.expandtabs(4).split("\n"), 1):  # as Python counts lines
        passage = marks.get(number, 0)
        lines.append((line, passage, passage not in begun))
        begun.add(passage)
    return lines


def find_shared_lines(
    left: list[Fingerprint], right: list[Fingerprint], rare: Container[bytes]
) -> tuple[Marks, Marks]:
    """Return the shared lines of two files, with the passage of each.

    rare: the fingerprints that count
    """
    places = {one.hash: one for one in right}
    marks: tuple[Marks, Marks] = {}, {}
    passage, before = 0, (-MAX_GAP, -MAX_GAP)  # the last lines of the previous place, in both files
    for one in left:
        if one.hash not in places or one.hash not in rare:
            continue
        other = places[one.hash]
        lines = before[1] - 2 * MAX_GAP, before[1] + MAX_GAP
        if one.first > before[0] + MAX_GAP or not lines[0] <= other.first <= lines[1]:
            passage += 1
        before = one.last, other.last
        for side, place in zip(marks, (one, other)):
            for line in range(place.first, place.last + 1):
                side.setdefault(line, passage)
    return marks


def make_pair_rows(pairs: Sequence[SuspiciousPair]) -> Iterator[list[str]]:
    """Yield the table of all pairs."""
    yield ["first", "second", "weight", "share", *QUESTION_FILES]
    for pair in pairs:
        shares = [
            f"{pair.files[name]:.3f}" if name in pair.files else "" for name in QUESTION_FILES
        ]
        yield [pair.first, pair.second, f"{pair.weight:.1f}", f"{pair.share:.3f}", *shares]
