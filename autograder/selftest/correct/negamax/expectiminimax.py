from math import inf


def swap(player):
    return "O" if player == "X" else "X"


def value_for(game, state, side):
    """What the state is worth to `side`, which need not be to move; and the best move."""
    if game.is_terminal(state):
        return game.utility(state, side), None
    if state.to_move == "chance":
        return sum(p * value_for(game, game.result(state, m), side)[0] for p, m in game.outcomes(state)), None
    if state.to_move != side:
        value, move = value_for(game, state, swap(side))
        return -value, move
    best, best_move = -inf, None
    for move in game.actions(state):
        value, _ = value_for(game, game.result(state, move), side)
        if value > best:
            best, best_move = value, move
    return best, best_move


def expectiminimax_search(game, state):
    return expectiminimax(game, state, "X" if state.to_move == "chance" else state.to_move)


def expectiminimax(game, state, player):
    return value_for(game, state, player)
