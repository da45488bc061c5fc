"""Run the jobs of a class on an existing Dask cluster: see docs/cluster.md.

Workers get a submission and return its results; only `class grade` itself writes. The scheduler
stores nothing that matters. It must not retry a job: a submission that takes its worker down would
take down the others, one by one.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from distributed import Client, get_worker
from distributed import TimeoutError as NoWorkerCame

from autograder.cohort.grade_one import Pool, PoolGone, Reply, do_job, read_versions
from autograder.errors import UsageError
from autograder.printable import sanitize

CONNECT_S = 10.0  # for a scheduler to answer
WORKERS_S = 60.0  # to wait while there is no worker
HELP = "see docs/cluster.md"


def do_on_worker(request: str, expected: dict[str, str]) -> Reply:
    """Do a job on a worker. A worker with other versions, joined later, refuses."""
    if read_versions() != expected:
        return Reply({}, error="a worker that joined later has another grader, cases or Python")
    worker = get_worker()
    key = worker.get_current_task()

    def is_wanted() -> bool:
        task = worker.state.tasks.get(key)
        return task is not None and task.state == "executing"

    return do_job(request, is_wanted)


@contextmanager
def open_dask_pool(scheduler: str, jobs: int | None) -> Iterator[Pool]:
    """Do as many jobs at a time as the workers of a cluster have threads.

    scheduler: its address, or the file that it has written

    Raises UsageError if the scheduler can't be reached or can't be trusted with submissions, or if
    its workers would grade in another way than this project.
    """
    address = read_address(scheduler)
    expect_private(address)
    try:
        client = Client(address, timeout=CONNECT_S, set_as_default=False)
    except Exception as error:  # Dask raises all kinds: nobody there, no certificate
        raise UsageError(
            f"no scheduler answers at {sanitize(address)} ({sanitize(error)[:200]}); {HELP}"
        ) from None
    with client:
        expect_same_versions(client)
        client.run_on_scheduler(
            lambda dask_scheduler: setattr(dask_scheduler, "allowed_failures", 0)
        )
        executor = client.get_executor(pure=False, retries=0)
        seen = time.monotonic()  # when a worker was last seen

        def slots() -> int:
            nonlocal seen
            try:
                threads: int = sum(client.nthreads().values())
            except Exception:  # Dask raises all kinds for a lost connection
                raise PoolGone("the scheduler is gone") from None
            if threads:
                seen = time.monotonic()
            elif time.monotonic() > seen + WORKERS_S:
                raise PoolGone(f"no worker has been left for {WORKERS_S:.0f} s")
            return min(threads, jobs or threads)

        yield Pool(slots, lambda request: executor.submit(do_on_worker, request, read_versions()))


def read_address(scheduler: str) -> str:
    """Return the scheduler's address. Raises UsageError for a file without one."""
    if not scheduler.endswith(".json"):
        return scheduler if "://" in scheduler else f"tcp://{scheduler}"
    try:
        with open(scheduler, encoding="utf-8") as file:
            return str(json.load(file)["address"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UsageError(
            f"{sanitize(scheduler)} is no scheduler's file ({error}); {HELP}"
        ) from None


def expect_private(address: str) -> None:
    """Raise UsageError if submissions would leave this machine unencrypted."""
    url = urlsplit(address)
    try:
        here = ip_address(url.hostname or "").is_loopback
    except ValueError:
        here = url.hostname == "localhost"
    if url.scheme != "tls" and not here:
        raise UsageError(
            f"{sanitize(address)} is another machine, and not encrypted: give the scheduler and "
            f"its workers certificates, and name it tls://...; {HELP}"
        )


def expect_same_versions(client: Client) -> None:
    """Raise UsageError if there is no worker, or if versions differ from ours."""
    try:
        client.wait_for_workers(1, timeout=WORKERS_S)
    except NoWorkerCame:
        raise UsageError(f"the scheduler has had no worker for {WORKERS_S:.0f} s; {HELP}") from None
    found: dict[str, Any] = client.run(read_versions, on_error="return")
    try:  # it unpacks the jobs that it passes on
        found["the scheduler"] = client.run_on_scheduler(read_versions)
    except Exception as error:
        found["the scheduler"] = error
    for place, theirs in found.items():
        if isinstance(theirs, BaseException):
            raise UsageError(
                f"{place} can't load this project ({sanitize(theirs)[:200]}): start it in a copy "
                f"of it; {HELP}"
            )
        for what, ours in read_versions().items():
            if theirs[what] != ours:
                raise UsageError(
                    f"{place} differs in its {what} ({theirs[what]}, here {ours}): nothing is "
                    f"graded; {HELP}"
                )
