"""`class similar` finds copies despite other names, and accuses nobody."""

import ast
import csv
import re
from pathlib import Path

import pytest

from autograder.author.bank import read_bank
from autograder.author.platforms import write_files
from autograder.cohort.class_folder import ClassFolder, Person
from autograder.cohort.fingerprints import make_fingerprints, read_tokens
from autograder.cohort.similar import compare_class, find_groups, find_shared_files, read_class
from autograder.cohort.suspicious_pairs import Comparison, Files, SuspiciousPair, collect_hashes
from autograder.errors import UsageError
from autograder.questions import ROOT
from autograder.selftest.support.banks import BANKS, SOLUTION_FILES, read_shortcut_entries
from autograder.selftest.support.graded_class import write_small_class

HEURISTIC = """
def connect_four_heuristic(state, player):
    score = 0
    for row, line in enumerate(state.rows):
        for column, stone in enumerate(line):
            if stone == player:
                score += (3 - abs(column - 3)) * (row + 1)
            elif stone != ".":
                score -= (3 - abs(column - 3)) * (row + 1)
    return score / (1000 + abs(score))
"""


def hashes(source: str) -> set[bytes]:
    return collect_hashes(make_fingerprints(source.encode()))


@pytest.mark.parametrize(
    ("pattern", "instead"),
    [
        (r"\bscore\b", "amount"),
        (r"\brow\b", "r"),
        (r'"\."', "'.'"),
        (r"    score = 0\n", '    """Count."""\n    score = 0  # begin\n\n'),
        (r"(\(3 - .*\)) \* (\(row \+ 1\))", r"(\1*\2)"),
        (r"\n", "\r\n"),
        (r"    score = 0", "\t  score = 0"),
    ],
)
def test_names_comments_and_layout_do_not_count(pattern, instead):
    changed = re.sub(pattern, instead, HEURISTIC)
    assert changed != HEURISTIC
    assert hashes(changed) == hashes(HEURISTIC)


def test_other_operations_and_exchanged_names_count():
    other = HEURISTIC.replace("abs(column - 3)", "min(column, 6 - column)")
    assert len(hashes(other) & hashes(HEURISTIC)) < 0.7 * len(hashes(HEURISTIC))
    assert hashes(HEURISTIC.replace("(row + 1)", "(column + 1)")) != hashes(HEURISTIC)


@pytest.mark.parametrize(
    "source", [b"", b"\xff\xfe", b"def f(:\n  x = (", b"\x00" * 50, b"x = 'open\ny = 1", b"a" * 99]
)
def test_any_file_has_fingerprints(source):
    assert all(one.first <= one.last for one in make_fingerprints(source))


def pairs_of(submissions: list[Files]) -> list[SuspiciousPair]:
    labelled = {str(place): files for place, files in enumerate(submissions)}
    return Comparison(labelled).find_pairs(labelled.keys())


def test_common_and_provided_code_do_not_count():
    assert pairs_of([SOLUTION_FILES] * 20) == pairs_of([SOLUTION_FILES] * 3) == []
    assert len(pairs_of([SOLUTION_FILES] * 2)) == 1
    paths = (ROOT / "starter").rglob("*.py")
    assert pairs_of([{path.as_posix(): path.read_bytes() for path in paths}] * 2) == []


def disguised(files: Files) -> Files:
    """Return the files with other names of variables, another order of functions, no comments."""
    found = {}
    for name, source in files.items():
        tree = ast.parse(source)
        names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
        stored = {node.id: f"my_{node.id}" for node in names if isinstance(node.ctx, ast.Store)}
        tree.body.sort(key=lambda node: -node.lineno if isinstance(node, ast.FunctionDef) else 0)
        words = re.split(r"((?<![.\w])\w+)", ast.unparse(tree))
        found[name] = "".join(stored.get(word, word) for word in words).encode()
    return found


@pytest.mark.slow
def test_disguised_copies_are_found_among_submissions_that_have_little_in_common():
    """Variants in the banks count as independent here."""
    group = [entry.files for entry in [*read_bank(BANKS / "right"), *read_shortcut_entries()]]
    count = len(group)
    assert len(pairs_of(group)) <= 0.02 * count * (count - 1) / 2
    pairs = {pair[:2] for pair in pairs_of(group + [disguised(files) for files in group])}
    assert sum((str(one), str(count + one)) in pairs for one in range(count)) >= 0.95 * count


def write_class(path: Path, submissions: list[Files]) -> Path:
    """Write a class of these submissions; the first one is of two people."""
    people = [Person(f"Zoë Secret {i}") for i in range(len(submissions) + 1)]
    groups = [people[:2], *([person] for person in people[2:])] if submissions else []
    return write_small_class(path, groups, submissions)


def rows_of(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))


def own(text: str) -> Files:
    return SOLUTION_FILES | {"cutoff.py": text.encode()}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    text = HEURISTIC + "# <script>alert(1)</script> \x1b[31m\n"
    submissions = [own(text), *[SOLUTION_FILES] * 12, own(text.replace("score", "sum_")), {}]
    write_class(tmp_path / "class", submissions)
    return tmp_path / "class"


