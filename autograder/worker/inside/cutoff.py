"""Arguments of question 3's calls: a cutoff and an h, served or the submission's."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from autograder.worker.inside.channel import Channel
from autograder.worker.inside.protocol import LONGEST_SHOWN
from autograder.worker.inside.remote_game import ServedState
from autograder.worker.inside.request import Request
from autograder.worker.inside.to_json import number, odd


def cutoff(asked: Request, what: Any) -> Callable[..., Any]:
    """Return the "served" cutoff, or the submission's cutoff at that depth."""
    return (
        served_cutoff(asked.channel) if what == "served" else asked.function("cutoff_depth")(what)
    )


def h(asked: Request, what: str) -> Callable[..., Any]:
    """Return the "served" h, the constant "zero", or the submission's "own" h."""
    if what == "served":
        return served_h(asked.channel)
    return (lambda state, player: 0) if what == "zero" else asked.function("connect_four_heuristic")


def served_cutoff(channel: Channel) -> Callable[..., Any]:
    def cutoff(game: Any, state: Any, depth: Any) -> bool:
        if not isinstance(state, ServedState):
            raise TypeError("call cutoff like this: cutoff(game, state, depth)")
        return bool(channel.request(json.dumps(["cutoff", state.number, number(depth)])))

    cutoff.__qualname__ = "cutoff"  # its name in error messages
    return cutoff


def served_h(channel: Channel) -> Callable[..., Any]:
    def h(state: Any, player: Any) -> Any:
        if not isinstance(state, ServedState):
            raise TypeError("call h like this: h(state, player)")
        side = player[:LONGEST_SHOWN] if isinstance(player, str) else odd(player)
        return channel.request(json.dumps(["h", state.number, side]))

    h.__qualname__ = "h"  # its name in error messages
    return h


VERBS: dict[str, Callable[..., Any]] = {}
ARGUMENTS = {"cutoff": cutoff, "h": h}
