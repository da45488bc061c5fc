"""A served search with its case, and the replay of its record."""

from functools import cached_property
from math import inf

from autograder.checks.ask.plain_answers import Search
from autograder.checks.ask.values import Values, make_values
from autograder.checks.search.replay import Replay
from autograder.serving.cases import CutoffCase, SearchCase
from autograder.serving.game_server import GameServer
from starter.games import State

DEFAULT_DEPTH = 6  # of cutoff_depth, where a search is called without one


class SearchRun:
    """The data of one search that all parts of its analysis need.

    prunes:   does this question's search prune?
    averages: may it leave nothing out, because each node adds to a mean?
    horizon:  it stops below this depth without a request
    """

    def __init__(
        self, file: str, case: SearchCase, search: Search, values: Values | None = None
    ) -> None:
        """Describe a search in question file `file`; `values` default to the case's."""
        self.case, self.search, self.server = case, search, search.server
        self.values = values or read_values(case)
        self.prunes = file in ("alphabeta", "cutoff")
        self.averages = file == "expectiminimax"
        by_default = file == "cutoff" and not isinstance(case, CutoffCase)
        self.horizon = DEFAULT_DEPTH if by_default else inf

    @cached_property
    def replay(self) -> Replay:
        return self.make_replay(self.values, self.horizon)

    @cached_property
    def own_replay(self) -> Replay:
        """The replay with the values that follow from the search's own requests."""
        return self.make_replay(self.own_values, self.horizon)

    @cached_property
    def own_values(self) -> Values:
        return derive_values(self.server)

    @property
    def leaves_too_early(self) -> bool:
        """Does it leave a node too early, also by the values that it got, if it prunes?"""
        return bool(self.replay.skipped and not (self.prunes and not self.own_replay.skipped))

    def is_complete_to(self, depth: int) -> bool:
        """Is the search complete if it may stop below this depth without a request?"""
        return not self.make_replay(self.own_values, depth).skipped

    def make_replay(self, values: Values, horizon: float) -> Replay:
        """Replay the record with the case's window, and these values."""
        window = self.case.alpha, self.case.beta
        return Replay(self.server, values, window, horizon)


def read_values(case: SearchCase) -> Values:
    """Return the values of the case's positions for MAX, as stored in the case.

    An inner node below a cutoff has the value of the node that is cut off.
    """

    def worth(key: str) -> float:
        while key and key not in case.values:
            key = key[:-1]
        return case.values.get(key, 0)

    return make_values(case.max_player, case.make_game(), worth, case.make_state().to_move)


def derive_values(server: GameServer) -> Values:
    """Return the values that follow from the search's own requests, right or wrong.

    The value of a position follows from those searched below it, or else from the reply there.
    """
    worth: dict[State, float] = {}
    below: dict[State, list[float]] = {}
    for event in server.find_requests("utility", "h"):
        worth[server.state(event.number)] = event.answer
    for position in reversed(server.positions):
        state = position.state
        if state in below:
            worth[state] = (max if state.to_move == server.max_player else min)(below[state])
        if state in worth and position.parent is not None:
            above = server.state(position.parent)
            below.setdefault(above, []).append(worth[state])
    return lambda state: worth.get(state, 0)
