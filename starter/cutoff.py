"""Question 3: heuristic alpha-beta search.

Source: Russell and Norvig, 4th edition, section 5.3.

Connect Four is too large to search to the end. The search stops where the cutoff test `cutoff` says
so, and takes the value of an evaluation function, the heuristic `h`, instead.
"""

from collections.abc import Callable
from math import inf
from typing import Any

from starter.games import BoardState, Game, Move, State

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
    # TODO: alpha-beta with a depth, one more at every ply (with helpers)
    raise NotImplementedError("write h_alphabeta_search in cutoff.py")


def connect_four_heuristic(state: BoardState, player: str) -> float:
    """Return how good an undecided Connect Four `state` looks for `player`.

    At least, three in a row that can still become four look better than two, and stones in the
    centre look better than stones at the edge.

    The larger the estimate, the better. It lies strictly between a loss and a win, -1 < h < 1: no
    search should prefer an estimate to a win. What is good for one side is as bad for the other:
    h(state, "X") == -h(state, "O").
    """
    # TODO: lines still open to one side, scaled into (-1, 1); state.rows is the board
    raise NotImplementedError("write connect_four_heuristic in cutoff.py")
