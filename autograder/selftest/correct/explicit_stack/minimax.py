"""Backward induction: first all positions, layer by layer, then their values from the last layer on."""


def layers_below(game, state):
    layers = [[state]]
    while layers[-1]:
        following = {}
        for state in layers[-1]:
            for move in game.actions(state):
                following.setdefault(game.result(state, move))
        layers.append(list(following))
    return layers


def solve(game, state, player):
    values = {}
    best = {}
    for layer in reversed(layers_below(game, state)):
        for position in layer:
            if game.is_terminal(position):
                values[position], best[position] = game.utility(position, player), None
                continue
            replies = {move: values[game.result(position, move)] for move in game.actions(position)}
            choose = max if position.to_move == player else min
            move = choose(replies, key=replies.__getitem__)
            values[position], best[position] = replies[move], move
    return values[state], best[state]


def minimax_search(game, state):
    return solve(game, state, state.to_move)


def max_value(game, state, player):
    return solve(game, state, player)


def min_value(game, state, player):
    return solve(game, state, player)
