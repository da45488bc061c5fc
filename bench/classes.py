"""How long a class takes: `python -m bench.classes [300]`; on two quiet cores about half an hour.

What is compared is the cost: seconds of computing, and cores that wait. Both hardly depend on what
else the machine does. "Over the ideal" is how much longer a class takes than its submissions would,
graded one by one with `make grade`, divided by the cores.
"""

from __future__ import annotations

import heapq
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from autograder.classes.grading import grade_class
from autograder.classes.ledger import DONE, Ledger, Submitted
from autograder.questions import ROOT
from autograder.report import write_whole
from autograder.sandbox import cores
from autograder.selftest.made_class import write_class

FIGURES = Path(__file__).with_name("figures.json")
SAMPLE = 10  # submissions that are also graded one by one, and by a cluster
LARGE, MANY = 2_000, 64  # submissions and cores of the simulation


def computed() -> float:
    """Seconds that this process and those it has waited for have computed."""
    usages = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def cost(work: Callable[[], object]) -> float:
    """Seconds of computing that a piece of work takes."""
    before = computed()
    work()
    return computed() - before


def one_by_one(export: Path) -> None:
    for folder in sorted(export.iterdir()):
        command = [sys.executable, "-m", "autograder", "grade", str(folder)]
        subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL, check=True)


def on_dask(export: Path, out: Path) -> None:
    """On a cluster of this machine, with a worker for each core; its start does not count."""
    from distributed import LocalCluster

    with LocalCluster(
        n_workers=len(cores()), threads_per_worker=1, dashboard_address=None
    ) as cluster:
        grade_class(export, out, None, cluster.scheduler_address, None)


def graded_rows(out: Path) -> list[Submitted]:
    with Ledger(out) as ledger:
        return [row for row in ledger.submissions() if row.state == DONE and row.attempts]


def idle(rows: list[Submitted], wall: float) -> float:
    """The share of the cores' time in which they have graded nothing."""
    return 1 - sum(row.seconds for row in rows) / (wall * len(cores()))


def simulated(seconds: list[float], between: float) -> dict[str, float]:
    """2,000 submissions on 64 cores: their minutes, and the share of time in which cores wait.

    seconds: what gradings take; each one is drawn from these
    between: what the one client does for each, seconds, one after the other
    """
    chance = random.Random(1)
    work = [chance.choice(seconds) for _ in range(LARGE)]
    free = [0.0] * MANY
    client = 0.0
    for one in work:
        client = max(client, heapq.heappop(free)) + between
        heapq.heappush(free, client + one)
    wall = max(free)
    return {"minutes": round(wall / 60, 1), "idle": round(1 - sum(work) / (wall * MANY), 3)}


def measured(count: int, folder: Path) -> dict[str, Any]:
    sample = write_class(folder / "sample", SAMPLE, seed=2, form="folders")
    alone = cost(lambda: one_by_one(sample))
    pooled = cost(lambda: grade_class(sample, folder / "pooled", None, None, None))
    dask = cost(lambda: on_dask(sample, folder / "dask"))
    export = write_class(folder / "class.zip", count)
    before, start = resource.getrusage(resource.RUSAGE_SELF), time.monotonic()
    grade_class(export, folder / "class", None, None, None)
    wall, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_SELF)
    rows = graded_rows(folder / "class")
    waiting = idle(rows, wall)
    own = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    seconds = [row.seconds for row in rows]
    return {
        "submissions": count,
        "cores": len(cores()),
        "minutes": round(wall / 60, 1),
        "seconds_each": round(sum(seconds) / len(seconds), 1),
        "idle": round(waiting, 3),
        "over_ideal": round(pooled / alone / (1 - waiting) - 1, 3),
        "dask_over_ideal": round(dask / alone / (1 - waiting) - 1, 3),
        "client_seconds_each": round(own / len(rows), 3),
        "simulated": simulated(seconds, own / len(rows)),
    }


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    with tempfile.TemporaryDirectory() as folder:
        found = measured(count, Path(folder))
    print(json.dumps(found, indent=2))
    figures = json.loads(FIGURES.read_text(encoding="utf-8")) | {"class": found}
    write_whole(FIGURES, json.dumps(figures, indent=2) + "\n")


if __name__ == "__main__":
    main()
