"""Question 3: heuristic alpha-beta search.

Source: Russell and Norvig, 4th edition, section 5.3.

Connect Four is too large to search to the end. The search stops where the cutoff test `cutoff` says
so, and takes the value of an evaluation function, the heuristic `h`, instead.
"""

from collections.abc import Callable
from math import inf
from typing import Any

from starter.games import BoardState, Game, Move, State

### BEGIN SOLUTION what only the heuristic needs
from functools import cache  # isort: skip
### END SOLUTION

Cutoff = Callable[[Game, Any, int], bool]
Heuristic = Callable[[Any, str], float]


def cutoff_depth(d: int) -> Cutoff:
    """Return the cutoff test that stops below depth `d`: true where `depth > d`.

    The root of a search has depth 0, its children depth 1, and so on.
    """
    return lambda game, state, depth: depth > d


def h_alphabeta_search(
    game: Game,
    state: State,
    cutoff: Cutoff = cutoff_depth(6),
    h: Heuristic = lambda state, player: 0,
) -> tuple[float, Move]:
    """Return `(value, move)` of an alpha-beta search that stops at `cutoff`.

    game, state: the root; `player`, who is MAX, is `state.to_move`
    cutoff:      called as `cutoff(game, state, depth)`; true means: search no deeper here
    h:           called as `h(state, player)` where `cutoff` stops; it estimates the value of that
                 node for `player`, who is always the player to move at the root

    At every node, in this order: if it is terminal, its value is the utility; if `cutoff` stops
    there, its value is h's. In both cases the move is None. Otherwise search its children, with
    pruning as alpha-beta does.
    """
    ### BEGIN SOLUTION alpha-beta with a depth, one more at every ply (with helpers)
    player = state.to_move

    def max_value(state: State, alpha: float, beta: float, depth: int) -> tuple[float, Move]:
        if game.is_terminal(state):
            return game.utility(state, player), None
        if cutoff(game, state, depth):
            return h(state, player), None
        v, best_move = -inf, None
        for move in game.actions(state):
            v2, _ = min_value(game.result(state, move), alpha, beta, depth + 1)
            if v2 > v:
                v, best_move = v2, move
                alpha = max(alpha, v)
            if v >= beta:
                return v, best_move
        return v, best_move

    def min_value(state: State, alpha: float, beta: float, depth: int) -> tuple[float, Move]:
        if game.is_terminal(state):
            return game.utility(state, player), None
        if cutoff(game, state, depth):
            return h(state, player), None
        v, best_move = inf, None
        for move in game.actions(state):
            v2, _ = max_value(game.result(state, move), alpha, beta, depth + 1)
            if v2 < v:
                v, best_move = v2, move
                beta = min(beta, v)
            if v <= alpha:
                return v, best_move
        return v, best_move

    return max_value(state, -inf, inf, 0)
    ### END SOLUTION


def connect_four_heuristic(state: BoardState, player: str) -> float:
    """Return how good an undecided Connect Four `state` looks for `player`.

    At least, three in a row that can still become four look better than two, and stones in the
    centre look better than stones at the edge.

    The larger the estimate, the better. It lies strictly between a loss and a win, -1 < h < 1: no
    search should prefer an estimate to a win. What is good for one side is as bad for the other:
    h(state, "X") == -h(state, "O").
    """
    ### BEGIN SOLUTION lines still open to one side, scaled into (-1, 1); state.rows is the board
    mine, theirs = (state.x, state.o) if player == "X" else (state.o, state.x)
    score = 0
    for line in lines_of_four(*state.shape):
        if line & mine:
            if not line & theirs:
                score += WEIGHTS[(line & mine).bit_count()]
        elif line & theirs:
            score -= WEIGHTS[(line & theirs).bit_count()]
    return score / (10 + abs(score))
    ### END SOLUTION


### BEGIN SOLUTION what only the heuristic needs
# The score of a line of four with stones of one side only, by their number. A stone in the centre
# lies on more lines than one at the edge.
WEIGHTS = (0, 1, 4, 16, 64)


@cache
def lines_of_four(height: int, width: int) -> list[int]:
    """Return all lines of four squares, each as a set of squares like `state.x`."""
    lines = []
    for row in range(height):
        for column in range(width):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                if row + 3 * down < height and 0 <= column + 3 * right < width:
                    first = row * (width + 1) + column
                    lines.append(
                        sum(1 << first + i * (down * (width + 1) + right) for i in range(4))
                    )
    return lines


### END SOLUTION
