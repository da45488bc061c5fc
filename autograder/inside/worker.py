"""The worker: runs student code, answers the grader's questions about it, judges nothing.

It is copied beside the student's files into a folder of its own and started as a fresh process.
It knows no expected value and no verdict: whatever student code does to this process, it can only
change its own answers. Questions come in and answers go out as lines of JSON.

A question names a function, a game and one or more calls. While a call runs on a *served* game,
the worker sends requests instead (a list each) and the grader answers them: the tree itself, the
utilities, the cutoff and the heuristic stay with the grader.
"""

import _thread
import contextlib
import importlib
import io
import json
import numbers
import os
import random
import sys
import time
from collections.abc import Callable
from typing import Any

FOLDER = os.path.dirname(os.path.abspath(__file__))
PRINTED = 2_000  # characters of student output kept for the report
SHOWN = 120  # characters of an odd value's repr
LARGEST = 1e300  # of a number
MOST_NODES = 5_000  # of a search tree
MOST_ARGUMENTS = 8
LOOK = 0.05  # seconds between two looks whether the grader asks where this process is
PROVIDED = ("worker.py", "confine.py", "games.py", "players.py", "__init__.py")


class Channel:
    """The private line to the grader, taken off the standard streams before student code runs."""

    def __init__(self) -> None:
        self.incoming = open(os.dup(0), "rb")
        self.outgoing = os.dup(1)
        self.sending = _thread.allocate_lock()
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1):
            os.dup2(nowhere, stream)

    def send(self, line: str) -> None:
        data = line.encode() + b"\n"
        with self.sending:
            while data:
                data = data[os.write(self.outgoing, data) :]

    def receive(self) -> Any:
        line = self.incoming.readline()
        if not line:
            os._exit(0)  # the grader is gone
        return json.loads(line.decode())

    def request(self, line: str) -> Any:
        self.send(line)
        return self.receive()


class Printed(io.TextIOBase):
    """Keeps the beginning of what student code prints; the rest is dropped, at no cost.

    It does what programs ask of a console to make it write UTF-8.
    """

    encoding = "utf-8"

    def __init__(self) -> None:
        self.text = ""
        self.buffer = PrintedBytes(self)

    def detach(self) -> "PrintedBytes":  # type: ignore[override]
        return self.buffer

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        if len(self.text) < PRINTED:
            self.text += text[: PRINTED - len(self.text)]
        return len(text)

    def fileno(self) -> int:
        return 2  # leads nowhere, too

    def reconfigure(self, **options: Any) -> None:
        pass


class PrintedBytes(io.RawIOBase):
    """The same for bytes, as the buffer below it."""

    def __init__(self, printed: Printed) -> None:
        self.printed = printed

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self.printed.write(bytes(data).decode("utf-8", "replace"))
        return len(data)


SERVED: list[Callable[[int, int], "ServedState"]] = []  # by game: makes a state that was served


class ServedState:
    """A position of a served game: what a student may ask of any state, and no more.

    `key`, `rows`, `board()` and `str` are fetched from the grader when asked for.
    """

    __slots__ = ("channel", "facts", "game", "moves", "number", "position", "terminal", "to_move")

    def __init__(self, channel: Channel, number: int, position: int, facts: tuple) -> None:
        self.channel, self.number, self.position = channel, number, position
        self.facts = facts  # the same object for equal positions of one game, and of no other game
        self.to_move, self.terminal, self.moves, self.game = facts

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ServedState) and self.facts is other.facts

    def __hash__(self) -> int:
        return hash(self.position)

    def __str__(self) -> str:
        seen = self.channel.request(f'["look", {self.number}]')
        # Texts differ where states do, also those of different trees: some keep values by them.
        return seen["text"] or f"{seen['key'] or 'root'} of tree {self.game}"

    __repr__ = __str__

    def __reduce__(self) -> tuple:
        return served_again, (self.game, self.number, self.position)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(
            f"a state has no {name!r} here: in every game it has to_move, key, rows, board() and "
            "str, and the game tells the rest"
        )

    @property
    def key(self) -> str:
        return self.channel.request(f'["look", {self.number}]')["key"]

    @property
    def rows(self) -> tuple[str, ...]:
        rows = self.channel.request(f'["look", {self.number}]')["rows"]
        if rows is None:
            raise AttributeError("this state has no rows: it is not a board")
        return tuple(rows)

    def board(self) -> Any:
        """Return the board as NumPy array: +1 for X, -1 for O, 0 for an empty square."""
        import numpy

        value = {"X": 1, "O": -1, ".": 0}
        return numpy.array([[value[square] for square in row] for row in self.rows])


