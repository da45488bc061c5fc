"""A stand-in for Gradescope's container: `/autograder` with the zip in it, and root who runs it.

As root on Linux it is a Debian tree, made once by debootstrap, copied, and entered with chroot in
namespaces of its own, so that every mount and process ends with it. Elsewhere it is a plain folder,
named by the environment variable GRADESCOPE_ROOT.

`python -m autograder.selftest.container` measures what grading the solution takes in it.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from autograder.author.release import ROOT, release
from autograder.questions import QUESTION_FILES

TREE = Path("/var/tmp/adversarial-search-debian-bookworm")  # kept from run to run
MIRROR = "http://deb.debian.org/debian"
ENVIRONMENT = "opt/adversarial-search"
LEFT = "still running:"
CGROUPS = Path("/sys/fs/cgroup")


class Unavailable(Exception):
    """A Debian tree can't be had or entered here; the text says why."""


def debian_tree() -> Path:
    """Return a Debian tree with Python, kept for the next time. Raises Unavailable."""
    if sys.platform != "linux" or os.geteuid() != 0:
        raise Unavailable("not root on Linux")
    for tool in ("debootstrap", "unshare"):
        if shutil.which(tool) is None:
            raise Unavailable(f"{tool} is not installed")
    if not TREE.exists():
        draft = Path(tempfile.mkdtemp(prefix=f"{TREE.name}-", dir=TREE.parent))
        packages = "--include=python3,python3-venv"
        command = ["debootstrap", "--variant=minbase", packages, "bookworm", str(draft), MIRROR]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=600)
            if done.returncode != 0:
                raise Unavailable(f"debootstrap failed: {(done.stdout.splitlines() or ['?'])[-1]}")
            draft.chmod(0o755)
            draft.rename(TREE)
        except subprocess.TimeoutExpired:
            raise Unavailable("debootstrap took too long") from None
        finally:
            shutil.rmtree(draft, ignore_errors=True)
    return TREE


