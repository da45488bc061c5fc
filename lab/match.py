"""A game between a student and one of the engines, and the work that the engine does for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from lab.engines import ENGINES, SearchResult, Settings, Task, estimates, search
from lab.jobs import Job, Session
from starter.games import Game, Move, State
from starter.players import chance_player

HUMAN = "another human"


@dataclass(frozen=True)
class Match:
    """A game so far. Chance moves by itself, as the seed has it.

    human: the side that the student plays
    last:  what the engine found when it chose its last move
    """

    game: Game
    human: str = "X"
    seed: int = 0
    moves: tuple[Move, ...] = ()
    last: SearchResult | None = None

    @cached_property
    def positions(self) -> tuple[State, ...]:
        """The states from the first to the present one."""
        states = [self.game.initial]
        for move in self.moves:
            states.append(self.game.result(states[-1], move))
        return tuple(states)

    @property
    def state(self) -> State:
        return self.positions[-1]

    @property
    def over(self) -> bool:
        return self.game.is_terminal(self.state)

    def is_human_to_move(self, opponent: str) -> bool:
        return not self.over and (opponent == HUMAN or self.state.to_move == self.human)

    def play(self, move: Move, result: SearchResult | None = None) -> Match:
        """Return the match after a move, and after what chance does next."""
        match = replace(self, moves=(*self.moves, move), last=result or self.last)
        return match.let_chance_move()

    def let_chance_move(self) -> Match:
        match = self
        while match.state.to_move == "chance":
            move = chance_player(self.seed + len(match.moves))(match.game, match.state)
            match = replace(match, moves=(*match.moves, move))
        return match

    def play_named(self, name: str, opponent: str) -> Match:
        """Return the match after the human's move of that name; the same if it is not possible."""
        legal = {str(move): move for move in self.game.actions(self.state)}
        return self.play(legal[name]) if self.is_human_to_move(opponent) and name in legal else self

    def take_back(self, opponent: str) -> Match:
        """Return the match before the human's last move."""
        sides = "XO" if opponent == HUMAN else self.human
        mine = [i for i, state in enumerate(self.positions[:-1]) if state.to_move in sides]
        return replace(self, moves=self.moves[: mine[-1]], last=None) if mine else self

    @property
    def numbers(self) -> list[int]:
        """Of each move its place among the legal ones."""
        legal = map(self.game.actions, self.positions)
        return [moves.index(move) for moves, move in zip(legal, self.moves)]

    def after(self, numbers: Sequence[int]) -> Match:
        """Return the match after the moves with these numbers, up to one that is not legal."""
        match = self
        for number in numbers:
            legal = match.game.actions(match.state)
            if number >= len(legal):
                break
            match = replace(match, moves=(*match.moves, legal[number]))
        return match.let_chance_move()


def start_work(
    session: Session, match: Match, opponent: str, settings: Settings, hints: bool
) -> Job | None:
    """Let the engine choose its move, or rate the human's moves; None if it has nothing to do."""
    session.stop()
    if match.over or opponent not in ENGINES:
        return None
    task = Task(opponent, match.game, match.state, settings)
    if match.is_human_to_move(opponent):
        return session.run(estimates, task) if hints and ENGINES[opponent].uses else None
    return session.run(search, task)
