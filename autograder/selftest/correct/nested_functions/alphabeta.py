import math


def alphabeta_search(game, state):
    return max_value(game, state, state.to_move, -math.inf, math.inf)


def searcher(game, player):
    def highest(state, alpha, beta):
        if game.is_terminal(state):
            return game.utility(state, player), None
        value, chosen = -math.inf, None
        for move in game.actions(state):
            reply = lowest(game.result(state, move), alpha, beta)[0]
            if reply > value:
                value, chosen = reply, move
            if value >= beta:
                break
            alpha = max(alpha, value)
        return value, chosen

    def lowest(state, alpha, beta):
        if game.is_terminal(state):
            return game.utility(state, player), None
        value, chosen = math.inf, None
        for move in game.actions(state):
            reply = highest(game.result(state, move), alpha, beta)[0]
            if reply < value:
                value, chosen = reply, move
            if value <= alpha:
                break
            beta = min(beta, value)
        return value, chosen

    return highest, lowest


def max_value(game, state, player, alpha, beta):
    return searcher(game, player)[0](state, alpha, beta)


def min_value(game, state, player, alpha, beta):
    return searcher(game, player)[1](state, alpha, beta)
