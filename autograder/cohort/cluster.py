"""Run the jobs of a class on an existing Dask cluster: see docs/cluster.md.

On each worker, also on one that joins later, a plugin compares versions, and unless they are ours
it ends the worker. Workers get a submission and return its results;
only `class grade` itself writes.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from distributed import Client, Reschedule, Worker, WorkerPlugin, get_worker

from autograder.errors import UsageError
from autograder.printable import sanitize

if TYPE_CHECKING:  # the scheduler imports this module, too: it needs no grader
    from autograder.cohort.grade_one import Pool, Reply

CONNECT_S = 10.0  # for a scheduler to answer
WORKERS_S = 60.0  # to wait while there is no worker that may grade
RESOURCE = "grading"  # 1 for each worker: `dask worker --resources grading=1`
HELP = "see docs/cluster.md"


class GradingPlugin(WorkerPlugin):
    """On each worker: let it grade if it would grade as this project does."""

    name = RESOURCE

    def __init__(self, versions: dict[str, str]) -> None:
        self.versions = versions
        self.fits = True
        self.unwanted: set[str] = set()  # tasks that were cancelled while they were executed

    async def setup(self, worker: Worker) -> None:
        from autograder.cohort.grade_one import read_versions

        here = read_versions()
        for what, ours in self.versions.items():
            if here[what] != ours:
                text = f"{worker.address} differs in its {what} ({here[what]}, here {ours})"
                worker.log_event(RESOURCE, f"{text}: nothing is graded there; {HELP}")
                self.fits = False
                worker.loop.add_callback(worker.close, reason="it has other versions")
                return

    def transition(self, key: str, start: str, finish: str, **_: Any) -> None:
        """Note what happens to a task; Dask calls this."""
        if start == "executing":
            self.unwanted.add(key)
        elif finish == "executing":
            self.unwanted.discard(key)


def do_on_worker(request: str) -> Reply:
    """Do a job on a worker, as long as its result is wanted."""
    from autograder.cohort.grade_one import do_job

    worker = get_worker()
    key, plugin = worker.get_current_task(), worker.plugins[RESOURCE]
    assert isinstance(plugin, GradingPlugin)
    if not plugin.fits:  # it was given a job while it joined
        raise Reschedule
    return do_job(request, lambda: key not in plugin.unwanted)


@contextmanager
def open_dask_pool(scheduler: str, jobs: int | None) -> Iterator[Pool]:
    """Do one job at a time on each worker of a cluster that may grade.

    scheduler: its address, or the file that it has written

    Raises UsageError if the scheduler can't be reached or can't be trusted with submissions, or if
    its workers can't load this project.
    """
    from autograder.cohort.grade_one import Pool, PoolGone, read_versions

    address = read_address(scheduler)
    expect_private(address)
    try:
        client = Client(address, timeout=CONNECT_S, set_as_default=False)
    except Exception as error:  # Dask raises all kinds: nobody there, no certificate
        raise UsageError(
            f"no scheduler answers at {sanitize(address)} ({sanitize(error)[:200]}); {HELP}"
        ) from None
    with client:
        client.subscribe_topic(RESOURCE, lambda event: print(sanitize(event[1]), file=sys.stderr))
        try:
            client.register_plugin(GradingPlugin(read_versions()))
        except Exception as error:  # e.g. this project or a package is missing there
            raise UsageError(
                f"the workers can't load this project ({sanitize(error)[:200]}); {HELP}"
            ) from None
        executor = client.get_executor(pure=False, resources={RESOURCE: 1})
        seen = time.monotonic()  # when a worker that may grade was last seen

        def slots() -> int:
            nonlocal seen
            try:
                workers = client.scheduler_info()["workers"].values()
            except Exception:  # Dask raises all kinds for a lost connection
                raise PoolGone("the scheduler is gone") from None
            if any(worker["resources"].get(RESOURCE) for worker in workers):
                seen = time.monotonic()
            elif time.monotonic() > seen + WORKERS_S:
                raise PoolGone(f"no worker that may grade was there for {WORKERS_S:.0f} s; {HELP}")
            return jobs or len(workers) + 100  # Dask has some to begin with

        yield Pool(slots, lambda request: executor.submit(do_on_worker, request))


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
