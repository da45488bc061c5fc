"""Grade many submissions on all cores, each in a separate process."""

import gc
import multiprocessing
import os
from collections.abc import Collection, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from multiprocessing.pool import ThreadPool
from pathlib import Path
from typing import NamedTuple

from _pytest.config import default_plugins

from autograder.checks.ask.finding import Finding
from autograder.feedback.messages import put_into_words
from autograder.feedback.results import Outcome, Progress
from autograder.grading.grade import grade
from autograder.questions import ROOT
from autograder.serving.case_files import FOLDER, Cases
from autograder.settings import SETTINGS
from autograder.submission import Submission

# Only the modules that every grading imports: a larger process starts workers more slowly.
PRELOADED = [__name__, *(f"tests.{path.stem}" for path in ROOT.glob("tests/test_*.py"))]
PRELOADED += [f"_pytest.{name}" for name in default_plugins]


class GradingJob(NamedTuple):
    """A submission to grade on one question or all (None), some tests or all (None)."""

    submission: Submission
    question: str | None
    tests: Collection[str] | None = None


@dataclass
class Verdict:
    """The outcome of one grading, as plain data.

    failed: numbers of the tests that failed
    fault:  an error that is not the submission's
    codes, hints, words: by number, of the tests that failed; hints by their names
    """

    failed: list[str] = field(default_factory=list)
    fault: str = ""
    codes: dict[str, str] = field(default_factory=dict)
    hints: dict[str, list[str]] = field(default_factory=dict)
    words: dict[str, str] = field(default_factory=dict)


@dataclass
class SelectiveProgress(Progress):
    """An observer that selects tests, and may stop at the first failure."""

    tests: Collection[str] | None
    stop_at_first: bool

    def wants(self, number: str) -> bool:
        return self.tests is None or number in self.tests


def grade_job(job: GradingJob, stop_at_first: bool = False, folder: Path = FOLDER) -> Verdict:
    """Grade one submission with the cases in `folder`.

    The grading is forked from a process that has done all imports.
    """
    fork = multiprocessing.get_context("forkserver")
    fork.set_forkserver_preload(PRELOADED)
    with ProcessPoolExecutor(1, mp_context=fork) as pool:
        try:
            return pool.submit(make_verdict, job, stop_at_first, folder).result()
        except BrokenProcessPool:
            return Verdict(fault="the grader's process ended without a verdict")


def grade_jobs(jobs: Sequence[GradingJob]) -> list[Verdict]:
    """Grade the submissions, one per core at a time."""
    with ThreadPool(os.cpu_count()) as pool:
        return pool.map(grade_job, jobs, chunksize=1)


def describe_finding(finding: Finding) -> str:
    said = put_into_words(finding)
    pairs = (("expected", said.expected), ("got", said.got))
    answers = [f"{head}: {body}" for head, body in pairs if body]
    return "\n".join([said.message, *answers, *said.hints])


def make_verdict(job: GradingJob, stop_at_first: bool, folder: Path) -> Verdict:
    gc.freeze()  # the collector can skip imported objects
    report = grade(
        job.submission,
        question=job.question,
        cases=Cases(folder),
        progress=SelectiveProgress(job.tests, stop_at_first),
        deadline_s=10 * SETTINGS.deadline_s,  # the machine may be busy
    )
    faults = [f"{r.number}: {r.reason}" for r in report.results if r.outcome is Outcome.FAULT]
    failed = [r for r in report.results if r.outcome is Outcome.FAILED]
    found = {r.number: r.finding for r in failed if r.finding}
    return Verdict(
        [r.number for r in failed],
        report.problem or "; ".join(faults),
        {number: finding.code for number, finding in found.items()},
        {number: finding.hint_names for number, finding in found.items()},
        {number: describe_finding(finding) for number, finding in found.items()},
    )
