"""The table at which one plays against an engine: whose turn it is, what the engine thinks. And the
desk at which one position is studied."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Sequence
from typing import Any

from lab.engines import ENGINES, OWN, Settings, Task, Thought, estimates, sit, think
from lab.jobs import Job, Page
from starter.games import Game, Move, State, TicTacToe
from starter.players import chance_player

HUMAN = "another human"


class Table:
    """One game in progress. The engine thinks in the background and can be stopped. Chance moves by
    itself; what is taken back and played again comes out as before.

    changed: called, from any thread, when the position or the engine's work has changed
    told:    called, from any thread, when there is news of its progress
    """

    def __init__(
        self,
        page: Page,
        changed: Callable[[], None] = lambda: None,
        told: Callable[[], None] = lambda: None,
    ) -> None:
        self.game: Game = TicTacToe()
        self.positions: list[State] = [self.game.initial]
        self.moves: list[Move] = []
        self.human = "X"
        self.engine = "random"
        self.settings = Settings()
        self.hints = True
        self.thought: Thought | None = None  # of the search for the engine's last move
        self.estimates: dict[Move, float] = {}  # of the human's moves
        self.progress = ""
        self.problem = ""  # why the engine can't go on
        self.paused = False
        self._page, self._changed, self._told = page, changed, told
        self._job: Job | None = None
        self._seat: Job | None = None  # of the student's own player, until a move is taken back
        self._since: list[tuple[Any, ...]] = []  # what it is to be told with the next question
        self._asked = False  # is it thinking?
        self.seeds = random.Random()  # of games
        self._seed = 0  # of this one
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
        return self._asked or (self._job is not None and self._job.running)

    def start(self, game: Game, human: str, played: Sequence[int] = ()) -> None:
        """Begin a game, in which the human plays `human`, "X" or "O".

        played: what has been played already: of each move its place among the legal ones. Raises
                ValueError when there is no such move; the game then has only begun
        """
        with self.lock:
            self.game, self.human, self._seed = game, human, self.seeds.getrandbits(32)
            self._leave()
            self.positions, self.moves, self.thought = [game.initial], [], None
            states, moves = [game.initial], []
            for number in played:
                legal = game.actions(states[-1])
                if number >= len(legal):
                    raise ValueError(f"there is no such move as number {number} here")
                moves.append(legal[number])
                states.append(game.result(states[-1], legal[number]))
            self.positions, self.moves = states, moves
            self._go_on()

    @property
    def played(self) -> list[int]:
        """The moves so far, as `start` takes them."""
        legal = map(self.game.actions, self.positions)
        return [moves.index(move) for moves, move in zip(legal, self.moves)]

    def configure(self, engine: str, settings: Settings, hints: bool) -> None:
        """Change the opponent, from the next move on."""
        with self.lock:
            if engine != self.engine:
                self._leave()
            self.engine, self.settings, self.hints = engine, settings, hints
            self._go_on()

    def play(self, name: str) -> None:
        """Make the human's move, by its name; does nothing when that is not possible now."""
        with self.lock:
            named = {str(move): move for move in self.game.actions(self.state)}
            if self.humans_turn and name in named:
                self._put(named[name])
                self._go_on()

    def take_back(self) -> None:
        """Take back the human's last move and what followed."""
        with self.lock:
            humans = "XO" if self.engine == HUMAN else self.human
            mine = [n for n, state in enumerate(self.positions[:-1]) if state.to_move in humans]
            if mine:
                del self.moves[mine[-1] :], self.positions[mine[-1] + 1 :]
                self.thought = None
                self._leave()
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

    def read_again(self) -> None:
        """Go on with the student's files as they are now."""
        with self.lock:
            self._leave()
            self._go_on()

    def _put(self, move: Move) -> None:
        if self.humans_turn:
            self._since.append(("opponent_played", move))
        self.positions.append(self.game.result(self.state, move))
        self.moves.append(move)

    def _halt(self) -> None:
        if self._job:
            self._job.stop()
            self._job = None
        if self._asked:
            self._leave()

    def _go_on(self) -> None:
        """Let chance do what is next, then the engine: its move, or estimates of the human's."""
        self._halt()
        self.estimates, self.progress, self.problem, self.paused = {}, "", "", False
        while self.state.to_move == "chance":
            self._put(chance_player(self._seed + len(self.moves))(self.game, self.state))
        if self.engine == OWN and not self.over and not self.humans_turn:
            self._ask_own()
        elif not self.over and (self._rates if self.humans_turn else self.engine != HUMAN):
            task = Task(self.engine, self.game, self.state, self.settings)
            work = estimates if self.humans_turn else think
            self._job = self._page.start_job(work, (task,), self._news, self._done)
        self._changed()

    @property
    def _rates(self) -> bool:
        """Does the engine say what the human's moves are worth?"""
        return self.hints and self.engine in ENGINES and bool(ENGINES[self.engine].uses)

    def _news(self, progress: str) -> None:
        self.progress = progress
        self._told()

    def _done(self, job: Job) -> None:
        with self.lock:
            if job is not self._job:
                return  # it was stopped at the last moment
            self._job = None
            self.problem = job.problem
            if job.problem:
                self._changed()
            elif self.humans_turn:
                self.estimates = job.result
                self._changed()
            else:
                self.thought = job.result
                self._put(job.result.move)
                self._go_on()

    # --- the student's own player, which sits here in one process for a whole game ---

    def _ask_own(self) -> None:
        if self._seat is None:
            self._seat = self._page.start_job(sit, (self.game,), self._own_played, self._own_failed)
        self._asked = True
        self._seat.send((self._since, self.state))
        self._since = []

    def _leave(self) -> None:
        if self._seat:
            self._seat.stop()
        self._seat, self._asked = None, False
        self._since = [("seed", self._seed), ("reset",)]

    def _own_played(self, answer: tuple[State, Thought]) -> None:
        with self.lock:
            state, thought = answer
            if self._asked and state == self.state:
                self._asked, self.thought = False, thought
                self._put(thought.move)
                self._go_on()

    def _own_failed(self, job: Job) -> None:
        with self.lock:
            if job is self._seat:
                self._leave()
                self.problem = job.problem
                self._changed()


