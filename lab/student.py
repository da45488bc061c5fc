"""Reads the question files afresh, and says in clear words what is not written yet or fails."""

from __future__ import annotations

import ast
import linecache
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from autograder.questions import QUESTIONS, ROOT
from autograder.worker.inside.to_json import number

FOLDER = ROOT / "starter"  # where the student writes
STUB = "not written yet"
OUTPUTS: list[Any] = []  # all that was sys.stdout: what wraps it would close it when forgotten
# What an algorithm needs, by question file.
FUNCTIONS = {question.name: question.functions for question in QUESTIONS}


class Student(NamedTuple):
    """The student's modules that could be read, and what is missing."""

    modules: dict[str, ModuleType]
    missing: dict[tuple[str, str], str]  # (file, function) -> why it can't be used

    def missing_reason(self, file: str, *functions: str) -> str:
        """Why these functions of a file (all of them, if none is named) can't be used; "" if they
        can."""
        reasons = [self.missing.get((file, name), "") for name in functions or FUNCTIONS[file]]
        return next(filter(None, reasons), "")

    def module(self, file: str, *functions: str) -> Any:
        """Return the student's module. Raises NotUsable if one of these functions is missing."""
        if reason := self.missing_reason(file, *functions):
            raise NotUsable(reason)
        return self.modules[file]


def read(folder: Path = FOLDER) -> Student:
    """Read the question files as they are on the disk now."""
    for file in FUNCTIONS:
        sys.modules.pop(f"starter.{file}", None)
    linecache.checkcache()
    modules: dict[str, ModuleType] = {}
    missing: dict[tuple[str, str], str] = {}
    for file, functions in FUNCTIONS.items():
        path = folder / f"{file}.py"
        if not path.is_file():
            why = f"{path.name} is not in {folder.name}/"
            missing |= {(file, name): why for name in functions}
            continue
        try:
            source = path.read_bytes()  # Python knows how it is encoded
            modules[file] = _executed(f"starter.{file}", path, source)
            unwritten = _unwritten(source)
        except (Exception, SystemExit) as problem:
            why = explain(problem, folder)
            why = why if path.name in why else f"{path.name}: {why}"
            reasons = dict.fromkeys(functions, why)
        else:
            reasons = {
                name: f"{STUB}: write {unwritten[name]} in {path.name}"
                if name in unwritten
                else f"{path.name} has no {name}: put it back"
                for name in functions
                if name in unwritten or not hasattr(modules[file], name)
            }
        missing |= {(file, name): reason for name, reason in reasons.items()}
    return Student(modules, missing)


def _executed(name: str, path: Path, source: bytes) -> ModuleType:
    module = ModuleType(name)
    module.__file__ = str(path)
    module.__package__ = name.rpartition(".")[0]  # a player's imports begin there
    code = compile(source, str(path), "exec")
    sys.modules[name] = module  # where the other files find it
    OUTPUTS.append(sys.stdout)
    try:
        exec(code, module.__dict__)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def _unwritten(source: bytes) -> dict[str, str]:
    """Of the functions and classes that can't be used yet, the function that is to be written: it
    still ends by raising NotImplementedError."""
    return {
        top.name: node.name
        for top in ast.parse(source).body
        if isinstance(top, (ast.FunctionDef, ast.ClassDef))
        for node in ast.walk(top)
        if isinstance(node, ast.FunctionDef)
        and isinstance(node.body[-1], ast.Raise)
        and "NotImplementedError" in ast.unparse(node.body[-1])
        and not _returns(node.body[-2:][0])  # then nothing comes to that line
    }


def _returns(statement: ast.stmt) -> bool:
    """Does a statement return in any case?"""
    if isinstance(statement, ast.If) and statement.orelse:
        return _returns(statement.body[-1]) and _returns(statement.orelse[-1])
    return isinstance(statement, ast.Return)


def explain(problem: BaseException, folder: Path = FOLDER) -> str:
    """What went wrong in the student's code, in a few lines: the message, and their own lines."""
    if isinstance(problem, (NotUsable, BadAnswer, TimeoutError)):
        return str(problem)
    if isinstance(problem, NotImplementedError):
        return f"{STUB}: {problem}"
    if isinstance(problem, SyntaxError):
        where = f"{Path(problem.filename or '').name}, line {problem.lineno}"
        return f"Python can't read {where}: {problem.msg}\n    {(problem.text or '').strip()}"
    lines = [
        f"    {Path(frame.filename).name}, line {frame.lineno}, in {frame.name}: {frame.line}"
        for frame in traceback.extract_tb(problem.__traceback__)
        if Path(frame.filename).parent == folder and Path(frame.filename).stem in FUNCTIONS
    ]
    if isinstance(problem, SystemExit):
        return "\n".join(["your functions have ended Python, as sys.exit() does", *lines[-4:]])
    if isinstance(problem, RecursionError):
        what = "the search never came to an end of the game: is the terminal test missing?"
        return "\n".join([what, *lines[-2:]])
    try:
        words = f"{type(problem).__name__}: {problem}"
    except Exception as worse:  # its own __str__ fails
        words = f"{type(problem).__name__}, which can't be shown: {worse}"
    return "\n".join([words[:1_000], *lines[-4:]])


def written(code: Student, tell: Callable[[Any], None]) -> dict[tuple[str, str], str]:
    """What is missing; work for a job, as the files may do anything when they are read."""
    return code.missing


class NotUsable(Exception):
    """A function that is needed is not written, or its file can't be read; the message says so."""


class BadAnswer(ValueError):
    """A search returned something other than a value and a legal move."""


def checked(answer: Any, moves: tuple[Any, ...], name: str) -> tuple[float, Any]:
    """The pair (value, move) that a search must return. Raises BadAnswer otherwise."""
    if not isinstance(answer, (tuple, list)) or len(answer) != 2:
        raise BadAnswer(f"{name} returned {answer!r}; it must return a pair (value, move)")
    value, move = answer
    return as_number(value, name), legal(move, moves, name)


def as_number(value: Any, name: str) -> float:
    """A value that something has returned. Raises BadAnswer if it is no number to the grader."""
    plain = number(value)
    if isinstance(plain, dict):
        raise BadAnswer(f"{name} returned the value {value!r}, which is no number")
    return float(plain)


def legal(move: Any, moves: tuple[Any, ...], name: str) -> Any:
    """The move, which must be one of these. Raises BadAnswer otherwise."""
    if move not in moves:
        raise BadAnswer(f"{name} chose {move!r}; the legal moves are {', '.join(map(repr, moves))}")
    return moves[moves.index(move)]
