"""No hostile submission gains a point, or leaves anything behind.

Separate processes grade the bank (see `support/hostile.py`): all of it as a user without rights,
whose workers run as the same user; a part of it as root, whose workers run as a separate user; and
the nastiest entries without Landlock or seccomp. That needs root, and a Python that every user may
run; a test that can't run says why.
"""

import atexit
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from autograder.author.graded_tests import sum_points
from autograder.questions import QUESTIONS, ROOT, find_question
from autograder.selftest.support import needs_root
from autograder.selftest.support.banks import read_hostile_entries
from autograder.selftest.support.packagings import SOLUTION
from autograder.worker.user import is_root

NOBODY: dict[str, Any] = {"user": 54_321, "group": 54_321, "extra_groups": []}  # owns nothing
# The nastiest entries that user rights alone should stop, without the kernel's help.
NASTIEST = ["late_writer", "holds_the_pipes", "fork_bomb", "spawns_a_shell", "overwrites_results"]
NASTIEST += ["changes_the_grader", "poisons_the_next_worker", "file_flood", "signals_the_grader"]
NASTIEST += ["thread_bomb", "answers_kept", "memory_bomb"]
# Entries whose success depends on the project or the kernel, not on the submission alone.
READERS = ["reads_solution", "reads_cases", "looks_into_the_grader"]


def runs_for_all(python: str | Path) -> bool:
    """Can every user grade with this Python?"""
    command = [python, "-c", "import autograder.grading.grade, jsonschema, numpy"]
    try:
        run = subprocess.run(command, cwd=ROOT, **NOBODY)
    except OSError:
        return False
    return run.returncode == 0


@cache
def python_for_all() -> str | Path:
    """Return a Python that every user may grade with, or skip the test."""
    if runs_for_all(sys.executable):
        return sys.executable
    folder = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, folder)
    folder.chmod(0o755)
    if subprocess.call(["/usr/bin/python3", "-m", "venv", "--without-pip", folder]) == 0:
        (packages,) = folder.glob("lib/python3*/site-packages")
        (packages / "project.pth").write_text(sysconfig.get_path("purelib"))
        if runs_for_all(folder / "bin" / "python"):
            return folder / "bin" / "python"
    pytest.skip(f"only root may read {ROOT} or run {sys.executable}")


def grade_bank(
    python: str | Path, mode: str, names: list[str], **user: Any
) -> dict[str, dict[str, Any]]:
    """Grade the entries in that mode, as that user; expect that none gains anything."""
    command = [python, "-m", "autograder.selftest.support.hostile", mode, *names]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, **user)
    assert run.returncode == 0, run.stderr[-2000:]
    results = {result["name"]: result for result in map(json.loads, run.stdout.splitlines())}
    guilty = [f"{name}: {'; '.join(r['wrong'])}" for name, r in results.items() if r["wrong"]]
    assert not guilty, "\n".join(guilty)
    assert sorted(results) == sorted(names)
    return results


BANK = read_hostile_entries()
NAMES = [entry.name for entry in BANK]
CORE = ["overwrites_results", "reads_cases"]  # `make check` grades these
# Entries that only the separate user stops, or that root reads.
AS_ROOT = [*NASTIEST, *READERS, "files_that_are_none", "files_beside_the_question_files"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a POSIX system")
@pytest.mark.parametrize(
    "names", [CORE, pytest.param(AS_ROOT if is_root() else NAMES, marks=pytest.mark.slow)]
)
def test_hostile_code_gains_nothing_as_this_user(names):
    """As root, workers run as a separate user, which confines them further."""
    grade_bank(python_for_all() if is_root() else sys.executable, "full", names)


@pytest.mark.slow
@needs_root
@pytest.mark.parametrize("question", [row.name for row in QUESTIONS])
def test_hostile_code_gains_nothing_as_an_unprivileged_user(question):
    names = [one.name for one in BANK if find_question(one.get("tests")).name == question]
    assert names, "there is none against this question"
    grade_bank(python_for_all(), "full", names, **NOBODY)


# What older kernels confine less: a worker's files.
ON_FILES = ["overwrites_results", "changes_the_grader", "poisons_the_next_worker", "late_writer"]
ON_FILES += ["file_flood", "cuts_files", "many_threads", "locks_and_holes"]


@pytest.mark.slow
@needs_root
@pytest.mark.parametrize(
    ("mode", "user", "names"),
    [
        ("bare", {}, NASTIEST),  # neither Landlock nor seccomp
        ("seccomp", NOBODY, [*ON_FILES, SOLUTION.name]),
        ("old", NOBODY, [*READERS, *ON_FILES, "hidden_memory_bomb"]),  # without truncation and more
    ],
)
def test_older_kernels_hold_the_nastiest(mode, user, names):
    results = grade_bank(python_for_all(), mode, names, **user)
    if SOLUTION.name in names:  # graded after all of them
        assert results[SOLUTION.name]["score"] == sum_points() + sum_points(bonus=True)


@pytest.mark.slow
@needs_root
def test_hostile_code_gains_nothing_with_a_root_only_python():
    """Workers then run as root without any of root's powers."""
    if runs_for_all(sys.executable):
        pytest.skip(f"every user can run {sys.executable}: workers run as a separate user")
    grade_bank(sys.executable, "full", NASTIEST)
