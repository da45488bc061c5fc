"""Question 1: minimax search.

Source: Russell and Norvig, 4th edition, figure 5.3.

MAX chooses the move with the largest value, MIN the move with the smallest. Every value is MAX's:
`player` is MAX, the player to move at the root, and stays the same during the whole search, at max
nodes and at min nodes.

`max_value` is complete: it is your worked example. Write `min_value`, its mirror image.
"""

from math import inf

from starter.games import Game, Move, State


def minimax_search(game: Game, state: State) -> tuple[float, Move]:
    """Return `(value, move)`: the value for the player to move, and a best move.

    The value is the utility that `state.to_move` gets when both sides play perfectly from here.
    At a terminal state there is no move to make: the move is None.
    """
    player = state.to_move
    return max_value(game, state, player)


def max_value(game: Game, state: State, player: str) -> tuple[float, Move]:
    """Return `(value, move)` of a node where MAX is to move.

    game:   knows the rules: `actions`, `result`, `is_terminal`, `utility`
    state:  the node; MAX is to move
    player: MAX: every value is `player`'s

    The value is the largest of the children's values, and the move leads to a child that has it.
    At a terminal state the value is `player`'s utility and the move is None.
    """
    if game.is_terminal(state):
        return game.utility(state, player), None
    v, best_move = -inf, None
    for move in game.actions(state):
        v2, _ = min_value(game, game.result(state, move), player)
        if v2 > v:
            v, best_move = v2, move
    return v, best_move


def min_value(game: Game, state: State, player: str) -> tuple[float, Move]:
    """Return `(value, move)` of a node where MIN is to move.

    game:   knows the rules: `actions`, `result`, `is_terminal`, `utility`
    state:  the node; MIN, the opponent of `player`, is to move
    player: still MAX: every value is `player`'s

    The value is the smallest of the children's values, and the move leads to a child that has it.
    At a terminal state the value is `player`'s utility and the move is None.
    """
    # TODO: the mirror image of max_value: keep the smallest value and its move
    raise NotImplementedError("write min_value in minimax.py")