class Container:
    """The folders and files of a container, and the way to run something in it."""

    def __init__(self, root: Path, chroot: bool) -> None:
        self.root, self.chroot = root, chroot
        self.home = root / "autograder"

    @property
    def kind(self) -> str:
        if self.chroot:
            return f"a Debian tree entered with chroot ({self.root})"
        return f"a folder, GRADESCOPE_ROOT={self.root}"

    def run(self, script: str, **options: Any) -> subprocess.CompletedProcess:
        """Run a shell script in /autograder, as root where this is root."""
        if self.chroot:
            enter = ["unshare", "--mount", "--pid", "--fork", "--kill-child"]
            enter += [f"--root={self.root}", "--wd=/autograder", "--mount-proc"]
            place = {"HOME": "/root", "PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}
        else:
            enter = []
            path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
            place = {"HOME": str(self.root), "PATH": path, "GRADESCOPE_ROOT": str(self.root)}
        network = {
            name: value
            for name, value in os.environ.items()
            if name.startswith("PIP_") or name.lower().endswith("_proxy")
        }
        return subprocess.run(
            [*enter, "/bin/sh", "-c", script],
            cwd=None if self.chroot else self.home,
            env={**network, **place},
            capture_output=True,
            text=True,
            timeout=900,
            **options,
        )

    def set_up(self) -> subprocess.CompletedProcess:
        return self.run(f"bash {self.inside('autograder/source/setup.sh')}")

    def inside(self, path: str) -> str:
        return f"/{path}" if self.chroot else str(self.root / path)

    def submit(self, files: dict[str, bytes]) -> None:
        """Lay out a fresh submission as the platform does."""
        for name in ("submission", "results"):
            shutil.rmtree(self.home / name, ignore_errors=True)
            (self.home / name).mkdir()
        for name, content in files.items():
            (self.home / "submission" / name).write_bytes(content)
        shutil.copy(self.home / "source" / "run_autograder", self.home / "run_autograder")
        metadata = {"id": 1, "assignment": {"id": 2, "total_points": "100.0"}, "users": [{"id": 3}]}
        (self.home / "submission_metadata.json").write_text(json.dumps(metadata))

    def grade(self, files: dict[str, bytes]) -> tuple[dict, subprocess.CompletedProcess]:
        """Grade a submission; return results.json and the run.

        With chroot it prints at last, after LEFT, the names of the processes that are left.
        """
        self.submit(files)
        script = self.inside("autograder/run_autograder")
        if self.chroot:
            script += f" && echo {LEFT} && cat /proc/[0-9]*/comm"
        done = self.run(script)
        return json.loads((self.home / "results" / "results.json").read_bytes()), done


@contextlib.contextmanager
def container(archive: Path) -> Iterator[Container]:
    """Give a container with the autograder's zip unpacked in it, not set up yet."""
    root = Path(tempfile.mkdtemp(prefix="gradescope-", dir="/var/tmp"))
    root.chmod(0o755)
    try:
        try:
            subprocess.run(["cp", "-a", f"{debian_tree()}/.", str(root)], check=True)
            copy_network_settings(root)
            box = Container(root, chroot=True)
            (root / "autograder").mkdir()
            if (entered := box.run("true")).returncode != 0:
                raise Unavailable(f"chroot failed: {entered.stderr.strip()}")
        except Unavailable as reason:
            print(f"no Debian tree: {reason}")
            shutil.rmtree(root)
            (root / "autograder").mkdir(parents=True)
            box = Container(root, chroot=False)
        # The platform's own unzip keeps the run bits, as Python's zipfile does not.
        source = box.home / "source"
        shutil.unpack_archive(archive, source)
        for name in ("setup.sh", "run_autograder"):
            (source / name).chmod(0o755)
        yield box
    finally:
        shutil.rmtree(root, ignore_errors=True)


def copy_network_settings(root: Path) -> None:
    """Let pip reach in the tree what it reaches on this machine."""
    certificates = "/etc/ssl/certs/ca-certificates.crt"
    for name in ("/etc/resolv.conf", "/etc/hosts", "/etc/pip.conf", certificates):
        if Path(name).exists():
            copy = root / name.lstrip("/")
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.unlink(missing_ok=True)
            shutil.copyfile(name, copy)


def question_files(folder: str) -> dict[str, bytes]:
    return {name: (ROOT / folder / name).read_bytes() for name in QUESTION_FILES}


# --- what grading takes ---------------------------------------------------------------------------


class PeakMemory(threading.Thread):
    """Watches the resident memory of all processes below this one; `most` is in MB."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.most, self.done = 0.0, threading.Event()

    def run(self) -> None:
        while not self.done.wait(0.02):
            self.most = max(self.most, sum(map(resident, below(os.getpid()))) / 1e6)

    def __enter__(self) -> PeakMemory:
        self.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self.done.set()
        self.join()


def below(process: int) -> list[int]:
    """Return the descendants of a process."""
    found: list[int] = []
    with contextlib.suppress(OSError):
        for task in Path(f"/proc/{process}/task").iterdir():
            found += map(int, (task / "children").read_text().split())
    return found + [one for child in found for one in below(child)]


def resident(process: int) -> int:
    try:
        return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * os.sysconf(
            "SC_PAGE_SIZE"
        )
    except OSError:
        return 0


@contextlib.contextmanager
def half_a_core() -> Iterator[bool]:
    """Keep this process and its children to half the time of one core; say whether that worked."""
    before = os.sched_getaffinity(0)
    group = CGROUPS / ("cpu" if (CGROUPS / "cpu").is_dir() else ".") / f"half-{os.getpid()}"
    quota = {"cpu.cfs_period_us": "100000", "cpu.cfs_quota_us": "50000"}
    if group.parent == CGROUPS:  # version 2
        quota = {"cpu.max": "50000 100000"}
    try:
        group.mkdir()
        for name, value in quota.items():
            (group / name).write_text(value)
        (group / "cgroup.procs").write_text(str(os.getpid()))
        os.sched_setaffinity(0, {min(before)})
        yield True
    except OSError:
        yield False
    finally:
        os.sched_setaffinity(0, before)
        with contextlib.suppress(OSError):
            (group.parent / "cgroup.procs").write_text(str(os.getpid()))
            group.rmdir()


def main() -> None:
    solution = question_files("solution")
    with tempfile.TemporaryDirectory() as folder:
        release(Path(folder, "seed"), Path(folder))
        with container(Path(folder, "autograder.zip")) as box:
            print(f"in {box.kind}")
            start = time.monotonic()
            box.set_up()
            print(f"setup.sh: {time.monotonic() - start:.0f} s")
            with PeakMemory() as memory:
                results, _ = box.grade(solution)
            print(
                f"grading the solution: {results['execution_time']:.0f} s,",
                f"{results['score']} points",
            )
            print(f"grader and worker together: {memory.most:.0f} MB at most")
            with half_a_core() as limited:
                start = time.monotonic()
                results, _ = box.grade(solution)
                took = f"{time.monotonic() - start:.0f} s, {results['score']} points"
            print(f"on half of one core: {took if limited else 'no control group to be had'}")


if __name__ == "__main__":
    main()
