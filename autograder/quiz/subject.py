"""Run the submission that is asked about, in the sandbox of a grading."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from autograder.checks.ask.student import Student
from autograder.quiz.item import NotAsked
from autograder.quiz.tree_rules import ExplicitTree
from autograder.serving.cases import CutoffCase, SearchCase
from autograder.submission import Submission
from autograder.worker.sandbox import Sandbox

TIMEOUT_S = 2.0  # of one request; a search of these trees takes a thousandth of it


class Subject:
    """A submission, whether it passes each test that was run, and its workers.

    A search raises Failed if it gives no answer.
    """

    def __init__(
        self,
        submission: Submission,
        passes: Mapping[str, bool],
        make_sandbox: Callable[..., Any] = Sandbox,
    ) -> None:
        self.submission, self.passes, self.make_sandbox = submission, passes, make_sandbox
        self.students: dict[str, Student] = {}  # by the hash of their files

    def __enter__(self) -> Subject:
        return self

    def __exit__(self, *reason: object) -> None:
        """End all workers, and remove their folders."""
        for student in self.students.values():
            student.end()
            student.sandbox.remove()
        self.students.clear()

    def read_lines(self, name: str) -> list[str]:
        """Return the lines of one of the files. Raises NotAsked if it is no plain text."""
        try:
            text = self.submission.files[f"{name}.py"].decode("utf-8-sig")
        except (KeyError, UnicodeDecodeError):
            raise NotAsked from None
        return re.split(r"\r\n|\r|\n", text)

    def start(self, changed: Mapping[str, bytes] | None = None) -> Student:
        """Return a student with a new worker who has submitted this, with some files changed."""
        for student in self.students.values():
            student.end()  # so that nothing is remembered from one search to the next
        files = {**self.submission.files, **(changed or {})}
        submission = Submission(files, self.submission.problems)
        if submission.digest not in self.students:
            student = Student(submission, self.make_sandbox(submission), watch=True)
            self.students[submission.digest] = student
        student = self.students[submission.digest]
        student.begin(TIMEOUT_S)
        return student

    def search(
        self, function: str, tree: ExplicitTree, changed: Mapping[str, bytes] | None = None
    ) -> SearchRecord:
        """Let a search run on a tree; `changed` files replace submitted ones."""
        case = SearchCase(game=tree.spec, value=0, best=[])
        return SearchRecord(self.start(changed), function, case)

    def search_to_depth(
        self, tree: ExplicitTree, depth: int, h: Mapping[str, float]
    ) -> SearchRecord:
        """Let h_alphabeta_search run to a depth, with h for MAX by node."""
        sign = 1 if tree.to_move == "X" else -1
        for_x = {node: sign * value for node, value in h.items()}
        case = CutoffCase(game=tree.spec, value=0, best=[], depth=depth, h=for_x)
        served = {"cutoff": {"cutoff": "served"}, "h": {"h": "served"}}
        return SearchRecord(self.start(), "cutoff.h_alphabeta_search", case, **served)


class SearchRecord:
    """What a search did on an explicit tree: nodes are named by their path."""

    def __init__(self, student: Student, function: str, case: SearchCase, **options: Any) -> None:
        found = student.serve(function, case, **options)
        self.server, self.value, self.move = found.server, found.value, str(found.move)
        self.printed = student.log.printed

    def key(self, number: int) -> str:
        return str(self.server.state(number).key)

    def requests(self, kind: str) -> dict[str, Any]:
        """Return the nodes of all requests of a kind, with the argument of the last."""
        return {self.key(event.number): event.said for event in self.server.find_requests(kind)}

    @property
    def leaves(self) -> list[str]:
        """The leaves that were searched: their utility was asked for."""
        return list(self.requests("utility"))

    def traced(self, node: str, *names: str) -> list[float]:
        """Return traced numbers of the call for a node. Raises NotAsked without them."""
        calls = [noted for n, noted in self.server.call_args.items() if self.key(n) == node]
        if len(calls) != 1 or not calls[0].keys() >= set(names):
            raise NotAsked
        return [calls[0][name] for name in names]
