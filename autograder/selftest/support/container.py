"""A stand-in for Gradescope's container: `/autograder` with the zip, run by root.

debootstrap makes a tree of this machine's own distribution once, from apt's source of packages. A
copy of it is entered with chroot in separate namespaces, so that every mount and process ends with
it. That takes root on Linux.
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

TREES = Path("/var/tmp")  # reused by later runs
ENVIRONMENT = "opt/adversarial-search"
STILL_RUNNING = "still running:"


class Unavailable(Exception):
    """The reason why no tree can be made or entered here."""


def find_distribution() -> tuple[str, str]:
    """Return the address and suite of this machine's own distribution.

    Raises Unavailable.
    """
    fields = "$(REPO_URI) $(RELEASE) $(COMPONENT)"
    command = ["apt-get", "indextargets", "--format", fields, "Created-By: Packages"]
    for line in subprocess.run(command, capture_output=True, text=True).stdout.splitlines():
        address, suite, component = line.split()
        if "-" not in suite and component == "main":  # neither updates nor security
            return address, suite
    raise Unavailable("apt knows no distribution that debootstrap could use")


def prepare_distribution_tree() -> Path:
    """Return a reusable tree of the distribution with Python. Raises Unavailable."""
    if sys.platform != "linux" or os.geteuid() != 0:
        raise Unavailable("this takes root on Linux")
    for tool in ("apt-get", "debootstrap", "unshare"):
        if shutil.which(tool) is None:
            raise Unavailable(f"{tool} is not installed")
    address, suite = find_distribution()
    tree = TREES / f"adversarial-search-{suite}"
    if not tree.exists():
        draft = Path(tempfile.mkdtemp(prefix=f"{tree.name}-", dir=TREES))
        command = ["debootstrap", "--variant=minbase", "--include=python3,python3-venv"]
        command += [suite, str(draft), address]
        try:
            run = subprocess.run(command, capture_output=True, text=True, timeout=600)
            if run.returncode != 0:
                raise Unavailable(f"debootstrap failed: {(run.stdout.splitlines() or ['?'])[-1]}")
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
    tree = prepare_distribution_tree()
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
            shutil.copy(name, copy)  # with its mode: a file that only root may read stays so
