"""Proxies of served games: every answer comes from the grader."""

import itertools
from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple

from autograder.worker.inside.channel import Channel
from starter.games import Game

GAME_NUMBERS = itertools.count()  # of games
SERVED: dict[int, Callable[[int, int], "ServedState"]] = {}  # makes a state of the latest game


class Facts(NamedTuple):
    """What is known of a served state without another request."""

    to_move: str
    terminal: bool
    moves: tuple[Any, ...]
    chances: tuple[Any, ...]
    game: int


class ServedState:
    """The state at a node of a served game, with the documented attributes only.

    It can't be changed. `key`, `rows`, `board()` and `str` are fetched from the grader on demand.
    """

    __slots__ = ("channel", "facts", "number", "state_id")
    channel: Channel
    facts: Facts  # one object for equal states of a game
    number: int
    state_id: int

    def __init__(self, channel: Channel, number: int, state_id: int, facts: Facts) -> None:
        set_value = object.__setattr__
        set_value(self, "channel", channel)
        set_value(self, "number", number)
        set_value(self, "state_id", state_id)
        set_value(self, "facts", facts)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(
            f"can't set {name!r}: a state does not change; game.result(state, move) returns another"
        )

    @property
    def to_move(self) -> str:
        return self.facts.to_move

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ServedState) and self.facts is other.facts

    def __hash__(self) -> int:
        return hash(self.state_id)

    def __str__(self) -> str:
        seen = self.channel.request(f'["look", {self.number}]')
        # Different states have different texts, also in different trees: some students cache values
        # by text.
        return seen["text"] or f"{seen['key'] or 'root'} of tree {self.facts.game}"

    __repr__ = __str__

    def __reduce__(self) -> tuple[Any, ...]:
        return restore_state, (self.facts.game, self.number, self.state_id)

    def __getattr__(self, name: str) -> Any:
        why = (
            "every state has to_move, key and str, on a board rows and board() too, and the game "
            "tells the rest"
        )
        if name == "rows":  # the property found none
            why = "this game has no board"
        raise AttributeError(f"a state has no {name!r} here: {why}")

    @property
    def key(self) -> str:
        return str(self.channel.request(f'["look", {self.number}]')["key"])

    @property
    def rows(self) -> tuple[str, ...]:
        rows = self.channel.request(f'["look", {self.number}]')["rows"]
        if rows is None:
            raise AttributeError  # `__getattr__` then raises with the reason
        return tuple(rows)

    def board(self) -> Any:
        """Return the board as a NumPy array: +1 for X, -1 for O, 0 for an empty square."""
        import numpy

        value = {"X": 1, "O": -1, ".": 0}
        return numpy.array([[value[square] for square in row] for row in self.rows])


def restore_state(game: int, number: int, state_id: int) -> ServedState:
    """Restore a state that was copied or pickled."""
    return SERVED[game](number, state_id)


def expect_state(state: Any, call: str) -> None:
    """Check that it is a state. Raises TypeError with a hint, e.g. for a move."""
    if not isinstance(state, ServedState):
        hint = "game.result(state, move) makes the state after a move"
        if type(state) is str and state in ("X", "O"):
            hint = "that is a player: the state comes first"
        error = TypeError(f"game.{call} was given {state!r}, which is no state; {hint}")
        error.given = state  # type: ignore[attr-defined]
        raise error


def make_served_game(channel: Channel, start: list[Any]) -> tuple[Any, ServedState]:
    """Return the proxy of a served game, and the state to start from."""
    name = next(GAME_NUMBERS)
    known: dict[int, Facts] = {}  # the facts of each served state
    after: dict[tuple[int, int], int] = {}  # the state after each state and index of a move
    utilities: dict[tuple[int, str], Any] = {}  # by state and player
    last = 0  # the number of the last node

    def make_state(number: int, state_id: int, *facts: Any) -> ServedState:
        nonlocal last
        last = max(last, number)
        if facts:
            to_move, terminal, moves, *more = facts
            moves = tuple([tuple(move) if type(move) is list else move for move in moves])
            if terminal:
                utilities.update(zip([(state_id, "X"), (state_id, "O")], more))
                more = []
            odds = tuple(Fraction(odd) if isinstance(odd, str) else odd for odd in more)
            known[state_id] = Facts(to_move, terminal, moves, odds, name)
        return ServedState(channel, number, state_id, known[state_id])

    class ServedGame(Game):
        @property
        def initial(self) -> ServedState:
            return make_state(*channel.request('["initial", 0]'))

        def actions(self, state: Any) -> tuple[Any, ...]:
            expect_state(state, "actions(state)")
            moves: tuple[Any, ...] = state.facts.moves
            return moves

        def outcomes(self, state: Any) -> tuple[tuple[Any, Any], ...]:
            expect_state(state, "outcomes(state)")
            return tuple(zip(state.facts.chances, state.facts.moves))

        def result(self, state: Any, move: Any) -> ServedState:
            expect_state(state, "result(state, move)")
            if isinstance(move, ServedState):
                raise TypeError("game.result(state, move) was given a state in place of the move")
            try:
                index = state.facts.moves.index(move)
            except ValueError:
                legal = state.facts.moves
                reason = f"is not a legal move here: {legal}"
                if not legal:
                    reason = "cannot be played: the game is over in that state"
                raise ValueError(f"{move!r} {reason}") from None
            request = f'["result", {state.number}, {index}]'
            if (state.state_id, index) in after:
                channel.note(request)
                return make_state(last + 1, after[state.state_id, index])
            child = make_state(*channel.request(request))
            after[state.state_id, index] = child.state_id
            return child

        def is_terminal(self, state: Any) -> bool:
            expect_state(state, "is_terminal(state)")
            return bool(state.facts.terminal)

        def utility(self, state: Any, player: str) -> Any:
            expect_state(state, "utility(state, player)")
            if player not in ("X", "O"):
                raise ValueError(f'a player is "X" or "O", not {player!r}')
            side = "X" if player == "X" else "O"  # equal states may be drawn differently
            request = f'["utility", {state.number}, "{side}"]'
            if (state.state_id, side) in utilities:
                channel.note(request)
            else:
                utilities[state.state_id, side] = channel.request(request)
            return utilities[state.state_id, side]

        def __repr__(self) -> str:
            return f"ServedGame({name})"

    SERVED.clear()  # a game needs much memory
    SERVED[name] = make_state
    return ServedGame(), make_state(*start)
