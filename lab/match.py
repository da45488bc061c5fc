"""Play a game between a student and an engine, and say how it stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from html import escape
from typing import Any

from autograder.diagram import format_value
from lab.engines import ENGINES, SearchResult, Task, rate_moves, search
from lab.jobs import Job, Session
from starter.games import Game, Move, State
from starter.players import chance_player


@dataclass(frozen=True)
class Match:
    """A game so far. Chance moves by itself, by random numbers from the seed.

    human:       the side that the student plays
    last_result: what the engine found when it chose its last move
    """

    game: Game
    human: str = "X"
    seed: int = 0
    moves: tuple[Move, ...] = ()
    last_result: SearchResult | None = None

    @cached_property
    def positions(self) -> tuple[State, ...]:
        """Return the states from the first to the present one."""
        states = [self.game.initial]
        for move in self.moves:
            states.append(self.game.result(states[-1], move))
        return tuple(states)

    @property
    def state(self) -> State:
        return self.positions[-1]

    @property
    def is_over(self) -> bool:
        return self.game.is_terminal(self.state)

    @property
    def move_texts(self) -> list[str]:
        """Return the moves so far in words."""
        movers = [state.to_move for state in self.positions[:-1]]
        return list(map(describe_move, movers, self.moves))

    @property
    def is_human_to_move(self) -> bool:
        return not self.is_over and self.state.to_move == self.human

    def play(self, move: Move, result: SearchResult | None = None) -> Match:
        """Return the match after a move and the chance moves that follow it."""
        match = replace(self, moves=(*self.moves, move), last_result=result or self.last_result)
        return match.let_chance_move()

    def let_chance_move(self) -> Match:
        match = self
        while match.state.to_move == "chance":
            move = chance_player(self.seed + len(match.moves))(match.game, match.state)
            match = replace(match, moves=(*match.moves, move))
        return match

    def play_named_moves(self, names: Sequence[str]) -> Match:
        """Return the match after the moves with these names, up to the first illegal one."""
        match = self
        for name in names:
            legal = {str(move): move for move in match.game.actions(match.state)}
            if name not in legal:
                break
            match = replace(match, moves=(*match.moves, legal[name]))
        return match.let_chance_move()

    def play_human_move(self, name: str) -> Match:
        """Return the match after the human's move of that name, if it is legal."""
        return self.play_named_moves([name]) if self.is_human_to_move else self

    def take_back(self) -> Match:
        """Return the match before the human's last move."""
        mine = [i for i, state in enumerate(self.positions[:-1]) if state.to_move == self.human]
        return replace(self, moves=self.moves[: mine[-1]], last_result=None) if mine else self


def start_work(
    session: Session, match: Match, opponent: str, limits: dict[str, Any], hints: bool
) -> Job | None:
    """Let the engine choose its move, or rate the human's moves, if necessary."""
    session.stop()
    if match.is_over:
        return None
    task = Task(opponent, match.game, match.state, **limits)
    if match.is_human_to_move:
        return session.run(rate_moves, task) if hints and ENGINES[opponent].uses else None
    return session.run(search, task)


def describe_move(mover: str, move: Move) -> str:
    if mover == "chance":
        return f"the die shows {move}"
    return f"{mover} plays {' '.join(map(str, move)) if isinstance(move, tuple) else move}"


def describe_match(match: Match, opponent: str, work: Job | None, busy: bool = False) -> str:
    """Say in one line how the game stands. A problem has a separate callout.

    busy: whether the work was running, when the page last looked
    """
    if match.is_over:
        return describe_outcome(match, opponent)
    time = f" … {work.seconds} s" if work and busy else ""
    if match.is_human_to_move:
        turn = f"Your move: you are {match.human}."
        rating = f" Rating your moves{time}" * bool(time)
        return turn if explain_problem(work) else f"{list_recent_moves(match)}{turn}{rating}"
    if time:
        return f"{opponent} is thinking{time}"
    if explain_problem(work):
        return f"{opponent} can't go on."
    return "Stopped. “go on” lets it search again; or choose fewer plies or playouts."


def describe_outcome(match: Match, opponent: str) -> str:
    result = match.game.utility(match.state, match.human)
    return "A draw." if result == 0 else "You win!" if result > 0 else f"{opponent} wins."


def list_recent_moves(match: Match) -> str:
    """List the moves from the human's last one on, in a game with chance."""
    if type(match.game).outcomes is Game.outcomes or not match.moves:
        return ""
    humans = [i for i, s in enumerate(match.positions[:-1]) if s.to_move == match.human]
    return f"{', '.join(match.move_texts[humans[-1] if humans else 0 :])}. "


def describe_result(result: SearchResult, side: str) -> str:
    """Say what a search found for that side, if it has a value, and what it cost."""
    value = [f"value {format_value(result.value)} for {side}"] * bool(result.counts)
    counts = [f"{count:,} {what}" for what, count in result.counts.items()]
    seconds = [f"{result.seconds:.1f} s"] * bool(result.seconds)
    return ", ".join(value + counts + seconds)


def explain_problem(work: Job | None) -> str:
    """Say why the engine has failed and what to do, or "" if it was only stopped."""
    if work is None or work.running or work.problem in ("", "stopped"):
        return ""
    return f"{work.problem}\nMeanwhile, choose another opponent: random, for one."


def explain_opponent(opponent: str) -> str:
    """Explain the figures on the board."""
    if not ENGINES[opponent].uses:
        return ""
    return (
        f"On the board: what {escape(opponent)} thinks each of your moves is worth to you, "
        "from -1 (lost) to +1 (won)."
    )
