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
    # TODO: four kinds of position: the game is over, MAX to move, MIN to move, chance
    raise NotImplementedError("write expectiminimax in expectiminimax.py")
