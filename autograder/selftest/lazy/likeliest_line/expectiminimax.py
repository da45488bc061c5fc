def expectiminimax_search(game, state):
    return expectiminimax(game, state, "X" if state.to_move == "chance" else state.to_move)


def expectiminimax(game, state, player):
    if game.is_terminal(state):
        return game.utility(state, player), None
    if state.to_move == "chance":
        _, move = max(game.outcomes(state), key=lambda outcome: outcome[0])
        return expectiminimax(game, game.result(state, move), player)[0], None
    moves = game.actions(state)
    values = [expectiminimax(game, game.result(state, move), player)[0] for move in moves]
    best = (max if state.to_move == player else min)(values)
    return best, moves[values.index(best)]