class Desk:
    """One position, searched by one engine: what it found, and how.

    changed: called, from any thread, when the search has ended or there is news of it
    """

    def __init__(self, page: Page, changed: Callable[[], None] = lambda: None) -> None:
        self.task: Task | None = None
        self._asked: Any = None
        self.thought: Thought | None = None
        self.progress = ""
        self.problem = ""
        self._page, self._changed = page, changed
        self._job: Job | None = None
        self.lock = threading.RLock()  # the search's thread brings what it has found

    @property
    def running(self) -> bool:
        return self._job is not None and self._job.running

    @property
    def steps(self) -> list[Any]:
        """Of the search, if it has ended."""
        return self.thought.steps if self.thought else []

    def ask(self, task: Task | None, asked: Any) -> None:
        """Search this, if anything, unless the same was asked before."""
        with self.lock:
            if asked != self._asked:
                self._asked = asked
                self._begin(task)

    def read_again(self) -> None:
        """Search with the student's files as they are now, when next asked."""
        with self.lock:
            self._asked = None

    def search(self) -> None:
        """Stop, and search anew."""
        with self.lock:
            self._begin(self.task)

    def _begin(self, task: Task | None) -> None:
        self._halt()
        self.task, self.thought, self.progress, self.problem = task, None, "", ""
        if task:
            watched = task._replace(watched=True)
            self._job = self._page.start_job(think, (watched,), self._news, self._done)
        self._changed()

    def stop(self) -> None:
        with self.lock:
            if self.running:
                self._halt()
                self.problem = "stopped"
                self._changed()

    def _halt(self) -> None:
        if self._job:
            self._job.stop()
            self._job = None

    def _news(self, progress: str) -> None:
        self.progress = progress
        self._changed()

    def _done(self, job: Job) -> None:
        with self.lock:
            if job is not self._job:
                return  # it was stopped at the last moment
            self.thought, self.problem = job.result, job.problem
            self._changed()
