"""Asks a submission questions and gives its answers in checked, plain form.

This is what a graded test sees of the student. Whatever goes wrong on the student's side (a
function not written, an exception, a wrong kind of answer, no answer at all) becomes `Wrong`, with
one clear line; what goes wrong on ours becomes `GraderFault`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from autograder.cases import Case, Cases, ChoiceCase, PhaseCase, PlayoutsCase, SearchCase
from autograder.draw import Picture, name_of, position, statistics_tree
from autograder.inside.protocol import (
    GAME,
    LARGEST_TREE,
    LONGEST_PRINTED,
    LONGEST_SHOWN,
    MOST_LINES,
    STATE,
    make_game,
    make_state,
)
from autograder.referee import ROOM, Served, UnknownState
from autograder.sandbox import GraderFault, OutOfTime, Sandbox, Worker, WorkerGone
from autograder.submission import Submission, printable
from starter.games import Game, Move, State

DEEPEST_TREE = 100  # plies; no game in the cases is half as long
MOST_TRACED = 20_000  # questions of one case that are compared with a known mistake's
LONGEST_TEXT = 2_000  # characters of one line of a message
# Shares of its time that a test gets, once a function of its file had to be stopped: to wait for
# the same again is no use, and for others of the file it still is ten times what they should need.
STOPPED_BEFORE, OTHER_STOPPED = 0.1, 0.25


@dataclass(eq=False)
class Wrong(AssertionError):
    """An answer that is not right.

    code:     a short name of the finding, e.g. "missed-cut/min"; it stays when the words change
    what:     one line: what is wrong
    expected: what a right answer would have been, and `got` what came
    where:    lines that show where it first went wrong
    pictures: the position, tree or search tree, with what is to be seen in it
    """

    code: str
    what: str
    expected: str = ""
    got: str = ""
    where: list[str] = field(default_factory=list)
    pictures: list[Picture] = field(default_factory=list)
    final: bool = False  # further cases would show the same, or take as long
    case: Case | None = None  # a smaller case that shows it
    alone: bool = True  # the case alone, without those before it, shows it too

    def __post_init__(self) -> None:
        """Cut what student code may have made long."""
        self.what, self.expected, self.got = (
            line[:LONGEST_TEXT] for line in (self.what, self.expected, self.got)
        )

    def __str__(self) -> str:
        return self.what


class NotWritten(Wrong):
    """The function is still a stub, or is not there."""


@dataclass(eq=False)
class TooSlow(Wrong):
    """The worker was stopped at its time limit.

    first: no other test of the same file was, before
    """

    first: bool = True


@dataclass
class Answer:
    """A search's answer: the value, and the move as itself and by its index in `actions`."""

    value: float
    move: Move
    index: int | None


@dataclass
class Search(Answer):
    """A search on a served game, with the record of what it asked for."""

    served: Served


