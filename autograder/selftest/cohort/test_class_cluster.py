"""Real processes grade a class, here and on a Dask cluster.

Some of them are killed meanwhile. Each test takes a minute or so; test_class_grading.py has the
tests that need no real processes.
"""

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from autograder.cohort.class_folder import ClassFolder
from autograder.questions import ROOT
from autograder.selftest.support.class_factory import write_files
from autograder.selftest.support.waiting import WAIT_TIMEOUT_S, wait_for

# Only look up whether it is installed: an import takes a second in each test process.
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(find_spec("distributed") is None, reason="no distributed here"),
]
SUBMISSIONS = 5
WORKER = ("worker", "--nthreads", "1", "--resources", "grading=1")
DELAYS = random.Random(43)


class Place:
    """A class and the processes that grade it, found by their temporary folder."""

    def __init__(self, folder: Path) -> None:
        folder.chmod(0o711)  # a worker's user has to get there
        self.tmp, self.out, self.export = folder / "tmp", folder / "out", folder / "export"
        self.scheduler_file = folder / "scheduler.json"
        self.there = ("--scheduler", str(self.scheduler_file))
        self.tmp.mkdir(mode=0o711)
        self.started: list[subprocess.Popen[bytes]] = []
        stub = (ROOT / "starter" / "minimax.py").read_bytes()
        files = {f"student {i}/minimax.py": stub + b"# %d\n" % i for i in range(SUBMISSIONS)}
        write_files(self.export, files)

    def start(self, *command: str, path: str = "") -> subprocess.Popen[bytes]:
        env = {**os.environ, "TMPDIR": str(self.tmp), "PYTHONPATH": f"{path}:{ROOT}"}
        command = (sys.executable, "-m", *command)
        with (self.tmp / "errors").open("ab") as errors:
            process = subprocess.Popen(
                command, cwd=ROOT, env=env, stdout=subprocess.DEVNULL, stderr=errors
            )
        self.started.append(process)
        return process

    def grade(self, *options: str) -> subprocess.Popen[bytes]:
        command = ("class", "grade", str(self.export), "--out", str(self.out))
        return self.start("autograder", *command, *options)

    def start_cluster(self) -> list[subprocess.Popen[bytes]]:
        """Start a scheduler and two workers of one thread, on the loopback interface."""
        self.scheduler_file.unlink(missing_ok=True)
        scheduler = self.start_dask("scheduler", "--port", "0")
        wait_for(self.scheduler_file.exists, "the scheduler is there")
        return [scheduler, self.start_dask(*WORKER), self.start_dask(*WORKER)]

    def start_dask(self, *command: str, path: str = "") -> subprocess.Popen[bytes]:
        options = ("--scheduler-file", str(self.scheduler_file), "--host", "127.0.0.1")
        return self.start("dask", *command, *options, "--no-dashboard", path=path)

    def results(self) -> dict[str, float]:
        """Return when each result was written, by the name of its file."""
        return {path.name: path.stat().st_mtime for path in self.out.glob("results/*.json")}

    def processes(self) -> dict[int, str]:
        """Return the command lines of the processes in our temporary folder, by id."""
        psutil = pytest.importorskip("psutil", reason="no psutil, which comes with Dask")
        found = {}
        for process in psutil.process_iter(["cmdline", "environ"]):
            command = " ".join(process.info["cmdline"] or ())
            ours = (process.info["environ"] or {}).get("TMPDIR") == str(self.tmp)
            if ours or str(self.tmp) in command:
                found[process.pid] = command
        return found

    def gradings(self) -> dict[int, str]:
        """Return the processes that grade or are graded, student code included."""
        marks = ("autograder.cohort.grade_one", "autograder.worker.inside.worker")
        found = self.processes().items()
        return {id: one for id, one in found if any(mark in one for mark in marks)}


@pytest.fixture
def place() -> Iterator[Place]:
    with tempfile.TemporaryDirectory() as folder:
        place = Place(Path(folder))
        try:
            yield place
        finally:
            for process in place.started:
                process.kill()
                process.wait()
            wait_for(lambda: not place.processes(), "nothing is left")


def expect_all_graded(place: Place, killed: int) -> None:
    """Expect that everything is graded once, and that only killed gradings leave a folder."""
    folder = ClassFolder(place.out)
    assert len(folder.rows) == SUBMISSIONS
    names = sorted(path.name for path in (place.out / "results").glob("[!.]*"))
    endings = (".html", ".json", ".report")
    assert names == sorted(f"{row.content}{ending}" for row in folder.rows for ending in endings)
    for row in folder.rows:
        result = folder.read_result(row.content)
        assert result is not None and result["score"] == 0.0 and len(result["tests"]) > 40
        assert result["tests"][1]["output"].startswith("not written yet: write min_value in")
        assert "<h1>0 <small>of " in folder.result_file(row.content, ".html").read_text()
    wait_for(lambda: not place.gradings(), "no grading is left")
    assert len(list(place.tmp.glob("grading-*"))) <= killed


@pytest.mark.parametrize(
    ("where", "end", "status"),
    [
        ("here", signal.SIGKILL, -signal.SIGKILL),
        ("here", signal.SIGTERM, 130),
        ("on a cluster", signal.SIGKILL, -signal.SIGKILL),
    ],
)
def test_a_client_that_ends_loses_nothing_and_leaves_no_process(place, where, end, status):
    options = ("--jobs", "2")
    if where == "on a cluster":
        place.start_cluster()
        options = place.there
    first = place.grade(*options)
    wait_for(place.gradings, "it grades")
    time.sleep(DELAYS.random() * 4)
    first.send_signal(end)
    assert first.wait(WAIT_TIMEOUT_S) == status
    wait_for(lambda: not place.gradings(), "what nobody waits for ends")
    before = place.results()
    assert place.grade(*options).wait(WAIT_TIMEOUT_S) == 0
    expect_all_graded(place, killed=2)
    assert before.items() <= place.results().items(), "what was done was done again"


def test_a_killed_scheduler_loses_nothing(place):
    scheduler, *workers = place.start_cluster()
    client = place.grade(*place.there)
    wait_for(place.gradings, "it grades")
    time.sleep(DELAYS.random() * 4)
    scheduler.kill()
    assert client.wait(WAIT_TIMEOUT_S) == 3
    assert "the scheduler is gone; what is done is stored" in (place.tmp / "errors").read_text()
    for worker in workers:
        worker.wait(WAIT_TIMEOUT_S)  # without a scheduler they end
    wait_for(lambda: not place.gradings(), "their gradings end with them")
    place.start_cluster()
    assert place.grade(*place.there).wait(WAIT_TIMEOUT_S) == 0
    expect_all_graded(place, killed=2)


def test_a_worker_of_another_python_grades_nothing_and_a_late_one_helps(place):
    (place.tmp / "sitecustomize.py").write_text(
        "import platform\nplatform.python_version = lambda: '3.99.0'\n"
    )
    place.start_cluster()
    place.start_dask(*WORKER, path=str(place.tmp))
    client = place.grade(*place.there)
    wait_for(place.gradings, "it grades")
    place.start_dask(*WORKER)
    place.start_dask(*WORKER, path=str(place.tmp))
    grading, command = min(wait_for(place.gradings, "something is graded").items())
    os.kill(int(command.split()[-1]), signal.SIGKILL)  # the id of the parent process
    wait_for(lambda: grading not in place.processes(), "its grading ends with it")
    assert client.wait(WAIT_TIMEOUT_S) == 0
    expect_all_graded(place, killed=1)
    assert "differs in its Python (3.99.0, here 3." in (place.tmp / "errors").read_text()
