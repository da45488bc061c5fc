"""Check the plain data that a worker answers: numbers, values and moves."""

from dataclasses import dataclass
from typing import Any

from autograder.checks.ask.finding import Failed, Finding, Hint, clean_text, make_failure
from autograder.diagram import Picture, describe_position
from autograder.serving.game_server import GameServer
from autograder.worker.inside.protocol import make_game, make_state
from starter.games import Game, Move, State, other


@dataclass
class Answer:
    """A search's answer: the value, the move, and its index in `actions`."""

    value: float
    move: Move
    index: int | None


@dataclass
class Search(Answer):
    """A search on a served game, with the record of what it asked for.

    invalid: the finding about an answer that is no value and move
    """

    server: GameServer
    invalid: Finding | None = None


def draw_position(request: dict[str, Any], index: int, server: GameServer | None) -> list[Picture]:
    """Draw the position of a call, if it has one."""
    call = request["calls"][index] if index < len(request["calls"]) else {}
    player = next((arg for arg in call.get("args", ()) if arg in ("X", "O")), None)
    if server is not None:
        if request["function"] == "simulate":  # it answers for the player who moved
            player = other(server.root.to_move)
        return [describe_position(server.game, server.root, player)]
    if "state" not in call:
        return []
    game = make_game(request["game"])
    return [describe_position(game, make_state(game, call["state"]), player)]


def expect_number(function: str, answer: Any) -> float:
    """Return the answer if it is a finite number. Raises Failed otherwise."""
    if type(answer) in (int, float):
        return float(answer) if type(answer) is float else int(answer)
    facts = {"function": function.split(".")[1], "got": clean_text(answer["odd"])}
    raise make_failure("not-a-number", facts)


def expect_pair(
    function: str, answer: Any, game: Game, state: State, player: str | None = None
) -> Answer:
    """Check that the answer is a number and a legal move (or None). Raises Failed."""

    def refuse(code: str, got: Any, **facts: Any) -> Failed:
        facts |= {"function": function.split(".")[1], "got": clean_text(got)}
        drawn = [] if code == "not-a-pair" else [describe_position(game, state, player)]
        hints = [Hint("never-replaced")] if code == "value/infinite" else []
        return make_failure(code, facts, hints, drawn)

    if "odd" in answer:
        raise refuse("not-a-pair", answer["odd"])
    value, move = answer["value"], answer["move"]
    if type(value) is dict:
        kind = "infinite" if "infinite" in value else "not-a-number"
        raise refuse(f"value/{kind}", value["odd"])
    actions = game.actions(state)
    if type(move) is dict or (move is not None and move >= len(actions)):
        odd = move["odd"] if type(move) is dict else f"move {move}"
        where = "/at-chance" if state.to_move == "chance" else "" if actions else "/at-end"
        raise refuse(f"illegal-move{where}", odd, legal=" or ".join(map(str, actions)))
    return Answer(value, None if move is None else actions[move], move)
