"""Classes as `class grade` leaves them, without a grading.

A small class has the results that a test gives it. Those of a large class are drawn. A pool that
does not grade stands in for the real one.
"""

import json
import random
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest import mock

from autograder.__main__ import PYTHON
from autograder.author.graded_tests import read_graded_tests
from autograder.checks.ask.finding import Finding
from autograder.cohort.class_folder import ClassFolder, Person, Row
from autograder.cohort.grade_one import Reply, identify_grading, make_reply
from autograder.cohort.grading import grade_class
from autograder.feedback.results import Outcome, Report, Result
from autograder.questions import QUESTIONS, ROOT
from autograder.selftest.support.class_factory import write_class
from autograder.submission import Submission

SAID = ROOT / "autograder/selftest/cohort/said.txt"  # if a change is meant, edit it
CODES = ("wrong-value", "not-a-pair", "missed-cut/max", "raised/ValueError", "state-kept")


def draw_report(text: str, skill: float = 0.8) -> Report:
    """Draw a report, with the text as seed.

    Each question is right, fails some tests by one of a few mistakes, or is not begun.
    """
    rng = random.Random(text)
    report = Report(seconds=6 + 6 * rng.random())
    for row in QUESTIONS:
        number, code = rng.random() * skill, rng.choice(CODES)
        for test in read_graded_tests(row.number):
            result = Result(test.number, test.label, test.points, outcome=Outcome.PASSED)
            result.seconds = rng.random() / 5
            if number < 0.06:
                result.outcome = Outcome.FAILED
                what = f"write {row.functions[-1]}"
                result.finding = Finding("not-written", {"what": what}, stop=True)
            elif number < 0.3 and rng.random() < 0.5:
                result.outcome = Outcome.FAILED
                result.finding = Finding(code, defaultdict(lambda: 1))  # each fact is 1
                result.diagnosis = f"{row.name} was wrong by {code}"
            report.results.append(result)
    return report


def grade_at_random(request: str) -> Reply:
    return make_reply(draw_report(request))


def make_results_json(points: dict[str, float], most: float = 1.0, **extra: Any) -> dict[str, Any]:
    """Return a results.json with tests of these points, out of `most` each."""
    return {
        "score": sum(points.values()),
        "extra_data": {"grader": "grader", "points": "points"},
        "tests": [
            {
                "name": f"test {number}",
                "number": number,
                "score": score,
                "max_score": most,
                "status": "passed" if score else "failed",
                "output": "wrong",
                "extra_data": {"code": "", "diagnosis": "", **extra},
            }
            for number, score in points.items()
        ],
    }


def write_small_class(
    path: Path,
    groups: Sequence[Sequence[Person]] = (),
    files: Sequence[dict[str, bytes]] = (),
    results: Sequence[dict[str, Any] | None] = (),
    first_id: int = 0,
) -> Path:
    """Make the folder of a class whose submissions are numbered from `first_id`.

    groups:  the people of each submission, by default one each
    results: a results.json each; None for one that can't be graded
    """
    count = max(len(files), len(results))
    groups = groups or [[Person(f"Name {i}", f"{i}")] for i in range(count)]
    folder = ClassFolder.make(path)
    pseudonyms = folder.assign_pseudonyms(person for group in groups for person in group)
    rows = [
        Row(f"{id}", f"{id}", [pseudonyms[person] for person in group])
        for id, group in enumerate(groups, first_id)
    ]
    for row, of_row in zip(rows, files):
        folder.store_submission(row.content, Submission(of_row))
    for i, result in enumerate(results):
        if result is None:
            rows[i] = replace(rows[i], problem="it is empty")
        else:
            reply = {".json": json.dumps(result), ".html": "<p>"}
            folder.store_result(rows[i].content, reply)
    folder.update(rows, assignment="<b>an & assignment</b>", when="2026-11-02T09:00")
    return path


def use_fixed_pseudonyms() -> Any:
    """Patch the choice of pseudonyms: each class gets the same ones."""
    numbers = random.Random(1)
    draw = "autograder.cohort.class_folder.draw_pseudonym"
    return mock.patch(draw, lambda: f"s{numbers.getrandbits(32):08x}")


def make_passing_reply(request: str) -> Reply:
    result = make_results_json({"1.1": 3.0}, 3.0) | {"extra_data": identify_grading()}
    files = {".json": json.dumps(result | {"request": request}), ".html": "<p>"}
    return Reply({**files, ".report": '{"results": []}'})


def expect_said(case: str, said: str, folder: Path) -> None:
    """Expect the text of a case in said.txt, where FOLDER stands for `folder`."""
    parts = SAID.read_text(encoding="utf-8").split("\n\n")
    expected = dict(part.split(":\n", 1) for part in parts)[case]
    said = said.replace(str(folder), "FOLDER").replace(PYTHON, "PYTHON")
    assert said.strip("\n") == expected.strip("\n")


class FakePool:
    """A pool of two slots that does not grade; it records its requests."""

    def __init__(self, grade: Callable[[str], Reply]) -> None:
        self.requests: list[str] = []
        self.grade = grade

    def slots(self) -> int:
        return 2

    def submit(self, request: str) -> Future[Reply]:
        self.requests.append(request)
        future: Future[Reply] = Future()
        try:
            future.set_result(self.grade(request))
        except Exception as error:
            future.set_exception(error)
        return future


@contextmanager
def use_fake_pool(grade: Callable[[str], Reply] = make_passing_reply) -> Iterator[FakePool]:
    """Replace every pool of `class grade` and `class tournament` with a fake one."""
    pool = FakePool(grade)

    @contextmanager
    def open_pool(*args: object) -> Iterator[FakePool]:
        yield pool

    with mock.patch("autograder.cohort.pool.open_pool", open_pool):
        yield pool


def write_graded_class(
    folder: Path,
    students: int,
    form: str = "gradescope",
    grade: Callable[[str], Reply] = grade_at_random,
) -> Path:
    """Make an export and grade it with a fake pool; return the folder of the class."""
    export = write_class(folder / "class.zip", students, form=form)
    with use_fake_pool(grade):
        grade_class(export, folder / "class")
    return folder / "class"
