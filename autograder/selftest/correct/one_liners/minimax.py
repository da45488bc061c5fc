from operator import itemgetter


def minimax_search(game, state):
    return max_value(game, state, state.to_move)


def max_value(game, state, player):
    return (game.utility(state, player), None) if game.is_terminal(state) else max(((min_value(game, game.result(state, a), player)[0], a) for a in game.actions(state)), key=itemgetter(0))


min_value = lambda game, state, player: (game.utility(state, player), None) if game.is_terminal(state) else min(((max_value(game, game.result(state, a), player)[0], a) for a in game.actions(state)), key=itemgetter(0))
