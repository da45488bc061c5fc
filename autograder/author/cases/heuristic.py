"""Make Connect Four positions for the heuristic."""

from random import Random

from autograder.author.cases.boards import C4, find_winning_moves
from autograder.checks.play.matches import draw_opening
from autograder.serving.cases import PositionsCase, ValuedPosition
from solution.cutoff import connect_four_heuristic, cutoff_depth, h_alphabeta_search
from starter.games import ConnectFour, Game, State


def draw_forced_wins(rng: Random, depth: int, count: int, first: bool = False) -> PositionsCase:
    """Return Connect Four positions with a win within `depth`, and winning moves.

    At most two are wins in one move; only these can be found without a search, see
    `play_by_heuristic`.

    first: only positions where column 0, which Python treats as false, is the only such move
    """
    game = ConnectFour()
    found: list[ValuedPosition] = []
    wins_in_one = 0
    while len(found) < count:
        state = draw_opening(game, rng, rng.randint(8, 22))
        value, _ = h_alphabeta_search(game, state, cutoff_depth(depth))
        if value != 1:
            continue
        best = []
        at_once = False
        for i, move in enumerate(game.actions(state)):
            child = game.result(state, move)
            at_once = at_once or game.is_terminal(child)
            reply, _ = h_alphabeta_search(game, child, cutoff_depth(depth - 1))
            if reply == -1:
                best.append(i)
        if len(best) == len(game.actions(state)) or (at_once and wins_in_one == 2):
            continue
        if not at_once and play_by_heuristic(game, state, depth) == 1:
            continue
        if first and (best != [0] or game.actions(state)[0] != 0):
            continue
        wins_in_one += at_once
        found.append((state.key, 1, best))
    return PositionsCase(game=C4, depth=depth, positions=found)


def play_by_heuristic(game: Game, state: State, depth: int) -> float:
    """Return the value after a line of play in which both sides follow a heuristic.

    In a case, such a line must not be a substitute for a search.
    """
    player = state.to_move
    for _ in range(depth + 1):
        if game.is_terminal(state):
            return game.utility(state, player)
        mover = state.to_move
        children = [game.result(state, move) for move in game.actions(state)]
        state = max(
            children,
            key=lambda child: (
                game.utility(child, mover)
                if game.is_terminal(child)
                else connect_four_heuristic(child, mover)
            ),
        )
    return game.utility(state, player) if game.is_terminal(state) else 0


def draw_mutual_threats(rng: Random) -> State:
    """Return a Connect Four position in which each side could win in two columns."""
    game = ConnectFour()
    while True:
        state = draw_opening(game, rng, rng.randint(14, 34))
        sides = (state._replace(to_move=player) for player in "XO")
        if all(len(find_winning_moves(game, side)) > 1 for side in sides):
            return state


def draw_one_sided_position(rng: Random, player: str) -> State:
    """Return a very good Connect Four position for `player` that is not won.

    Both sides play for it, except for occasional random moves.
    """
    game = ConnectFour()
    best = state = game.initial
    while True:
        children = [game.result(state, move) for move in game.actions(state)]
        children = [child for child in children if not game.is_terminal(child)]
        if not children:
            return best
        state = rng.choice(children)
        if rng.random() < 0.9:
            state = max(children, key=lambda child: connect_four_heuristic(child, player))
        best = max(best, state, key=lambda child: connect_four_heuristic(child, player))
