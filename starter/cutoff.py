"""Question 3: heuristic alpha-beta search (Russell and Norvig, 4th edition, section 5.3).

Connect Four is too large to search to the end. The search stops early, at a depth given by
`cutoff`, and there asks an evaluation function, the heuristic `h`, who stands better.
"""

from collections.abc import Callable
from math import inf

from starter.games import Game, Move, State

Cutoff = Callable[[Game, State, int], bool]
Heuristic = Callable[[State, str], float]


def cutoff_depth(d: int) -> Cutoff:
    """Return a cutoff that stops below depth `d`: a function `(game, state, depth) -> bool`.

    The root of a search has depth 0, its children depth 1, and so on.
    """
    return lambda game, state, depth: depth > d


def h_alphabeta_search(
    game: Game,
    state: State,
    cutoff: Cutoff = cutoff_depth(6),
    h: Heuristic = lambda state, player: 0,
) -> tuple[float, Move]:
    """Return `(value, move)` by alpha-beta search that stops where `cutoff` says so.

    game, state: where to search; the value is seen from the side of `state.to_move`
    cutoff:      asked as `cutoff(game, state, depth)`; true means: search no deeper here
    h:           asked as `h(state, player)` where the search is cut off; its answer is the value
                 of that position for `player`, who is the player to move at the root

    At every position, in this order: is it terminal? Then its utility is the value. Does `cutoff`
    stop here? Then `h` gives the value. In both cases the move is None. Otherwise search on,
    pruning as in question 2.
    """
    # TODO: alpha-beta with a depth that grows by one at every ply (helpers are yours)
    raise NotImplementedError("write h_alphabeta_search in cutoff.py")


def connect_four_heuristic(state: State, player: str) -> float:
    """Return how good an undecided Connect Four `state` looks for `player`; larger is better.

    At least this should show: three in a row that can still become four look better than two, and
    stones in the centre better than stones at the edge.

    The answer lies strictly between a loss and a win, -1 < h < 1: what merely looks good must
    never be preferred to a win. What is good for one side is as bad for the other:
    h(state, "X") == -h(state, "O").
    """
    # TODO: lines still open to one side, squeezed into (-1, 1); state.rows is the board
    raise NotImplementedError("write connect_four_heuristic in cutoff.py")
