"""Help while the files are written: syntax errors, what has changed, and a console."""

import ast
import code
import difflib
import io
from contextlib import redirect_stderr, redirect_stdout
from typing import Any

from autograder.newer_python import list_newer_parts
from browser.grading import time_limit

CONSOLE_S = 60.0  # seconds of wall time for one input
LONGEST_OUTPUT = 20_000  # characters
CONSOLE = code.InteractiveConsole({"__name__": "__console__"})


def check(name: str, text: str) -> Any:
    """Return the syntax error of a file, or what the grader's Python lacks, with its place."""
    line, column, message = 1, 1, ""
    try:
        compile(text, name, "exec", ast.PyCF_ONLY_AST, dont_inherit=True)
        for newer in list_newer_parts({name: text.encode()}):
            place, _, message = newer.partition(", line ")[2].partition(": ")
            line = int(place)
    except SyntaxError as error:
        line, column, message = error.lineno or 1, error.offset or 1, error.msg
    except (ValueError, RecursionError, MemoryError) as error:  # such as a null character
        message = str(error)
    return {"line": line, "column": column, "message": message}


def compare(old: str, new: str) -> Any:
    """Return the lines that differ, with those around them."""
    lines = difflib.unified_diff(old.splitlines(), new.splitlines(), lineterm="", n=2)
    return {"difference": "\n".join([*lines][2:]) or "There is no difference."}


def console(line: str) -> Any:
    """Run a line, or several, with the student's files in Python's own console.

    Return what it prints, and whether it goes on.
    """
    printed, more = io.StringIO(), False
    with redirect_stdout(printed), redirect_stderr(printed), time_limit(CONSOLE_S):
        try:
            for part in line.split("\n"):
                more = CONSOLE.push(part.removeprefix(">>> ").removeprefix("... "))
        except SystemExit:
            printed.write("the console stays open\n")
    return {"printed": printed.getvalue()[:LONGEST_OUTPUT], "more": more}
