def expectiminimax_search(game, state):
    player = "X" if state.to_move == "chance" else state.to_move
    return expectiminimax(game, state, player)


def children(game, state, player):
    for move in game.actions(state):
        yield expectiminimax(game, game.result(state, move), player)[0], move


def weighted(game, state, player):
    for probability, move in game.outcomes(state):
        yield probability * expectiminimax(game, game.result(state, move), player)[0]


def expectiminimax(game, state, player):
    if game.is_terminal(state):
        return game.utility(state, player), None
    if state.to_move == "chance":
        return sum(weighted(game, state, player)), None
    choose = max if state.to_move == player else min
    return choose(children(game, state, player), key=lambda pair: pair[0])
