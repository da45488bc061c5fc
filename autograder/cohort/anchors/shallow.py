"""An anchor of tournaments: the solution's heuristic search, to depth 2."""

from starter.cutoff import connect_four_heuristic, cutoff_depth, h_alphabeta_search
from starter.games import Game, Move, State


class Player:
    def choose(self, game: Game, state: State) -> Move:
        return h_alphabeta_search(game, state, cutoff_depth(2), connect_four_heuristic)[1]
