"""Make the folder of one grading, with all files that workers need."""

from __future__ import annotations

import contextlib
import os
import py_compile
import shutil
import sys
import tempfile
from functools import cache
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
    for place, content in provided().items():
        (stage / place).parent.mkdir(parents=True, exist_ok=True)
        (stage / place).write_bytes(content)
    for name, content in submission.files.items():
        (stage / "starter" / name).write_bytes(content)


@cache
def provided() -> dict[Path, bytes]:
    """Return the provided files, also compiled to save each worker's time."""
    places = [Path("starter", name) for name in provided_files()]
    for pattern in (
        "autograder/__init__.py",
        "autograder/worker/__init__.py",
        "autograder/worker/inside/*.py",
    ):
        places += [file.relative_to(ROOT) for file in ROOT.glob(pattern)]
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        compiled = Path(folder, "compiled")
        for place in places:
            file = ROOT / place
            bytecode = f"{place.stem}.{sys.implementation.cache_tag}.pyc"
            how = py_compile.PycInvalidationMode.CHECKED_HASH  # a copy has another time
            py_compile.compile(
                str(file), str(compiled), str(place), doraise=True, invalidation_mode=how
            )
            found[place] = file.read_bytes()
            found[place.parent / "__pycache__" / bytecode] = compiled.read_bytes()
    return found


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
    found = (next(iter(sorted(ROOT.glob(kind))), None) for kind in kinds)
    return [str(path) for path in found if path is not None]
