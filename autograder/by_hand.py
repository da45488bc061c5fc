"""Writes a failing case as a few lines of Python, to be run outside the sandbox: `make try`.

The graded test itself says what is called and with what: it is run on a student that answers
nothing and keeps the first question. So each case of each test can be tried.
"""

from __future__ import annotations

import hashlib
import importlib
from collections.abc import Callable, Sequence
from math import inf
from pathlib import Path
from pprint import pformat
from typing import Any

from autograder.cases import Case, Cases, CutoffCase, PositionsCase, SearchCase
from autograder.draw import show
from autograder.errors import UsageError
from autograder.inside.protocol import GAME, STATE, make_state
from autograder.judge.cutoff_heuristic import NO_H, OWN_H
from autograder.questions import ROOT, question_of
from autograder.student import Student
from autograder.submission import Submission
from starter.games import Game

BUILT = """\
nodes = {}
for path, U, N in %s:
    if path:
        parent = nodes[path[:-1]]
        move = game.actions(parent.state)[path[-1]]
        parent.children[move] = Node(game.result(parent.state, move), parent, move)
        nodes[path] = parent.children[move]
    else:
        nodes[path] = Node(state)
    nodes[path].U, nodes[path].N = U, N
"""
LOOK = """\
for path, node in nodes.items():
    print(path, node.U, node.N)
"""
LOOP = """\
root = Node(state)
rng = random.Random({seed})
for _ in range({playouts}):
    leaf = select(root, {C})
    child = expand(leaf, game)
    utility = simulate(game, child.state, rng)
    backprop(child, utility)
for move, child in root.children.items():
    print(move, child.U, child.N)
"""


class FirstQuestion(Exception):
    """What a graded test asks first."""

    def __init__(self, function: str, question: dict[str, Any]) -> None:
        self.file, self.name = function.split(".")
        self.question = question


class Listener(Student):
    """Stands for a student, and stops the test at its first question about the case's game.

    Searches that only prepare for another one are answered.
    """

    def __init__(self, case: Case, cases: Cases) -> None:
        self.case = case
        self.cases, self.watch = cases, False
        self.submission = Submission()
        self.observed, self.remarks, self.shown = [], [], []
        self.worker, self.left = None, 0.0

    def ask(self, function: str, question: dict[str, Any], *more: Any, **other: Any) -> list[Any]:
        options = question["calls"][0].get("options")
        prepares = isinstance(self.case, PositionsCase) and options in (NO_H, OWN_H)
        if prepares or question["game"] == self.case.earlier:
            return [{"value": 0, "move": None} for _ in question["calls"]]
        raise FirstQuestion(function, question)


def first_question(case: Case, cases: Cases) -> FirstQuestion:
    """Return what the test of that case asks first."""
    question = question_of(case.number)
    module = importlib.import_module(f"tests.test_{question.number}_{question.name}")
    for test in vars(module).values():
        if getattr(test, "__number__", "") == case.number:
            try:
                test(student=Listener(case, cases), case=case)
            except FirstQuestion as first:
                return first
    raise UsageError(f"{case.name} can't be tried by hand")


def file_of(case: Case) -> Path:
    """Where a case is written."""
    which = case.index or hashlib.sha256(case.token.encode()).hexdigest()[:8]
    return ROOT / f"try_{case.number.replace('.', '_')}_{which}.py"


def by_hand(case: Case, cases: Cases) -> str:
    """Return the lines that build the case's game or search tree and call the function.

    Raises UsageError if there are none for such a question.
    """
    asked = first_question(case, cases)
    written = VERBS.get(asked.question["do"])
    if written is None:
        raise UsageError(f"{case.name} can't be tried by hand")
    names, lines = written(case, asked)
    state = asked.question["calls"][0].get("state", case.state)
    if isinstance(case, PositionsCase) and case.watched:  # unless another one has failed
        state, *_ = case.watched if len(case.positions) > 1 else case.positions[0]
    return "\n".join(
        [
            f'"""Case {case.name[:40]}, by hand: change what you like.{expected(case)}"""',
            "",
            *(["import random", ""] if any("random." in line for line in lines) else []),
            f"from starter.games import {case.game[0]}",
            f"from starter.{asked.file} import {', '.join(dict.fromkeys(names))}",
            "",
            *([f"earlier = {game_of(case.earlier)}"] if case.earlier else []),
            f"game = {game_of(case.game)}",
            f"state = {state_of(case.make_game(), state)}",
            "print(state)",
            "",
            *lines,
            "",
        ]
    )


def game_of(spec: list[Any]) -> str:
    """Return what makes a game."""
    parts = (pformat(part, width=90, compact=True, sort_dicts=False) for part in spec[1:])
    return f"{spec[0]}({', '.join(parts)})"


def expected(case: Case) -> str:
    if not isinstance(case, SearchCase):
        return ""
    actions = case.make_game().actions(case.make_state())
    best = " or ".join(show(actions[i]) for i in case.best) or "None"
    exactly = case.alpha < case.value < case.beta
    return f" The value is {show(case.value)}, the move {best}." if exactly else ""


