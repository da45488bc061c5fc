"""Send requests to a submission's worker; return checked, plain answers.

The checks of graded tests use this class. An error on the student's side (a function not written,
an exception, a wrong kind of answer, no answer at all) becomes a finding, raised as `Failed`; an
error of the grader becomes `GraderFault`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import nan
from typing import Any

from autograder.checks.ask.case_log import CaseLog
from autograder.checks.ask.finding import Failed, count_hint, make_failure
from autograder.checks.ask.plain_answers import (
    Answer,
    Search,
    draw_position,
    expect_number,
    expect_pair,
)
from autograder.checks.ask.student_errors import (
    Draw,
    Request,
    clean_output,
    read_answers,
    report_no_answer,
    report_too_slow,
)
from autograder.errors import GradingOver, OutOfTime, WorkerGone
from autograder.serving.case import Case
from autograder.serving.case_files import Cases
from autograder.serving.cases import SearchCase
from autograder.serving.game_server import GameServer
from autograder.submission import Submission, report_missing
from autograder.worker.clock import Countdown
from autograder.worker.inside.protocol import GAME, PHASES, STATE, make_game, make_state
from autograder.worker.process import Worker
from autograder.worker.sandbox import Sandbox

# A function hung if one call of it ran for this share of a test's limit, and was stopped there.
HUNG = 0.5
JUDGING_S = 20.0  # of the grader, to judge all cases of a test; right ones need half a second


class Student:
    """One submission, as graded tests use it."""

    def __init__(
        self,
        submission: Submission,
        sandbox: Sandbox,
        cases: Cases = Cases(),
        watch: bool = False,
        test: str = "",
    ) -> None:
        """Prepare for tests with these `cases`; with `watch`, record calls of searches.

        test: the number of the graded test
        """
        self.submission, self.test = submission, test
        self.sandbox = sandbox
        self.cases, self.watch = cases, watch
        self.worker: Worker | None = None
        self.log = CaseLog()  # of this case
        self.limit = 0.0  # seconds that this test may take
        self.asked_for = ""  # the function of the last request
        self.judging = Countdown(JUDGING_S, self.report_too_much)
        self.remaining = 0.0  # seconds that the case has left

    # --- the worker's life ------------------------------------------------------------------------

    def begin(self, seconds: float) -> None:
        """Start a case; limit its requests to these seconds of the worker's clock."""
        self.log = CaseLog()
        self.remaining = seconds
        self.limit = self.limit or seconds

    def end(self) -> None:
        """End this test's worker."""
        with self.judging.paused():
            if self.worker is not None:
                worker, self.worker = self.worker, None
                worker.close()

    def restart(self) -> None:
        """End the worker; in the next one sets have another order."""
        self.end()
        with self.judging.paused():
            self.sandbox.end_parent()

    def finish(self) -> None:
        """End this test: its worker, and the records of its searches, which may be large."""
        self.end()
        self.log = CaseLog()

    def ask(
        self,
        function: str,
        question: dict[str, Any],
        server: GameServer | None = None,
        called: str = "",
        draw: Draw | None = None,
        seconds: float | None = None,
    ) -> list[Any]:
        """Ask about `file.function`; return one answer per call.

        called:  what messages call the function, if that is not its name
        draw:    draws what the call with that index is about
        seconds: give it this time, whatever the case has left, and whatever hung before

        The first request of a test starts its worker. Raises Failed when the function is missing,
        raises, is too slow or gives no answer, GraderFault when no worker can be started,
        GradingOver when the time for the whole grading is up.
        """
        try:
            file, name = function.split(".")
            self.expect_file(file)
            draw = draw or (lambda index: draw_position(question, index, server))
            single = len(question["calls"]) == 1
            asked = Request(file, called or name, server, draw, single, seconds)
            self.asked_for = asked.name
            with self.judging.paused():
                reply = self.exchange(asked, {"file": file, "function": name, **question})
            answers = read_answers(reply, asked)
        except Failed as failed:
            self.log.failure = self.log.failure or failed
            raise
        self.log.answered += 1
        return answers

    def exchange(self, asked: Request, question: dict[str, Any]) -> dict[str, Any]:
        """Let the worker reply. Raises as `ask` does.

        A worker that does not reply may be in the middle of its answer, so it is ended; the next
        request starts another.
        """
        needed = find_needed(question)
        self.expect_end(asked, needed)
        worker = self.worker = self.worker or self.sandbox.start()
        self.remaining = self.remaining if asked.seconds is None else asked.seconds
        server = asked.server
        if server is not None:
            server.record_budget = self.log.record_budget
        worker.left = self.remaining
        try:
            reply = worker.ask(question, server)
        except (WorkerGone, GradingOver) as gone:
            self.end()
            if isinstance(gone, OutOfTime):
                self.note_hung(asked, needed, worker)
                raise report_too_slow(asked, self.limit, worker.location, worker.longest) from None
            if isinstance(gone, WorkerGone):
                raise report_no_answer(asked, gone, worker.location) from None
            raise
        finally:
            self.remaining = worker.left
            self.log.printed = clean_output(worker.printed)
        if server is not None:
            self.log.record_budget -= server.bytes
            server.record_calls(reply.get("traced", []))
        return reply

    def report_too_much(self) -> Failed:
        """Return the finding for a record whose judging takes too long."""
        facts = {"function": self.asked_for, "seconds": JUDGING_S}
        return make_failure("too-much-to-judge", facts, stop=True, reproducible=False)

    def expect_end(self, asked: Request, needed: set[str]) -> None:
        """Raise Failed if what the request needs did not end in an earlier test."""
        for names, facts in self.sandbox.hung.items():
            if names <= needed and facts["test"] != self.test and asked.seconds is None:
                raise make_failure("not-judged", facts, stop=True)

    def note_hung(self, asked: Request, needed: set[str], worker: Worker) -> None:
        """Note for later tests what has hung, if one call took most of the test's time."""
        if asked.seconds is None and worker.call_s >= HUNG * min(self.limit, worker.longest):
            place = worker.location or {}
            inside = place.get("function", "")
            name = f"{asked.file}.py" if inside == "<module>" else f"{asked.file}.{inside}"
            if name in needed:  # the others that it needs may be sound
                names, said = {name}, name if inside == "<module>" else inside
            else:
                names, said = needed, asked.name
            self.sandbox.hung.setdefault(frozenset(names), {"function": said, "test": self.test})

    def expect_file(self, file: str) -> None:
        """Raise Failed if a question file is missing, or Python can't read it."""
        problem = self.submission.problems.get(f"{file}.py")
        if self.submission.leaves_out(file):
            problem = report_missing(f"{file}.py")
        if problem and f"{file}.py" in self.submission.files:
            facts = {"problem": problem}
            raise make_failure("not-loaded/not-python", facts, stop=True, reproducible=False)
        if problem:
            raise make_failure("no-file", {"problem": problem}, stop=True)

    def freeze(self) -> None:
        """Stop the student's process until `thaw`, if the system can: the opponent is to move."""
        if self.worker is not None:
            self.worker.signal("SIGSTOP")

    def thaw(self) -> None:
        if self.worker is not None:
            self.worker.signal("SIGCONT")

    # --- questions --------------------------------------------------------------------------------

    def find(self, function: str) -> None:
        """Load the file and look for the function. Raises Failed if either fails."""
        self.ask(function, {"do": "find", "game": ["TicTacToe"], "calls": [{}]})

    def serve(self, function: str, case: Case, *args: Any, **options: Any) -> Search:
        """Let `function(game, state, *args)` search the case's game on a served game.

        Raises Failed for an invalid answer, unless the case calls a function below the search.
        """
        answer, server = self.call_served(function, case, "pair", *args, **options)
        self.log.trace += [answer, server]  # an invalid answer is an observation, too
        search = case if isinstance(case, SearchCase) else None
        try:
            checked = expect_pair(function, answer, server.game, server.root, server.max_player)
        except Failed as failed:
            if search is None or not search.function:
                raise
            return Search(nan, None, None, server, failed.finding)
        return Search(checked.value, checked.move, checked.index, server)

    def call_served(
        self, function: str, case: Case, kind: str, *args: Any, **options: Any
    ) -> tuple[Any, GameServer]:
        """Call `function(game, state, *args)` on the case's served game.

        kind: the form of the answer, "pair" or "number", which is not checked
        """
        calls = [{"args": [GAME, STATE, *args], "options": options}]
        (answer,), server = self.calls_served(function, case, kind, calls)
        return answer, server

    def calls_served(
        self, function: str, case: Case, kind: str, calls: list[dict[str, Any]]
    ) -> tuple[list[Any], GameServer]:
        """Make several calls on one served game; see `call_served`."""
        self.log.server = server = case.make_server()
        question = {
            "do": "call",
            "answer": kind,
            "game": ["served", server.start_reply()],
            "calls": calls,
            "watch": self.watch,
        }
        return self.ask(function, question, server), server

    def search(
        self,
        function: str,
        game: Sequence[Any],
        states: Iterable[Any],
        *args: Any,
        **options: Any,
    ) -> list[Answer]:
        """Let `function(game, state, *args)` search each state of a local game."""
        arguments = {"args": [GAME, STATE, *args], "options": options}
        calls = [{"state": state, **arguments} for state in states]
        question = {"do": "call", "answer": "pair", "game": game, "calls": calls}
        answers = self.ask(function, question)
        here = make_game(game)
        checked: list[Answer] = []
        for i, (answer, call) in enumerate(zip(answers, calls)):
            try:
                checked.append(expect_pair(function, answer, here, make_state(here, call["state"])))
            except Failed as failed:
                raise Failed(replace(failed.finding, call=i)) from None
        return checked

    def numbers(
        self, function: str, game: Sequence[Any], arguments: Iterable[tuple[Any, ...]]
    ) -> list[float]:
        """Return the number `function(state, *args)` for each element of `arguments`."""
        calls = [{"state": state, "args": args} for state, *args in arguments]
        question = {"do": "call", "answer": "number", "game": game, "calls": calls}
        checked: list[float] = []
        answers = self.ask(function, question)
        for i, answer in enumerate(answers):
            try:
                checked.append(expect_number(function, answer))
            except Failed as failed:
                odd = sum(not isinstance(it, int | float) for it in answers)
                finding = failed.finding.with_hints(count_hint(odd, len(answers)))
                drawn = tuple(draw_position(question, i, None))
                raise Failed(replace(finding, diagrams=drawn)) from None
        return checked


def find_needed(question: dict[str, Any]) -> set[str]:
    """Return the names of the file and the functions without which a request has no answer."""
    functions = {question["function"]}
    options = [option for call in question["calls"] for option in call.get("options", {}).values()]
    if {"h": "own"} in options:
        functions.add("connect_four_heuristic")
    if question["do"] == "grow":
        functions.update(PHASES)
    return {f"{question['file']}.py", *(f"{question['file']}.{name}" for name in functions)}
