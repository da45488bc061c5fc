def expectiminimax_search(game, state):
    return expectiminimax(game, state, "X" if state.to_move == "chance" else state.to_move)


def ends(game, state, player, weight=1.0):
    if game.is_terminal(state):
        yield weight, game.utility(state, player)
        return
    chances = dict((move, chance) for chance, move in game.outcomes(state))
    moves = game.actions(state)
    for move in moves:
        share = chances.get(move, 1 / len(moves))
        yield from ends(game, game.result(state, move), player, weight * share)


def expectiminimax(game, state, player):
    if game.is_terminal(state):
        return game.utility(state, player), None
    found = {}
    chances = dict((move, chance) for chance, move in game.outcomes(state))
    for move in game.actions(state):
        pairs = ends(game, game.result(state, move), player)
        found[move] = sum(weight * value for weight, value in pairs)
    if state.to_move == "chance":
        return sum(chances[move] * value for move, value in found.items()), None
    best = (max if state.to_move == player else min)(found, key=found.get)
    return found[best], best
