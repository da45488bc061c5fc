"""What the wrong submissions are expected to fail, computed and written: `make matrix UPDATE=1`.

wrong/expected.json has for each entry the tests that fail for certain and the code of the finding
in the first of them. wordings.txt has for each code the words of one such finding. Nobody types
them: both are reviewed as a diff.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from autograder.author.parallel import Job, Verdict, verdicts_on
from autograder.author.wrong_bank import (
    Expected,
    WrongSubmission,
    read_expected,
    read_wrong,
    write_expected,
)
from autograder.results import sort_key

WORDINGS = Path(__file__).with_name("wordings.txt")
# These play or search much: what they find may differ from run to run.
LONG = {
    *("1.6", "1.8", "1.9", "2.9", "2.10", "3.12", "3.13"),
    *(f"4.{number}" for number in (4, 10, 11, 12, 13)),
    *(f"6.{number}" for number in (1, 2, 3, 4, 5)),
}


class Example(NamedTuple):
    """A finding in words: which entry has it, in which test, and what is said."""

    entry: str
    number: str
    words: str


def expected_of(wrong: WrongSubmission, verdict: Verdict) -> Expected:
    """Return what a verdict says for certain."""
    fails = tuple(sorted(wrong.certain(verdict.failed), key=sort_key))
    return Expected(fails, verdict.codes.get(fails[0], "") if fails else "")


def is_luck(wrong: WrongSubmission, number: str) -> bool:
    """May what is said of this test be another each time?"""
    return number in LONG.union(wrong.perhaps) or any("random" in new for _, new in wrong.changes)


def masked(words: str) -> str:
    """The words without numbers: the time that is left is another each time."""
    return re.sub(r"\d+(\.\d+)?", "0", words)


def read_wordings() -> dict[str, Example]:
    """Return an example for each code."""
    found = {}
    for part in filter(None, WORDINGS.read_text(encoding="utf-8").split("\n\n")):
        head, _, words = part.strip().partition("\n")
        code, entry, number = head.split()
        found[code] = Example(entry, number, re.sub(r"^    ", "", words, flags=re.M))
    return found


def write_wordings(wordings: dict[str, Example]) -> None:
    parts = []
    for code, (entry, number, words) in sorted(wordings.items()):
        parts.append("\n    ".join([f"{code} {entry} {number}", *words.splitlines()]))
    WORDINGS.write_text("\n\n".join(parts) + "\n", encoding="utf-8")


def graded_wrong(bank: list[WrongSubmission]) -> dict[str, tuple[WrongSubmission, Verdict]]:
    """Grade each on all tests of its question. Raises ValueError when the grader fails."""
    verdicts = verdicts_on([Job(wrong.submission, wrong.question) for wrong in bank])
    for wrong, verdict in zip(bank, verdicts):
        if verdict.fault:
            raise ValueError(f"{wrong.name}: the grader failed: {verdict.fault}")
    return {wrong.name: (wrong, verdict) for wrong, verdict in zip(bank, verdicts)}


def examples(graded: dict[str, tuple[WrongSubmission, Verdict]]) -> dict[str, Example]:
    """Return the words of one finding for each code, of those without luck where there are some.

    What was the example before stays it, as long as it has that code.
    """
    findings: dict[str, list[tuple[tuple[bool, bool], Example]]] = {}
    before = read_wordings()
    for name in sorted(graded):
        wrong, verdict = graded[name]
        for number in sorted(wrong.certain(verdict.failed), key=sort_key):
            example = Example(name, number, verdict.words[number])
            code = verdict.codes[number]
            other = code not in before or before[code][:2] != example[:2]
            findings.setdefault(code, []).append(((is_luck(wrong, number), other), example))
    return {code: min(found, key=lambda pair: pair[0])[1] for code, found in findings.items()}


def update() -> int:
    """Write down what comes of each entry; return 1 if one does not fail what it is for."""
    graded = graded_wrong(read_wrong())
    before = read_expected()
    now = {name: expected_of(*pair) for name, pair in graded.items()}
    write_expected(now)
    write_wordings(examples(graded))
    different = [name for name in {**before, **now} if before.get(name) != now.get(name)]
    print(f"{len(now)} wrong submissions, {len(different)} with other expectations")
    missed = [name for name, (wrong, _) in graded.items() if not {*wrong.aim} <= {*now[name].fails}]
    for name in missed:
        print(f"{name} does not fail {' '.join(graded[name][0].aim)}, which is what it is for")
    return 1 if missed else 0