def served_again(game: int, number: int, position: int) -> ServedState:
    """Return the state that was copied or pickled."""
    return SERVED[game](number, position)


def plain_move(move: Any) -> Any:
    return tuple(move) if isinstance(move, list) else move


def expect_state(state: Any, call: str) -> None:
    """Raises TypeError, in words, for what is no state: a move, most often."""
    if not isinstance(state, ServedState):
        raise TypeError(
            f"game.{call} was given {state!r}, which is no state; "
            "game.result(state, move) makes the state after a move"
        )


def served_game(channel: Channel, start: list) -> tuple[Any, ServedState]:
    """Return a game whose every answer comes from the grader, and the state to start from."""
    from starter.games import Game

    name = len(SERVED)
    known: dict[int, tuple] = {}  # the facts of each state that was served before

    def served(number: int, position: int, *facts: Any) -> ServedState:
        if facts:
            to_move, terminal, moves = facts
            known[position] = to_move, terminal, tuple(map(plain_move, moves)), name
        return ServedState(channel, number, position, known[position])

    class ServedGame(Game):
        @property
        def initial(self) -> ServedState:
            return served(*channel.request('["initial", 0]'))

        def actions(self, state: Any) -> tuple:
            expect_state(state, "actions(state)")
            return state.moves

        def result(self, state: Any, move: Any) -> ServedState:
            expect_state(state, "result(state, move)")
            if isinstance(move, ServedState):
                raise TypeError("game.result(state, move) was given a state in place of the move")
            try:
                index = state.moves.index(move)
            except ValueError:
                raise ValueError(f"{move!r} is not a legal move here: {state.moves}") from None
            return served(*channel.request(f'["result", {state.number}, {index}]'))

        def is_terminal(self, state: Any) -> bool:
            expect_state(state, "is_terminal(state)")
            return state.terminal

        def utility(self, state: Any, player: str) -> Any:
            expect_state(state, "utility(state, player)")
            if player not in ("X", "O"):
                raise ValueError(f'a player is "X" or "O", not {player!r}')
            side = "X" if player == "X" else "O"  # what is equal to it need not look like it
            return channel.request(f'["utility", {state.number}, "{side}"]')

        def __repr__(self) -> str:
            return f"ServedGame({name})"

    SERVED.append(served)
    return ServedGame(), served(*start)


def served_cutoff(channel: Channel) -> Callable:
    def cutoff(game: Any, state: Any, depth: Any) -> bool:
        if not isinstance(state, ServedState):
            raise TypeError("call cutoff like this: cutoff(game, state, depth)")
        return channel.request(json.dumps(["cutoff", state.number, number(depth)]))

    cutoff.__qualname__ = "cutoff"  # what an error message calls it
    return cutoff


def served_h(channel: Channel) -> Callable:
    def h(state: Any, player: Any) -> Any:
        if not isinstance(state, ServedState):
            raise TypeError("call h like this: h(state, player)")
        return channel.request(json.dumps(["h", state.number, player]))

    h.__qualname__ = "h"  # what an error message calls it
    return h


# --- plain data out of whatever student code returns ----------------------------------------------


def odd(value: Any) -> dict:
    """Describe a value that is not of the kind that was asked for."""
    try:
        text = repr(value)
    except BaseException:
        text = "(no repr)"
    return {"odd": f"{text[:SHOWN]} ({type(value).__name__})"}


def number(value: Any) -> Any:
    """Return `value` as a plain int or float; NumPy scalars and fractions are numbers too."""
    if getattr(value, "shape", None) == ():  # NumPy: a scalar, or an array without dimensions
        value = value.item()
    if isinstance(value, numbers.Real) and not isinstance(value, bool):
        with contextlib.suppress(OverflowError):  # of a fraction that no float can hold
            plain = int(value) if isinstance(value, numbers.Integral) else float(value)
            if abs(plain) < LARGEST:  # neither infinite nor NaN
                return plain
    return odd(value)


