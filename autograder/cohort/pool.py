"""What does the jobs of a class: the cores of this machine, or a cluster."""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from typing import Protocol, TypeVar

from autograder.cohort.grade_one import PoolGone, Reply, do_job
from autograder.cohort.progress import Progress
from autograder.errors import UsageError
from autograder.printable import printable
from autograder.submission import Submission
from autograder.worker.sandbox import Sandbox
from autograder.worker.stage import cores

POLL_S = 1.0  # until the progress is shown again, though nothing has ended
Job = TypeVar("Job")


class Pool(Protocol):
    """Does jobs: it gets a request to grade or to play, and gives the reply."""

    def slots(self) -> int:
        """Return how many jobs it does at a time. Raises PoolGone."""

    def submit(self, request: str) -> Future[Reply]: ...


class LocalPool:
    """Does jobs on this machine."""

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs
        self.threads = ThreadPoolExecutor(jobs)
        self.closed = Event()

    def slots(self) -> int:
        return self.jobs

    def submit(self, request: str) -> Future[Reply]:
        return self.threads.submit(do_job, request, lambda: not self.closed.is_set())


@contextmanager
def pool_at(
    scheduler: str | None, jobs: int | None, private: Sequence[Path] = ()
) -> Iterator[Pool]:
    """Open the cluster of a scheduler, or a pool of this machine with a job for each core.

    private: files of this machine that student code must not be able to read

    Raises UsageError where it could, or where the cluster can't be used.
    """
    if scheduler is not None:
        from autograder.cohort.cluster import dask_pool  # Dask need not be installed

        with dask_pool(scheduler, jobs) as cluster:
            yield cluster
        return
    expect_unreadable(private)
    pool = LocalPool(jobs or len(cores()) or os.cpu_count() or 1)
    try:
        yield pool
    finally:
        pool.closed.set()
        pool.threads.shutdown()


def expect_unreadable(files: Sequence[Path]) -> None:
    """Raises UsageError where student code could read one of these files."""
    if not files:
        return
    sandbox = Sandbox(Submission(), pin=False)
    try:
        sandbox.secrets = [str(file.resolve()) for file in files]
        sandbox.prepare()
    finally:
        sandbox.remove()
    if sandbox.exposed:
        why, remedy = "everybody can", "make it private (chmod go=)"
        if sandbox.user is None:
            why, remedy = "it runs as you, unconfined", "use Linux 5.13 or newer"
        raise UsageError(
            f"student code could read {printable(sandbox.exposed[0])}, as {why}: {remedy}, or "
            "grade all the same with --unconfined"
        )


def drain_queue(
    pool: Pool,
    jobs: Iterable[Job],
    request: Callable[[Job], str],
    store: Callable[[Job, Reply], Job | None],
    bar: Progress,
) -> None:
    """Do all jobs in a pool, as many at a time as it can.

    store: stores a reply, and returns the job if it is to be tried again

    Raises PoolGone.
    """
    queue = deque(jobs)
    running: dict[Future[Reply], Job] = {}
    while queue or running:
        for _ in range(min(len(queue), pool.slots() - len(running))):
            job = queue.popleft()
            running[pool.submit(request(job))] = job
        if not running:  # the pool is empty for now
            time.sleep(POLL_S)
        ended, _ = wait(running, POLL_S, "FIRST_COMPLETED")
        bar.refresh()
        for future in ended:
            again = store(running.pop(future), reply_from(future))
            if again is not None:
                queue.append(again)


def reply_from(future: Future[Reply]) -> Reply:
    """Return the reply to a job, however it ended. Raises PoolGone."""
    try:
        return future.result()
    except CancelledError:
        raise PoolGone("the scheduler is gone") from None
    except Exception as error:  # a killed worker, for one
        return Reply({}, error=f"{type(error).__name__}: {error}"[:300])
