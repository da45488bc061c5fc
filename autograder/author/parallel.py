"""Grades many submissions on all cores, each in a process of its own."""

from __future__ import annotations

import gc
import multiprocessing
import os
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import NamedTuple

from _pytest.config import default_plugins

from autograder.cases import FOLDER, Cases
from autograder.grade import grade
from autograder.plugin import Progress
from autograder.questions import ROOT
from autograder.results import Outcome
from autograder.sandbox import provided
from autograder.submission import Submission
from autograder.wrong import Wrong

# What every grading needs, and no more: the larger the process, the longer it takes to start a
# worker. Pytest would import its own parts anew in each.
PRELOADED = [__name__, *(f"tests.{path.stem}" for path in ROOT.glob("tests/test_*.py"))]
PRELOADED += [f"_pytest.{name}" for name in default_plugins]
provided()  # compiled here, once for all


class Job(NamedTuple):
    """A submission to be graded on one question, or on all (None), without some tests."""

    submission: Submission
    question: str | None
    without: Collection[str] = frozenset()


@dataclass
class Verdict:
    """The outcome of one grading, as plain data.

    failed: numbers of the tests that failed
    fault:  what went wrong that is not the submission's fault
    codes, words, diagnoses: by number, of the tests that failed
    traces: by number, of the tests that passed or failed
    """

    failed: list[str] = field(default_factory=list)
    fault: str = ""
    codes: dict[str, str] = field(default_factory=dict)
    words: dict[str, str] = field(default_factory=dict)
    diagnoses: dict[str, str] = field(default_factory=dict)
    traces: dict[str, list[str]] = field(default_factory=dict)


@dataclass
class Shortened(Progress):
    """Leaves out some tests, by their numbers, and may stop at the first failure."""

    without: Collection[str]
    stop_at_first: bool

    def wants(self, number: str) -> bool:
        return number not in self.without


def grade_each(
    jobs: Sequence[Job],
    stop_at_first: bool = False,
    folder: Path = FOLDER,
) -> Iterator[tuple[int, Verdict]]:
    """Do each job, in their order; yield its index and its verdict as they come.

    The cases are read from `folder`. Every grading is forked from a process that has done all
    imports, and has a core to itself.
    """
    fork = multiprocessing.get_context("forkserver")
    fork.set_forkserver_preload(PRELOADED)
    waiting = list(enumerate(jobs))[::-1]
    free = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else [-1]
    running: dict[Connection, tuple[int, int]] = {}
    while waiting or running:
        while waiting and free:
            index, job = waiting.pop()
            core = free.pop()
            receiver, sender = fork.Pipe(duplex=False)
            arguments = (sender, core, job, stop_at_first, folder)
            fork.Process(target=send_verdict, args=arguments).start()
            sender.close()
            running[receiver] = index, core
        for ready in wait(list(running)):
            assert isinstance(ready, Connection)
            index, core = running.pop(ready)
            free.append(core)
            try:
                verdict = ready.recv()
            except EOFError:
                verdict = Verdict(fault="the grader's process ended without a verdict")
            ready.close()
            yield index, verdict


def in_words(wrong: Wrong) -> str:
    """Return a finding in words, without its pictures."""
    return "\n".join(
        line
        for line in (
            wrong.what,
            wrong.expected and f"expected: {wrong.expected}",
            wrong.got and f"got: {wrong.got}",
            *wrong.where,
        )
        if line
    )


def send_verdict(
    sender: Connection,
    core: int,
    job: Job,
    stop_at_first: bool,
    folder: Path,
) -> None:
    if core >= 0:
        os.sched_setaffinity(0, {core})
    gc.freeze()  # what was imported stays: it need not be looked through again and again
    report = grade(
        job.submission,
        question=job.question,
        cases=Cases(folder),
        progress=Shortened(job.without, stop_at_first),
        patience=10,  # the machine may be busy, and here Gradescope does not wait
    )
    faults = [f"{r.number}: {r.reason}" for r in report.results if r.outcome is Outcome.FAULT]
    failed = [r for r in report.results if r.outcome is Outcome.FAILED]
    sender.send(
        Verdict(
            [r.number for r in failed],
            report.trouble or "; ".join(faults),
            {r.number: r.wrong.code for r in failed if r.wrong},
            {r.number: in_words(r.wrong) for r in failed if r.wrong},
            {r.number: r.diagnosis for r in failed if r.diagnosis},
            {r.number: r.traces for r in report.results if r.traces},
        )
    )
