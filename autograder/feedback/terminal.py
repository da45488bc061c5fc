"""Print a grading on a terminal: the table as it grows, messages, the last lines."""

import os
import shutil
import sys
import textwrap
from collections.abc import Sequence

from autograder.feedback.report import (
    BESIDE_LABEL,
    PAPER,
    Screen,
    format_row,
    format_score,
    lay_out_message,
    wrap,
)
from autograder.feedback.results import Outcome, Progress, Report, Result
from autograder.feedback.text_drawing import Line
from autograder.printable import sanitize
from autograder.settings import SETTINGS

BOLD, RED, GREEN, DIM, PLAIN = "\033[1m", "\033[31m", "\033[32m", "\033[2m", "\033[0m"
STYLES = {"expected": GREEN, "got": RED, "faded": DIM}  # of a message's lines


def measure_screen() -> Screen:
    """Return the size of the terminal, within limits; that of paper without one."""
    width, height = shutil.get_terminal_size(PAPER)
    return Screen(min(max(width, 48), 120), min(max(height, 20), PAPER.height + 10))


def colour(text: str, code: str) -> str:
    """Colour a text if the terminal supports it; see https://no-color.org."""
    able = os.name != "nt" or "WT_SESSION" in os.environ  # Windows' old console shows the codes
    dumb = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return f"{code}{text}{PLAIN}" if sys.stdout.isatty() and able and not dumb else text


def warn(text: str) -> None:
    """Print why a command ends early."""
    print(colour(text, RED), file=sys.stderr)


class CurrentTest(Progress):
    """An observer that shows the running test, and how many of its cases are judged.

    at_home: run only the tests that students get
    """

    def __init__(self, at_home: bool = False) -> None:
        self.at_home = at_home
        self.screen = measure_screen()
        self.row = ""  # of the running test

    def wants(self, number: str) -> bool:
        return SETTINGS.students_get(number) or not self.at_home

    def starts(self, result: Result) -> None:
        width = self.screen.width - BESIDE_LABEL
        label = textwrap.shorten(result.label, width, placeholder=" ...")
        self.row = f"{result.number:>5}  {label:<{width}} "
        self.show(f"{self.row}...")

    def case_judged(self, judged: int, cases: int) -> None:
        if cases > 1:
            self.show(f"{self.row}{judged}/{cases}")

    def finished(self, result: Result) -> None:
        """Clear the line."""
        self.show("")

    def show(self, line: str) -> None:
        """Show this line in place of the last one, on a terminal."""
        if sys.stdout.isatty():
            width = self.screen.width - 1
            end = "" if line else "\r"
            print(f"\r{line[:width]:<{width}}", end=end, flush=True)


class LineByLine(CurrentTest):
    """An observer that prints each line of the table at once."""

    def finished(self, result: Result) -> None:
        super().finished(result)
        code = {Outcome.PASSED: GREEN, Outcome.NOT_RUN: DIM}.get(result.outcome, RED)
        line = format_row(result, self.screen)
        print(colour(line, DIM if result.stub else code), flush=True)


def print_points(report: Report) -> None:
    table = report.by_question.items()
    parts = (f"question {q}: {earned:g}/{of:g}" for q, (earned, of) in table)
    print("\n" + "\n".join(wrap("   ".join(parts), measure_screen().width)))


def show_messages(results: list[Result], room: Screen) -> None:
    """Print the message about each of these tests; each one fits into the room."""
    for result in results:
        head = wrap(f"{result.number}  {result.label}", room.width, indent=5)
        lines = lay_out_message(result, room._replace(height=room.height - len(head) - 1))
        if lines:
            print(colour("\n".join(["", *head]), BOLD))
            print("\n".join(map(paint, lines)))


def paint(line: Line) -> str:
    """Return a line of a message in its colour, and its mark in red."""
    text, arrow = sanitize(line.text), sanitize(line.arrow)
    if line.style:
        text = colour(text, STYLES[line.style])
    return text + (colour(arrow, RED) if arrow else "")


def finish(report: Report, shown: list[Result], advice: Sequence[str], height: int = 0) -> int:
    """Print the messages about some results, and the last lines; return the exit status.

    height: the most lines of a message; by default those that the last lines leave on the screen
    """
    screen, end = measure_screen(), [""]
    for text, code in ((report.problem, RED), *((note, DIM) for note in report.notes)):
        end += [colour(line, code) for line in wrap(text, screen.width, 2)]
    for text in advice:
        end += [colour(line, BOLD) for line in wrap(text, screen.width, 2, max_lines=8)]
    end.append(colour(format_score(report), BOLD))
    left = screen.height - len(end) - 1  # leaves a line for the prompt
    show_messages(shown, screen._replace(height=height or left))
    print("\n".join(end))
    return 3 if report.problem or report.faulty else 0
