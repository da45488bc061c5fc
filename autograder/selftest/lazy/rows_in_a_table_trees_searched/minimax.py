"""Question 1."""



TABLE = {}


def by_rows(game, state):
    """Negamax on boards; every position is worked out once and kept by its rows."""
    rows = state.rows
    if rows not in TABLE:
        if game.is_terminal(state):
            TABLE[rows] = game.utility(state, state.to_move), None
        else:
            best = -2, None
            for move in game.actions(state):
                value = -by_rows(game, game.result(state, move))[0]
                if value > best[0]:
                    best = value, move
            TABLE[rows] = best
    return TABLE[rows]


def minimax_search(game, state):
    if hasattr(state, "rows"):
        return by_rows(game, state)
    return max_value(game, state, state.to_move)


def max_value(game, state, player):
    if game.is_terminal(state):
        return game.utility(state, player), None
    return max(
        ((min_value(game, game.result(state, move), player)[0], move) for move in game.actions(state)),
        key=lambda pair: pair[0],
    )


def min_value(game, state, player):
    if game.is_terminal(state):
        return game.utility(state, player), None
    return min(
        ((max_value(game, game.result(state, move), player)[0], move) for move in game.actions(state)),
        key=lambda pair: pair[0],
    )
