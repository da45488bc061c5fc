def expectiminimax_search(game, state):
    return expectiminimax(game, state, "X" if (who := state.to_move) == "chance" else who)


def expectiminimax(game, state, player):
    if game.is_terminal(state):
        return game.utility(state, player), None
    found = [
        (expectiminimax(game, game.result(state, move), player)[0], move)
        for move in game.actions(state)
    ]
    match state.to_move:
        case "chance":
            chances = dict((move, chance) for chance, move in game.outcomes(state))
            return sum(value * chances[move] for value, move in found), None
        case who if who == player:
            return max(found, key=lambda pair: pair[0])
        case _:
            return min(found, key=lambda pair: pair[0])
