"""Run the submission that is asked about, in the sandbox of a grading."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from autograder.checks.ask.student import Student
from autograder.checks.mcts.queries import call_final_choice, call_phase
from autograder.quiz.item import NotAsked
from autograder.quiz.tree_rules import ExplicitTree
from autograder.serving.cases import BackpropCase, CutoffCase, FinalMoveCase, SearchCase, SelectCase
from autograder.serving.game_server import GameServer
from autograder.submission import Submission
from autograder.worker.sandbox import Sandbox

TIMEOUT_S = 2.0  # of one request; a search of these trees takes a thousandth of it

# It is text, because the browser version has no sources. At the end of a search it prints how often
# each line ran, and the node and the line of each pair that was returned.
COUNTER = """

def _count_lines(_search):
    import json, sys

    def counted(game, state, *arguments, **options):
        ran, returned = {}, []
        served = type(state)

        def step(frame, event, value):
            if frame.f_code.co_filename != __file__:
                return None
            line = frame.f_lineno
            if event == "line":
                ran[line] = ran.get(line, 0) + 1
            elif event == "return" and isinstance(value, tuple) and len(value) == 2:
                states = [one for one in frame.f_locals.values() if type(one) is served]
                returned.append((states[0].number if states else -1, line))
            return step

        sys.settrace(step)
        try:
            return _search(game, state, *arguments, **options)
        finally:
            sys.settrace(None)
            print("\\ncounted", json.dumps([ran, returned]))

    return counted
"""


class Subject:
    """A submission, what it passes, and its workers.

    A search raises Failed if it gives no answer.

    passed, failed: the numbers of the tests that it passes, and of those that it does not
    """

    def __init__(
        self,
        submission: Submission,
        passed: set[str],
        failed: set[str],
        make_sandbox: Callable[..., Any] = Sandbox,
    ) -> None:
        self.submission, self.make_sandbox = submission, make_sandbox
        self.passed, self.failed = passed, failed
        self.students: dict[str, Student] = {}  # by the hash of their files
        self.running: Student | None = None

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

    def start(self, changed: Mapping[str, bytes]) -> Student:
        """Return a student with a new worker who has submitted this, with some files changed."""
        files = {**self.submission.files, **changed}
        submission = Submission(files, self.submission.problems)
        student = self.students.get(submission.digest)
        if student is None:
            student = Student(submission, self.make_sandbox(submission), watch=True)
            self.students[submission.digest] = student
        if self.running is not None:
            self.running.end()  # so that nothing is remembered from one search to the next
        self.running = student
        student.begin(TIMEOUT_S)
        return student

    def search(
        self, function: str, tree: ExplicitTree, changed: Mapping[str, bytes] | None = None
    ) -> SearchRecord:
        """Let a search run on a tree.

        changed: files that replace submitted ones, for this search
        """
        case = SearchCase(game=tree.spec, value=0, best=[])
        return self._search(function, case, changed or {})

    def search_to_depth(
        self, tree: ExplicitTree, depth: int, h: Mapping[str, float]
    ) -> SearchRecord:
        """Let h_alphabeta_search run to a depth, with h for MAX by node."""
        sign = 1 if tree.to_move == "X" else -1
        case = CutoffCase(
            game=tree.spec, value=0, best=[], depth=depth, h={k: sign * v for k, v in h.items()}
        )
        served = {"cutoff": {"cutoff": "served"}, "h": {"h": "served"}}
        return self._search("cutoff.h_alphabeta_search", case, {}, **served)

    def _search(
        self, function: str, case: SearchCase, changed: Mapping[str, bytes], **options: Any
    ) -> SearchRecord:
        student = self.start(changed)
        found = student.serve(function, case, **options)
        return SearchRecord(found.server, found.value, str(found.move), student.log.printed)

    def count_lines(self, function: str, tree: ExplicitTree) -> SearchRecord:
        """Let a search run in a copy of its file that also counts the lines that run."""
        file, name = function.split(".")
        source = self.submission.files.get(f"{file}.py", b"")
        counted = f"{COUNTER}\n{name} = _count_lines({name})\n".encode()
        return self.search(function, tree, {f"{file}.py": source + counted})

    def select(self, case: SelectCase) -> list[Any]:
        """Return the path to the node that select returns. Raises NotAsked without one."""
        tree, returned = call_phase(self.start({}), "mcts.select", case, case.C)
        if not isinstance(returned, int):
            raise NotAsked
        return list(tree.paths[returned])

    def backprop(self, case: BackpropCase) -> dict[tuple[int, ...], tuple[float, float]]:
        """Return U and N of each node after backprop, by its path."""
        tree, _ = call_phase(self.start({}), "mcts.backprop", case, case.utility)
        return {tuple(path): (row["U"], row["N"]) for path, row in zip(tree.paths, tree.rows)}

    def choose(self, case: FinalMoveCase) -> tuple[float, str]:
        """Return value and move that end a search on the case's tree. Raises NotAsked."""
        answer = call_final_choice(self.start({}), case)
        if answer is None:
            raise NotAsked
        return answer.value, str(answer.move)


class SearchRecord:
    """What a search did on an explicit tree: nodes are named by their path."""

    def __init__(self, server: GameServer, value: float, move: str, printed: str) -> None:
        self.server, self.value, self.move, self.printed = server, value, move, printed

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
        numbers = [n for n in self.server.call_args if self.key(n) == node]
        noted = self.server.call_args[numbers[0]] if len(numbers) == 1 else {}
        if not set(names) <= set(noted):
            raise NotAsked
        return [noted[name] for name in names]
