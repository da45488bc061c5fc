"""Help while the files are written: syntax errors, what has changed, and a console."""

from __future__ import annotations

import ast
import code
import contextlib
import difflib
import importlib
import io
from collections.abc import Mapping
from typing import Any

from autograder.grading.try_case import forget_submission
from autograder.newer_python import list_newer_parts
from browser.grading import Page, lay_out, read_files, time_limit

CONSOLE_S = 60.0  # seconds of wall time for one input
LONGEST_OUTPUT = 20_000  # characters


def check(page: Page, name: str, text: str) -> Any:
    """Return the syntax errors of a file, each with its line, column and message."""
    try:
        compile(text, name, "exec", ast.PyCF_ONLY_AST, dont_inherit=True)
    except SyntaxError as error:
        return {"errors": [[error.lineno or 1, error.offset or 1, error.msg]]}
    except (ValueError, RecursionError, MemoryError) as error:  # such as a null character
        return {"errors": [[1, 1, str(error)]]}
    newer = [line.partition(", line ")[2] for line in list_newer_parts({name: text.encode()})]
    return {"errors": [[int(line.partition(":")[0]), 1, line.partition(": ")[2]] for line in newer]}


def compare(page: Page, old: str, new: str) -> Any:
    """Return the lines that differ, with those around them."""
    lines = difflib.unified_diff(old.splitlines(), new.splitlines(), lineterm="", n=2)
    return {"lines": list(lines)[2:]}


class Console:
    """Python's own console, with the student's files."""

    def __init__(self) -> None:
        self.names: dict[str, Any] = {"__name__": "__console__"}
        self.console = code.InteractiveConsole(self.names)
        self.files: Mapping[str, str] = {}

    def enter(self, page: Page, files: Mapping[str, str], line: str) -> dict[str, Any]:
        """Run a line, or several; return what it prints, and whether it goes on.

        Files that have changed are loaded again at their next import.
        """
        if files != self.files:
            self.files = dict(files)
            lay_out(read_files(files))
            forget_submission()
            importlib.invalidate_caches()
        printed = io.StringIO()
        more = False
        with (
            contextlib.redirect_stdout(printed),
            contextlib.redirect_stderr(printed),
            time_limit(page, CONSOLE_S),
        ):
            try:
                for part in line.split("\n"):
                    more = self.console.push(part.removeprefix(">>> ").removeprefix("... "))
            except SystemExit:
                printed.write("the console stays open\n")
        return {"printed": printed.getvalue()[:LONGEST_OUTPUT], "more": more}


CONSOLE = Console()


def console(page: Page, files: Mapping[str, str], line: str) -> Any:
    """Run a line in the console."""
    return CONSOLE.enter(page, files, line)
