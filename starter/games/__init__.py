"""Games for two players, X and O, who see everything; in some, chance moves too.

A *state* is a position, with the player to move. States never change: `game.result(state, move)`
gives a new one. They are equal when the position is equal, so they can be put into sets and
dictionaries.

    >>> game = TicTacToe()
    >>> state = game.result(game.initial, (1, 1))
    >>> print(state)
      0 1 2
    0 . . .
    1 . X .
    2 . . .
    O to move
"""

from starter.games.base import Game, Move, Picture, Probability, State, other
from starter.games.boards import BoardGame, BoardState, ConnectFour, TicTacToe
from starter.games.dice import Pig, PigState
from starter.games.hex import Hex, HexState
from starter.games.othello import Othello
from starter.games.piles import Nim, NimState, TakeAway
from starter.games.trees import (
    FIGURE_5_2,
    SAFE_OR_RISKY,
    TWO_MOVES,
    ChanceTree,
    GameTree,
    TreeState,
)

__all__ = [
    "FIGURE_5_2",
    "GAMES",
    "SAFE_OR_RISKY",
    "TWO_MOVES",
    "BoardGame",
    "BoardState",
    "ChanceTree",
    "ConnectFour",
    "Game",
    "GameTree",
    "Hex",
    "HexState",
    "Move",
    "Nim",
    "NimState",
    "Othello",
    "Picture",
    "Pig",
    "PigState",
    "Probability",
    "State",
    "TakeAway",
    "TicTacToe",
    "TreeState",
    "other",
]

# The games by name.
GAMES: dict[str, type[Game]] = {
    game.__name__: game
    for game in (
        TicTacToe,
        ConnectFour,
        Othello,
        Hex,
        Nim,
        TakeAway,
        GameTree,
        ChanceTree,
        Pig,
    )
}
