"""A stand-in for Gradescope's container: `/autograder` with the zip in it, and root who runs it.

It is a tree of this machine's own distribution, made once by debootstrap from where apt has its
packages, copied, and entered with chroot in separate namespaces, so that every mount and process
ends with it. That takes root on Linux.

`python -m autograder.selftest.support.container` measures what grading the solution takes in it.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from autograder.author.release import release
from autograder.questions import QUESTION_FILES, ROOT
from autograder.selftest.support.figures import store_figures

APT = Path("/etc/apt")
TREES = Path("/var/tmp")  # reused by later runs
ENVIRONMENT = "opt/adversarial-search"
LEFT = "still running:"
CGROUPS = Path("/sys/fs/cgroup")


class Unavailable(Exception):
    """A tree can't be had or entered here; the text says why."""


class Source(NamedTuple):
    """Where apt finds the packages of one suite."""

    address: str
    suite: str
    components: tuple[str, ...]


def apt_sources(folder: Path = APT) -> list[Source]:
    """Return where apt is set up to find binary packages, from both of its formats."""
    found: list[Source] = []
    for path in [folder / "sources.list", *sorted((folder / "sources.list.d").glob("*"))]:
        if path.is_file() and path.suffix in (".list", ".sources"):
            text = re.sub(r"^\s*#.*\n?", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
            found += from_lines(text) if path.suffix == ".list" else from_paragraphs(text)
    return found


def from_lines(text: str) -> Iterator[Source]:
    """Read lines such as `deb [options] address suite component ...`."""
    for line in text.splitlines():
        words = re.sub(r"\[.*?\]", "", line.partition("#")[0]).split()
        if len(words) > 3 and words[0] == "deb":
            yield Source(words[1], words[2], tuple(words[3:]))


def from_paragraphs(text: str) -> Iterator[Source]:
    """Read paragraphs of fields such as `URIs: ...`, each of which may go on in indented lines."""
    for paragraph in re.split(r"\n\s*\n", text):
        fields = re.findall(r"^([\w-]+):(.*(?:\n[ \t].*)*)", paragraph, re.MULTILINE)
        values = {name.lower(): value.split() for name, value in fields}
        if "deb" not in values.get("types", []) or values.get("enabled") == ["no"]:
            continue
        for address in values.get("uris", []):
            for suite in values.get("suites", []):
                yield Source(address, suite, tuple(values.get("components", [])))


def distribution() -> Source:
    """Return where this machine's own distribution comes from. Raises Unavailable."""
    for source in apt_sources():
        plain = "-" not in source.suite and "/" not in source.suite  # no updates, no security
        usable = source.address.startswith(("http://", "https://", "file:"))
        if plain and usable and "main" in source.components:
            return source
    raise Unavailable(f"{APT} names no distribution that debootstrap could use")


def distribution_tree() -> Path:
    """Return a tree of the distribution with Python, stored for later runs. Raises Unavailable."""
    if sys.platform != "linux" or os.geteuid() != 0:
        raise Unavailable("this takes root on Linux")
    for tool in ("debootstrap", "unshare"):
        if shutil.which(tool) is None:
            raise Unavailable(f"{tool} is not installed")
    source = distribution()
    tree = TREES / f"adversarial-search-{source.suite}"
    if not tree.exists():
        draft = Path(tempfile.mkdtemp(prefix=f"{tree.name}-", dir=TREES))
        command = ["debootstrap", "--variant=minbase", "--include=python3,python3-venv"]
        command += [f"--components={','.join(source.components)}"]
        command += [source.suite, str(draft), source.address]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=600)
            if done.returncode != 0:
                raise Unavailable(f"debootstrap failed: {(done.stdout.splitlines() or ['?'])[-1]}")
            draft.chmod(0o755)
            draft.rename(tree)
        except subprocess.TimeoutExpired:
            raise Unavailable("debootstrap took too long") from None
        finally:
            shutil.rmtree(draft, ignore_errors=True)
    return tree


class Container:
    """The folders and files of a container, and the way to run something in it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.home = root / "autograder"

    def run(self, script: str) -> subprocess.CompletedProcess[str]:
        """Run a shell script in /autograder, as root."""
        enter = ["unshare", "--mount", "--pid", "--fork", "--kill-child"]
        enter += [f"--root={self.root}", "--wd=/autograder", "--mount-proc"]
        network = {
            name: value
            for name, value in os.environ.items()
            if name.startswith("PIP_") or name.lower().endswith("_proxy")
        }
        place = {"HOME": str(Path.home()), "PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}
        return subprocess.run(
            [*enter, "/bin/sh", "-c", script],
            env={**network, **place},
            capture_output=True,
            text=True,
            timeout=900,
        )

    def set_up(self) -> subprocess.CompletedProcess[str]:
        return self.run("bash /autograder/source/setup.sh")

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

    def grade(
        self, files: dict[str, bytes]
    ) -> tuple[dict[str, Any], subprocess.CompletedProcess[str]]:
        """Grade a submission; return results.json and the run.

        It prints at last, after LEFT, the names of the processes that are left.
        """
        self.submit(files)
        done = self.run(f"/autograder/run_autograder && echo {LEFT} && cat /proc/[0-9]*/comm")
        return json.loads((self.home / "results" / "results.json").read_bytes()), done


@contextlib.contextmanager
def container(archive: Path) -> Iterator[Container]:
    """Give a container with the autograder's zip unpacked in it, not set up yet.

    Raises Unavailable.
    """
    tree = distribution_tree()
    root = Path(tempfile.mkdtemp(prefix="gradescope-", dir=TREES))
    root.chmod(0o755)
    try:
        subprocess.run(["cp", "-a", f"{tree}/.", str(root)], check=True)
        copy_network_settings(root)
        box = Container(root)
        box.home.mkdir()
        if (entered := box.run("true")).returncode != 0:
            raise Unavailable(f"chroot failed: {entered.stderr.strip()}")
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
    settings = ["/etc/resolv.conf", "/etc/hosts", "/etc/ssl/certs/ca-certificates.crt"]
    settings += ["/etc/pip.conf", str(Path.home() / ".config" / "pip" / "pip.conf")]
    settings += [os.environ.get(name, "") for name in ("PIP_CONFIG_FILE", "PIP_CERT")]
    for name in settings:
        if Path(name).is_file():
            copy = root / name.lstrip("/")
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.unlink(missing_ok=True)
            shutil.copy(name, copy)  # its rights too: what only root may read stays so


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
    limited = False
    with contextlib.suppress(OSError):
        group.mkdir()
        for name, value in quota.items():
            (group / name).write_text(value)
        (group / "cgroup.procs").write_text(str(os.getpid()))
        os.sched_setaffinity(0, {min(before)})
        limited = True
    try:
        yield limited
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
            print(f"in {box.root}")
            start = time.monotonic()
            box.set_up()
            print(f"setup.sh: {time.monotonic() - start:.0f} s")
            with PeakMemory() as memory:
                results, _ = box.grade(solution)
            graded = results["execution_time"]
            print(f"grading the solution: {graded:.0f} s, {results['score']} points")
            print(f"grader and worker together: {memory.most:.0f} MB at most")
            store_figures(graded_s=graded, memory_mb=memory.most)
            with half_a_core() as limited:
                if not limited:
                    print("on half of one core: no control group to be had")
                    return
                results, _ = box.grade(solution)
            graded = results["execution_time"]
            print(f"on half of one core: {graded:.0f} s, {results['score']} points")
            store_figures(graded_on_half_a_core_s=graded)


if __name__ == "__main__":
    main()
