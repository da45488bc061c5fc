"""Do the jobs of a class, on the cores of this machine or on a cluster."""

import os
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from typing import TypeVar

from autograder.author.progress import ProgressLine
from autograder.cohort.grade_one import Pool, PoolGone, Reply, do_job
from autograder.errors import UsageError
from autograder.grading.grade import HIDE, describe_exposure, end_by_signal
from autograder.printable import sanitize
from autograder.questions import ROOT
from autograder.submission import Submission
from autograder.worker.sandbox import Sandbox, list_cores

POLL_S = 1.0  # until the progress is shown again, if no job ends earlier
RETRIES = 2  # of a job on which the grader failed
Job = TypeVar("Job")


def run_in_pool(
    work: Callable[[Pool], None],
    private: Sequence[Path],
    scheduler: str | None,
    jobs: int | None,
    unconfined: bool,
) -> int:
    """Do work that stores each result at once; return 0, or a status if stopped.

    private:    files of this machine that student code must not be able to read
    scheduler:  of a cluster, None for this machine
    jobs:       how many at a time, by default one for each core
    unconfined: run even if student code could read private files

    Raises UsageError if student code could read them, or if the cluster can't be used.
    """
    try:
        with end_by_signal(), open_pool(scheduler, jobs, () if unconfined else private) as pool:
            work(pool)
    except (PoolGone, OSError) as problem:  # e.g. a full disk
        print(f"{problem}; what is done is stored: the same command goes on", file=sys.stderr)
        return 3
    except KeyboardInterrupt:
        print("stopped; what is done is stored: the same command goes on", file=sys.stderr)
        return 130
    return 0


@contextmanager
def open_pool(scheduler: str | None, jobs: int | None, private: Sequence[Path]) -> Iterator[Pool]:
    if scheduler is not None:
        from autograder.cohort.cluster import open_dask_pool  # Dask need not be installed

        with open_dask_pool(scheduler, jobs) as cluster:
            yield cluster
        return
    expect_unreadable(private)
    slots, closed = jobs or len(list_cores()) or os.cpu_count() or 1, Event()
    with ThreadPoolExecutor(slots) as threads:
        try:
            yield Pool(
                lambda: slots,
                lambda request: threads.submit(do_job, request, lambda: not closed.is_set()),
            )
        finally:
            closed.set()


def expect_unreadable(files: Sequence[Path]) -> None:
    """Raise UsageError if student code could read one of these files."""
    if not files:
        return
    sandbox = Sandbox(Submission(), pin=False)
    try:
        sandbox.secrets[:0] = [str(file.resolve()) for file in files]
        sandbox.prepare()
    finally:
        sandbox.remove()
    if sandbox.exposed:
        why, remedy = "everybody can", "make it private (chmod go=)"
        if Path(sandbox.exposed[0]).is_relative_to(ROOT):
            remedy = f"in {ROOT} type {HIDE}"
        if sandbox.user is None:
            why, remedy = "it runs as you, unconfined", "use Linux 5.13 or newer"
        raise UsageError(
            f"student code could read {sanitize(sandbox.exposed[0])}, as {why}: {remedy}, or "
            "grade all the same with --unconfined"
        )
    if exposure := describe_exposure(sandbox):
        print(exposure, file=sys.stderr)


def drain_queue(
    pool: Pool,
    jobs: Iterable[Job],
    request: Callable[[Job], str],
    store: Callable[[Job, Reply], None],
    bar: ProgressLine,
) -> None:
    """Do all jobs, as many at a time as possible; retry those that end without files.

    store: stores a reply, which has an error only if the last try failed, too

    Raises PoolGone.
    """
    queue = deque((job, RETRIES) for job in jobs)
    running: dict[Future[Reply], tuple[Job, int]] = {}
    while queue or running:
        for _ in range(min(len(queue), pool.slots() - len(running))):
            job, retries = queue.popleft()
            running[pool.submit(request(job))] = job, retries
        if not running:  # the pool has no worker now
            time.sleep(POLL_S)
        ended, _ = wait(running, POLL_S, "FIRST_COMPLETED")
        bar.update(0)
        for future in ended:
            job, retries = running.pop(future)
            try:
                reply = future.result()
            except CancelledError:
                raise PoolGone("the scheduler is gone") from None
            except Exception as error:  # e.g. several workers were killed
                reply, retries = Reply({}, error=f"{type(error).__name__}: {error}"[:300]), 0
            if reply.error and not reply.files and retries:
                queue.append((job, retries - 1))
            else:
                store(job, reply)