class Student:
    """One submission, as a graded test may question it."""

    def __init__(
        self, submission: Submission, sandbox: Sandbox, cases: Cases | None = None
    ) -> None:
        """cases: where the expected answers are from, by default the public ones"""
        self.submission = submission
        self.sandbox = sandbox
        self.cases = cases or Cases()
        self.worker: Worker | None = None
        self.printed = ""
        self.observed: list[Any] = []  # what was judged in this case, for the diagnosis
        self.room = ROOM  # bytes that are left for records of searches in this case
        self.shown: list[Picture] = []  # of a game, should the match be lost
        self.remarks: list[str] = []  # what is to be said about a test that is passed
        self.most = 0.0  # seconds that this test may take
        self.share = 1.0  # of those that it would get if no other had been stopped

    # --- the worker's life ------------------------------------------------------------------------

    def begin(self, seconds: float) -> None:
        """Start a case, whose questions together may take so many seconds of the worker's clock."""
        self.observed = []
        self.printed = ""
        self.room = ROOM
        if self.worker is None:
            self.worker = self.sandbox.start()
        self.worker.left = seconds
        self.most = self.most or seconds

    @property
    def left(self) -> float:
        """The seconds that are left of those that the case began with."""
        return self.worker.left if self.worker else 0.0

    def trace(self) -> list:
        """Return everything that was observed in this case, as plain data; [] if it is too long."""
        served = [part for part in self.observed if isinstance(part, Served)]
        if sum(len(part.events) for part in served) > MOST_TRACED:
            return []
        return [part.summary() if isinstance(part, Served) else part for part in self.observed]

    def end(self) -> None:
        """End this test's worker."""
        if self.worker is not None:
            worker, self.worker = self.worker, None
            worker.close()

    def ask(
        self, function: str, question: dict, served: Served | None = None, called: str = ""
    ) -> list:
        """Ask about `file.function`; return one answer per call, still unchecked.

        called: what messages call the function, if that is not its name

        Raises NotWritten when it is not there, TooSlow at the time limit, Wrong when it raises or
        gives no answer, GraderFault when there is no worker.
        """
        file, name = function.split(".")
        problem = self.submission.problems.get(f"{file}.py")
        if problem:
            raise NotWritten("no-file", problem, final=True)
        if self.worker is None:
            raise GraderFault("the worker was asked a question before it was started")
        question = {"file": file, "function": name, **question}
        name = called or name
        stopped = self.sandbox.stopped.setdefault(file, [])
        self.hurry(STOPPED_BEFORE if name in stopped else OTHER_STOPPED if stopped else 1.0)
        if served is not None:
            served.room = self.room
        try:
            reply = self.worker.ask(question, served.serve if served else None)
        except OutOfTime:
            why = f"as {stopped[0]} was before" if stopped else "over ten times its need"
            stopped.append(name)
            raise TooSlow(
                "too-slow",
                f"{name} did not end: it was stopped after {self.most:.2g} s, {why}",
                where=[
                    *where_it_was(self.worker.place, served),
                    "Does every loop and recursion come to an end? If so, what is slow: copies, "
                    "prints, the heuristic, state.board() in an inner loop?",
                ],
                pictures=tried(question, 0, served) if len(question["calls"]) == 1 else [],
                final=True,
                first=len(stopped) == 1,
            ) from None
        except UnknownState as unknown:
            raise Wrong(
                "state-kept",
                f"{name} {unknown}",
                expected="every search begins afresh, with the state it is given",
                got="something of an earlier search: look for a dictionary, list or node that is "
                "made outside the functions, a default argument that is filled, a cache",
                where=where_it_was(self.worker.place, served),
                final=True,
                alone=False,
            ) from None
        except WorkerGone as gone:
            raise Wrong(
                "no-answer/ended",
                f"{name} gave no answer: {gone}",
                where=where_it_was(self.worker.place, served),
                pictures=tried(question, 0, served) if served else [],
                final=True,
            ) from None
        if served is not None:
            self.room -= served.bytes
        answers = reply.get("answers")
        printed = reply.get("printed")
        # Python's warnings name the file by the folder it was run in, which is no use to anybody.
        printed = re.sub(r"\S*[/\\]starter[/\\]", "", str(printed or "")[:LONGEST_PRINTED])
        self.printed = "\n".join(map(text, printed.splitlines()))
        if not isinstance(answers, list) or len(answers) > len(question["calls"]):
            raise unreadable(f"{name} gave no answer: it sent something that is no answer")
        if "missing" in reply:
            raise NotWritten(
                "not-written/missing",
                f"{file}.py has no function {text(reply['missing'])}: keep the names as they are",
                final=True,
            )
        if "raised" in reply:
            wrong = self.raised(file, name, reply)
            if not wrong.final:
                wrong.pictures = tried(question, len(answers), served)
            raise wrong
        if len(answers) != len(question["calls"]):
            raise unreadable(f"{name} gave no answer: answers are missing")
        return answers

    def hurry(self, share: float) -> None:
        """Let this test have no more than that share of its time."""
        assert self.worker
        if share < self.share:
            self.worker.left *= share / self.share
            self.most *= share / self.share
            self.share = share

    def raised(self, file: str, name: str, reply: dict) -> Wrong:
        """Put an exception in student code into words."""
        raised = reply["raised"] if isinstance(reply["raised"], dict) else {}
        kind, said = text(raised.get("type")), text(raised.get("text"))
        where = []
        lines = raised.get("lines")
        for line in lines[-MOST_LINES:] if isinstance(lines, list) else []:
            if isinstance(line, list) and len(line) == 3:
                where.append(f"{text(line[0])}, line {text(line[1])}:  {text(line[2])}")
        where = [line for line, _ in groupby(where)]  # a comprehension's line stands there twice
        if kind == "NotImplementedError":
            return NotWritten("not-written", f"not written yet: {said or name}", final=True)
        if kind == "PermissionError" or said == "can't start new thread":
            where.append(
                "While it is graded, code can't write files, start programs or threads, go online."
            )
        if reply.get("importing") is True:
            what = f"{file}.py can't be loaded: {kind}: {said}"
            if kind == "ModuleNotFoundError":
                where.append(
                    "There are the standard library, NumPy and what is provided: "
                    "from starter.games import ..."
                )
            code = f"not-loaded/{named(kind)}"
            return Wrong(code, what, where=where, final=True, alone=False)
        if kind == "Unbuildable":
            return Wrong(
                "node-not-built",
                f"a search tree can't be built of your Node: {said}",
                expected="Node(state, parent, move), with attributes that can be set, as in the "
                "starter",
                where=where,
                final=True,
            )
        if kind == "RecursionError":
            depth = f"The recursion was {text(raised.get('depth'))} calls deep. "
            where = [*where[-2:], f"{depth}Does it stop at terminal states?"]
        if kind == "TypeError" and "cannot unpack" in said:
            where.append(
                "A pair was expected there, as in v2, _ = min_value(...): every function that "
                "searches returns two things, return value, move."
            )
        if kind == "TypeError" and re.search("not supported between .*'(str|tuple)'", said):
            where.append(
                "A move was compared with a value: every function that searches returns the value "
                "first, return value, move."
            )
        if kind == "AttributeError" and re.match("'(str|tuple|int)' object has no", said):
            where.append(
                "Is that a move where a state belongs? game.result(state, move) makes the state."
            )
        if kind == "SystemExit":
            where.append("Your code ended the program; it should return an answer instead.")
        what = f"{name} raised {kind}: {said}" if said else f"{name} raised {kind}"
        return Wrong(f"raised/{named(kind)}", what, where=where)

    # --- questions --------------------------------------------------------------------------------

    def find(self, function: str) -> None:
        """Load the file and look for the function. Raises Wrong if either does not succeed."""
        self.ask(function, {"do": "find", "game": ["TicTacToe"], "calls": [{}]})

    def serve(self, function: str, case: Case, *args: Any, **options: Any) -> Search:
        """Let `function(game, state, *args)` search the case's game, served from here."""
        served = case.served()
        player = case.player if isinstance(case, SearchCase) else None
        question = {
            "do": "call",
            "answer": "pair",
            "game": ["served", served.start_reply()],
            "calls": [{"args": [GAME, STATE, *args], "options": options}],
        }
        (answer,) = self.ask(function, question, served)
        checked = pair(function, answer, served.game, served.positions[0].state, player)
        self.observed += [checked.value, checked.index, served]
        return Search(checked.value, checked.move, checked.index, served)

    def search(
        self,
        function: str,
        game: Sequence,
        states: Iterable[Any],
        *args: Any,
        **options: Any,
    ) -> list[Answer]:
        """Let `function(game, state, *args)` search each state of a game of the worker's own."""
        states = list(states)
        question = {
            "do": "call",
            "answer": "pair",
            "game": game,
            "calls": [
                {"state": state, "args": [GAME, STATE, *args], "options": options}
                for state in states
            ],
        }
        answers = self.ask(function, question)
        here = make_game(game)
        return [
            pair(function, answer, here, make_state(here, state))
            for answer, state in zip(answers, states)
        ]

    def numbers(self, function: str, game: Sequence, calls: Iterable[tuple]) -> list[float]:
        """Return the number that `function(*args)` gives for each `(state, *args)` of `calls`."""
        question = {
            "do": "call",
            "answer": "number",
            "game": game,
            "calls": [{"state": state, "args": args} for state, *args in calls],
        }
        checked = []
        for i, answer in enumerate(self.ask(function, question)):
            try:
                checked.append(number(function, answer))
            except Wrong as wrong:
                wrong.pictures = tried(question, i, None)
                raise
        return checked

    def simulate(self, case: Case, seed: int) -> tuple[float, Served]:
        """Let `simulate` play on a served game; return its result and the game it played."""
        served = case.served()
        question = {
            "do": "call",
            "answer": "number",
            "game": ["served", served.start_reply()],
            "calls": [{"args": [GAME, STATE, {"rng": seed}]}],
        }
        (answer,) = self.ask("mcts.simulate", question, served)
        result = number("mcts.simulate", answer)
        self.observed += [result, served]
        return result, served

    def phase(self, function: str, case: PhaseCase, *args: Any) -> dict:
        """Call select, expand or backprop on the case's search tree, at node `case.at`.

        Returns {"returned": the row of a node, or what came instead, as text; "tree": the tree
        afterwards, as checked rows}.
        """
        call = {"tree": {"state": case.state, "nodes": case.nodes}, "at": case.at}
        question = {"do": "phase", "game": case.game, "calls": [{**call, "args": args}]}
        (answer,) = self.ask(function, question)
        if not isinstance(answer, dict):
            raise unreadable(f"{function} gave no answer that can be read")
        rows, returned = search_tree(answer.get("tree")), answer.get("returned")
        if type(returned) is not int or not 0 <= returned < len(rows):
            returned = text(returned.get("odd") if isinstance(returned, dict) else returned)
        self.observed += [returned, rows]
        return {"returned": returned, "tree": rows}

    def final_choice(self, case: ChoiceCase) -> Answer | None:
        """Let monte_carlo_tree_search end on the case's search tree; return its answer.

        The four phases are put out of action meanwhile. None if the student's own loop does not
        call them, so that it can't be led to that tree.
        """
        tree = {"state": case.state, "nodes": case.nodes}
        question = {
            "do": "choose",
            "game": case.game,
            "calls": [{"tree": tree, "at": [], "options": {"playouts": case.playouts}}],
        }
        (answer,) = self.ask("mcts.monte_carlo_tree_search", question)
        if answer is None:
            return None
        checked = pair("mcts.monte_carlo_tree_search", answer, case.make_game(), case.make_state())
        self.observed += [checked.value, checked.index]
        return checked

    def grow(self, case: PlayoutsCase, watch: bool = False) -> tuple[dict, Served]:
        """Grow a search tree by the student's four phases; return it, and the game they played.

        The tree is {"tree": checked rows, "results": what each simulate returned}, or, if simulate
        changed it, {"touched": the state it was called with}. The game is served: what the tree
        says can be compared with the playouts that there were.

        watch: look whether simulate changes the tree
        """
        call = {"playouts": case.playouts, "C": case.C, "seed": case.seed, "watch": watch}
        served = case.served()
        question = {"do": "grow", "game": ["served", served.start_reply()], "calls": [call]}
        (answer,) = self.ask("mcts.select", question, served, "the loop over your four phases")
        if not isinstance(answer, dict):
            raise unreadable("the search tree can't be read")
        if "touched" in answer:
            grown: dict = {"touched": served.name(answer["touched"])}
        else:
            results = answer.get("results")
            if not isinstance(results, list) or len(results) != case.playouts:
                raise unreadable("the results of the playouts can't be read")
            grown = {
                "tree": search_tree(answer.get("tree")),
                "results": [number("mcts.simulate", result) for result in results],
            }
            for row in grown["tree"]:
                row["position"], row["state"] = row["state"], served.name(row["state"])
        self.observed.append(grown)
        return grown, served


