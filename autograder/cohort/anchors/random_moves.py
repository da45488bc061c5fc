"""An anchor of tournaments: any legal move."""

import random

from starter.games import Game, Move, State


class Player:
    def seed(self, number: int) -> None:
        random.seed(number)  # no other player shares this process

    def choose(self, game: Game, state: State) -> Move:
        return random.choice(game.actions(state))
