"""An anchor of tournaments: any legal move."""

import random

from starter.games import Game, Move, State


class Player:
    def seed(self, number: int) -> None:
        random.seed(number)  # its process is its own

    def choose(self, game: Game, state: State) -> Move:
        return random.choice(game.actions(state))
