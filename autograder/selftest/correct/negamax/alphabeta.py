from math import inf


def alphabeta_search(game, state):
    return negamax(game, state, -inf, inf)


def negamax(game, state, alpha, beta):
    if game.is_terminal(state):
        return game.utility(state, state.to_move), None
    best, best_move = -inf, None
    for move in game.actions(state):
        value = -negamax(game, game.result(state, move), -beta, -alpha)[0]
        if value > best:
            best, best_move = value, move
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    return best, best_move


def max_value(game, state, player, alpha, beta):
    return negamax(game, state, alpha, beta)


def min_value(game, state, player, alpha, beta):
    value, move = negamax(game, state, -beta, -alpha)
    return -value, move