# --- checking plain data --------------------------------------------------------------------------


def tried(question: dict, index: int, served: Served | None) -> list[Picture]:
    """Draw what a call was about, as far as that is a position."""
    call = question["calls"][index] if index < len(question["calls"]) else {}
    player = next((arg for arg in call.get("args", ()) if arg in ("X", "O")), None)
    if served is not None:
        return [position(served.game, served.positions[0].state, player)]
    if "tree" in call:
        game, tree = make_game(question["game"]), call["tree"]
        return [statistics_tree(game, make_state(game, tree["state"]), tree["nodes"], call["at"])]
    if "state" not in call:
        return []
    game = make_game(question["game"])
    return [position(game, make_state(game, call["state"]), player)]


def where_it_was(place: Any, served: Served | None) -> list[str]:
    """Say in which line the worker says that its code was, in which call, and how deep."""
    positions = served.positions if served else []
    try:
        file, line, source = map(word, place["line"])
        function, depth = word(place["function"]), word(place["depth"])
        arguments = [
            # A served state comes as its number.
            (word(name), word(name_of(positions[it].state) if type(it) is int else it))
            for name, it in place["arguments"]
        ]
    except (LookupError, TypeError, ValueError, AttributeError):  # it may be anything
        return []
    called = ", ".join(name if it == "null" else f"{name}={it}" for name, it in arguments)
    deep = "" if depth == "1" else f", {depth} calls deep"
    return [f"It was then at {file}, line {line}:  {source}", f"in {function}({called}){deep}"]


