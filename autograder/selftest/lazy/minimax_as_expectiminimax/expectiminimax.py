def expectiminimax_search(game, state):
    return expectiminimax(game, state, "X" if state.to_move == "chance" else state.to_move)


def expectiminimax(game, state, player):
    if game.is_terminal(state):
        return game.utility(state, player), None
    found = [
        (expectiminimax(game, game.result(state, move), player)[0], i, move)
        for i, move in enumerate(game.actions(state))
    ]
    value, _, move = max(found) if state.to_move == player else min(found)
    return value, None if state.to_move == "chance" else move
