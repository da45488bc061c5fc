"""Read the question files again, and say what is not written yet or fails."""

import dis
import inspect
import sys
import traceback
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from autograder.questions import QUESTIONS, ROOT
from autograder.worker.inside.to_json import to_number

FOLDER = ROOT / "starter"  # where the student writes
STUB = "not written yet"
# A question file may wrap sys.stdout; if the wrapper were freed, it would close the output.
OUTPUTS: list[Any] = []
# The functions that each algorithm needs, by question file.
FUNCTIONS = {question.name: question.functions for question in QUESTIONS}


class StudentCode(NamedTuple):
    """The student's modules that could be read, and what is missing."""

    modules: dict[str, ModuleType]
    missing: dict[tuple[str, str], str]  # (file, function) -> why it can't be used

    def explain_missing(self, file: str, *functions: str) -> str:
        """Say why these functions of a file can't be used, or "" if they can.

        functions: by default, all of the file
        """
        reasons = [self.missing.get((file, name), "") for name in functions or FUNCTIONS[file]]
        return next(filter(None, reasons), "")

    def module(self, file: str, *functions: str) -> Any:
        """Return the student's module. Raises Unusable if one of these functions is missing."""
        if reason := self.explain_missing(file, *functions):
            raise Unusable(reason)
        return self.modules[file]


def read_code(folder: Path = FOLDER) -> StudentCode:
    """Read the question files as they are on the disk now."""
    for file in FUNCTIONS:
        sys.modules.pop(f"starter.{file}", None)
    modules: dict[str, ModuleType] = {}
    missing: dict[tuple[str, str], str] = {}
    for file, functions in FUNCTIONS.items():
        path, why = folder / f"{file}.py", ""
        try:
            modules[file] = _execute(f"starter.{file}", path)
        except (Exception, SystemExit) as problem:
            sys.modules.pop(f"starter.{file}", None)
            why = explain_exception(problem, folder)
            why = why if path.name in why else f"{path.name}: {why}"
        for name in functions:
            item = getattr(modules.get(file), name, None)
            if why:
                missing[file, name] = why
            elif item is None:
                missing[file, name] = f"{path.name} has no {name}: put it back"
            elif stub := _find_stub(item, path.name):
                missing[file, name] = f"{STUB}: write {stub} in {path.name}"
    return StudentCode(modules, missing)


def _execute(name: str, path: Path) -> ModuleType:
    code = compile(path.read_bytes(), str(path), "exec")  # Python finds the encoding
    module = sys.modules[name] = ModuleType(name)  # where the other files find it
    module.__file__ = str(path)
    module.__package__ = name.rpartition(".")[0]  # where a player's relative imports begin
    OUTPUTS.append(sys.stdout)
    exec(code, module.__dict__)
    return module


def _find_stub(item: Any, file: str) -> str:
    """Return the name of the first stub in an item, or "" if there is none.

    Python drops the last line of a stub if it can't be reached.
    """
    functions = vars(item).values() if inspect.isclass(item) else [item]
    for function in filter(inspect.isfunction, functions):
        stub = f"write {function.__name__} in {file}"
        if any(step.argval == stub for step in dis.get_instructions(function)):
            return str(function.__name__)
    return ""


def explain_exception(problem: BaseException, folder: Path = FOLDER) -> str:
    """Return the message of an exception, then the student's lines in the traceback."""
    if isinstance(problem, (Unusable, TimeoutError)):
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
    return "\n".join([f"{type(problem).__name__}: {problem}"[:1_000], *lines[-4:]])


class Unusable(Exception):
    """The student's code is not written, can't be read, or answers no value and legal move."""


def check_answer(answer: Any, moves: tuple[Any, ...], name: str) -> tuple[float, Any]:
    """Return the pair (value, move) of a search. Raises Unusable if it is no pair."""
    if not isinstance(answer, (tuple, list)) or len(answer) != 2:
        raise Unusable(f"{name} returned {answer!r}; it must return a pair (value, move)")
    value, move = answer
    return check_number(value, name), check_move(move, moves, name)


def check_number(value: Any, name: str) -> float:
    """Return a value as a number. Raises Unusable if it is none to the grader."""
    plain = to_number(value)
    if isinstance(plain, dict):
        raise Unusable(f"{name} returned the value {value!r}, which is no number")
    return float(plain)


def check_move(move: Any, moves: tuple[Any, ...], name: str) -> Any:
    """Return the move. Raises Unusable if it is not one of `moves`."""
    if move not in moves:
        raise Unusable(f"{name} chose {move!r}; the legal moves are {', '.join(map(repr, moves))}")
    return moves[moves.index(move)]
