"""Players, matches between them, and a game that counts the calls of its methods.

A *player* is anything that can be called as `player(game, state)` and returns a move. Three more
methods are called if the player has them:

    reset()                a new game begins
    opponent_played(move)  the opponent has just made this move
    seed(number)           a match begins: draw all random numbers from this seed

    >>> from starter.games import TicTacToe
    >>> game = TicTacToe()
    >>> print(play_game(game, {"X": random_player(1), "O": random_player(2)}).state)
      0 1 2
    0 O O X
    1 X O .
    2 X X O
    O has won
"""

import random
import re
from collections.abc import Callable, Hashable
from math import sqrt
from typing import Any, NamedTuple

from starter.games import Game, Move, Probability, State, other

Player = Callable[[Game, State], Move]


class IllegalMove(ValueError):
    """A player has made a move that the rules do not allow."""


class _RandomPlayer:
    def __init__(self, seed: int | None) -> None:
        self._rng = random.Random(seed)

    def __call__(self, game: Game, state: State) -> Move:
        return self._rng.choice(game.actions(state))

    def seed(self, number: int) -> None:
        self._rng.seed(number)


def random_player(seed: int | None = None) -> Player:
    """Return a player of uniformly random legal moves.

    The same `seed` gives the same moves.
    """
    return _RandomPlayer(seed)


class _SearchPlayer:
    def __init__(self, algorithm: Callable[..., tuple[Any, Move]], options: dict[str, Any]) -> None:
        self._algorithm = algorithm
        self._options = options

    def __call__(self, game: Game, state: State) -> Move:
        _, move = self._algorithm(game, state, **self._options)
        return move

    def seed(self, number: int) -> None:
        if "rng" in self._options:
            self._options["rng"].seed(number)


class _ChancePlayer(_RandomPlayer):
    def __call__(self, game: Game, state: State) -> Move:
        chances, moves = zip(*game.outcomes(state))
        return self._rng.choices(moves, chances)[0]


def chance_player(seed: int | None = None) -> Player:
    """Return the player of chance nodes: it draws outcomes by their probabilities."""
    return _ChancePlayer(seed)


def search_player(algorithm: Callable[..., tuple[Any, Move]], **options: Any) -> Player:
    """Return a player that plays the move of a search.

    `algorithm(game, state, **options)` returns a pair (value, move). A search that needs random
    numbers takes them from an option `rng`, a `random.Random`, which the player's `seed` sets.
    """
    return _SearchPlayer(algorithm, options)


class Quit(Exception):
    """The player at the keyboard has typed q."""


def human_player(game: Game, state: State) -> Move:
    """Ask at the keyboard until the answer is a legal move; "1 2" means (1, 2).

    Raises Quit when q is entered.
    """

    def words(text: str) -> tuple[str, ...]:
        return tuple(re.findall(r"[^\s,()'\"]+", text))

    moves = {words(str(move)): move for move in game.actions(state)}
    example = " ".join(next(iter(moves)))
    print(state)
    while True:
        answer = words(input(f"{state.to_move} plays (such as {example}): "))
        if answer in moves:
            return moves[answer]
        if answer == ("q",):
            raise Quit
        print("Not a legal move. Choose one of:", ", ".join(" ".join(move) for move in moves))


class GameRecord(NamedTuple):
    """A finished game: all its moves, and its terminal state."""

    moves: tuple[Move, ...]
    state: Any


def play_game(game: Game, players: dict[str, Player]) -> GameRecord:
    """Play one game from `game.initial` to the end.

    `players` has a player for "X" and one for "O": two objects if they remember anything between
    moves. It may have one for "chance"; the default is `chance_player()`. A player with a method
    `choose`, as in question 6, is called by that method, any other as a function.

    Raises IllegalMove, naming the player and the move, as soon as a move is not legal.
    """
    players = {"chance": chance_player(), **players}
    choose: dict[str, Player] = {
        side: getattr(player, "choose", player) for side, player in players.items()
    }
    for player in players.values():
        _call_if_there(player, "reset")
    state = game.initial
    moves: list[Move] = []
    while not game.is_terminal(state):
        legal = game.actions(state)
        move = choose[state.to_move](game, state)
        if not isinstance(move, Hashable) or move not in legal:
            raise IllegalMove(
                f"{state.to_move} played {move!r}, which is none of the legal moves "
                f"{', '.join(map(repr, legal))} in\n{state}"
            )
        if state.to_move != "chance":
            _call_if_there(players[other(state.to_move)], "opponent_played", move)
        moves.append(move)
        state = game.result(state, move)
    return GameRecord(tuple(moves), state)