def move_index(value: Any, actions: tuple) -> Any:
    """Return which of `actions` the move is, None for no move."""
    if value is None:
        return None
    try:
        return actions.index(value)
    except ValueError:
        return odd(value)


def pair(value: Any, actions: tuple) -> Any:
    if isinstance(value, (tuple, list)) and len(value) == 2:
        return {"value": number(value[0]), "move": move_index(value[1], actions)}
    return odd(value)


def state_text(state: Any) -> str:
    """Name a state: a served one by its number, others by their keys."""
    if isinstance(state, ServedState):
        return str(state.number)
    return state.key


def nodes_under(root: Any) -> dict[int, tuple]:
    """Return (node, id of the node above, key there) by id, for `root` and all below, it first."""
    found: dict[int, tuple] = {id(root): (root, None, None)}
    queue = [root]
    for node in queue:
        for key, child in node.children.items():
            if id(child) not in found:
                found[id(child)] = child, id(node), key
                queue.append(child)
        if len(queue) > MOST_NODES:
            break
    return found


def dump(root: Any, game: Any) -> list[dict]:
    """Return the search tree under `root` as a flat list, each node's parent before the node."""
    found = nodes_under(root)
    order = {name: i for i, name in enumerate(found)}
    plain = []
    for node, above, key in found.values():
        entry = {
            "state": state_text(node.state),
            "U": number(node.U),
            "N": number(node.N),
            "parent": None if node.parent is None else order.get(id(node.parent), -1),
            "under": None,
            "key": None,
            "move": None,
        }
        if above is not None:
            actions = game.actions(found[above][0].state)
            entry["under"] = order[above]
            entry["key"] = move_index(key, actions)
            entry["move"] = move_index(node.move, actions)
        plain.append(entry)
    return plain


# --- questions ------------------------------------------------------------------------------------


class Missing(Exception):
    """The student's file has no function of that name."""


class Unbuildable(Exception):
    """The student's Node makes no search tree with statistics that are given."""


