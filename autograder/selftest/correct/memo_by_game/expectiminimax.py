memo = {}


def expectiminimax_search(game, state):
    return expectiminimax(game, state, "X" if state.to_move == "chance" else state.to_move)


def expectiminimax(game, state, player):
    if (game, state, player) not in memo:
        memo[game, state, player] = fresh(game, state, player)
    return memo[game, state, player]


def fresh(game, state, player):
    if game.is_terminal(state):
        return (game.utility(state, player), None)
    if state.to_move == "chance":
        mean = 0.0
        for p, m in game.outcomes(state):
            mean = mean + p * expectiminimax(game, game.result(state, m), player)[0]
        return (mean, None)
    values = [expectiminimax(game, game.result(state, m), player)[0] for m in game.actions(state)]
    pick = max(values) if state.to_move == player else min(values)
    return (pick, game.actions(state)[values.index(pick)])
