"""A grader's request, its calls' arguments, and the verbs except MCTS phases."""

import importlib
import json
import random
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

from autograder.worker.inside.channel import Channel
from autograder.worker.inside.protocol import LONGEST_SHOWN, make_game, make_state
from autograder.worker.inside.remote_game import ServedState, make_served_game
from autograder.worker.inside.to_json import describe_odd, find_move_index, to_number, to_pair

PLAYERS: list[Any] = []  # the player, once it is made; it lives as long as its worker


class Missing(Exception):
    """The student's file has no function or class of that name."""


class Request:
    """A request, as its verb sees it.

    game: the game of the request; a search starts at `start`
    """

    def __init__(self, channel: Channel, request: dict[str, Any], module: ModuleType) -> None:
        self.channel, self.request, self.module = channel, request, module
        self.name = request.get("function", "")  # of the requested function
        self.game: Any
        name, *rest = request["game"]
        if name == "served":
            self.game, self.start = make_served_game(channel, *rest)
        else:
            self.game = make_game([name, *rest])
            self.start = self.game.initial

    def function(self, name: str = "") -> Callable[..., Any]:
        """Return a function of the student. Raises Missing if there is none."""
        function: Callable[..., Any] | None = getattr(self.module, name or self.name, None)
        if not callable(function):
            raise Missing(name or self.name)
        return function

    def state(self, spec: Any) -> Any:
        """Return the state named by `spec`, by default the start of the search."""
        return self.start if spec is None else make_state(self.game, spec)

    def actions(self, state: Any) -> tuple[Any, ...]:
        """Return the moves by the game's class; student code may replace the method."""
        moves: tuple[Any, ...] = type(self.game).actions(self.game, state)
        return moves

    def argument(self, spec: Any, state: Any) -> Any:
        """Return one argument of a call with that state."""
        if not isinstance(spec, dict):
            return spec
        ((kind, what),) = spec.items()
        if kind == "the":
            return {"game": self.game, "state": state}[what]
        return ARGUMENTS[kind](self, what)


def make_only_rng(asked: Request, seed: int) -> random.Random:
    """Return a generator; those of the modules begin afresh, so that nothing else varies."""
    random.seed(0)
    if numpy := sys.modules.get("numpy"):
        numpy.random.seed(0)
    return random.Random(seed)


def make_cutoff(asked: Request, what: Any) -> Callable[..., Any]:
    """Return the "served" cutoff, or the submission's cutoff at that depth."""
    if what != "served":
        own: Callable[..., Any] = asked.function("cutoff_depth")(what)
        return own

    def cutoff(game: Any, state: Any, depth: Any) -> bool:
        if not isinstance(state, ServedState):
            raise TypeError("call cutoff like this: cutoff(game, state, depth)")
        said = to_number(depth)
        said = json.dumps(said) if isinstance(said, dict) else said  # a number needs no encoder
        return bool(asked.channel.request(f'["cutoff", {state.number}, {said}]'))

    cutoff.__qualname__ = "cutoff"  # its name in error messages
    return cutoff


def make_h(asked: Request, what: str) -> Callable[..., Any]:
    """Return the "served" h, the constant "zero", or the submission's "own" h."""
    if what == "own":
        return asked.function("connect_four_heuristic")
    if what == "zero":
        return lambda state, player: 0

    def h(state: Any, player: Any) -> Any:
        if not isinstance(state, ServedState):
            raise TypeError("call h like this: h(state, player)")
        side = player[:LONGEST_SHOWN] if isinstance(player, str) else describe_odd(player)
        return asked.channel.request(f'["h", {state.number}, {json.dumps(side)}]')

    h.__qualname__ = "h"  # its name in error messages
    return h


ARGUMENTS: dict[str, Callable[[Request, Any], Any]] = {
    "rng": lambda asked, seed: random.Random(seed),
    "only rng": make_only_rng,
    "cutoff": make_cutoff,
    "h": make_h,
}


def call_function(asked: Request, call: dict[str, Any]) -> Any:
    """Call the function; of several calls on a served game, note where each begins."""
    if asked.request["game"][0] == "served" and len(asked.request["calls"]) > 1:
        asked.channel.note('["call", 0]')
    state = asked.state(call.get("state"))
    options = call.get("options", {})
    kwargs = {name: asked.argument(spec, state) for name, spec in options.items()}
    args = [asked.argument(spec, state) for spec in call["args"]]
    result = asked.function()(*args, **kwargs)
    if asked.request["answer"] == "pair":
        return to_pair(result, asked.actions(state))
    return to_number(result)


def find_function(asked: Request, call: dict[str, Any]) -> bool:
    """Look for the function without calling it."""
    asked.function()
    return True


def import_module(asked: Request, call: dict[str, Any]) -> bool:
    """Import a module, and read its file again if it was imported before."""
    with open(str(importlib.import_module(call["module"]).__file__), "rb"):
        return True


def ask_for_move(asked: Request, call: dict[str, Any]) -> Any:
    """Report the moves since its last one to the player, then let it choose."""
    if not PLAYERS:
        PLAYERS.append(asked.function()())
    player = PLAYERS[0]
    for method, *args in call["events"]:
        if callable(tell := getattr(player, method, None)):
            tell(*args)
    state = asked.state(call["state"])
    if not callable(getattr(player, "choose", None)):
        raise Missing("choose")
    return find_move_index(player.choose(asked.game, state), asked.actions(state))
