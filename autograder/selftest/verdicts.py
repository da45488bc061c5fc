"""One store of verdicts for all banks: what was graded before and can't have changed is not again.

A verdict is kept under a key of all that it depends on: this Python, its packages and what holds
workers, the graded test, the cases and all files of the grader that the question's tests import,
and the submission. As nobody can be sure that a key holds everything, a random part of what is
known is graded again each time, and another verdict is a fault. FRESH=1 forgets what is known.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import random
import sqlite3
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

from autograder.author.parallel import Job, Verdict, grade_each
from autograder.author.proof import KEPT
from autograder.cases import FOLDER
from autograder.inside.protocol import PROVIDED_FILES
from autograder.questions import QUESTIONS, ROOT, question_of
from autograder.sandbox import Sandbox
from autograder.selftest.imports import imported_by
from autograder.submission import Submission

STORE = KEPT / "verdicts.sqlite"
AGAIN = 0.05  # of the known verdicts, how many are graded again
TALLY: Counter[str] = Counter()  # how many verdicts were graded, reused, graded again
OTHERWISE = (
    "graded again, it comes out otherwise: {}, before {}: its key in the store lacks something"
)


# --- what a verdict depends on --------------------------------------------------------------------


def hash_of(plain: object) -> str:
    content = plain if isinstance(plain, bytes) else json.dumps(plain, sort_keys=True).encode()
    return hashlib.sha256(content).hexdigest()[:24]


def files_behind(question: str | None) -> list[Path]:
    """Return the project's files that a verdict on a question depends on, but for its cases."""
    rows = [question_of(question)] if question else list(QUESTIONS)
    others = {row.name for row in QUESTIONS if row not in rows}
    tests, inside = ROOT / "tests", ROOT / "autograder" / "inside"
    starts = [tests / f"test_{row.number}_{row.name}.py" for row in rows]
    starts += [path for path in tests.glob("*.py") if not path.name.startswith("test_")]
    starts += [path for name in PROVIDED_FILES for path in (ROOT / "starter").glob(name)]
    starts += [path for path in inside.glob("*.py") if path.stem not in others]
    starts.append(ROOT / "autograder" / "author" / "parallel.py")
    return sorted({*imported_by(starts), *(ROOT / "autograder").glob("*.ini")})


def case_files(question: str | None, folder: Path) -> list[Path]:
    """Return the question's cases, and what is no question's own."""
    other = {f"{row.name}.json" for row in QUESTIONS if question and row != question_of(question)}
    return sorted(path for path in folder.iterdir() if path.name not in other)


@cache
def state_behind(question: str | None) -> str:
    return hash_of([surroundings(), contents(files_behind(question))])


def contents(paths: list[Path]) -> dict[str, str]:
    return {path.relative_to(ROOT).as_posix(): hash_of(path.read_bytes()) for path in paths}


@cache
def surroundings() -> dict[str, str]:
    """Return what else a verdict depends on: this Python, its packages, and what holds workers."""
    packages = {f"{one.metadata['Name']} {one.version}" for one in metadata.distributions()}
    sandbox = Sandbox(Submission({}))
    try:
        sandbox.prepare()
    finally:
        sandbox.remove()
    user = "a user of its own" if sandbox.user is not None else "this user"
    return {
        "Python": sys.version,
        "system": f"{sys.platform} {platform.machine()}",
        "packages": " ".join(sorted(packages)),
        "worker": " ".join([user, *(sandbox.in_force or [])]),
    }


def key_of(job: Job, stop_at_first: bool, folder: Path) -> str:
    """Return the key under which the verdict on a job is kept."""
    files = {name: hash_of(content) for name, content in job.submission.files.items()}
    given = [(path.name, hash_of(path.read_bytes())) for path in case_files(job.question, folder)]
    how = [job.question, sorted(job.without), stop_at_first]
    return hash_of([state_behind(job.question), given, files, job.submission.problems, how])


# --- the store ------------------------------------------------------------------------------------


def store() -> closing[sqlite3.Connection]:
    STORE.parent.mkdir(exist_ok=True)
    connection = sqlite3.connect(STORE, timeout=60, isolation_level=None)
    connection.execute("CREATE TABLE IF NOT EXISTS verdicts (key TEXT PRIMARY KEY, verdict TEXT)")
    return closing(connection)


def recall(keys: Sequence[str]) -> dict[str, Any]:
    """Return what is kept under these keys; nothing with FRESH=1."""
    if os.environ.get("FRESH"):
        return {}
    with store() as connection:
        found = (
            connection.execute("SELECT key, verdict FROM verdicts WHERE key = ?", [key]).fetchone()
            for key in keys
        )
        return {row[0]: json.loads(row[1]) for row in found if row}


def keep(key: str, verdict: Any) -> None:
    with store() as connection:
        connection.execute(
            "INSERT OR REPLACE INTO verdicts VALUES (?, ?)", [key, json.dumps(verdict)]
        )


def to_grade(keys: Sequence[str], known: dict[str, Any]) -> list[int]:
    """Return the places of what is not known, and of some that is; count them."""
    wanted = []
    for place, key in enumerate(keys):
        if key not in known:
            TALLY["graded"] += 1
        elif random.random() < AGAIN:
            TALLY["graded again"] += 1
        else:
            TALLY["reused"] += 1
            continue
        wanted.append(place)
    return wanted


def tally() -> str:
    """Say in one line where the verdicts came from."""
    return ", ".join(f"{TALLY[what]} {what}" for what in ("graded", "reused", "graded again"))


def verdicts_on(
    jobs: Sequence[Job],
    says: Callable[[int, Verdict], object],
    stop_at_first: bool = False,
    folder: Path = FOLDER,
) -> Iterator[tuple[int, Verdict]]:
    """Do as `grade_each`, with what is known already.

    says: what counts of the verdict on the job of that index, apart from what is luck's part
    """
    keys = [key_of(job, stop_at_first, folder) for job in jobs]
    known = {key: Verdict(**plain) for key, plain in recall(keys).items()}
    places = to_grade(keys, known)
    for index in set(range(len(jobs))).difference(places):
        yield index, known[keys[index]]
    for i, verdict in grade_each([jobs[place] for place in places], stop_at_first, folder):
        index, key = places[i], keys[places[i]]
        now, before = says(index, verdict), says(index, known.get(key, verdict))
        if verdict.fault:
            pass
        elif now == before:
            keep(key, verdict.__dict__)
        else:
            verdict.fault = OTHERWISE.format(now, before)
        yield index, verdict
