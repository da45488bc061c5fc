"""Prepare the folder and the user of a submission's workers, and remove them.

If the grader is root, a worker runs as a separate user, so that it can neither read the grader's
files nor outlive it. Without root the same is done as far as the system allows.
"""

import compileall
import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from math import inf
from pathlib import Path
from typing import ClassVar

from autograder.errors import GraderFault, GradingOver
from autograder.questions import ROOT
from autograder.settings import SETTINGS
from autograder.submission import Submission, list_provided_files
from autograder.worker.clock import measure_slowness
from autograder.worker.launch import START_S, ForkedProcess, Parent, Process, launch
from autograder.worker.process import InvalidMessage, TimeUp, Worker
from autograder.worker.replies import Done, Raised
from autograder.worker.user import (
    claim_name,
    find_free_user,
    guard_this_process,
    is_root,
    list_children,
    list_files,
    open_to_user,
    remove,
)

SLOWNESS_HOLDS_S = 5.0  # other users of the hardware change it
LIMITS = {
    "AS": 512 << 20,  # Gradescope's smallest container has 750 MB, and the grader needs 100
    "CPU": SETTINGS.deadline_s,
    "NPROC": 32,
    "FSIZE": 0,  # no writing, neither to files nor to memory files
    "NOFILE": 64,
    "CORE": 0,
    "SIGPENDING": 64,  # queued signals are counted per user
}
# Modules that student code may import, from each folder that a worker needs.
IMPORTABLE = ("os", "starter.players", "numpy.linalg", "numpy.random")


