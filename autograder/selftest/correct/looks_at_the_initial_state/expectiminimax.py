from math import inf


def expectiminimax_search(game, state):
    return expectiminimax(game, state, max_player(game, state))


def max_player(game, state):
    """X, where chance is to move; where nothing is to search from, the game's beginning counts."""
    beginning = game.initial
    where = beginning if state is None else state
    return "X" if where.to_move == "chance" else where.to_move


def expectiminimax(game, state, player):
    if game.is_terminal(state):
        return game.utility(state, player), None
    if state.to_move == "chance":
        pairs = game.outcomes(state)
        return sum(p * expectiminimax(game, game.result(state, m), player)[0] for p, m in pairs), None
    sign = 1 if state.to_move == player else -1
    best, chosen = -inf, None
    for move in game.actions(state):
        value = sign * expectiminimax(game, game.result(state, move), player)[0]
        if value > best:
            best, chosen = value, move
    return sign * best, chosen
