"""`class grade` and `class rescore`: grade an export, or sum points again.

A submission whose result is stored is not graded again, so the same command continues an
interrupted run. Equal submissions are graded once. A submission that can't be graded does not stop
the others.
"""

import hashlib
import re
import shlex
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timezone
from functools import partial
from pathlib import Path
from typing import Any

from autograder.__main__ import PYTHON
from autograder.author.graded_tests import read_graded_tests
from autograder.author.progress import ProgressLine
from autograder.cohort.accepted import AcceptedFiles
from autograder.cohort.class_folder import (
    GRADER,
    QUEUED,
    STATES,
    STUDENT,
    ClassFolder,
    Person,
    Row,
    Status,
    describe_conflict,
    exclusive_lock,
    select_results,
)
from autograder.cohort.export import MISSING, Export, read_export
from autograder.cohort.grade_one import (
    Pool,
    Reply,
    identify_grading,
    make_grading_request,
    make_result_files,
    read_report,
)
from autograder.cohort.platform_exports import name_people
from autograder.cohort.pool import drain_queue, run_in_pool
from autograder.errors import UsageError
from autograder.printable import sanitize
from autograder.settings import FILE, SETTINGS

ASSIGNMENT = re.compile(r"assignment_\d+_export")


def grade_class(
    export: Path,
    out: Path,
    only: str | None = None,
    scheduler: str | None = None,
    jobs: int | None = None,
    unconfined: bool = False,
    roster: Path | None = None,
) -> int:
    """Grade what is not graded yet; return the exit status, 3 if the grader failed.

    only: what to grade again: "older", or ids
    roster: names the people behind the accounts; the other options: see `run_in_pool`

    Raises UsageError when it can't begin.
    """
    found = read_export(export, AcceptedFiles(out))
    for remark in (*found.remarks, *(name_people(found.uploads, roster) if roster else [])):
        print(remark, file=sys.stderr)
    with exclusive_lock(out):
        folder = ClassFolder.make(out)
        expect_same_assignment(folder, export.name)
        update_from_export(folder, found, export.name)
        say_who_has_an_unused_extension(folder)
        # A process that can read one file of the export can read the others.
        one = next((path for path in (export, *export.rglob("*")) if path.is_file()), export)
        private = [out / "class.json", one]
        work = partial(grade_pending, folder, find_pending(folder, only))
        stopped = run_in_pool(work, private, scheduler, jobs, unconfined)
        return max(stopped, summarise(folder))


def expect_same_assignment(folder: ClassFolder, name: str) -> None:
    """Raise UsageError if the export is named after another assignment."""
    before, now = (ASSIGNMENT.search(text) for text in (folder.about.get("assignment", ""), name))
    if before and now and before[0] != now[0]:
        raise UsageError(
            f"{folder.path} is of another assignment, {before[0]}: name a new folder after --out"
        )


def say_who_has_an_unused_extension(folder: ClassFolder) -> None:
    """Name who has an extension but no submission: it may be a slip in the settings."""
    ids = {text.casefold() for one in folder.read_key().values() for text in (one.sid, one.email)}
    for name in sorted(SETTINGS.extensions.keys() - ids):
        who = f"{sanitize(name)} has an extension in {FILE.name}"
        print(f"{who}, but no submission is by this address or number", file=sys.stderr)


def update_from_export(folder: ClassFolder, export: Export, name: str) -> None:
    """Add an export's submissions; they replace earlier ones of the same people.

    The rows of other people stay: the export may contain late work only.
    """
    known = folder.read_key()
    owners = [person for one in export.uploads for person in one.owners]
    pseudonyms = folder.assign_pseudonyms(owners)
    if known and known.keys().isdisjoint(pseudonyms.values()):  # it may be another class's
        print(f"none of these people was in {folder.path} before: they are added", file=sys.stderr)
    has_files = {one for row in folder.rows if not row.problem for one in row.people}
    uploads = [
        one
        for one in export.uploads
        if one.row.problem != MISSING or not has_files.issuperset(map(pseudonyms.get, one.owners))
    ]
    if stay := len(export.uploads) - len(uploads):
        text = "their folders are missing in the export, so earlier submissions stay"
        print(f"{text}: {stay}", file=sys.stderr)
    rows: dict[str, Row] = {}
    for one in uploads:
        people = list(dict.fromkeys(pseudonyms[person] for person in one.owners))
        id = people[0]
        request = make_grading_request(one.submission) if one.submission else one.row.problem
        content = hashlib.sha256(request.encode(errors="replace")).hexdigest()[:24]
        rows[id] = replace(one.row, id=id, content=content, people=people)
        if one.submission:
            folder.store_submission(content, one.submission)
    key = defaultdict(Person, folder.read_key())
    submitted = {pseudonym for row in rows.values() for pseudonym in row.people}
    numbers = {one.row.id for one in uploads if one.row.id}
    for old in folder.rows:
        others = [one for one in old.people if one not in submitted]
        # A submission on Gradescope can get other members; the former ones have none then.
        if others := [one for one in others if key[one].address not in numbers]:
            rows[others[0]] = replace(old, id=others[0], people=others)
    when = datetime.now(timezone.utc).isoformat(timespec="seconds")
    folder.update(rows.values(), assignment=folder.about.get("assignment", name), when=when)


