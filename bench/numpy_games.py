"""The same games written plainly on NumPy boards, to compare with the bitboards."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solution.cutoff import WEIGHTS
from starter.games import Game, Move

Board = NDArray[np.int8]
STONE = {"X": 1, "O": -1}


@dataclass
class NumpyState:
    board: Board  # +1 for X, -1 for O, 0 for an empty square
    to_move: str


class NumpyBoardGame(Game):
    def __init__(self, height: int, width: int, k: int) -> None:
        self.initial = NumpyState(np.zeros((height, width), np.int8), "X")
        self.lines = [
            [(row + i * down, column + i * right) for i in range(k)]
            for row in range(height)
            for column in range(width)
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1))
            if row + (k - 1) * down < height and 0 <= column + (k - 1) * right < width
        ]

    def find_square(self, board: Board, move: Move) -> Move:
        """Return the square on which the move puts a stone."""
        raise NotImplementedError

    def has_line(self, board: Board, player: str) -> bool:
        stone = STONE[player]
        return any(all(board[square] == stone for square in line) for line in self.lines)

    def result(self, state: NumpyState, move: Move) -> NumpyState:
        if move not in self.actions(state):
            raise ValueError(f"{move!r} is not a legal move here")
        board = state.board.copy()
        board[self.find_square(board, move)] = STONE[state.to_move]
        return NumpyState(board, "O" if state.to_move == "X" else "X")

    def is_terminal(self, state: NumpyState) -> bool:
        board = state.board
        return self.has_line(board, "X") or self.has_line(board, "O") or bool(board.all())

    def utility(self, state: NumpyState, player: str) -> int:
        if self.has_line(state.board, player):
            return 1
        return -1 if self.has_line(state.board, "O" if player == "X" else "X") else 0


class NumpyTicTacToe(NumpyBoardGame):
    def actions(self, state: NumpyState) -> tuple[Move, ...]:
        return tuple(zip(*np.nonzero(state.board == 0), strict=True))

    def find_square(self, board: Board, move: Move) -> Move:
        return move


class NumpyConnectFour(NumpyBoardGame):
    def actions(self, state: NumpyState) -> tuple[Move, ...]:
        return tuple(np.flatnonzero(state.board[0] == 0))

    def find_square(self, board: Board, move: Move) -> Move:
        return np.flatnonzero(board[:, move] == 0)[-1], move


CONNECT_FOUR = NumpyConnectFour(6, 7, 4)


def connect_four_heuristic(state: NumpyState, player: str) -> float:
    """Rate a position on a 6 x 7 board as the solution's heuristic does."""
    score = 0
    for line in CONNECT_FOUR.lines:
        stones = [state.board[square] for square in line]
        mine, theirs = stones.count(STONE[player]), stones.count(-STONE[player])
        if not theirs:
            score += WEIGHTS[mine]
        if not mine:
            score -= WEIGHTS[theirs]
    return score / (10 + abs(score))