def word(value: Any) -> str:
    return text(value)[:LONGEST_SHOWN]


def text(value: Any) -> str:
    """Student-derived text: cut, and without what a terminal would obey."""
    shown = value if isinstance(value, str) else json.dumps(value)
    shown = " ".join(shown[:LONGEST_TEXT].split())
    return printable(re.sub(r" at 0x[0-9A-Fa-f]+", "", shown))  # <Node object at ...>


def named(kind: str) -> str:
    """The name of a type of exception, as a part of a code; it may be the student's own."""
    return kind if re.fullmatch("[A-Za-z]{1,40}", kind) else "Exception"


def unreadable(what: str) -> Wrong:
    """Something came that no submission sends by mistake."""
    return Wrong("no-answer/unreadable", what, final=True)


def number(function: str, answer: Any) -> float:
    """Raises Wrong unless the answer is a finite number."""
    if type(answer) in (int, float):
        return answer
    odd = text(answer["odd"]) if isinstance(answer, dict) and "odd" in answer else "no number"
    raise Wrong(
        "not-a-number",
        f"{function.split('.')[1]} should return a finite number",
        expected="an int, a float or a NumPy scalar",
        got=odd,
    )


NOTHING_COMPARED = (
    "Is it what v began with (was no move tried, or none kept?), or a bound in place of v? Where "
    "the game is over the value is the utility."
)


