"""The golden files of the wrong submissions; `make matrix UPDATE=1` writes them.

banks/expected.json has for each entry the finding in each test that it must fail, as a code and the
names of hints. banks/also.json has the other tests that it certainly fails: a new test changes many
of its lines, and only a nightly test compares them. banks/wordings.txt has findings in words, at
least one for each code and each hint. Nobody edits these files by hand: review them as a diff.
"""

import json
import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from autograder.author.bank import Entry
from autograder.author.grade_batch import Verdict
from autograder.feedback.results import sort_key
from autograder.selftest.support.banks import BANKS, read_wrong_entries

EXPECTED_FILE, ALSO_FILE = BANKS / "expected.json", BANKS / "also.json"
WORDINGS = BANKS / "wordings.txt"
# These play or search a lot: their findings may differ from run to run.
LONG_TESTS = {
    *("1.6", "1.8", "1.9", "2.9", "2.10", "3.12", "3.13"),
    *(f"4.{number}" for number in (4, 10, 11, 12, 13)),
    *(f"6.{number}" for number in (1, 2, 3, 4, 5)),
}


class Expectation(NamedTuple):
    """The findings in an entry's own tests, and the other tests that it fails.

    A test in which the hints vary from run to run has none here.
    """

    codes: dict[str, str]
    hints: dict[str, list[str]]
    others: tuple[str, ...]

    @property
    def fails(self) -> list[str]:
        return sorted([*self.codes, *self.others], key=sort_key)


class Example(NamedTuple):
    """A finding in words: its code, entry, test and message."""

    code: str
    entry: str
    number: str
    words: str


def select_sure_hints(entry: Entry, hints: Mapping[str, list[str]]) -> dict[str, list[str]]:
    """Return the hints in an entry's own tests that do not vary from run to run."""
    sure = [number for number in entry.fails if not varies(entry, number)]
    return {number: hints[number] for number in sure if hints.get(number)}


def varies(entry: Entry, number: str) -> bool:
    """Return whether a test's words may vary: by chance, the order of a set, or pdb's version."""
    by_chance = number in LONG_TESTS or number in entry.may_fail
    return by_chance or any(re.search(r"random|pdb|list\(set", part.text) for part in entry.parts)


def mask_varying_text(words: str) -> str:
    """Mask what differs from run to run, or from one version of Python to another."""
    for pattern, replacement in (
        (r"\d+(\.\d+)? (s|seconds?)\b", "0 s"),
        (r"Python 3\.\d+", "Python 3.N"),
        (r"recursion depth exceeded[\w ]*", "recursion depth exceeded"),
        (r"[\d,]+ calls deep", "N calls deep"),
        (r"it was then at (\w+\.py), line .*", r"it was then at \1"),
    ):
        words = re.sub(pattern, replacement, words)
    return words


def read_expectations() -> dict[str, Expectation]:
    rows, also = (json.loads(file.read_bytes()) for file in (EXPECTED_FILE, ALSO_FILE))
    return {
        name: Expectation(row["fails"], row["hints"], tuple(also.get(name, ())))
        for name, row in rows.items()
    }


def write_expectations(expected: dict[str, Expectation]) -> None:
    """Write a line for each entry, so that a diff shows what has changed."""
    rows = sorted(expected.items())
    own = {name: {"fails": it.codes, "hints": it.hints} for name, it in rows}
    also = {name: it.others for name, it in rows if it.others}
    for file, found in ((EXPECTED_FILE, own), (ALSO_FILE, also)):
        lines = [f"{json.dumps(name)}: {json.dumps(row)}" for name, row in found.items()]
        file.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="ascii")


def read_wordings() -> list[Example]:
    examples = []
    for part in filter(None, WORDINGS.read_text(encoding="utf-8").split("\n\n")):
        head, _, words = part.strip().partition("\n")
        code, entry, number = head.split()
        examples.append(Example(code, entry, number, re.sub(r"^    ", "", words, flags=re.M)))
    return examples


def write_wordings(examples: Iterable[Example]) -> None:
    parts = [
        "\n    ".join([f"{code} {entry} {number}", *words.splitlines()])
        for code, entry, number, words in sorted(examples)
    ]
    WORDINGS.write_text("\n\n".join(parts) + "\n", encoding="utf-8")


def collect_examples(graded: dict[str, tuple[Entry, Verdict]]) -> list[Example]:
    """Return the current examples, and one for each code and hint without one."""
    examples = []
    others = [row for name, row in read_expectations().items() if name not in graded]
    # Codes and names of hints. What other entries show in their own tests has an example.
    shown = {code for row in others for code in row.codes.values()}
    shown.update(hint for row in others for hints in row.hints.values() for hint in hints)
    for example in read_wordings():
        if example.entry in graded:
            _, verdict = graded[example.entry]
            if verdict.codes.get(example.number) == example.code:
                examples.append(example._replace(words=verdict.words[example.number]))
                shown.update(list_finding_names(verdict, example.number))
        else:
            examples.append(example)
            shown.add(example.code)
    candidates = []
    for name, (entry, verdict) in graded.items():
        # How far an endless search comes depends on the machine.
        slow = any(code.startswith("too-slow") for code in verdict.codes.values())
        for number in verdict.codes:
            if number in entry.fails or not slow:
                candidates.append((varies(entry, number), name, sort_key(number), number))
    for _, name, _, number in sorted(candidates):
        _, verdict = graded[name]
        if not shown.issuperset(names := list_finding_names(verdict, number)):
            examples.append(Example(verdict.codes[number], name, number, verdict.words[number]))
            shown.update(names)
    return examples


def list_finding_names(verdict: Verdict, number: str) -> list[str]:
    return [verdict.codes[number], *verdict.hints[number]]


def update_golden_files(graded: dict[str, tuple[Entry, Verdict]]) -> None:
    before = read_expectations()
    now = {one.name: before[one.name] for one in read_wrong_entries() if one.name in before}
    for name, (entry, verdict) in graded.items():
        others = {*verdict.failed}.difference(entry.fails, entry.may_fail)
        codes = {number: verdict.codes.get(number, "") for number in entry.fails}
        hints = select_sure_hints(entry, verdict.hints)
        now[name] = Expectation(codes, hints, tuple(sorted(others, key=sort_key)))
    examples = collect_examples(graded)
    write_expectations(now)
    write_wordings(examples)
