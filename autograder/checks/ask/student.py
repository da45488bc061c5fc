"""Send requests to a submission's worker; return checked, plain answers.

The checks of graded tests use this class. An error on the student's side (a function not written,
an exception, a wrong kind of answer, no answer at all) becomes a finding, raised as `Failed`; an
error of the grader becomes `GraderFault`.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from math import nan
from typing import Any

from autograder.checks.ask.finding import Failed, JudgedMove, count_hint, make_failure
from autograder.checks.ask.plain_answers import (
    Answer,
    Search,
    draw_position,
    expect_number,
    expect_pair,
)
from autograder.checks.ask.session import JUDGING_S, Ask, Launcher, Session
from autograder.checks.ask.student_errors import clean_output, read_answers
from autograder.checks.ask.values import format_distinct, same
from autograder.diagram import Picture, describe_position
from autograder.errors import GraderFault
from autograder.serving.case import Case
from autograder.serving.case_files import Cases
from autograder.serving.cases import SearchCase
from autograder.serving.game_server import GameServer
from autograder.submission import Submission, report_missing
from autograder.worker.inside.protocol import GAME, STATE, make_game, make_state

MOST_TRACED = 20_000  # requests of one case that are compared with a known mistake's


@dataclass
class CaseLog:
    """What is known of one case.

    session:  has the replies to its requests
    trace:    the observations, for the diagnosis
    server:   the game of the last search
    failure:  the finding of the first request that got no whole answer
    notes:    shown when the test passes
    sample_games: shown when a match is lost
    moves:    of the student's player, in solved positions
    """

    session: Session
    trace: list[Any] = field(default_factory=list)
    server: GameServer | None = None
    failure: Failed | None = None
    notes: list[str] = field(default_factory=list)
    sample_games: list[Picture] = field(default_factory=list)
    moves: list[JudgedMove] = field(default_factory=list)

    @property
    def printed(self) -> str:
        """What student code has printed in the last request, in printable form."""
        return clean_output(self.session.replies[-1].printed) if self.session.replies else ""

    def summary(self) -> list[Any]:
        """Return the observations as plain data, [] if they are too long."""
        servers = [part for part in self.trace if isinstance(part, GameServer)]
        if sum(len(part.events) for part in servers) > MOST_TRACED:
            return []
        return [part.summary() if isinstance(part, GameServer) else part for part in self.trace]

    def forget_searches(self) -> None:
        """Forget the searches so far, whose records may be large."""
        self.trace.clear()
        self.server = None

    def expect_answers(self) -> None:
        """Check that a passed case got answers to all of its requests, and at least one.

        Raises Failed for a request without an answer, GraderFault if nothing was asked.
        """
        if self.failure is not None:
            raise self.failure
        if not self.session.replies:
            raise GraderFault("a case was passed without a request")


class Student:
    """One submission, as graded tests use it."""

    def __init__(
        self,
        submission: Submission,
        launcher: Launcher,
        cases: Cases = Cases(),
        watch: bool = False,
        test: str = "",
    ) -> None:
        """Prepare for tests with these `cases`; with `watch`, record calls of searches.

        launcher: starts what runs the submission
        test: the number of the graded test
        """
        self.submission = submission
        self.sandbox: Any = launcher  # with more than a session needs
        self.cases, self.watch = cases, watch
        self.session = Session(launcher, test, self.report_too_much)
        self.asked_for = ""  # the function of the last request
        self.log = CaseLog(self.session)  # of this case
        # Returns the failing tests that this test needs, which may have to run for it.
        self.find_failing_needs: Callable[[], list[str]] = list

    def begin(self, seconds: float) -> None:
        """Begin a case; limit its requests to these seconds of the student's clock."""
        self.session.begin(seconds)
        self.log = CaseLog(self.session)

    def end(self) -> None:
        """End student code; the next request starts it again."""
        self.session.end()

    def finish(self) -> None:
        """End this test: student code, and the records of its searches, which may be large."""
        self.session.end()
        self.log = CaseLog(self.session)

    def ask(
        self,
        function: str,
        request: dict[str, Any],
        server: GameServer | None = None,
        called: str = "",
        draw: Callable[[int], list[Picture]] | None = None,
        seconds: float | None = None,
    ) -> list[Any]:
        """Ask about `file.function`; return one answer per call.

        called:  what messages call the function, if that is not its name
        draw:    draws what the call with that index is about
        seconds: give it this time, whatever the case has left, and whatever hung before

        Raises Failed for a reply that does not answer all calls, or if there can be none,
        GraderFault when student code can't be started, GradingOver when the time for the whole
        grading is up.
        """
        file, name = function.split(".")
        draw = draw or (lambda index: draw_position(request, index, server))
        request = {"file": file, "function": name, **request}
        asked = Ask(called or name, request, server, draw, seconds)
        self.asked_for = asked.name
        try:
            self.expect_file(file)
            # An explanation repeats a case that has ended once.
            if not self.watch and (hung := self.session.find_hung(asked)):
                raise make_failure("not-judged", hung, stop=True)
            reply = self.session.ask(asked)
            return read_answers(reply, asked, self.session.limit)
        except Failed as failed:
            self.log.failure = self.log.failure or failed
            raise

    def report_too_much(self) -> Failed:
        """Return the finding for a record whose judging takes too long."""
        facts = {"function": self.asked_for, "seconds": JUDGING_S}
        return make_failure("too-much-to-judge", facts, stop=True, reproducible=False)

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

    def find(self, function: str) -> None:
        """Load the file and look for the function. Raises Failed if either fails."""
        self.ask(function, {"do": "find", "game": ["TicTacToe"], "calls": [{}]})

    def serve(self, function: str, case: Case, *args: Any, **options: Any) -> Search:
        """Let `function(game, state, *args)` search the case's game on a served game.

        Raises Failed for an invalid answer, unless the case calls a function below the search.
        """
        call = {"args": [GAME, STATE, *args], "options": options}
        (answer,), server = self.call_served(function, case, "pair", [call])
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
        self, function: str, case: Case, kind: str, calls: list[dict[str, Any]]
    ) -> tuple[list[Any], GameServer]:
        """Make calls of `function` on the case's served game.

        kind: the form of the answers, "pair" or "number", which is not checked
        """
        self.log.server = server = case.make_server()
        request = {
            "do": "call",
            "answer": kind,
            "game": ["served", server.start_reply()],
            "calls": calls,
            "watch": self.watch,
        }
        return self.ask(function, request, server), server

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
        request = {"do": "call", "answer": "pair", "game": game, "calls": calls}
        answers = self.ask(function, request)
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
        request = {"do": "call", "answer": "number", "game": game, "calls": calls}
        checked: list[float] = []
        answers = self.ask(function, request)
        for i, answer in enumerate(answers):
            try:
                checked.append(expect_number(function, answer))
            except Failed as failed:
                odd = sum(not isinstance(it, int | float) for it in answers)
                finding = failed.finding.with_hints(count_hint(odd, len(answers)))
                drawn = tuple(draw_position(request, i, None))
                raise Failed(replace(finding, diagrams=drawn)) from None
        return checked


