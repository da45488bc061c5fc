"""The worker's process: what is removed when it ends, and that nothing else is hit."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from autograder import sandbox
from autograder.sandbox import Sandbox, processes_of, sweep_files
from autograder.submission import Submission

needs_root = pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root has workers of another user"
)


@pytest.fixture
def place():
    """Where workers run, with one file handed in."""
    place = Sandbox(Submission({"x.py": b"def f(): ...\n"}))
    yield place
    place.remove()


def test_a_worker_that_was_waited_for_is_not_killed_again(place, monkeypatch):
    """Its number may be another process's by then."""
    killed = []
    worker = place.start()
    worker.process.kill()
    worker.process.wait()
    monkeypatch.setattr(os, "killpg", lambda *args: killed.append(args))
    worker.close()
    assert killed == []


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs Linux's /proc")
def test_a_process_whose_name_is_no_text_is_no_obstacle():
    rename = "import ctypes; ctypes.CDLL(None).prctl(15, b'\\xff\\xfe', 0, 0, 0); input()"
    odd = subprocess.Popen(
        [sys.executable, "-c", f"{rename}"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    try:
        status = Path(f"/proc/{odd.pid}/status")
        while b"\xff" not in status.read_bytes():
            time.sleep(0.001)
        assert odd.pid in processes_of(os.getuid())
    finally:
        odd.communicate(b"\n")


@needs_root
def test_a_file_that_vanishes_does_not_save_the_others(tmp_path, monkeypatch):
    uid = 54_323
    for i in range(5):
        (tmp_path / f"left{i}").touch()
        os.chown(tmp_path / f"left{i}", uid, uid)
    unlink = os.unlink

    def gone(path, *args, **options):
        unlink(path, *args, **options)
        if str(path).endswith("left2"):
            raise FileNotFoundError

    monkeypatch.setattr(sandbox, "PUBLIC_PLACES", (str(tmp_path),))
    monkeypatch.setattr(os, "unlink", gone)
    sweep_files(uid)
    assert list(tmp_path.iterdir()) == []


@needs_root
def test_a_strict_umask_does_not_cost_the_worker_its_user():
    before = os.umask(0o077)
    try:
        place = Sandbox(Submission({"x.py": b"def f(): ...\n"}))
    finally:
        os.umask(before)
    readable = Path(place.stage / "starter" / "x.py").stat().st_mode & 0o044
    place.remove()
    assert readable == 0o044


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="this system keeps its cores")
def test_after_a_grading_all_cores_can_be_used_again():
    before = os.sched_getaffinity(0)
    place = Sandbox(Submission({"x.py": b"def f(): ...\n"}))
    try:
        place.start().close()
        assert len(os.sched_getaffinity(0)) == 1
    finally:
        place.remove()
    assert os.sched_getaffinity(0) == before
