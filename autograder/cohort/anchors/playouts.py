"""An anchor of tournaments: the solution's MCTS with 1000 playouts."""

import random

from starter.games import Game, Move, State
from starter.mcts import monte_carlo_tree_search


class Player:
    def __init__(self) -> None:
        self.rng = random.Random()

    def seed(self, number: int) -> None:
        self.rng.seed(number)

    def choose(self, game: Game, state: State) -> Move:
        return monte_carlo_tree_search(game, state, 1000, rng=self.rng)[1]
