"""How long a class takes: `python -m bench.classes [300]`; on two quiet cores an hour.

What is compared is the cost: seconds of computing, and cores that wait. A grading has one core, so
where nothing else runs its seconds are those of computing; what else the machine does is taken out.
"Over the ideal" is how much longer a class takes than its submissions would, graded one by one with
`make grade`, divided by the cores. The class has no players of its own: these think as long as they
may, up to half a minute each, beside which nothing else would show.
"""

from __future__ import annotations

import heapq
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from autograder.cohort.class_folder import ClassFolder, grading_of
from autograder.cohort.grading import grade_class
from autograder.feedback.report import write_whole
from autograder.questions import ROOT
from autograder.selftest.support.class_factory import write_class
from autograder.worker.stage import cores

FIGURES = Path(__file__).with_name("figures.json")
SETTINGS = ROOT / "autograder" / "cohort" / "dask.yaml"  # as docs/cluster.md tells
SAMPLE = 9  # submissions that are graded by the pool, one by one, and by a cluster,
ROUNDS = 5  # so often: a machine's speed changes within minutes
LARGE, MANY = 2_000, 64  # submissions and cores of the simulation


def made(folder: Path, count: int, seed: int) -> Path:
    """Write a class of so many submissions, all without a player; return the folder."""
    write_class(folder, count, seed, form="folders")
    for player in folder.glob("*/player.py"):
        player.unlink()
    return folder


def computed() -> float:
    """Seconds that this process and those it has waited for have computed."""
    return used(resource.RUSAGE_SELF) + used(resource.RUSAGE_CHILDREN)


def used(who: int) -> float:
    usage = resource.getrusage(who)
    return usage.ru_utime + usage.ru_stime


def cost(work: Callable[[], object]) -> float:
    """Seconds of computing that a piece of work takes."""
    before = computed()
    work()
    return computed() - before


def one_by_one(folders: list[Path]) -> None:
    for folder in folders:
        command = [sys.executable, "-m", "autograder", "grade", str(folder)]
        subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL, check=True)


class Run(NamedTuple):
    """One class graded: what it took, seconds, and what came of it."""

    cost: float
    own: float  # of the cost, that of the client's process
    wall: float
    took: list[float]  # by each grading
    ends: list[float]  # of each grading, counted from the beginning

    @property
    def idle(self) -> float:
        """The share of the cores' time in which they have graded nothing."""
        return 1 - sum(self.took) / (self.wall * len(cores()))

    @property
    def waiting(self) -> float:
        """The share of the cores' time in which they have graded nothing, up to the last start."""
        spans = [(end - took, end) for took, end in zip(self.took, self.ends)]
        last = max(start for start, _ in spans)
        return 1 - sum(min(end, last) - start for start, end in spans) / (last * len(cores()))

    @property
    def seconds(self) -> list[float]:
        """What each grading takes where nothing else runs."""
        quiet = (self.cost - self.own) / sum(self.took)
        return [took * quiet for took in self.took]


def graded(export: Path, out: Path, scheduler: str | None = None) -> Run:
    own, start = used(resource.RUSAGE_SELF), time.time()
    spent = cost(lambda: grade_class(export, out, None, scheduler, None))
    wall = time.time() - start
    folder = ClassFolder(out)
    results = {row.content: folder.result(row.content) for row in folder.rows}
    done = {content: result for content, result in results.items() if result}
    took = [grading_of(result).seconds for result in done.values()]
    ends = [folder.result_file(content).stat().st_mtime - start for content in done]
    return Run(spent, used(resource.RUSAGE_SELF) - own, wall, took, ends)


def on_dask(export: Path | None, out: Path) -> tuple[float, Run | None]:
    """On a cluster of this machine, with a worker for each core; all that this costs, and the run.

    Without an export: what the cluster alone costs.
    """
    import dask
    from distributed import LocalCluster

    os.environ["DASK_CONFIG"] = str(SETTINGS)
    dask.config.refresh()
    before, run = computed(), None
    with LocalCluster(
        n_workers=len(cores()), threads_per_worker=1, dashboard_address=None
    ) as cluster:
        if export is not None:
            run = graded(export, out, cluster.scheduler_address)
    return computed() - before, run


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


class Compared(NamedTuple):
    """The same submissions graded in three ways, one after the other.

    pooled:   what the pool costs, in multiples of grading them one by one
    dask:     likewise the cluster
    waiting:  of the cluster's workers, as of a run
    computed: by the cluster's own processes in a second, seconds
    """

    pooled: float
    dask: float
    waiting: float
    computed: float


def compared(sample: Path, folder: Path) -> Compared:
    """Grade a sample with the pool, one by one, and on a cluster."""
    pooled = graded(sample, folder / "pooled")
    graded_there = ClassFolder(folder / "pooled")
    folders = list({row.content: graded_there.files(row) for row in graded_there.rows}.values())
    alone = cost(lambda: one_by_one(folders))
    start, _ = on_dask(None, folder)
    with_cluster, dask = on_dask(sample, folder / "dask")
    assert dask is not None
    # The cluster's processes compute a little all the time, so longer on a busy machine.
    beside = max(0.0, with_cluster - start - pooled.cost) / dask.wall
    dask_cost = pooled.cost * (1 + beside / len(cores()))
    return Compared(pooled.cost / alone, dask_cost / alone, dask.waiting, beside)


def measured(count: int, folder: Path) -> dict[str, Any]:
    sample = made(folder / "sample", SAMPLE, seed=2)
    rounds = [compared(sample, folder / str(number)) for number in range(ROUNDS)]
    typical = Compared(*map(median, zip(*rounds)))
    whole = graded(made(folder / "class", count, seed=1), folder / "graded")
    client = whole.own / len(whole.took)
    return {
        "submissions": count,
        "cores": len(cores()),
        "minutes": round(sum(whole.seconds) / len(cores()) / (1 - whole.idle) / 60, 1),
        "seconds_each": round(sum(whole.seconds) / len(whole.took), 1),
        "idle": round(whole.idle, 3),
        "over_ideal": round(typical.pooled / (1 - whole.idle) - 1, 3),
        "dask_beside": round(typical.computed, 3),
        "dask_over_ideal": round(typical.dask / (1 - typical.waiting) - 1, 3),
        "client_seconds_each": round(client, 3),
        "simulated": simulated(whole.seconds, client),
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
