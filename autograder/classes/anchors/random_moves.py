"""An anchor of tournaments: any legal move."""

import random

from starter.games import Game, Move, State


class Player:
    def __init__(self) -> None:
        self.rng = random.Random()

    def seed(self, number: int) -> None:
        self.rng.seed(number)

    def choose(self, game: Game, state: State) -> Move:
        return self.rng.choice(game.actions(state))
