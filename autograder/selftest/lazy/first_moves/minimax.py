"""Everything: the first move."""



def answer(game, state):
    moves = game.actions(state)
    return 0, moves[0] if moves else None


def minimax_search(game, state):
    return answer(game, state)


def max_value(game, state, player):
    return answer(game, state)


def min_value(game, state, player):
    return answer(game, state)
