"""The verb of question 6: a move of the submission's player."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograder.worker.inside.request import Request
from autograder.worker.inside.to_json import move_index

PLAYERS: list[Any] = []  # the player, once it is made; it lives as long as its worker


def move(asked: Request, call: dict[str, Any]) -> Any:
    """Report the moves since its last one to the player, then let it choose."""
    if not PLAYERS:
        PLAYERS.append(asked.function()())
    player = PLAYERS[0]
    for method, *args in call["events"]:
        if callable(tell := getattr(player, method, None)):
            tell(*args)
    state = asked.state(call["state"])
    return move_index(player.choose(asked.game, state), asked.actions(state))


VERBS = {"move": move}
ARGUMENTS: dict[str, Callable[..., Any]] = {}
