"""Serve a game from the grader to the worker, and record all requests.

Student code sees an ordinary game. Each node that it generates gets a new number, known to both
sides. The position, and the results of cutoff and h stay here until they are asked for. The
utilities of a terminal state are sent with it, to save a reply; the worker still sends the request.
So the record shows every requested node, in order, and student code can't change it.
"""

from collections.abc import Callable
from math import isnan
from typing import Any, NamedTuple

from autograder.diagram import default_side, kind_of
from autograder.errors import Refused
from starter.games import Game, Move, State

MAX_NODES = 150_000  # of one search; the largest of a right submission has 18,297
MAX_EVENTS = 250_000  # recorded requests of one search
MAX_CHARACTERS = 5_000_000  # of what it passed as player or depth
UNKNOWN_STATE = "state-kept", "used a state or a move that this game never gave it"
TOO_MANY_NODES = "no-answer/too-many-positions"


class GameNode(NamedTuple):
    """A generated node: its state, its parent's number, the move, its depth."""

    state: State
    parent: int | None
    move: Move
    depth: int


class Event(NamedTuple):
    """One request of student code.

    kind: "result" (`number` is the new node), "initial" (the same, if the search did not start
          there), "utility", "cutoff" or "h"
    said: the depth passed to cutoff, the player passed to utility and h
    """

    kind: str
    number: int
    said: Any = None
    answer: Any = None


def read_number(text: str) -> float | None:
    """Read a number from text; None if it is not one."""
    try:
        number = float(text)
    except ValueError:
        return None
    return None if isnan(number) else number


