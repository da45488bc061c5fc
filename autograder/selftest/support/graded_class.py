"""Makes the folder of a class as `class grade` leaves it, from what is expected of the banks.

Nothing is graded: a wrong submission fails what banks/expected.json says, with the words that
banks/wordings.txt has for it; a stub fails everything.

    python -m autograder.selftest.support.graded_class FOLDER [--students 60] [--seed 1]
"""

from __future__ import annotations

import argparse
import random
import sys
from datetime import datetime, timedelta, timezone
from functools import cache
from pathlib import Path

from autograder.author.bank import Entry
from autograder.author.graded_tests import graded_tests
from autograder.checks.finding import Finding
from autograder.cohort.grade_one import told_of
from autograder.cohort.ledger import DONE, GRADER, STUDENT, Attempt, KeptLedger, Person, Submitted
from autograder.feedback.results import Outcome, Report, Result
from autograder.questions import QUESTIONS, ROOT
from autograder.selftest.support.banks import read_wrong
from autograder.selftest.support.findings import stub_finding
from autograder.selftest.support.golden import Expected, read_expected
from autograder.selftest.support.made_class import people

BEGAN = datetime(2026, 11, 2, 9, tzinfo=timezone.utc)
TROUBLED = {  # by place in the class: who could not be graded, and why
    3: (STUDENT, "there is nothing to grade: minimax.py is not in the submission"),
    7: (GRADER, "its process ended with status -9"),
}


@cache
def expected() -> dict[str, Expected]:
    return read_expected()


@cache
def wrong_of(file: str) -> list[Entry]:
    return [entry for entry in read_wrong() if file in entry.files]


def report_of(chance: random.Random, skill: float) -> tuple[Report, dict[str, bytes]]:
    """A student's report and files: each file right, wrong in some way, or not begun."""
    report, files = Report(seconds=6 + 6 * chance.random()), {}
    for row in QUESTIONS:
        drawn, entry = chance.random() * skill, None
        folder = "starter" if drawn < 0.06 else "solution"
        files[row.file] = (ROOT / folder / row.file).read_bytes()
        if 0.06 <= drawn < 0.3:
            entry = chance.choice(wrong_of(row.file))
            files[row.file] = entry.files[row.file]
        for test in graded_tests(row.number):
            result = Result(test.number, test.label, test.points, outcome=Outcome.PASSED)
            result.seconds = chance.random() / 5
            if folder == "starter":
                result.outcome = Outcome.FAILED
                result.finding = stub_finding(f"write {row.functions[-1]}")
            elif entry and test.number in expected()[entry.name].fails:
                code = next(iter(expected()[entry.name].codes.values()))
                result.outcome = Outcome.FAILED
                result.finding = Finding(code, AnyFacts())
                result.diagnosis = entry.says
            report.results.append(result)
    return report, files


class AnyFacts(dict[str, int]):
    """Facts for any finding: each is 1."""

    def __missing__(self, name: str) -> int:
        return 1


def history(submission: str, score: float, chance: random.Random) -> list[Attempt]:
    """Up to five attempts, each better than the one before."""
    when, count, attempts = (
        BEGAN + timedelta(hours=chance.randrange(120)),
        chance.randrange(1, 6),
        [],
    )
    for number in range(1, count + 1):
        reached = round(score * number / count)
        attempts.append(Attempt(submission, when.isoformat(), reached, number))
        when += timedelta(hours=chance.randrange(1, 30))
    return attempts


def write_graded_class(folder: Path, students: int, seed: int = 1) -> None:
    """Make the folder; the two last students of a class of ten or more are a group."""
    chance = random.Random(seed)
    with KeptLedger(folder) as ledger:
        who = [
            Person(one[":name"], one.get(":sid", ""), one[":email"])
            for one in people(students, random.Random(0))
        ]
        pseudonyms = ledger.pseudonyms(who)
        groups = [[one] for one in who]
        if students >= 10:
            groups[-2:] = [groups[-2] + groups[-1]]
        rows, attempts = [], []
        owners: dict[str, list[str]] = {}
        for place, group in enumerate(groups):
            one = f"{330_000_000 + place}"
            report, files = report_of(chance, 0.3 + 1.7 * chance.random())
            state, trouble = TROUBLED.get(place, (DONE, "")) if students >= 10 else (DONE, "")
            attempts += history(one, report.earned, chance)
            content, seconds, created = f"{one}-{seed}", report.seconds, attempts[-1].created
            place_there = f"submission_{one}"
            rows.append(
                Submitted(one, place_there, content, "", state, 1, seconds, trouble, created)
            )
            ledger.keep_files(one, {} if state == STUDENT else files)
            if state == DONE:
                ledger.keep_result(one, told_of(report)["files"])
            for person in group:
                owners.setdefault(pseudonyms[person], []).append(one)
        ledger.take_in(rows, owners, attempts)
        ledger.note(
            assignment="assignment_4711_export", total=f"{report.most:g}", when=BEGAN.isoformat()
        )


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m autograder.selftest.support.graded_class")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--students", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    write_graded_class(args.folder, args.students, args.seed)
    return 0


if __name__ == "__main__":
    sys.exit(main())
