from fractions import Fraction


def expectiminimax_search(game, state):
    return expectiminimax(game, state, state.to_move if state.to_move in "XO" else "X")


def expectiminimax(game, state, player):
    """Everything is exact until the end."""
    if game.is_terminal(state):
        return Fraction(game.utility(state, player)), None
    if state.to_move == "chance":
        total = Fraction(0)
        for probability, move in game.outcomes(state):
            value, _ = expectiminimax(game, game.result(state, move), player)
            total += Fraction(probability) * value
        return total, None
    best = None
    for move in game.actions(state):
        value = expectiminimax(game, game.result(state, move), player)[0]
        better = best is None or (
            value > best[0] if state.to_move == player else value < best[0]
        )
        if better:
            best = (value, move)
    return best