def hint_at_value(odd: str) -> list[str]:
    """Say what came in place of a value, if its kind tells."""
    if odd.endswith(("(str)", "(tuple)")):
        return ["That is a move: the value comes first, return value, move."]
    return [NOTHING_COMPARED] if "inf" in odd else []


def hint_at(odd: str) -> list[str]:
    """Say what came in place of a move, if its kind tells."""
    if odd.endswith("(float)"):
        return ["That is a value: the value comes first, return value, move."]
    if odd.endswith("State)"):
        return ["That is a state: the move is what leads to it, one of game.actions(state)."]
    return []


def pair(function: str, answer: Any, game: Game, state: State, player: str | None = None) -> Answer:
    """Raises Wrong unless the answer is a pair of a number and a legal move (or None)."""
    name = function.split(".")[1]
    if not isinstance(answer, dict) or "value" not in answer:
        odd = text(answer["odd"]) if isinstance(answer, dict) and "odd" in answer else "no answer"
        raise Wrong(
            "not-a-pair",
            f"{name} should return a pair (value, move)",
            expected="two things, the value first: return value, move",
            got=odd,
        )
    value, move = answer["value"], answer.get("move")
    if isinstance(value, dict):
        odd = text(value.get("odd"))
        raise Wrong(
            "value/infinite" if "inf" in odd else "value/not-a-number",
            f"the value that {name} returns should be a finite number",
            expected="an int, a float or a NumPy scalar",
            got=odd,
            where=hint_at_value(odd),
            pictures=[position(game, state, player)],
        )
    actions = game.actions(state)
    if isinstance(move, dict):
        raise Wrong(
            "illegal-move",
            f"{name} returned a move that is not legal",
            expected=" or ".join(map(str, actions)) or "None: the game is over",
            got=text(move.get("odd")),
            where=hint_at(text(move.get("odd"))),
            pictures=[position(game, state, player)],
        )
    legal = move is None or (type(move) is int and 0 <= move < len(actions))
    if type(value) not in (int, float) or not legal:
        raise unreadable(f"{name} gave no answer that can be read")
    return Answer(value, None if move is None else actions[move], move)


def search_tree(rows: Any) -> list[dict]:
    """Check the rows of a search tree: node 0 is the root, `under` names an earlier row.

    Return them with what was checked and nothing else; `key` and `move` are a number, None or the
    text of what stood there. Raises Wrong unless every field is what it should be in kind.
    """
    if not isinstance(rows, list) or not 0 < len(rows) <= LARGEST_TREE:
        raise unreadable("the search tree can't be read")
    checked: list[dict] = []
    depths: list[int] = []
    for i, row in enumerate(rows):
        fits = (
            isinstance(row, dict)
            and isinstance(row.get("state"), str)
            and type(row.get("parent")) in (int, type(None))
            and (row.get("under") is None if i == 0 else type(row.get("under")) is int)
            and (i == 0 or 0 <= row["under"] < i)
        )
        if not fits:
            raise unreadable("the search tree can't be read")
        depths.append(depths[row["under"]] + 1 if i else 0)
        if depths[i] > DEEPEST_TREE:
            raise Wrong(
                "tree/too-deep",
                "the search tree goes deeper than any game",
                got=f"more than {DEEPEST_TREE} plies",
            )
        plain = {"state": text(row["state"])[:200], "parent": row["parent"], "under": row["under"]}
        for name in ("key", "move"):
            value = row.get(name)
            odd = value.get("odd") if isinstance(value, dict) else value
            plain[name] = value if type(value) in (int, type(None)) else text(odd)[:200]
        for name in ("U", "N"):
            plain[name] = row.get(name)
            if type(plain[name]) not in (int, float):
                what = f"a node's {name} should be a number"
                raise Wrong("tree/not-a-number", what, got=text(plain[name]))
        checked.append(plain)
    return checked