def expect_independent_searches(
    student: Student,
    search_before: Callable[[], object],
    search: Callable[[], list[Answer]],
    cases: Sequence[Case],
    right: Callable[[int, Answer], bool] | None = None,
) -> None:
    """Check that a search answers as in a new process after earlier searches.

    search_before: searches equal states that have other values
    cases: the positions to search then
    right: whether the answer with that index is known to be right; only other answers need a new
           process

    A difference that does not repeat is due to randomness, which other tests judge.
    """

    def search_after() -> list[Answer]:
        search_before()
        return search()

    def in_new_process(ask: Callable[[], list[Answer]]) -> list[Answer]:
        student.end()  # the next request starts a new process
        return ask()

    def differ(i: int, one: Answer, other: Answer) -> bool:
        return right(i, other) and not right(i, one) if right else not same(one.value, other.value)

    after = search_after()
    if right and all(right(i, answer) for i, answer in enumerate(after)):
        return
    alone = in_new_process(search)
    different = [i for i, pair in enumerate(zip(after, alone)) if differ(i, *pair)]
    again = [in_new_process(ask) for ask in (search_after, search)] if different else []
    for i in different:
        pairs = [(found[i], new[i]) for found, new in zip((after, alone), again)]
        if all(same(one.value, two.value) and one.index == two.index for one, two in pairs):
            value, value_after = format_distinct(alone[i].value, after[i].value)
            raise make_failure(
                "earlier-search",
                {
                    "value": value,
                    "move": alone[i].move,
                    "value_after": value_after,
                    "move_after": after[i].move,
                },
                diagrams=[describe_position(cases[i].make_game(), cases[i].make_state())],
                call=i,
            )
