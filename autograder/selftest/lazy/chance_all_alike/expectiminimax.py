def expectiminimax_search(game, state):
    return expectiminimax(game, state, "X" if state.to_move == "chance" else state.to_move)


from statistics import mean


def expectiminimax(game, state, player):
    if game.is_terminal(state):
        return game.utility(state, player), None
    moves = game.actions(state)
    values = [expectiminimax(game, game.result(state, move), player)[0] for move in moves]
    if state.to_move == "chance":
        return mean(values), None
    best = (max if state.to_move == player else min)(values)
    return best, moves[values.index(best)]
