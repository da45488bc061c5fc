"""`class grade`: grades all submissions of an export, and keeps the ledger.

Whatever ends it, the ledger says what is done, and the next run goes on from there. Equal
submissions are graded once. One that can't be graded stops no other.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shlex
import sqlite3
import sys
import time
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from concurrent.futures import CancelledError, Future, wait
from contextlib import contextmanager
from datetime import datetime, timezone
from itertools import count, islice
from pathlib import Path
from typing import Any, TypeVar

from tqdm import tqdm

from autograder.__main__ import PYTHON
from autograder.cohort.export import Export, HandedIn, read_export
from autograder.cohort.grade_one import ENDINGS, Graded, marks, packed
from autograder.cohort.ledger import (
    DONE,
    GRADER,
    QUEUED,
    RUNNING,
    STUDENT,
    Attempt,
    BadLedger,
    KeptLedger,
    Submitted,
)
from autograder.cohort.pool import Pool, PoolGone, local_pool
from autograder.errors import UsageError
from autograder.grading.grade import ended_by_signal
from autograder.submission import Submission, printable

RETRIES = 2  # after the grader's trouble
LOOK = 1.0  # seconds until the bar moves, though nothing has ended
SHOWN = 20  # of those that could not be graded
Job = TypeVar("Job")
BRIEFLY = {STUDENT: "can't be graded", GRADER: "the grader failed on"}


def grade_class(
    export: Path,
    out: Path,
    jobs: int | None = None,
    scheduler: str | None = None,
    only: str | None = None,
    unconfined: bool = False,
) -> int:
    """Grade what is not graded yet; return the exit status, 3 if the grader had trouble.

    unconfined: also where student code could read what other students have submitted

    Raises UsageError when it can't begin.
    """
    found = read_export(export)
    for remark in found.remarks:
        print(remark, file=sys.stderr)
    with KeptLedger(out) as ledger, alone_in(out):
        contents = taken_in(ledger, found, export.name, again=only is not None)
        if only is not None:
            ledger.queue(chosen(ledger, only, contents))
        try:
            private = [] if unconfined else [out / "ledger.sqlite", *one_file_of(export)]
            with ended_by_signal(), pool_at(scheduler, jobs, private) as pool:
                Grading(ledger, contents, pool).run()
        except (PoolGone, OSError, sqlite3.Error) as problem:  # a full disk, for one
            print(f"{problem}; what is graded is kept", file=sys.stderr)
        except KeyboardInterrupt:
            summed_up(ledger)
            return 130
        return summed_up(ledger)


@contextmanager
def pool_at(
    scheduler: str | None, jobs: int | None, private: Sequence[Path] = ()
) -> Iterator[Pool]:
    """private: files of this machine that student code must not be able to read"""
    if scheduler is None:
        with local_pool(jobs, private) as pool:
            yield pool
    else:
        from autograder.cohort.cluster import dask_pool

        with dask_pool(scheduler, jobs) as pool:
            yield pool


def one_file_of(export: Path) -> Iterable[Path]:
    """Return a file of an export, if it has any: whoever can read it can read the others."""
    files = (path for path in export.rglob("*") if path.is_file())
    return [export] if export.is_file() else islice(files, 1)


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Raises BadLedger while another process grades into that folder."""
    file = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BadLedger(
                f"{folder} is written by another `class grade` or `class tournament`"
            ) from None
        yield
    finally:
        os.close(file)


# --- from the export to the ledger ----------------------------------------------------------------


def content_of(one: HandedIn) -> str:
    """A hash of all that the grader is told of a submission."""
    told = packed(one.submission) if one.submission else one.trouble
    return hashlib.sha256(told.encode(errors="replace")).hexdigest()[:24]


def this_grader() -> str:
    """What a result depends on besides the submission, in short: grader and cases."""
    return f"{marks()['grader']}-{marks()['cases']}"


