"""What grades the submissions of a class: the cores of this machine, or a cluster."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from typing import Protocol

from autograder.cohort.grade_one import Reply, do_job
from autograder.errors import UsageError
from autograder.submission import Submission, printable
from autograder.worker.sandbox import Sandbox, cores


class PoolGone(Exception):
    """Whatever graded is not there any more; the text says what, and what to do."""


class Pool(Protocol):
    """What grades or plays: it is told of a submission or a pair, and gives what came of it."""

    def slots(self) -> int:
        """How many jobs it does at a time. Raises PoolGone."""

    def submit(self, request: str) -> Future[Reply]: ...


class LocalPool:
    """Grades on this machine."""

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs
        self.threads = ThreadPoolExecutor(jobs)
        self.over = Event()

    def slots(self) -> int:
        return self.jobs

    def submit(self, request: str) -> Future[Reply]:
        return self.threads.submit(do_job, request, lambda: not self.over.is_set())


@contextmanager
def local_pool(jobs: int | None, private: Sequence[Path] = ()) -> Iterator[Pool]:
    """Grade with so many processes at a time, by default one for each core.

    Raises UsageError if student code could read one of the private files.
    """
    expect_unreadable(private)
    pool = LocalPool(jobs or len(cores()) or os.cpu_count() or 1)
    try:
        yield pool
    finally:
        pool.over.set()
        pool.threads.shutdown()


def expect_unreadable(files: Sequence[Path]) -> None:
    """Raises UsageError where student code could read one of these files."""
    if not files:
        return
    place = Sandbox(Submission(), pin=False)
    try:
        place.secrets = [str(file.resolve()) for file in files]
        place.prepare()
    finally:
        place.remove()
    if place.exposed:
        anybody, remedy = "everybody can", "make it private (chmod go=)"
        alone, system = "it runs as you, unconfined", "use Linux 5.13 or newer"
        why, what_to_do = (alone, system) if place.user is None else (anybody, remedy)
        raise UsageError(
            f"student code could read {printable(place.exposed[0])}, as {why}: {what_to_do}, or "
            "grade all the same with --unconfined"
        )