def test_groups_are_linked_by_most_of_the_code():
    def pair(first: str, second: str, share: float) -> SuspiciousPair:
        return SuspiciousPair(first, second, 9.0, share, {})

    pairs = [pair("b", "a", 1.0), pair("x", "y", 0.9), pair("c", "d", 0.6), pair("b", "c", 0.5)]
    assert find_groups([*pairs, pair("y", "z", 0.49)]) == [["a", "b", "c", "d"]]
    pairs += [pair("y", "z", 0.5)]
    assert find_groups(pairs) == [["a", "b", "c", "d"], ["x", "y", "z"]]


def test_pages_are_written(folder, capsys):
    assert compare_class(folder) == 0
    assert "14 submissions compared, 1 without files" in capsys.readouterr().out
    index, pair = folder / "similar.html", folder / "similar" / "1.html"
    for text in (index.read_text(encoding="utf-8"), pair.read_text(encoding="utf-8")):
        assert "worth a look" in text
        assert "does not say that anybody copied" in text
        assert not re.search("plagiar|cheat|suspic|guilt|caught|Secret|<script>|\x1b", text, re.I)
    (row,) = rows_of(folder / "similar.csv")
    assert row["cutoff.py"] == row["share"] == "1.000"
    assert row["first"].count(" + ") == 1


def test_lines_are_counted_as_python_does(tmp_path):
    text = "\ufeff" + HEURISTIC.replace("    score", "\tscore", 1).replace("\n", "\r\n")
    text = text.replace("score = 0", "score = 0 # \x0c page, \u2028 line") + "# no code\n"
    write_class(tmp_path / "class", [own(text), *[SOLUTION_FILES] * 12, own(HEURISTIC.lstrip())])
    compare_class(tmp_path / "class")
    page = (tmp_path / "class" / "similar" / "1.html").read_text(encoding="utf-8")
    left, right = (re.findall("<li.*?</li>", side) for side in page.split("<ol>")[1:3])
    assert len(left) == len(right) + 2 == len(HEURISTIC.split("\n"))
    assert "score = 0 # \ufffd page" in left[2]
    same = [bool('class="same"' in line) for line in left]
    assert same == [False, *[True] * 9, False]
    links = re.findall('href="#([^"]+)"', page)
    assert links == ["cutoff.py-1b", "cutoff.py-2a"]
    assert {*links} <= set(re.findall('id="([^"]+)"', page))


def test_files_of_both_are_shown_if_none_alone_shares_enough():
    comparison = Comparison({"a": SOLUTION_FILES, "b": {"cutoff.py": b""}})
    for one, other in ("ab", "ba"):
        shown = dict(find_shared_files(SuspiciousPair(one, other, 9.0, 1.0, {}), comparison))
        assert [*shown] == ["cutoff.py"]


@pytest.mark.parametrize(("count", "empty"), [(0, 0), (1, 0), (2, 0), (0, 2)])
def test_small_class_is_compared(tmp_path, count, empty, capsys):
    write_class(tmp_path / "class", [own(HEURISTIC)] * count + [{}] * empty)
    assert compare_class(tmp_path / "class") == 0
    assert ("1 pair" if count == 2 else "0 pairs") in capsys.readouterr().out


def test_each_submission_of_a_person_has_a_label(tmp_path):
    one, other = Person("A", "1"), Person("B", "2")
    path = write_small_class(tmp_path / "class", [[one], [one], [other]])
    folder = ClassFolder(path)
    (first, *_), (second, *_) = folder.rows[0].people, folder.rows[2].people
    assert list(read_class(folder)) == [first, f"{first}, no. 2", second]


def test_earlier_pages_are_removed(folder):
    compare_class(folder)
    (folder / "files" / "13" / "cutoff.py").unlink()
    compare_class(folder)
    assert not list((folder / "similar").iterdir())


def test_former_years_are_compared_with_this_one_only(folder, tmp_path):
    former = dict.fromkeys(["a/cutoff.py", "b/cutoff.py"], HEURISTIC.encode())
    for archive in ("archive", "class/files"):  # the second was graded here
        write_files(tmp_path / "former" / archive, former | {"notes.txt": b"no submission"})
        compare_class(folder, tmp_path / "former" / archive.removesuffix("/files"))
        labels = [{row["first"], row["second"]} for row in rows_of(folder / "similar.csv")]
        assert len(labels) == 5  # one in the class, and both former ones with each of its two
        assert {"former: a", "former: b"} not in labels
    with pytest.raises(UsageError, match="no folder"):
        compare_class(folder, tmp_path / "nowhere")


def test_fingerprints_do_not_depend_on_the_version_of_python():
    """From 3.12 on the parts of an f-string are tokens, and other text is an error."""
    source = b"""a = f'x {b!r:>{c["d"]}} y' + rf"{a}z"; b = ""\nc = 1 ? 2\n"""
    assert [token.text for token in read_tokens(source)] == [
        *("name", "=", "fx  y", "+", "rfz", ";", "name", "=", "", "name", "=", "1", "?", "2")
    ]