def taken_in(
    ledger: KeptLedger, export: Export, assignment: str, again: bool
) -> dict[str, Submission]:
    """Bring the ledger up to date with an export; return what can be graded, by its content.

    again: some are to be graded again, so the others may stay as another grader has graded them

    Raises BadLedger if the ledger is of another assignment, or of another grader.
    """
    before = {row.id: row for row in ledger.submissions()}
    contents = {content_of(one): one.submission for one in export.handed_in if one.submission}
    check_same(ledger, list(before.values()), contents, again)
    pseudonyms = ledger.pseudonyms(person for one in export.handed_in for person in one.people)
    rows: dict[str, Submitted] = {}
    owners: dict[str, list[str]] = {}
    attempts: list[Attempt] = []
    for one in export.handed_in:
        id = one.id or pseudonyms[one.people[0]]
        if id in rows:  # the same person twice
            id = next(next_id for n in count(2) if (next_id := f"{id}-{n}") not in rows)
        place = one.place if one.id else ""
        state = QUEUED if one.submission else STUDENT
        rows[id] = Submitted(
            id, place, content_of(one), state=state, trouble=one.trouble, created=one.created
        )
        for person in one.people:
            owners.setdefault(pseudonyms[person], []).append(id)
        attempts += [
            Attempt(id, created, score, number)
            for number, (created, score) in enumerate(one.history, 1)
        ]
    for row in rows.values():
        if row.state == QUEUED and (row.id not in before or before[row.id].content != row.content):
            ledger.keep_files(row.id, contents[row.content].files)
    ledger.take_in(list(rows.values()), owners, attempts)
    when = datetime.now(timezone.utc).isoformat(timespec="seconds")
    ledger.note(assignment=assignment, grader=this_grader(), when=when)
    return contents


def check_same(
    ledger: KeptLedger, before: list[Submitted], contents: Collection[str], again: bool
) -> None:
    """Raises BadLedger if the ledger is of another assignment or grader than what is to come."""
    known = {row.content for row in before if row.state != STUDENT}
    if known and known.isdisjoint(contents):
        raise BadLedger(
            f"{ledger.folder} may be of another assignment: none of its {len(before)} submissions "
            "is in this export as it was; name a new folder after --out"
        )
    graded = [row for row in before if row.state in (DONE, GRADER)]
    older = sum(row.grader != this_grader() for row in graded)
    if older and not again:
        raise BadLedger(
            f"{older} submissions in {ledger.folder} were graded by another version of the grader "
            "or its cases: name a new folder after --out (and compare with `class report NEW "
            f"--before {ledger.folder}`), or say with --only which are to be graded again"
        )


def chosen(ledger: KeptLedger, only: str, contents: dict[str, Submission]) -> list[str]:
    """Return the submissions that --only names, and all that are equal to them.

    only: "failed" (those that could not be graded), a test (those that fail it), or ids

    Raises UsageError for a name that nothing has.
    """
    rows = ledger.submissions()
    if only == "failed":
        wanted = {row.content for row in rows if row.state in (STUDENT, GRADER)}
    else:
        names = set(only.split(","))
        wanted = {row.content for row in rows if row.id in names}
        if unknown := names - {row.id for row in rows}:
            tests = {test for row in rows for test in failed(ledger, row)}
            if names != unknown or not names <= tests:
                raise UsageError(
                    f"--only {printable(min(unknown))}: no submission has this id, and none fails "
                    "a test of this number"
                )
            wanted = {row.content for row in rows if names & failed(ledger, row)}
    return [row.id for row in rows if row.content in wanted & contents.keys()]


def failed(ledger: KeptLedger, row: Submitted) -> set[str]:
    """The numbers of the tests that a submission fails."""
    result = ledger.result(row.id) or {"tests": []}
    return {test["number"] for test in result["tests"] if test["status"] == "failed"}


# --- grading --------------------------------------------------------------------------------------


