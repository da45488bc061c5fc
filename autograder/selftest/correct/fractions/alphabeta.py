from fractions import Fraction


def alphabeta_search(game, state):
    return max_value(game, state, state.to_move, None, None)


def exact(bound):
    """A bound as a fraction; None if it says nothing."""
    return None if bound is None or abs(bound) == float("inf") else Fraction(bound)


def max_value(game, state, player, alpha, beta):
    alpha, beta = exact(alpha), exact(beta)
    if game.is_terminal(state):
        return Fraction(game.utility(state, player)), None
    best = None
    for move in game.actions(state):
        value, _ = min_value(game, game.result(state, move), player, alpha, beta)
        if best is None or value > best[0]:
            best = value, move
            if beta is not None and value >= beta:
                return best
            if alpha is None or value > alpha:
                alpha = value
    return best


def min_value(game, state, player, alpha, beta):
    alpha, beta = exact(alpha), exact(beta)
    if game.is_terminal(state):
        return Fraction(game.utility(state, player)), None
    best = None
    for move in game.actions(state):
        value, _ = max_value(game, game.result(state, move), player, alpha, beta)
        if best is None or value < best[0]:
            best = value, move
            if alpha is not None and value <= alpha:
                return best
            if beta is None or value < beta:
                beta = value
    return best
