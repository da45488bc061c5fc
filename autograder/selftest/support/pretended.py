"""A pool that pretends to grade: for tests, and for transcripts that take no minutes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from unittest import mock

from autograder.cohort import grading
from autograder.cohort.grade_one import ENDINGS, Graded
from autograder.cohort.pool import PoolGone


def result(told: str) -> Graded:
    """What a grading gives: test 1.1 passes, test 1.2 fails."""
    tests = [
        {"number": "1.1", "status": "passed", "score": 3.0, "max_score": 3.0},
        {"number": "1.2", "status": "failed", "score": 0.0, "max_score": 2.0},
    ]
    content = json.dumps({"score": 3.0, "tests": tests, "told": told})
    files = {**dict.fromkeys(ENDINGS, "<p>"), ".json": content}
    return Graded(files, most=5.0, seconds=1.5)


class Pretended:
    """Grades two at a time, without grading; remembers what it was given."""

    def __init__(self) -> None:
        self.given: list[str] = []
        self.grades: Callable[[str], Graded] = result
        self.ends_after = 10**9

    def slots(self) -> int:
        if len(self.given) >= self.ends_after:
            raise PoolGone("the pool is gone")
        return 2

    def submit(self, told: str) -> Future[Graded]:
        self.given.append(told)
        future: Future[Graded] = Future()
        try:
            future.set_result(self.grades(told))
        except Exception as error:
            future.set_exception(error)
        return future


@contextmanager
def pretended() -> Iterator[Pretended]:
    """Let `class grade` use such a pool, whatever it is told to use."""
    pool = Pretended()

    @contextmanager
    def pool_at(*told: object) -> Iterator[Pretended]:
        yield pool

    with mock.patch.object(grading, "pool_at", pool_at):
        yield pool
