"""A request of the grader, and the verbs that every question has."""

from __future__ import annotations

import random
from collections.abc import Callable
from types import ModuleType
from typing import Any

from autograder.worker.inside.channel import Channel
from autograder.worker.inside.protocol import make_game, make_state
from autograder.worker.inside.remote_game import served_game
from autograder.worker.inside.to_json import number, pair


class Missing(Exception):
    """The student's file has no function or class of that name."""


class Request:
    """A request, as its verb sees it.

    arguments: the functions that make arguments from dictionaries, by kind
    game:      the game of the request; a search starts at `start`
    """

    def __init__(
        self,
        channel: Channel,
        question: dict[str, Any],
        module: ModuleType,
        arguments: dict[str, Callable[..., Any]],
    ) -> None:
        self.channel, self.question = channel, question
        self.module, self.arguments = module, arguments
        self.game: Any
        name, *rest = question["game"]
        if name == "served":
            self.game, self.start = served_game(channel, *rest)
        else:
            self.game = make_game([name, *rest])
            self.start = self.game.initial

    @property
    def name(self) -> str:
        """The name of the requested function."""
        return str(self.question["function"])

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
        return self.arguments[kind](self, what)


def call(asked: Request, call: dict[str, Any]) -> Any:
    """Call the function. The record of several calls on a served game shows where each begins."""
    if asked.question["game"][0] == "served" and len(asked.question["calls"]) > 1:
        asked.channel.note('["call", 0]')
    state = asked.state(call.get("state"))
    options = call.get("options", {})
    kwargs = {name: asked.argument(spec, state) for name, spec in options.items()}
    args = [asked.argument(spec, state) for spec in call["args"]]
    result = asked.function()(*args, **kwargs)
    if asked.question["answer"] == "pair":
        return pair(result, asked.actions(state))
    return number(result)


def find(asked: Request, call: dict[str, Any]) -> bool:
    """Look for the function without calling it."""
    asked.function()
    return True


def rng(asked: Request, seed: int) -> random.Random:
    return random.Random(seed)


VERBS: dict[str, Callable[[Request, dict[str, Any]], Any]] = {"call": call, "find": find}
ARGUMENTS: dict[str, Callable[..., Any]] = {"rng": rng}
