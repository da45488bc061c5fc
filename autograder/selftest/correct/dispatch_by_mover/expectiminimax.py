from operator import itemgetter


def expectiminimax_search(game, state):
    player = {"X": "X", "O": "O", "chance": "X"}[state.to_move]
    return expectiminimax(game, state, player)


def biggest(pairs):
    return max(pairs, key=itemgetter(0))


def smallest(pairs):
    return min(pairs, key=itemgetter(0))


def expectiminimax(game, state, player):
    if game.is_terminal(state):
        return game.utility(state, player), None

    def value(move):
        return expectiminimax(game, game.result(state, move), player)[0]

    def average(pairs):
        worth = {move: v for v, move in pairs}
        return sum(p * worth[move] for p, move in game.outcomes(state)), None

    combine = {"chance": average, player: biggest}.get(state.to_move, smallest)
    return combine([(value(move), move) for move in game.actions(state)])
