"""Make the folder of one grading, with all files that workers need."""

from __future__ import annotations

import compileall
import contextlib
import os
import shutil
import sys
import tempfile
from pathlib import Path

from autograder.questions import ROOT
from autograder.submission import Submission, provided_files

if sys.platform != "win32":
    import fcntl

LOCKED = "grading-held-"  # of a folder that is locked while it is in use


def lay_out(stage: Path, submission: Submission) -> None:
    """Copy the provided files, then the submitted files over them, and the worker.

    The worker's modules keep their names; no other file of the grader is copied.
    """
    places = [ROOT / "starter" / name for name in provided_files()]
    for pattern in ("__init__.py", "worker/__init__.py", "worker/inside/*.py"):
        places += (ROOT / "autograder").glob(pattern)
    for place in places:
        copy = stage / place.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(place, copy)
    compileall.compile_dir(stage, quiet=2)  # saves each worker's time
    for name, content in submission.files.items():
        (stage / "starter" / name).write_bytes(content)


def new_folder() -> tuple[Path, int | None]:
    """Make the folder of one grading; return it and its lock, if the system has one."""
    if sys.platform == "win32":
        return Path(tempfile.mkdtemp(prefix="grading-")), None
    draft = Path(tempfile.mkdtemp(prefix="new-grading-"))
    held = os.open(draft, os.O_RDONLY)
    fcntl.flock(held, fcntl.LOCK_EX)
    return draft.rename(draft.with_name(LOCKED + draft.name.removeprefix("new-grading-"))), held


def sweep_folders() -> None:
    """Remove this user's unlocked folders, which killed gradings left behind."""
    for folder in Path(tempfile.gettempdir()).glob(f"{LOCKED}*") if sys.platform != "win32" else ():
        with contextlib.suppress(OSError):
            if folder.lstat().st_uid != os.geteuid():
                continue
            file = os.open(folder, os.O_RDONLY | os.O_NOFOLLOW | os.O_DIRECTORY)
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(folder, ignore_errors=True)
            finally:
                os.close(file)


def cores() -> list[int]:
    """Return the cores this process may use, if the system reports them."""
    return sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []


def secrets() -> list[str]:
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
