"""Print a grading on a terminal: the table as it grows, messages, the last lines."""

import contextlib
import os
import shutil
import sys
import textwrap
import threading
import time

from autograder.feedback.report import (
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

LONG_TEST = 5.0  # seconds after which the progress of a test is shown
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


class CurrentTest(Progress):
    """An observer that shows the running test, and the progress of a long one.

    at_home: run only the tests that students get
    """

    def __init__(self, at_home: bool = False) -> None:
        self.at_home = at_home
        self.screen = measure_screen()
        self.cases = ""  # the judged ones, e.g. "3/20"
        self.ended = threading.Event()
        self.ticker: threading.Thread | None = None

    def wants(self, number: str) -> bool:
        return SETTINGS.students_get(number) or not self.at_home

    def starts(self, result: Result) -> None:
        if sys.stdout.isatty():
            self.show(result, "...")
            self.cases, self.ended = "", threading.Event()
            self.ticker = threading.Thread(target=self.tick, args=[result], daemon=True)
            with contextlib.suppress(RuntimeError):  # without a thread the time is not shown
                self.ticker.start()

    def tick(self, result: Result) -> None:
        """Show the running time of a long test, every second."""
        began, pause = time.monotonic(), LONG_TEST
        while not self.ended.wait(pause):
            self.show(result, f"{time.monotonic() - began:.0f} s {self.cases}")
            pause = 1.0

    def case_judged(self, judged: int, cases: int) -> None:
        self.cases = f"{judged}/{cases}" if cases > 1 else ""

    def show(self, result: Result, state: str) -> None:
        label = textwrap.shorten(result.label, self.screen.label, placeholder=" ...")
        line = f"{result.number:>5}  {label:<{self.screen.label}} {state:<12}"
        print(line[: self.screen.width], end="\r", flush=True)

    def finished(self, result: Result) -> None:
        """Clear the line."""
        self.ended.set()
        if self.ticker is not None and self.ticker.is_alive():
            self.ticker.join()
        if sys.stdout.isatty():
            print(" " * (self.screen.width - 1), end="\r", flush=True)


class LineByLine(CurrentTest):
    """An observer that prints each line of the table at once."""

    def finished(self, result: Result) -> None:
        super().finished(result)
        code = {Outcome.PASSED: GREEN, Outcome.NOT_RUN: DIM}.get(result.outcome, RED)
        line = format_row(result, self.screen)
        print(colour(line, DIM if result.stub else code), flush=True)


def print_points(report: Report) -> None:
    """Print the points of each question."""
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


def list_closing_lines(report: Report, *advice: str) -> list[str]:
    """Return the last lines of a grading; the score is the last one."""
    lines = [""]
    for text, code in ((report.problem, RED), *((note, DIM) for note in report.notes)):
        lines += [colour(line, code) for line in wrap(text, measure_screen().width, 2)]
    for text in advice:
        lines += [colour(line, BOLD) for line in wrap(text, measure_screen().width, 2, max_lines=8)]
    return [*lines, colour(format_score(report), BOLD)]


def finish(report: Report, lines: list[str]) -> int:
    """Print the last lines; return the exit status."""
    print("\n".join(lines))
    return 3 if report.problem or report.faulty else 0