class Sandbox:
    """The folder and limits in which one submission's workers run, one at a time."""

    parent: Parent | None = None  # of the workers, if this system has one
    # Whether workers have proved that they can do what students may, by whether they ran as a
    # separate user: once in a grader's life, because the machine does not change meanwhile.
    proved: ClassVar[dict[bool, bool]] = {}

    def __init__(self, submission: Submission, pin: bool = True, deadline: float = inf) -> None:
        """Copy the provided files, then the submitted files over them.

        deadline: on time.monotonic's clock; no worker may run later

        Raises GraderFault if the folder can't be made.
        """
        self.deadline = deadline
        self.forks = guard_this_process()  # only Linux, which adopts orphans, can fork them
        self.cores = list_cores() if pin else []
        self.held = contextlib.ExitStack()  # the folder, and claims on the core and the user
        # Grader and worker share a core, which makes requests much faster.
        self.cpu = self.free_core()
        self.others: set[int] = set()  # processes of other submissions
        self.user: int | None = None  # of the workers, if they run as a separate user
        try:
            # What workers that can't start say.
            self.errors = self.held.enter_context(tempfile.TemporaryFile())
            self.others |= list_children()
            self.folder = Path(tempfile.mkdtemp(prefix="grading-"))
            self.held.callback(shutil.rmtree, self.folder, ignore_errors=True)
            self.stage = self.folder / "stage"
            lay_out(self.stage, submission)
            self.work = self.folder / "work"
            self.work.mkdir()
            if is_root() and sys.platform == "linux" and self.proved.get(True, True):
                self.user, claim = find_free_user()
                self.held.enter_context(claim)
                open_to_user(self.user, self.folder)
                os.chown(self.work, self.user, self.user)
        except Exception as error:
            self.remove()
            raise GraderFault(f"no worker can be prepared: {error}") from error
        self.secrets = list_secrets()
        # Reported by the first worker: the confinement in force, and secrets that it can still
        # read.
        self.in_force: list[str] | None = None
        self.exposed: list[str] = []
        # By what did not end, a file or functions: its name and the test, for messages.
        self.hung: dict[frozenset[str], dict[str, str]] = {}
        self.slowness, self.measured_at = 1.0, -inf  # of this machine

    def free_core(self) -> int | None:
        """Claim a core that no other grading on this machine uses; None if all are used."""
        for attempt in range(len(self.cores)):
            core = self.cores[(os.getpid() + attempt) % len(self.cores)]
            if claim := claim_name(f"core-{core}"):
                self.held.enter_context(claim)
                return core
        return None

    def prepare(self) -> None:
        """Start and end a worker, to find out if that works. Raises as `start` does."""
        self.start().close()

    def start(self) -> Worker:
        """Start a worker. Raises GradingOver if no time is left, GraderFault if it fails."""
        if time.monotonic() > self.deadline:
            raise GradingOver
        if not self.proved.get(self.user is not None):
            self.prove()
        return self.launch_worker()

    def prove(self) -> None:
        """Prove that a worker can do what students may; do without a separate user if needed.

        Such a user can't import from a folder that only root may enter. Raises as `start` does.
        """
        separate = self.user is not None
        missing = self.find_missing()
        if not missing:
            self.proved[separate] = True
        elif separate and {"landlock", "seccomp"} <= set(self.in_force or ()):
            self.proved[True] = False
            self.end_parent()
            self.user = None
            os.chown(self.work, 0, 0)
            self.prove()
        elif separate:
            raise GraderFault(
                f"student code runs as a separate user here, for whom {missing}: move the project "
                "and its Python to folders that every user may enter and read"
            )
        else:
            raise GraderFault(f"student code can't run here: {missing}: build .venv again")

    def find_missing(self) -> str:
        """Say what a worker can't import although students may, or "". Raises as `start` does."""
        worker = self.launch_worker()
        calls = [{"module": name} for name in IMPORTABLE]
        request = {"do": "import", "file": "players", "game": ["TicTacToe", 3, 3, 3]}
        try:
            reply = worker.ask({**request, "calls": calls}, None, START_S)
        finally:
            worker.close()
        ending = reply.ending
        if isinstance(ending, Raised):
            name = IMPORTABLE[len(reply.answers)]
            return f"{name} can't be imported ({ending.type}: {ending.text})"
        return "" if isinstance(ending, Done) else f"a worker did not answer ({ending})"

    def launch_worker(self) -> Worker:
        """Start a worker, and check its confinement. Raises as `start` does."""
        if self.cpu is not None:  # later processes inherit it
            with contextlib.suppress(OSError):
                os.sched_setaffinity(0, {self.cpu})
        if time.monotonic() > self.measured_at + SLOWNESS_HOLDS_S:
            self.slowness, self.measured_at = measure_slowness(), time.monotonic()
        try:
            worker = Worker(self.launch_process(), self)
        except OSError as error:
            raise self.start_failed(error) from error
        try:
            try:
                ready = worker.greet(START_S)
            except (OSError, EOFError, InvalidMessage, TimeUp) as error:
                raise self.start_failed(worker.describe_ending()) from error
            self.in_force, self.exposed = ready["ready"], ready["exposed"]
            self.expect_confined()
        except (GraderFault, GradingOver):
            worker.close()
            raise
        return worker

    def expect_confined(self) -> None:
        """Raise GraderFault if a worker may read secrets, or nothing holds root's worker."""
        assert self.in_force is not None
        if "landlock" in self.in_force and self.exposed:
            raise GraderFault(
                f"student code could read {self.exposed[0]}: move the project to a folder that "
                "Python does not need for itself"
            )
        if self.user is None and is_root() and not {"landlock", "seccomp"} <= set(self.in_force):
            raise GraderFault(
                "student code would run as root with nothing to hold it: grade with a Python that "
                "every user may run, so that it runs as a separate user"
            )

    def launch_process(self) -> Process:
        """Start a worker's process. Raises OSError."""
        self.errors_from = self.errors.seek(0, os.SEEK_END)
        limits = dict(LIMITS)
        if self.user is None:
            del limits["NPROC"]  # it would count the user's other processes
        setting = {"limits": limits, "uid": self.user, "secrets": self.secrets, "forks": self.forks}
        if not self.forks:
            return launch(
                self.stage, self.work, setting, subprocess.PIPE, subprocess.PIPE, self.errors
            )
        if self.parent is not None and self.parent.process.poll() is not None:
            self.end_parent()
        self.parent = self.parent or Parent(self.stage, self.work, setting, self.errors)
        try:
            return ForkedProcess(self.parent.control)
        except OSError:
            self.end_parent()  # a late answer would be taken for the next one
            raise

    def start_failed(self, error: object) -> GraderFault:
        """Describe why a worker could not be started, by its own message if it sent one."""
        self.errors.seek(self.errors_from)
        said = self.errors.read(4000).decode(errors="replace").strip()
        reason = said.splitlines()[-1] if said else error
        return GraderFault(f"the worker could not be started: {reason}")

    def remove_files(self) -> None:
        """Remove files that a worker could write, so that the next one finds none."""
        with contextlib.suppress(OSError), os.scandir(self.work) as entries:
            for entry in entries:
                remove(entry)
        if self.user is not None:
            for entry in list_files(self.user):
                remove(entry)

    def end_parent(self) -> None:
        """Let the next worker be a new Python, whose sets have another order."""
        if self.parent is not None:
            self.parent.close()
            self.parent = None

    def remove(self) -> None:
        """Remove the folder; give back the cores and the user."""
        self.end_parent()
        self.held.close()
        if self.cores:
            with contextlib.suppress(OSError):  # as when it was limited to one
                os.sched_setaffinity(0, self.cores)


def list_cores() -> list[int]:
    """Return the cores this process may use, if the system reports them."""
    return sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []


def lay_out(stage: Path, submission: Submission) -> None:
    """Copy the provided files, then the submitted files over them, and the worker.

    The worker's modules keep their names; no other file of the grader is copied.
    """
    places = [ROOT / "starter" / name for name in list_provided_files()]
    for pattern in ("__init__.py", "worker/__init__.py", "worker/inside/*.py"):
        places += (ROOT / "autograder").glob(pattern)
    for place in places:
        copy = stage / place.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(place, copy)
    compileall.compile_dir(stage, quiet=2)  # saves each worker's time
    for name, content in submission.files.items():
        (stage / "starter" / name).write_bytes(content)


def list_secrets() -> list[str]:
    """Return one existing file of each kind that no worker may read."""
    kinds = (
        "solution/*.py",
        "tests/cases/*.json",
        "autograder/*.py",
        "autograder/serving/*.py",
        "release-seed.txt",
    )
    found = (min(ROOT.glob(kind), default=None) for kind in kinds)
    return [str(path) for path in found if path is not None]