class Answerer:
    """Answers questions with the functions of one submission."""

    def __init__(self, channel: Channel) -> None:
        self.channel = channel
        self.games: dict[str, Any] = {}  # a match asks for the same game at every move
        self.start: Any = None  # where a search starts in a served game

    def function(self, module: Any, name: str) -> Callable:
        function = getattr(module, name, None)
        if not callable(function):
            raise Missing(name)
        return function

    def game(self, spec: Any) -> Any:
        """Return the game `spec` names, e.g. ["TicTacToe", 3, 3, 3], or ["served", initial]."""
        self.start = None
        if spec[0] == "served":
            game, self.start = served_game(self.channel, spec[1])
            return game
        key = json.dumps(spec)
        if key not in self.games:
            games = importlib.import_module("starter.games")
            self.games[key] = games.GAMES[spec[0]](*spec[1:])
        return self.games[key]

    def state(self, game: Any, spec: Any) -> Any:
        """Return the state `spec` names: None where to start, a text its key, [0, 2] moves."""
        if spec is None:
            return self.start or game.initial
        if isinstance(spec, str):
            return game.from_key(spec)
        state = game.initial
        for index in spec:
            state = game.result(state, game.actions(state)[index])
        return state

    def argument(self, spec: Any, module: Any, game: Any, state: Any) -> Any:
        """Return one argument of a call; a dict names what plain data can't hold."""
        if not isinstance(spec, dict):
            return spec
        ((kind, what),) = spec.items()
        if kind == "the":
            return {"game": game, "state": state}[what]
        if kind == "rng":
            return random.Random(what)
        if kind == "cutoff":
            if what == "served":
                return served_cutoff(self.channel)
            return self.function(module, "cutoff_depth")(what)
        if kind == "h":
            if what == "served":
                return served_h(self.channel)
            if what == "zero":
                return lambda state, player: 0
            return self.function(module, "connect_four_heuristic")
        raise ValueError(f"unknown argument {spec!r}")

    def call(self, module: Any, question: dict, game: Any, call: dict) -> Any:
        state = self.state(game, call.get("state"))
        kwargs = {
            name: self.argument(spec, module, game, state)
            for name, spec in call.get("options", {}).items()
        }
        args = [self.argument(spec, module, game, state) for spec in call["args"]]
        result = self.function(module, question["function"])(*args, **kwargs)
        if question["answer"] == "pair":
            return pair(result, game.actions(state))
        return number(result)

    def find(self, module: Any, question: dict, game: Any, call: dict) -> bool:
        """Look for a function without calling it."""
        self.function(module, question["function"])
        return True

    def tree(self, module: Any, game: Any, spec: Any) -> tuple[Any, dict]:
        """Build the search tree `spec`, [path, U, N] per node; return the root, and all by path."""
        Node = self.function(module, "Node")
        nodes: dict[tuple, Any] = {}
        for path, U, N in spec["nodes"]:
            path = tuple(path)
            if path:
                parent = nodes[path[:-1]]
                move = game.actions(parent.state)[path[-1]]
                node = Node(game.result(parent.state, move), parent, move)
                parent.children[move] = node
            else:
                node = Node(self.state(game, spec.get("state")))
            node.U, node.N = U, N
            nodes[path] = node
        return nodes[()], nodes

    def phase(self, module: Any, question: dict, game: Any, call: dict) -> Any:
        """Call one phase of MCTS on a search tree with chosen statistics."""
        try:
            root, nodes = self.tree(module, game, call["tree"])
        except Exception as error:
            raise Unbuildable(f"{type(error).__name__}: {error}") from error
        target = nodes[tuple(call["at"])]
        function = self.function(module, question["function"])
        returned = function(target, *([game] if question["function"] == "expand" else call["args"]))
        places = list(nodes_under(root))
        known = id(returned) in places
        return {
            "returned": places.index(id(returned)) if known else odd(returned),
            "tree": dump(root, game),
        }

    def choose(self, module: Any, question: dict, game: Any, call: dict) -> Any:
        """Let the given loop end on a prepared tree, with its phases out of action.

        Returns None if the loop does without `Node` or `select`, so that it has not seen the tree.
        """
        root, _ = self.tree(module, game, call["tree"])
        seen: set[str] = set()

        def stand_in(name: str, answer: Any) -> Callable:
            def phase(*args: Any, **kwargs: Any) -> Any:
                seen.add(name)
                return answer

            return phase

        phases = {"Node": root, "select": root, "expand": root, "simulate": 0, "backprop": None}
        own = {name: self.function(module, name) for name in phases}
        vars(module).update({name: stand_in(name, answer) for name, answer in phases.items()})
        result = None
        try:
            search = self.function(module, question["function"])
            result = search(game, root.state, rng=random.Random(0), **call["options"])
        except Exception:
            if {"Node", "select"} <= seen:  # else it is the stand-ins that a loop can't live with
                raise
        finally:
            vars(module).update(own)
        return pair(result, game.actions(root.state)) if {"Node", "select"} <= seen else None

    def grow(self, module: Any, question: dict, game: Any, call: dict) -> Any:
        """Grow a search tree by the student's four phases, as the given loop does."""
        Node, select, expand, simulate, backprop = (
            self.function(module, name)
            for name in ("Node", "select", "expand", "simulate", "backprop")
        )
        rng = random.Random(call["seed"])
        root = Node(self.state(game, call.get("state")))
        results = []
        for _ in range(call["playouts"]):
            child = expand(select(root, call["C"]), game)
            before = dump(root, game) if call["watch"] else None
            utility = simulate(game, child.state, rng)
            if before is not None and dump(root, game) != before:
                return {"touched": state_text(child.state)}
            backprop(child, utility)
            results.append(number(utility))
        return {"results": results, "tree": dump(root, game)}

    def answer(self, question: dict) -> dict:
        """Answer every call of the question, up to the first that raises."""
        answers: list = []
        importing = True
        try:
            module = importlib.import_module(f"starter.{question['file']}")
            importing = False
            do = getattr(self, question["do"])
            game = self.game(question["game"])
            for call in question["calls"]:
                answers.append(do(module, question, game, call))
        except Missing as missing:
            return {"answers": answers, "missing": str(missing)}
        except BaseException as error:
            return {"answers": answers, "raised": explain(error), "importing": importing}
        return {"answers": answers}


