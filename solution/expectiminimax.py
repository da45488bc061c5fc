"""Question 5, a bonus: expectiminimax (Russell and Norvig, 4th edition, the section on stochastic
games).

In some games chance moves, too: a die is rolled, a coin is tossed. Nobody chooses there, so such a
position is neither worth the largest of the values below it nor the smallest, but what they come to
on average: their mean, each value weighted with its probability. Write `expectiminimax`.
"""

from math import inf

from starter.games import Game, Move, State


def expectiminimax_search(game: Game, state: State) -> tuple[float, Move]:
    """Return `(value, move)`: the value of `state` for the player to move, and a best move.

    The value is the utility that the player reaches on average when both sides play perfectly from
    here. Where chance is to move it is X's. The move is None there, and at a terminal state.
    """
    player = "X" if state.to_move == "chance" else state.to_move
    return expectiminimax(game, state, player)


def expectiminimax(game: Game, state: State, player: str) -> tuple[float, Move]:
    """Return `(value, move)` for a `state`, whoever is to move there: MAX, MIN, chance or nobody.

    game:   knows the rules: `actions`, `result`, `is_terminal`, `utility`; and `outcomes(state)`,
            the pairs (probability, move) of what can happen where chance is to move
    state:  the position to judge; `state.to_move` is "X", "O" or "chance"
    player: MAX, from whose side every value is seen

    The value is the largest that any move leads to where MAX is to move, the smallest where MIN is,
    and the mean of the outcomes' values, weighted with their probabilities, where chance is. The
    move is one that leads to the value; where chance is to move, and at a terminal state, it is
    None. Every outcome of chance counts, so nothing is pruned.
    """
    ### BEGIN SOLUTION four kinds of position: the game is over, MAX to move, MIN to move, chance
    if game.is_terminal(state):
        return game.utility(state, player), None
    if state.to_move == player:
        v, best_move = -inf, None
        for move in game.actions(state):
            v2, _ = expectiminimax(game, game.result(state, move), player)
            if v2 > v:
                v, best_move = v2, move
        return v, best_move
    if state.to_move != "chance":
        v, best_move = inf, None
        for move in game.actions(state):
            v2, _ = expectiminimax(game, game.result(state, move), player)
            if v2 < v:
                v, best_move = v2, move
        return v, best_move
    mean: float = 0
    for probability, move in game.outcomes(state):
        v2, _ = expectiminimax(game, game.result(state, move), player)
        mean += probability * v2
    return mean, None
    ### END SOLUTION
