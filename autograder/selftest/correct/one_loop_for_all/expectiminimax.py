def expectiminimax_search(game, state):
    return expectiminimax(game, state, "O" if state.to_move == "O" else "X")


def expectiminimax(game, state, player):
    if game.is_terminal(state):
        return game.utility(state, player), None
    chance = state.to_move == "chance"
    weight = {move: p for p, move in game.outcomes(state)} if chance else {}
    sign = 1 if state.to_move == player else -1
    mean, best, best_move = 0, None, None
    for move in reversed(game.actions(state)):
        value, _ = expectiminimax(game, game.result(state, move), player)
        if chance:
            mean += weight[move] * value
        elif best is None or sign * value >= sign * best:
            best, best_move = value, move
    return (mean, None) if chance else (best, best_move)
