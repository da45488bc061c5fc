"""The autograder set up and run in a stand-in for Gradescope's container.

It is this machine's own file system under an overlay, entered with chroot in separate namespaces:
every mount and process ends with a run, and every file that is written lies in the overlay. That
takes root on Linux.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

from autograder.author.graded_tests import sum_points
from autograder.author.platforms import write_files
from autograder.selftest.support.banks import SOLUTION_FILES
from autograder.selftest.support.contracts import CONTRACTS

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        sys.platform != "linux" or os.geteuid() != 0 or shutil.which("unshare") is None,
        reason="this takes root on Linux, and unshare",
    ),
]

ENVIRONMENT = "opt/adversarial-search"
STILL_RUNNING = "still running:"
# The arguments are the overlay's folder, and a script to run in it.
ENTER = """
mount -t overlay overlay -o "lowerdir=/,upperdir=$0/written,workdir=$0/work" "$0/root"
mount --rbind /dev "$0/root/dev" && mount -t proc proc "$0/root/proc"
exec chroot "$0/root" /bin/sh -c "cd /autograder && $1"
"""
PROBE = b"""
import os
seen = [p for p in ("source", "submission", "results", "submission_metadata.json")
        if os.access("/autograder/" + p, os.R_OK)]
raise RuntimeError(f"user {os.getuid()}, sees {seen}")
"""


class Container:
    """What is written in a container, and the way to run something in it."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.written = folder, folder / "written"
        self.home = self.written / "autograder"
        for path in (self.home, folder / "work", folder / "root", self.written / "etc"):
            path.mkdir(parents=True)
        for name in ("resolv.conf", "hosts"):  # which may be mounted, and so not in the overlay
            shutil.copy(f"/etc/{name}", self.written / "etc")

    def run(self, script: str) -> subprocess.CompletedProcess[str]:
        """Run a shell script in /autograder, as root."""
        enter = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "/bin/sh", "-ec", ENTER]
        env = {
            name: value
            for name, value in os.environ.items()
            if name == "HOME" or name.startswith("PIP_") or name.lower().endswith("_proxy")
        }
        return subprocess.run(
            [*enter, str(self.folder), script],
            env={**env, "PATH": "/usr/sbin:/usr/bin:/sbin:/bin"},
            capture_output=True,
            text=True,
            timeout=900,
        )

    def grade(
        self, files: dict[str, bytes]
    ) -> tuple[dict[str, Any], subprocess.CompletedProcess[str]]:
        """Grade a submission, laid out as the platform does; return results.json and the run.

        At the end of its output, after STILL_RUNNING, are the names of the processes that are left.
        """
        for name in ("submission", "results"):
            shutil.rmtree(self.home / name, ignore_errors=True)
            (self.home / name).mkdir()
        write_files(self.home / "submission", files)
        shutil.copy(self.home / "source" / "run_autograder", self.home / "run_autograder")
        (self.home / "submission_metadata.json").touch()
        process = self.run(
            f"/autograder/run_autograder && echo {STILL_RUNNING} && cat /proc/[0-9]*/comm"
        )
        return json.loads((self.home / "results" / "results.json").read_bytes()), process


@pytest.fixture(scope="module")
def box(request):
    """Yield a container with the autograder's zip, set up twice."""
    with tempfile.TemporaryDirectory(dir="/var/tmp", ignore_cleanup_errors=True) as folder:
        os.chmod(folder, 0o755)
        box = Container(Path(folder))
        if (entered := box.run("true")).returncode != 0:
            pytest.skip(f"the overlay can't be entered: {entered.stderr.strip()}")
        # The platform's own unzip keeps the run bits, as Python's zipfile does not.
        source = box.home / "source"
        shutil.unpack_archive(request.getfixturevalue("zips") / "autograder.zip", source)
        for name in ("setup.sh", "run_autograder"):
            (source / name).chmod(0o755)
        for _ in range(2):
            done = box.run("bash /autograder/source/setup.sh")
            assert done.returncode == 0, done.stderr
            assert done.stdout.splitlines()[-1].startswith("the autograder is set up, on Python 3.")
        for name in ("usr/lib", "usr/local/lib"):  # the system's Python stays as it is
            assert not list((box.written / name).glob("python3*/**/*.py"))
        yield box


def test_solution_scores_everything_and_leaves_nothing(box):
    results, done = box.grade(SOLUTION_FILES)
    CONTRACTS["gradescope"](json.dumps(results))
    assert [test["output"] for test in results["tests"] if test["status"] != "passed"] == []
    assert results["score"] == sum_points() + sum_points(bonus=True)
    assert (done.returncode, done.stderr) == (0, "")
    for folder in ("tmp", "var/tmp"):
        if (box.written / folder).exists():
            assert list((box.written / folder).iterdir()) == []
    left = [path.name for path in (box.home / "results").iterdir()]
    assert all(name.startswith("results.") for name in left), left
    assert done.stdout.split(STILL_RUNNING)[1].split() == ["sh"]


def test_student_code_runs_as_a_user_who_sees_nothing(box):
    results, _ = box.grade({"minimax.py": PROBE})
    assert "a separate user" not in results["output"]
    said = results["tests"][0]["output"]
    assert "RuntimeError: user " in said
    assert "user 0," not in said
    assert "sees []" in said


def test_empty_submission_is_reported(box):
    results, done = box.grade({"notes.txt": b"sorry"})
    CONTRACTS["gradescope"](json.dumps(results))
    assert results["score"] == 0
    assert results["output"].startswith("there is nothing to grade in ")
    assert done.returncode == 0


def test_failed_start_still_writes_failing_results(box):
    environment = box.written / ENVIRONMENT
    environment.rename(f"{environment}.away")
    try:
        results, done = box.grade(SOLUTION_FILES)
    finally:
        Path(f"{environment}.away").rename(environment)
    assert "score" not in results
    assert "not your fault" in results["output"]
    assert done.returncode == 0