class Grading:
    """Grades all that is queued in a ledger."""

    def __init__(self, ledger: KeptLedger, contents: dict[str, Submission], pool: Pool) -> None:
        self.ledger = ledger
        self.contents = contents
        self.pool = pool
        self.equal: dict[str, list[Submitted]] = {}  # what is queued, by content
        self.tries: dict[str, int] = {}
        rows = ledger.submissions()
        for row in rows:
            files = (ledger.result_file(row.id, ending) for ending in ENDINGS)
            lost = row.state == DONE and not all(file.is_file() for file in files)
            if row.state in (QUEUED, RUNNING) or lost:
                self.equal.setdefault(row.content, []).append(row)
        self.bar = tqdm(
            total=len(rows),
            initial=len(rows) - sum(map(len, self.equal.values())),
            desc="grading",
            unit="submission",
            disable=None,  # where there is no terminal
            dynamic_ncols=True,
        )
        for row in rows:
            others = self.equal.get(row.content, [row])
            if row.state == DONE and row.grader == this_grader() and row not in others:
                self.share(row, self.equal.pop(row.content))

    def run(self) -> None:
        """Raises PoolGone when there is nothing left that grades."""
        with self.bar:
            self.say_troubles()
            work_off(self.pool, self.equal, self.begin, self.keep, self.bar)

    def begin(self, content: str) -> str:
        """Return what the pool is told of a submission, which is under way from now on."""
        self.ledger.update(self.equal[content][0].id, state=RUNNING)
        return packed(self.contents[content])

    def keep(self, content: str, graded: Graded) -> str | None:
        """Keep what came of a grading; return the submission if it is to be tried again."""
        first, *others = self.equal[content]
        tries = self.tries[content] = self.tries.get(content, first.attempts) + 1
        if graded.trouble:
            over = tries > RETRIES
            for row in (first, *others):
                self.ledger.update(
                    row.id,
                    state=GRADER if over else QUEUED,
                    attempts=tries,
                    trouble=graded.trouble,
                    grader=this_grader(),
                )
            if over:
                self.bar.update(1 + len(others))
                self.say_troubles()
            return None if over else content
        self.ledger.note(total=f"{graded.most:g}")
        self.ledger.keep_result(first.id, graded.files)
        done = first._replace(
            state=DONE,
            grader=this_grader(),
            attempts=tries,
            seconds=round(graded.seconds, 3),
            trouble=graded.partial,
        )
        self.ledger.update(done.id, **done._asdict())
        self.bar.update()
        self.share(done, others)
        return None

    def share(self, done: Submitted, others: list[Submitted]) -> None:
        """Give the result of a submission to others that are equal."""
        files = {
            ending: self.ledger.result_file(done.id, ending).read_text(encoding="utf-8")
            for ending in ENDINGS
        }
        for row in others:
            self.ledger.keep_result(row.id, files)
            equal = done._replace(id=row.id, folder=row.folder, created=row.created, attempts=0)
            self.ledger.update(row.id, **equal._asdict())
            self.bar.update()

    def say_troubles(self) -> None:
        states = [row.state for row in self.ledger.submissions()]
        troubles = [
            f"{states.count(state)} {words}" for state, words in BRIEFLY.items() if state in states
        ]
        self.bar.set_postfix_str(", ".join(troubles))


def work_off(
    pool: Pool,
    jobs: Iterable[Job],
    told: Callable[[Job], str],
    keep: Callable[[Job, Graded], Job | None],
    bar: tqdm[Any],
) -> None:
    """Give all jobs to a pool, as many at a time as it can do.

    told: what the pool is told of a job
    keep: keeps what came of one, and returns the job as it is to be tried again, if it is

    Raises PoolGone.
    """
    queue = deque(jobs)
    running: dict[Future[Graded], Job] = {}
    while queue or running:
        for _ in range(min(len(queue), pool.slots() - len(running))):
            job = queue.popleft()
            running[pool.submit(told(job))] = job
        if not running:  # the pool is empty for now
            time.sleep(LOOK)
        ended, _ = wait(running, LOOK, "FIRST_COMPLETED")
        bar.refresh()
        for future in ended:
            again = keep(running.pop(future), graded_by(future))
            if again is not None:
                queue.append(again)


def graded_by(future: Future[Graded]) -> Graded:
    """What came of a grading that has ended somehow. Raises PoolGone."""
    try:
        return future.result()
    except CancelledError:
        raise PoolGone("the scheduler is gone") from None
    except Exception as error:  # a killed worker, for one
        return Graded({}, trouble=f"{type(error).__name__}: {error}"[:300])


def summed_up(ledger: KeptLedger) -> int:
    """Say what there is now, and what to do next; return the exit status."""
    rows = ledger.submissions()
    done = [row for row in rows if row.state == DONE]
    equal = sum(row.attempts == 0 for row in done)
    print(f"{len(done)} of {len(rows)} submissions are graded", end="")
    print(f", {equal} of them equal to another" if equal else "")
    partial = [row for row in done if row.trouble]
    if partial:
        print(f"{len(partial)} took too long, so their results are partial:")
    for row in partial[:SHOWN]:
        print(f"  {row.folder or row.id}: {printable(row.trouble)}")
    for state, words in (
        (STUDENT, "can't be graded as they were handed in"),
        (GRADER, "could not be graded, for the grader failed"),
    ):
        troubled = [row for row in rows if row.state == state]
        if troubled:
            print(f"{len(troubled)} {words}:")
        for row in troubled[:SHOWN]:
            print(f"  {row.folder or row.id}: {printable(row.trouble)}")
        if len(troubled) > SHOWN:
            print(f"  ... and {len(troubled) - SHOWN} more")
    left = sum(row.state in (QUEUED, RUNNING) for row in rows)
    if left:
        words = "is left: the same command goes on with it"
        print(f"{left} {words if left == 1 else 'are left: the same command goes on with them'}")
        return 3
    print(f"next: {PYTHON} -m autograder class report {shlex.quote(str(ledger.folder))}")
    return 3 if any(row.state == GRADER for row in rows) else 0
