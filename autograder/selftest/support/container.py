"""A stand-in for Gradescope's container: `/autograder` with the zip, run by root.

It is this machine's own file system under an overlay, entered with chroot in separate namespaces:
every mount and process ends with a run, and every file that is written lies in the overlay. That
takes root on Linux.
"""

import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ENVIRONMENT = "opt/adversarial-search"
STILL_RUNNING = "still running:"
# The arguments are the overlay's folder, and a script to run in it.
ENTER = """
mount -t overlay overlay -o "lowerdir=/,upperdir=$0/written,workdir=$0/work" "$0/root"
mount --rbind /dev "$0/root/dev" && mount -t proc proc "$0/root/proc"
exec chroot "$0/root" /bin/sh -c "cd /autograder && $1"
"""


class Unavailable(Exception):
    """The reason why no container can be entered here."""


class Container:
    """What is written in a container, and the way to run something in it."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.written = folder, folder / "written"
        self.home = self.written / "autograder"

    def run(self, script: str) -> subprocess.CompletedProcess[str]:
        """Run a shell script in /autograder, as root."""
        enter = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "/bin/sh", "-ec", ENTER]
        names = {"HOME", *(name for name in os.environ if name.startswith("PIP_"))}
        names |= {name for name in os.environ if name.lower().endswith("_proxy")}
        env = {name: os.environ[name] for name in names if name in os.environ}
        return subprocess.run(
            [*enter, str(self.folder), script],
            env={**env, "PATH": "/usr/sbin:/usr/bin:/sbin:/bin"},
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

        At the end of its output, after STILL_RUNNING, are the names of the processes that are left.
        """
        self.submit(files)
        process = self.run(
            f"/autograder/run_autograder && echo {STILL_RUNNING} && cat /proc/[0-9]*/comm"
        )
        return json.loads((self.home / "results" / "results.json").read_bytes()), process


@contextlib.contextmanager
def open_container(archive: Path) -> Iterator[Container]:
    """Yield a container with the autograder's zip unpacked in it, not set up yet.

    Raises Unavailable.
    """
    if sys.platform != "linux" or os.geteuid() != 0 or shutil.which("unshare") is None:
        raise Unavailable("this takes root on Linux, and unshare")
    folder = Path(tempfile.mkdtemp(prefix="gradescope-", dir="/var/tmp"))
    folder.chmod(0o755)
    try:
        box = Container(folder)
        for path in (box.home, folder / "work", folder / "root", box.written / "etc"):
            path.mkdir(parents=True)
        for name in ("resolv.conf", "hosts"):  # which may be mounted, and so not in the overlay
            shutil.copy(f"/etc/{name}", box.written / "etc")
        if (entered := box.run("true")).returncode != 0:
            raise Unavailable(f"the overlay can't be entered: {entered.stderr.strip()}")
        # The platform's own unzip keeps the run bits, as Python's zipfile does not.
        source = box.home / "source"
        shutil.unpack_archive(archive, source)
        for name in ("setup.sh", "run_autograder"):
            (source / name).chmod(0o755)
        yield box
    finally:
        shutil.rmtree(folder, ignore_errors=True)
