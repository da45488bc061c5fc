"""The table at which one plays against an engine: whose turn it is, what the engine thinks."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping

from lab import engines, student
from lab.engines import Settings, Thought
from lab.jobs import Job
from starter.games import Game, Move, State, TicTacToe

HUMAN = "another human"


class Table:
    """One game in progress. The engine thinks in the background and can be stopped.

    changed: called, from any thread, when the position or the engine's work has changed
    told:    called, from any thread, when there is news of its progress, a few times a second
    thread:  the class of the thread
    """

    def __init__(
        self,
        changed: Callable[[], None] = lambda: None,
        told: Callable[[], None] = lambda: None,
        thread: Callable[..., threading.Thread] = threading.Thread,
    ) -> None:
        self.game: Game = TicTacToe()
        self.positions: list[State] = [self.game.initial]
        self.moves: list[Move] = []
        self.human = "X"
        self.engine = "random"
        self.settings = Settings()
        self.hints = True
        self.thought: Thought | None = None  # of the search for the engine's last move
        self.estimates: Mapping[Move, float] = {}  # of the human's moves
        self.progress = ""
        self.problem = ""  # why the engine can't go on
        self.paused = False
        self._changed = changed
        self._told = told
        self._thread = thread
        self._job: Job | None = None
        self.lock = threading.RLock()  # the page and the engine's thread both make moves

    @property
    def state(self) -> State:
        return self.positions[-1]

    @property
    def over(self) -> bool:
        return self.game.is_terminal(self.state)

    @property
    def humans_turn(self) -> bool:
        return not self.over and (self.engine == HUMAN or self.state.to_move == self.human)

    @property
    def thinking(self) -> bool:
        """Is the engine busy with its own move?"""
        return self.busy and not self.humans_turn

    @property
    def estimating(self) -> bool:
        """Is the engine busy with the human's moves?"""
        return self.busy and self.humans_turn

    @property
    def busy(self) -> bool:
        """Is the engine at work?"""
        return self._job is not None and self._job.running

    def start(self, game: Game, human: str) -> None:
        """Begin a new game, in which the human plays `human`, "X" or "O"."""
        with self.lock:
            self.game, self.human = game, human
            self.positions, self.moves, self.thought = [game.initial], [], None
            self._go_on()

    def configure(self, engine: str, settings: Settings, hints: bool) -> None:
        """Change the opponent, from the next move on."""
        with self.lock:
            self.engine, self.settings, self.hints = engine, settings, hints
            self._go_on()

    def play(self, move: Move) -> None:
        """Make the human's move; does nothing when that is not possible now."""
        with self.lock:
            if self.humans_turn and move in self.game.actions(self.state):
                self._put(move)
                self._go_on()

    def take_back(self) -> None:
        """Take back the human's last move and what followed."""
        with self.lock:
            mine = [
                number
                for number, state in enumerate(self.positions[:-1])
                if self.engine == HUMAN or state.to_move == self.human
            ]
            if mine:
                del self.moves[mine[-1] :], self.positions[mine[-1] + 1 :]
                self.thought = None
                self._go_on()

    def stop(self) -> None:
        """Stop thinking. The engine waits until `resume`."""
        with self.lock:
            self._halt()
            self.paused = True
            self._changed()

    def resume(self) -> None:
        with self.lock:
            self._go_on()

    def _put(self, move: Move) -> None:
        self.positions.append(self.game.result(self.state, move))
        self.moves.append(move)

    def _halt(self) -> None:
        if self._job:
            self._job.stop()
            self._job = None

    def _go_on(self) -> None:
        """Let the engine do what is next: its move, or estimates of the human's moves."""
        self._halt()
        self.estimates, self.progress, self.problem, self.paused = {}, "", "", False
        if not self.over and self.engine != HUMAN and (not self.humans_turn or self.hints):
            work = self._estimate if self.humans_turn else self._think
            self._job = Job(work, self._done, self._thread)
            self._job.start()
        self._changed()

    def _think(self) -> tuple[bool, Thought]:
        code = engines.usable(self.engine)
        return True, engines.think(
            self.engine, code, self.game, self.state, self.settings, self._teller()
        )

    def _estimate(self) -> tuple[bool, Mapping[Move, float]]:
        code = engines.usable(self.engine)
        return False, engines.estimates(
            self.engine, code, self.game, self.state, self.settings, self._teller()
        )

    def _teller(self) -> Callable[[str], None]:
        told = time.monotonic()

        def tell(progress: str) -> None:
            nonlocal told
            if time.monotonic() > told + 0.4:
                told = time.monotonic()
                self.progress = progress
                self._told()

        return tell

    def _done(self, job: Job) -> None:
        with self.lock:
            if job is not self._job:
                return  # it was stopped at the last moment
            self._job = None
            if job.problem:
                self.problem = student.explain(job.problem)
                self._changed()
                return
            moved, found = job.result
            if moved:
                self.thought = found
                self._put(found.move)
                self._go_on()
            else:
                self.estimates = found
                self._changed()