def explain(error: BaseException) -> dict:
    """Describe an exception by its type, text and the student's own lines of the traceback."""
    import traceback  # here, because most workers need it not

    traced = error.__cause__ if isinstance(error, Unbuildable) and error.__cause__ else error
    lines = [
        [os.path.basename(frame.filename), frame.lineno, (frame.line or "").strip()[:SHOWN]]
        for frame in traceback.extract_tb(traced.__traceback__)
        if is_students(frame.filename)
    ]
    depth = len(lines)
    if isinstance(error, SyntaxError) and error.filename and is_students(error.filename):
        text = (error.text or "").strip()
        lines.append([os.path.basename(error.filename), error.lineno or 0, text[:SHOWN]])
    try:
        text = error.msg if isinstance(error, SyntaxError) else str(error)
    except BaseException:
        text = "(no text)"
    kind = type(error).__name__
    return {"type": kind, "text": str(text)[:400], "lines": lines[-4:], "depth": depth}


def is_students(path: str) -> bool:
    return path.startswith(FOLDER + os.sep) and os.path.basename(path) not in PROVIDED


# --- the last words -------------------------------------------------------------------------------


def listen(channel: Channel, asked: str, main_thread: int) -> None:
    """Wait, in a thread of its own, until the file `asked` is there; then say where main is.

    Where main is in C code that keeps the interpreter to itself, nothing is said.
    """
    frames, sleep, exists = sys._current_frames, time.sleep, os.path.exists
    while not exists(asked):
        sleep(LOOK)
    channel.send(json.dumps({"place": place(frames()[main_thread])}))


def place(frame: Any) -> dict:
    """Say in which line of the student's the frame is, with the arguments and the depth there."""
    import linecache  # here, because most workers need it not

    own = []
    while frame is not None:
        if is_students(frame.f_code.co_filename):
            own.append(frame)
        frame = frame.f_back
    if not own:
        return {}
    innermost = own[0]
    path, line = innermost.f_code.co_filename, innermost.f_lineno
    # A comprehension has no arguments to speak of: its function has.
    named = next((f for f in own if not f.f_code.co_name.startswith("<")), innermost)
    names = named.f_code.co_varnames[: named.f_code.co_argcount][:MOST_ARGUMENTS]
    local = named.f_locals
    return {
        "line": [os.path.basename(path), line, linecache.getline(path, line).strip()[:SHOWN]],
        "function": named.f_code.co_name,
        "arguments": [[name, shown(local[name])] for name in names if name in local],
        "depth": len(own),
    }


def shown(value: Any) -> Any:
    """Show an argument by a short text, a served state by its number, what is else by None."""
    if type(value) is ServedState:
        return value.number
    plain = type(value) in (int, float, bool, str, type(None))
    if plain and not (type(value) is int and abs(value) > LARGEST):
        return repr(value)[:SHOWN]
    if type(value) is tuple and all(type(part) is int for part in value):  # a move
        return repr(value)[:SHOWN]
    if type(value).__module__ == "starter.games" and hasattr(value, "key"):  # a state
        return (value.key or "the root")[:SHOWN]
    return None  # its text would be made by the student's own code


def can_be_read(path: str) -> bool:
    try:
        with open(path, "rb"):
            return True
    except OSError:
        return False


def main() -> None:
    channel = Channel()
    sys.path.append(FOLDER)
    sys.dont_write_bytecode = True
    importlib.import_module("starter.games")  # before student code can put another in its place
    confine = importlib.import_module("confine")
    limits, asked, secrets = json.loads(sys.argv[1]), sys.argv[2], json.loads(sys.argv[3])
    in_force = confine.confine(limits, [FOLDER])
    with contextlib.suppress(RuntimeError):  # where no thread can be had, it can't say where it is
        _thread.start_new_thread(listen, (channel, asked, _thread.get_ident()))
    in_force += confine.refuse_calls()
    exposed = [path for path in secrets if can_be_read(path)]
    channel.send(json.dumps({"ready": in_force, "exposed": exposed}))
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)  # until here it took the grader's own faults
    answerer = Answerer(channel)
    while True:
        question = channel.receive()
        printed = Printed()
        sys.stdout = sys.stderr = printed
        answer = answerer.answer(question)
        channel.send(json.dumps({"id": question["id"], "printed": printed.text, **answer}))


if __name__ == "__main__":
    main()
