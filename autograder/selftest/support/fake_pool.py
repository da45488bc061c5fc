"""A pool that does not grade, for tests and fast transcripts."""

import json
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from unittest import mock

from autograder.cohort.grade_one import PoolGone, Reply, identify_grading


def make_passing_reply(request: str) -> Reply:
    """Return a reply in which test 1.1 passes."""
    test = {"number": "1.1", "name": "a test", "status": "passed", "score": 3.0, "max_score": 3.0}
    tests = [{**test, "extra_data": {"code": "", "diagnosis": ""}}]
    extra = identify_grading()
    content = json.dumps({"score": 3.0, "tests": tests, "request": request, "extra_data": extra})
    return Reply({".html": "<p>", ".json": content})


class FakePool:
    """A pool of two slots that does not grade; it records its requests."""

    def __init__(self) -> None:
        self.requests: list[str] = []
        self.grade: Callable[[str], Reply] = make_passing_reply
        self.max_requests = 10**9

    def slots(self) -> int:
        if len(self.requests) >= self.max_requests:
            raise PoolGone("the pool is gone")
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
def use_fake_pool() -> Iterator[FakePool]:
    """Replace every pool of `class grade` and `class tournament` with a fake one."""
    pool = FakePool()

    @contextmanager
    def open_pool(*args: object) -> Iterator[FakePool]:
        yield pool

    with mock.patch("autograder.cohort.pool.open_pool", open_pool):
        yield pool
