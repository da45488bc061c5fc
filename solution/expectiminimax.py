"""Question 5, a bonus: expectiminimax.

Source: Russell and Norvig, 4th edition, section 5.5 (stochastic games).

In some games chance moves too: a die is rolled, a coin is tossed. Nobody chooses at such a node, so
its value is neither the largest nor the smallest of its children's values but their mean, each
weighted with its probability. Write `expectiminimax`.
"""

from math import inf

from starter.games import Game, Move, State


def expectiminimax_search(game: Game, state: State) -> tuple[float, Move]:
    """Return `(value, move)`: the value for the player to move, and a best move.

    The value is the utility that the player gets on average when both sides play perfectly from
    here. If chance is to move, the value is X's and the move is None. At a terminal state the move
    is None too.
    """
    player = "X" if state.to_move == "chance" else state.to_move
    return expectiminimax(game, state, player)


def expectiminimax(game: Game, state: State, player: str) -> tuple[float, Move]:
    """Return `(value, move)` of a node where MAX, MIN, chance or nobody is to move.

    game:   knows the rules: `actions`, `result`, `is_terminal`, `utility`; and `outcomes(state)`,
            the pairs (probability, move) of what can happen at a chance node
    state:  the node; `state.to_move` is "X", "O" or "chance"
    player: MAX: every value is `player`'s

    The value of a max node is the largest of its children's values, of a min node the smallest, of
    a chance node their mean, weighted with the probabilities. The move leads to a child with that
    value; at a chance node and at a terminal node it is None. Every outcome counts, so nothing can
    be pruned.
    """
    ### BEGIN SOLUTION four kinds of node: terminal, max, min, chance
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
