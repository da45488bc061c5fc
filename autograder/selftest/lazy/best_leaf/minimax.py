"""Question 1."""



def minimax_search(game, state):
    return best_leaf(game, state, state.to_move)


def best_leaf(game, state, player):
    if game.is_terminal(state):
        return game.utility(state, player), None
    moves = game.actions(state)
    values = []
    for move in moves:
        child = game.result(state, move)
        if child not in SEEN.setdefault(player, {}):
            SEEN[player][child] = best_leaf(game, child, player)[0]
        values.append(SEEN[player][child])
    return max(values), moves[values.index(max(values))]


SEEN = {}


def min_value(game, state, player):
    if game.is_terminal(state):
        return game.utility(state, player), None
    moves = game.actions(state)
    values = [best_leaf(game, game.result(state, move), player)[0] for move in moves]
    return min(values), moves[values.index(min(values))]
