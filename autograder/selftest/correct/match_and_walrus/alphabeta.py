from math import inf


def alphabeta_search(game, state):
    return max_value(game, state, state.to_move, -inf, inf)


def max_value(game, state, player, alpha, beta):
    return go(game, state, player, alpha, beta, "max")


def min_value(game, state, player, alpha, beta):
    return go(game, state, player, alpha, beta, "min")


def go(game, state, player, alpha, beta, side):
    if game.is_terminal(state):
        return game.utility(state, player), None
    match side:
        case "max":
            v, best = -inf, None
            for move in game.actions(state):
                if (v2 := go(game, game.result(state, move), player, alpha, beta, "min")[0]) > v:
                    v, best = v2, move
                if v >= beta or (alpha := max(alpha, v)) >= beta:
                    return v, best
        case "min":
            v, best = inf, None
            for move in game.actions(state):
                if (v2 := go(game, game.result(state, move), player, alpha, beta, "max")[0]) < v:
                    v, best = v2, move
                if v <= alpha or (beta := min(beta, v)) <= alpha:
                    return v, best
        case _:
            raise ValueError(side)
    return v, best
