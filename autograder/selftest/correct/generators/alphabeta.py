from math import inf


def alphabeta_search(game, state):
    return max_value(game, state, state.to_move, -inf, inf)


def max_value(game, state, player, alpha, beta):
    if game.is_terminal(state):
        return game.utility(state, player), None
    *_, answer = rising(game, state, player, alpha, beta)
    return answer


def min_value(game, state, player, alpha, beta):
    if game.is_terminal(state):
        return game.utility(state, player), None
    *_, answer = falling(game, state, player, alpha, beta)
    return answer


def rising(game, state, player, alpha, beta):
    """Yield better and better answers, until one is good enough."""
    best = -inf, None
    for move in game.actions(state):
        if best[0] >= beta:
            return
        value, _ = min_value(game, game.result(state, move), player, max(alpha, best[0]), beta)
        if value > best[0]:
            best = value, move
        yield best


def falling(game, state, player, alpha, beta):
    best = inf, None
    for move in game.actions(state):
        if best[0] <= alpha:
            return
        value, _ = max_value(game, game.result(state, move), player, alpha, min(beta, best[0]))
        if value < best[0]:
            best = value, move
        yield best
