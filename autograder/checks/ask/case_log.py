"""Log one case: its requests, and what to report of it."""

from dataclasses import dataclass, field
from typing import Any

from autograder.checks.ask.finding import Failed, JudgedMove
from autograder.checks.ask.session import Session
from autograder.checks.ask.student_errors import clean_output
from autograder.diagram import Picture
from autograder.errors import GraderFault
from autograder.serving.game_server import GameServer

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