def find_pending(folder: ClassFolder, only: str | None) -> list[str]:
    """Return the contents to grade: those without a whole result, and those of --only.

    Raises UsageError for an unknown id.
    """
    statuses = folder.read_statuses()
    ids = set(only.split(",")) if only and only != "older" else set()
    key = defaultdict(Person, folder.read_key())
    numbers = {key[one].address: row.id for row in folder.rows for one in row.people}
    ids = {numbers.get(id, id) for id in ids}
    if unknown := ids - statuses.keys():
        raise UsageError(f"--only {sanitize(min(unknown))}: no submission has this id")

    pending = []
    for row in folder.rows:
        state, _, result = statuses[row.id]
        if result is None:
            wanted = state != STUDENT
        else:
            wanted = row.id in ids or (only == "older" and not is_current(result))
        if wanted:
            pending.append(row.content)
    return list(dict.fromkeys(pending))


def is_current(result: dict[str, Any]) -> bool:
    return all(result["extra_data"][name] == now for name, now in identify_grading().items())


def find_graders(results: Iterable[dict[str, Any]]) -> set[str]:
    return {result["extra_data"]["grader"] for result in results}


def read_consistent_results(
    folder: ClassFolder, statuses: Mapping[str, Status]
) -> dict[str, dict[str, Any]]:
    """Return the results of a class.

    Raises UsageError if there are none, or if graders or their points differ.
    """
    results = select_results(statuses)
    if not results:
        raise UsageError(f"nothing is graded in {folder.path} yet: `class grade` first")
    gradings = [one["extra_data"] for one in results.values()]
    if len({(one["grader"], one["points"]) for one in gradings}) > 1:
        raise UsageError(
            f"{folder.path} mixes results of several versions of the grader or its points, which "
            f"have no common total: {name_update_command(folder, results.values())}"
        )
    return results


def say_if_older(folder: ClassFolder, results: Iterable[dict[str, Any]]) -> bool:
    """Say how many results are outdated, and what to do; return whether any are."""
    older = [result for result in results if not is_current(result)]
    if older:
        print(f"graded by another version of the grader, its cases or its points: {len(older)}")
        print(f"next: {name_update_command(folder, older)}")
    return bool(older)


def name_update_command(folder: ClassFolder, results: Iterable[dict[str, Any]]) -> str:
    """Name the command that updates all results to this grader."""
    command, path = f"{PYTHON} -m autograder class", shlex.quote(str(folder.path))
    if find_graders(results) <= {identify_grading()["grader"]}:
        return f"only points differ, so sum them again: {command} rescore {path}"
    return f"grade those again: {command} grade EXPORT --out {path} --only older"


def rescore(directory: Path) -> int:
    """Sum the points of all results again, with the present settings of tests.

    Raises UsageError if another grader has judged some of the tests.
    """
    folder = ClassFolder(directory)
    tests = {test.number: test for test in read_graded_tests()}
    with exclusive_lock(directory):
        results = select_results(folder.read_statuses())
        contents = {row.content for row in folder.rows if row.id in results}
        if find_graders(results.values()) - {identify_grading()["grader"]}:
            remedy = name_update_command(folder, results.values())
            raise UsageError(f"tests were judged by another version of the grader: {remedy}")
        for content in sorted(contents):
            report = read_report(folder.result_file(content, ".report").read_text())
            for one in report.results:
                one.max_points = tests[one.number].points
                one.visibility = SETTINGS.visibility(one.number)
                one.pass_fail_only = SETTINGS.lists("pass_fail_only", one.number)
            folder.store_result(content, make_result_files(report))
    print(f"results with their points summed again: {len(contents)}")
    return 0


def grade_pending(folder: ClassFolder, pending: Sequence[str], pool: Pool) -> None:
    """Grade the submissions with these contents. Raises PoolGone."""
    rows = Counter(row.content for row in folder.rows)

    def request(content: str) -> str:
        return make_grading_request(folder.read_submission(content))

    def store(content: str, reply: Reply) -> None:
        if reply.files:
            folder.store_result(content, reply.files)
        if reply.error:  # the files are of some tests only
            folder.store_failure(content, reply.error)
        bar.update(rows[content])

    total = sum(rows.values())
    left = sum(rows[content] for content in pending)
    with ProgressLine(total, "graded: {} submissions", total - left) as bar:
        drain_queue(pool, pending, request, store, bar)


def summarise(folder: ClassFolder) -> int:
    """Print the state of the class, and the next step; return the exit status."""
    statuses = folder.read_statuses()
    done = select_results(statuses)
    equal = len(done) - len({row.content for row in folder.rows if row.id in done})
    print(f"{len(done)} of {len(statuses)} submissions are graded", end="")
    print(f", {equal} of them equal to another" if equal else "")
    for state in (STUDENT, GRADER):
        found = {id: one for id, one in statuses.items() if one.state == state and one.problem}
        if found:
            print(f"{STATES[state]}: {len(found)}")
        for id, one in found.items():
            print(f"  {id}: {sanitize(one.problem)}")
    for what, several in folder.find_conflicts():
        print(f"{describe_conflict(what, several)}; correct it where they submit, and export again")
    states = Counter(one.state for one in statuses.values())
    if states[QUEUED]:
        print(f"not graded yet: {states[QUEUED]}; the same command goes on")
        return 3
    if states[GRADER]:
        print("the same command grades again where the grader failed")
    if not done:
        print("nothing is graded, so there is nothing to report")
        return 3 if states[GRADER] else 2
    if not say_if_older(folder, done.values()):
        print(f"next: {PYTHON} -m autograder class report {shlex.quote(str(folder.path))}")
    return 3 if states[GRADER] else 0
