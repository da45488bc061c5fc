"""`class similar`: pairs that share unusual code, as a list and side by side."""

from collections import Counter
from collections.abc import Container, Iterator, Sequence
from pathlib import Path

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

Links = dict[int, int]  # from each shared line's number to the same code's line in the other file


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


def find_shared_files(
    pair: SuspiciousPair, comparison: Comparison
) -> Iterator[tuple[str, list[tuple[str, list[str], Links]]]]:
    """Yield the name of each file in which something is shared, and its two sides.

    A side is the label of a submission, its lines, and the links from its shared lines.
    """
    both = pair.first, pair.second
    for name in pair.files or QUESTION_FILES:
        left, right = (comparison.prints[label].get(name) for label in both)
        if left is not None and right is not None:
            links = link_shared_lines(left, right, comparison.weights)
            sources = (decode_source(comparison.files[label][name]).rstrip("\n") for label in both)
            # Lines as Python counts them.
            lines = (source.expandtabs(4).split("\n") for source in sources)
            yield name, list(zip(both, lines, links))


def link_shared_lines(
    left: list[Fingerprint], right: list[Fingerprint], rare: Container[bytes]
) -> tuple[Links, Links]:
    """Return the links from the shared lines of each of two files to the other one.

    rare: the fingerprints that count
    """
    places = {one.hash: one for one in right if one.hash in rare}
    links: tuple[Links, Links] = {}, {}
    for one in left:
        if other := places.get(one.hash):
            for side, here, there in zip(links, (one, other), (other, one)):
                for line in range(here.first, here.last + 1):
                    side.setdefault(line, min(there.first + line - here.first, there.last))
    return links


def make_pair_rows(pairs: Sequence[SuspiciousPair]) -> Iterator[list[str]]:
    """Yield the table of all pairs."""
    yield ["first", "second", "weight", "share", *QUESTION_FILES]
    for pair in pairs:
        shares = [
            f"{pair.files[name]:.3f}" if name in pair.files else "" for name in QUESTION_FILES
        ]
        yield [pair.first, pair.second, f"{pair.weight:.1f}", f"{pair.share:.3f}", *shares]