class GameServer:
    """One game, served for one search, and the record of its nodes and requests."""

    def __init__(self, game: Game, state: State) -> None:
        """Serve the game; the search starts at `state`, which is node 0."""
        self.game = game
        self.max_player = default_side(state)  # values are for this player
        self.nodes = [GameNode(state, None, None, 0)]
        self.events: list[Event] = []
        self.states = {state: 0}  # the different states, numbered in order
        self.characters = 0
        self.readings: dict[Any, Any] = {}  # what has been read from the record
        # The case's answers: cutoff's, independent of the passed depth, and h for X.
        self.cutoff: Callable[[State, int], bool] | None = None
        self.h: Callable[[State], float] | None = None
        self.max_nodes = MAX_NODES  # limit of this search
        self.call_starts: list[int] = []  # of each of several calls: its first event's index
        # By node: the traced alpha, beta, depth and return value of student code. The worker
        # reports them, so they are only shown.
        self.call_args: dict[int, dict[str, float]] = {}

    def start_reply(self) -> list[Any]:
        return [0, 0, *self.facts(self.root)]

    def facts(self, state: State) -> list[Any]:
        """Return a state's player to move, whether it is terminal, its moves, and some numbers.

        They are the utilities for X and O if it is terminal, the odds of its moves if chance moves.
        """
        over, numbers = self.game.is_terminal(state), list[Any]()
        if over:
            numbers = [self.game.utility(state, player) for player in ("X", "O")]
        elif state.to_move == "chance":
            odds = (p for p, _ in self.game.outcomes(state))
            numbers = [p if isinstance(p, float) else str(p) for p in odds]
        return [state.to_move, over, tuple(self.game.actions(state)), *numbers]

    def add_node(self, kind: str, state: State, parent: int | None, move: Move) -> list[Any]:
        """Add a node; reply with its number, its state's and, for a new state, facts.

        Raises Refused if there are more than `max_nodes`.
        """
        if len(self.nodes) >= self.max_nodes:
            raise Refused(
                TOO_MANY_NODES, f"it asked for {self.max_nodes:,} positions; does it end?"
            )
        number, known = len(self.nodes), len(self.states)
        depth = 0 if parent is None else self.nodes[parent].depth + 1
        state_id = self.states.setdefault(state, known)
        # The same as GameNode(...) and Event(...), in half the time.
        self.nodes.append(tuple.__new__(GameNode, (state, parent, move, depth)))
        self.events.append(tuple.__new__(Event, (kind, number, None, None)))
        return [number, state_id, *(self.facts(state) if state_id == known else ())]

    def serve(self, request: list[Any]) -> Any:
        """Answer a request of the worker, of a form that `replies.is_request` accepts.

        Raises Refused if it is about a state never served, or one too many.
        """
        if len(self.events) >= MAX_EVENTS or self.characters > MAX_CHARACTERS:
            raise Refused(
                "no-answer/too-many-requests",
                "it asked for more than can be recorded; does it end?",
            )
        kind, number = request[:2]
        if number >= len(self.nodes):
            raise Refused(*UNKNOWN_STATE)
        state = self.nodes[number].state
        if kind == "initial":
            state = self.game.initial
            if state == self.root:
                return [0, 0]
            return self.add_node("initial", state, None, None)
        if kind == "result":
            actions = self.game.actions(state)
            if request[2] >= len(actions):
                raise Refused(*UNKNOWN_STATE)
            move = actions[request[2]]
            return self.add_node("result", self.game.result(state, move), number, move)
        return self.answer_about(kind, number, state, request)

    def answer_about(self, kind: str, number: int, state: State, request: list[Any]) -> Any:
        answer: Any
        if kind == "look":
            picture = state.picture()
            # A tree's text would reveal its values.
            text = None if picture["kind"] == "tree" else str(state)
            return {"key": state.key, "rows": picture.get("rows"), "text": text}
        if kind == "call":
            self.call_starts.append(len(self.events))
            return None
        said = request[2]
        if type(said) is dict:  # neither a number nor a text
            said = said["odd"]
        if kind == "utility":
            answer = self.game.utility(state, said)
        elif kind == "cutoff" and self.cutoff is not None:
            over = self.game.is_terminal(state)
            answer = not over and self.cutoff(state, self.nodes[number].depth)
        elif kind == "h" and self.h is not None:
            answer = self.h(state) if said == "X" else -self.h(state)
        else:  # a stored cutoff or h, served for another search
            raise Refused(*UNKNOWN_STATE)
        self.characters += len(str(said))
        self.events.append(tuple.__new__(Event, (kind, number, said, answer)))
        return answer

    def record_calls(self, calls: list[Any]) -> None:
        """Store the calls that the worker reports, in the form of `replies.py`."""
        for number, noted in calls:
            numbers = {name: read_number(text) for name, text in noted.items()}
            self.call_args[number] = {k: v for k, v in numbers.items() if v is not None}

    def find_return(self, number: int) -> float | None:
        """Return the traced return value at a node, or None."""
        return self.call_args.get(number, {}).get("returned")

    def summary(self) -> list[Any]:
        """Return all requests as plain data."""
        parents = [(node.parent, str(node.move)) for node in self.nodes]
        return [parents, [event[:3] for event in self.events]]

    def name(self, number: Any) -> str:
        """Name the node with that number, by its key; "?" if none has."""
        try:
            return str(self.nodes[int(number[:9])].state.key)
        except (TypeError, ValueError, LookupError):
            return "?"

    @property
    def root(self) -> State:
        """The state where the search starts."""
        return self.nodes[0].state

    def state(self, number: int) -> State:
        return self.nodes[number].state

    def kind(self, number: int) -> str:
        return kind_of(self.state(number), self.max_player)

    def is_over(self, number: int) -> bool:
        return self.game.is_terminal(self.state(number))

    def actions(self, number: int) -> tuple[Move, ...]:
        return self.game.actions(self.state(number))

    def find_requests(self, *kinds: str) -> list[Event]:
        """Return the requests of some kinds, in order."""
        return [event for event in self.events if event.kind in kinds]

    def children(self) -> dict[int, list[int]]:
        """Return the children of each inner node, in the order of generation."""
        found: dict[int, list[int]] = {}
        for number, node in enumerate(self.nodes):
            if node.parent is not None:
                found.setdefault(node.parent, []).append(number)
        return found

    def path(self, number: int) -> list[int]:
        """Return the nodes from the root to `number`, both included."""
        path = [number]
        while (parent := self.nodes[path[-1]].parent) is not None:
            path.append(parent)
        return path[::-1]

    def moves(self, number: int) -> tuple[Move, ...]:
        """Return the moves that lead from the root to `number`."""
        return tuple(self.nodes[n].move for n in self.path(number)[1:])