def state_of(game: Game, spec: Any) -> str:
    """Return what makes a state."""
    if spec is None:
        return "game.initial"
    if isinstance(spec, str):
        return f"game.from_key({spec!r})"
    return f"game.from_key({make_state(game, spec).key!r})"


# --- verbs ----------------------------------------------------------------------------------------

Written = tuple[list[str], list[str]]  # the names that are imported, and lines


def written_call(case: Case, asked: FirstQuestion) -> Written:
    """Write calls of a function."""
    calls = asked.question["calls"]
    names, lines = [asked.name], helpers(case, calls[0])
    for i, call in enumerate(calls):
        if i > 0 and call.get("state") != calls[i - 1].get("state"):
            lines += [f"state = {state_of(case.make_game(), call['state'])}", "print(state)"]
        args = [argument(part, names) for part in call["args"]]
        args += [
            f"{name}={argument(part, names)}" for name, part in call.get("options", {}).items()
        ]
        if case.earlier:
            before = ("earlier" if arg == "game" else arg for arg in args)
            lines.append(f"print({asked.name}({', '.join(before)}))")
        lines.append(f"print({asked.name}({', '.join(args)}))")
    return names, lines


def argument(spec: Any, names: list[str]) -> str:
    """Write one argument; what has to be imported for it is added to `names`."""
    if spec in (GAME, STATE):
        return str(spec["the"])
    if not isinstance(spec, dict):
        return f"float('{spec}')" if spec in (inf, -inf) else repr(spec)
    ((kind, what),) = spec.items()
    if kind == "rng":
        return f"random.Random({what})"
    if kind == "cutoff" and what != "served":
        names.append("cutoff_depth")
        return f"cutoff_depth({what})"
    if kind == "h" and what == "own":
        names.append("connect_four_heuristic")
        return "connect_four_heuristic"
    return "lambda state, player: 0" if what == "zero" else kind


def helpers(case: Case, call: dict[str, Any]) -> list[str]:
    """Write the cutoff and the h that a case serves."""
    options = call.get("options", {})
    if not isinstance(case, CutoffCase) or {"cutoff": "served"} not in options.values():
        return []
    stop = f"state.key in {case.cut}" if case.depth is None else f"depth > {case.depth}"
    worth = f"{pformat(case.h, compact=True)}.get(state.key, 0)"
    if case.squares:
        signed = "w * ('O.X'.index(s) - 1) for s, w in zip(''.join(state.rows), "
        worth = f"sum({signed}{case.squares})) / 100"
    return [
        "def cutoff(game, state, depth):",
        f"    return {stop}",
        "",
        "def h(state, player):",
        f"    for_x = {worth}",
        '    return for_x if player == "X" else -for_x',
        "",
    ]


def tree(nodes: Sequence[Any]) -> list[str]:
    plain = [(tuple(path), U, N) for path, U, N in nodes]
    return (BUILT % pformat(plain, width=90, compact=True)).splitlines()


def phase(case: Case, asked: FirstQuestion) -> Written:
    """Write a phase on a search tree."""
    (call,) = asked.question["calls"]
    rest = ["game"] if asked.name == "expand" else list(map(repr, call["args"]))
    args = ", ".join([f"nodes[{tuple(call['at'])}]", *rest])
    lines = [*tree(call["tree"]["nodes"]), f"found = {asked.name}({args})"]
    if asked.name == "backprop":
        return ["Node", asked.name], [*lines, *LOOK.splitlines()]
    return ["Node", asked.name], [*lines, "print(found.move, found.U, found.N, found.children)"]


def chosen(case: Case, asked: FirstQuestion) -> Written:
    """Write the final choice: the loop ends on the tree, for its phases do nothing."""
    (call,) = asked.question["calls"]
    options = "".join(f"{name}={value!r}, " for name, value in call["options"].items())
    lines = [
        *tree(call["tree"]["nodes"]),
        "for phase in ('Node', 'select', 'expand'):",
        "    setattr(mcts, phase, lambda *args, **more: nodes[()])",
        "mcts.simulate = lambda *args, **more: 0",
        "mcts.backprop = lambda *args, **more: None",
        f"print(mcts.{asked.name}(game, state, {options}rng=random.Random(0)))",
        "for move, child in nodes[()].children.items():",
        "    print(move, child.U, child.N)",
    ]
    return ["Node"], ["from starter import mcts", "", *lines]


def grown(case: Case, asked: FirstQuestion) -> Written:
    """Write the loop over the four phases."""
    (call,) = asked.question["calls"]
    names = ["Node", "select", "expand", "simulate", "backprop"]
    return names, LOOP.format(**call).splitlines()


def moved(case: Case, asked: FirstQuestion) -> Written:
    """Write the first move of a player."""
    (call,) = asked.question["calls"]
    lines = ["player = Player()"]
    for method, *args in call["told"]:
        told = f"player.{method}({', '.join(map(repr, args))})"
        lines += [f'if hasattr(player, "{method}"):', f"    {told}"]
    return [asked.name], [*lines, "print(player.choose(game, state))"]


VERBS: dict[str, Callable[[Case, FirstQuestion], Written]] = {
    "call": written_call,
    "phase": phase,
    "choose": chosen,
    "grow": grown,
    "move": moved,
}