def _call_if_there(player: Player, method: str, *args: Any) -> None:
    """Call one of the methods that a player may have."""
    if hasattr(player, method):
        getattr(player, method)(*args)


class MatchResult(NamedTuple):
    """The result of a match, for X."""

    wins: int
    draws: int
    losses: int

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def score_rate(self) -> float:
        """X's share of the points; a draw is half a point."""
        return (self.wins + self.draws / 2) / self.games

    def win_interval(self) -> tuple[float, float]:
        """Return the 95% confidence interval of X's share of wins (Wilson)."""
        n, rate, z = self.games, self.wins / self.games, 1.96
        centre = (rate + z**2 / (2 * n)) / (1 + z**2 / n)
        half = z * sqrt(rate * (1 - rate) / n + (z / (2 * n)) ** 2) / (1 + z**2 / n)
        return max(0.0, centre - half), min(1.0, centre + half)

    def __str__(self) -> str:
        low, high = self.win_interval()
        return (
            f"{self.games} games: X won {self.wins}, drew {self.draws}, lost {self.losses}. "
            f"X scored {self.score_rate:.1%} and won {self.wins / self.games:.1%} "
            f"(95% confidence: {low:.1%} to {high:.1%})."
        )


def play_match(
    game: Game, X: Player, O: Player, games: int = 100, seed: int | None = None
) -> MatchResult:
    """Play `games` games between X, who always moves first, and O; count the results.

    With a `seed` the match can be repeated: each player's method `seed`, if it has one, is called
    once before the first game, with a number drawn from that seed.
    Raises ValueError when `games` is not a whole number of 1 or more, IllegalMove like `play_game`.
    """
    if type(games) is not int or games < 1:
        raise ValueError(f"games must be a whole number, 1 or more, not {games!r}")
    players = {"X": X, "O": O, "chance": chance_player()}
    if seed is not None:
        rng = random.Random(seed)
        for player in players.values():
            _call_if_there(player, "seed", rng.getrandbits(32))
    values = [game.utility(play_game(game, players).state, "X") for _ in range(games)]
    wins, losses = sum(value > 0 for value in values), sum(value < 0 for value in values)
    return MatchResult(wins, games - wins - losses, losses)


class CountingGame(Game):
    """The same game, which also counts the calls of its methods.

        >>> from starter.games import TicTacToe
        >>> game = CountingGame(TicTacToe())
        >>> state = game.result(game.initial, (1, 1))
        >>> game.generated, game.terminal_tests, game.utilities
        (1, 0, 0)

    `generated` counts the nodes generated (calls of `result`), `terminal_tests` the calls of
    `is_terminal`, `utilities` those of `utility`. A counter may be set back to 0.
    """

    def __init__(self, game: Game) -> None:
        self._game = game
        self.initial = game.initial
        self.generated = self.terminal_tests = self.utilities = 0

    def actions(self, state: State) -> tuple[Move, ...]:
        return self._game.actions(state)

    def result(self, state: State, move: Move) -> State:
        self.generated += 1
        return self._game.result(state, move)

    def outcomes(self, state: State) -> tuple[tuple[Probability, Move], ...]:
        return self._game.outcomes(state)

    def is_terminal(self, state: State) -> bool:
        self.terminal_tests += 1
        return self._game.is_terminal(state)

    def utility(self, state: State, player: str) -> float:
        self.utilities += 1
        return self._game.utility(state, player)

    def from_key(self, key: str) -> State:
        return self._game.from_key(key)
