from fractions import Fraction


def minimax_search(game, state):
    return max_value(game, state, state.to_move)


def max_value(game, state, player):
    if game.is_terminal(state):
        return Fraction(game.utility(state, player)), None
    moves = {}
    for move in game.actions(state):
        value, _ = min_value(game, game.result(state, move), player)
        moves.setdefault(value, move)
    return max(moves.items())


def min_value(game, state, player):
    if game.is_terminal(state):
        return Fraction(game.utility(state, player)), None
    moves = {}
    for move in game.actions(state):
        value, _ = max_value(game, game.result(state, move), player)
        moves.setdefault(value, move)
    return min(moves.items())
