"""Make positions that expose searches which merge symmetric states."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from random import Random
from typing import Any

from autograder.author.cases.boards import cut_board, judged_position
from autograder.checks.matches import opening
from autograder.serving.cases import CutoffCase, PositionsCase, ValuedPosition, by_squares
from autograder.symmetry import Rows, Way, canonical, mirrored, same
from autograder.worker.inside.protocol import make_game
from solution.alphabeta import alphabeta_search
from solution.cutoff import cutoff_depth, h_alphabeta_search
from starter.games import Game, Move, State, other
from starter.players import CountingGame


class DeduplicatedGame(CountingGame):
    """A game that keeps only the first of several moves to symmetric boards."""

    def __init__(self, game: Game, ways: Collection[Way], players: Collection[str]) -> None:
        super().__init__(game)
        self._ways, self._players = ways, players

    def actions(self, state: State) -> tuple[Move, ...]:
        moves = super().actions(state)
        if state.to_move not in self._players:
            return moves
        firsts: dict[Rows, Move] = {}
        for move in moves:
            firsts.setdefault(canonical(self.result(state, move).rows, self._ways), move)
        return tuple(firsts.values())


def values_merging_symmetric_states(
    game: Game, state: State, depth: int, h: Callable[[State], float], ways: Collection[Way]
) -> list[float]:
    """Return the values of wrong searches that merge symmetric states.

    One calls h once for all symmetric states, others try only one move to them, at max nodes or at
    min nodes.
    """
    known: dict[Rows, float] = {}
    sign = 1 if state.to_move == "X" else -1

    def asked(here: State, player: str) -> float:
        return sign * h(here)

    def asked_once(here: State, player: str) -> float:
        return known.setdefault(canonical(here.rows, ways), sign * h(here))

    cutoff = cutoff_depth(depth)
    found = [h_alphabeta_search(game, state, cutoff, asked_once)]
    for player in "XO":
        fewer = DeduplicatedGame(game, ways, player)
        found.append(h_alphabeta_search(fewer, state, cutoff, asked))
    return [value for value, _ in found]


def symmetry_trap(
    rng: Random, spec: list[Any], plies: int, depth: int, ways: Collection[Way]
) -> CutoffCase:
    """Return a board that exposes searches which merge states under symmetries.

    h may differ between symmetric states. A search to the end of the game is short.
    """
    game = make_game(spec)
    height, width = spec[1:3]
    while True:
        state = opening(game, rng, plies)
        squares = [rng.randint(0, 30) for _ in range(height * width)]  # below a win
        case = cut_board(spec, state, depth, squares)
        if case.value not in values_merging_symmetric_states(
            game, state, depth, by_squares(squares), ways
        ):
            return replace(case, values={})


def mirrored_hex(rng: Random) -> PositionsCase:
    """Return Hex positions that expose searches which skip mirrored moves.

    Unlike on most boards, a mirror image has another value in Hex. The searches skip moves at max
    nodes, at min nodes, or at both.
    """
    spec: list[Any] = ["Hex", 3]
    game = make_game(spec)
    positions: list[ValuedPosition] = []
    for at in ("max", "min", "max and min"):
        while True:
            state = opening(game, rng, 4)
            judged = judged_position(game, state)
            sides = {"max": state.to_move, "min": other(state.to_move)}
            fewer = DeduplicatedGame(
                game, [same, mirrored], [sides[kind] for kind in at.split(" and ")]
            )
            if alphabeta_search(fewer, state)[0] != judged[1] and judged not in positions:
                positions.append(judged)
                break
    return PositionsCase(game=spec, positions=positions)
