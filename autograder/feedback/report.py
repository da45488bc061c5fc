"""Report a grading as text: a table, and a message for each failed test."""

import os
import secrets
import textwrap
from pathlib import Path
from typing import NamedTuple

from autograder.commands import format_command
from autograder.feedback.messages import Words, find_place_in_handout, look_up, put_into_words
from autograder.feedback.results import Outcome, Report, Result
from autograder.feedback.text_drawing import Line, cut, draw_side_by_side
from autograder.printable import sanitize
from autograder.questions import QUESTIONS
from autograder.settings import SETTINGS

BESIDE_LABEL = 20  # characters of a row of the table beside its label
MOST_HINTS = 6  # of one finding on a screen
LONGEST_CASE = 8_000  # characters of its name in a command: Windows' console takes little more
MARKS = {
    Outcome.PASSED: "pass",
    Outcome.FAILED: "FAIL",
    Outcome.FAULT: "GRADER",
    Outcome.NOT_RUN: "-",
}
INDENT = "    "  # of drawings, output and commands below a message
UPLOAD = f"next: upload submission.zip to {SETTINGS.platform_name}"
NOT_RUN = "grading ended before this test; its points are not lost: run it again"


class Screen(NamedTuple):
    """The size of a text area in columns and lines; by default for paper."""

    width: int = 80
    height: int = 40


PAPER = Screen()


def format_outcome(result: Result) -> str:
    if result.stub:
        return "to do"
    return f"after {result.after}" if result.after else result.outcome.value


def format_share(result: Result) -> str:
    """Return the points of a test and their maximum, "" if it is worth none."""
    return f"{result.points:g}/{result.max_points:g}" if result.max_points else ""


def format_score(report: Report) -> str:
    """Return the last line of a grading, with the bonus if there is one."""
    if report.alone:
        return "no score: only one case was run"
    if not report.is_complete:
        return "no score: not graded, run it again"
    if report.only_bonus:
        max_points = sum(result.max_points for result in report.results)
        return f"score: {report.bonus:g}/{max_points:g} bonus"
    return format_score_line(report.earned, report.max_points, report.bonus)


def format_score_line(earned: float, max_points: float, bonus: float) -> str:
    return f"score: {earned:g}/{max_points:g}{format_bonus(bonus)}"


def format_bonus(bonus: float) -> str:
    """Return the bonus as an addition to the points, "" without a bonus."""
    return f" + {bonus:g} bonus" if bonus else ""


def format_row(result: Result, screen: Screen = PAPER) -> str:
    """Return a test's row in the table; a long label is wrapped."""
    mark = f"{'todo' if result.stub else MARKS[result.outcome]:<6}"
    width = screen.width - BESIDE_LABEL
    if result.after:
        mark = f"after {result.after:<4}"
        width -= len(mark) - len("passed")
    shows_reason = result.outcome is Outcome.FAILED and not (result.stub or result.after)
    # Why it fails, if its title is about something else.
    reason = look_up("reasons", result.finding.code) if result.finding and shows_reason else ""
    label = f"{result.label} ({reason})" if reason else result.label
    first, *rest = textwrap.wrap(label, width) or [""]
    lines = [f"{result.number:>5}  {first:<{width}} {mark} {format_share(result):>5}".rstrip()]
    return "\n".join(lines + [f"{'':>7}{line}" for line in rest])


def find_next_step(report: Report) -> str:
    """Return the next thing to do, with the command that checks it."""
    results = report.results
    first = report.to_look_at
    if first is None:
        if report.faulty or not results:
            whom = SETTINGS.whom_to_tell
            return f"next: tell {whom} that the grader fails; it is not your fault"
        if any(result.outcome is not Outcome.PASSED for result in results):
            return f"next: {format_command('test')}, to the end"
        return f"next: {find_step_after_success(report)}"
    if first.stub and first.finding is not None:
        stub = first.finding.code == "not-written"
        again = format_command("test", "question", first.question)
        todo = first.finding.facts["what"] if stub else f"fix {first.number}"
        if first.bonus and report.chosen is None:
            return f"next: {format_command('submit')}; or, for a bonus, {todo}, then: {again}"
        return f"next: {todo}, then: {again}"
    if report.alone:
        again = format_command("test", "question", first.number)
        return f"next: fix this case; {again} runs all, and names a usual mistake"
    fix = f"next: fix {first.number} ({format_command('test', 'question', first.number)})"
    failed = [r for r in results if r.outcome is Outcome.FAILED and r.question == first.question]
    return f"{fix}; what fails after it may have the same cause" if len(failed) > 1 else fix


def find_step_after_success(report: Report) -> str:
    """Return the next step after success: other tests, the next question, or submit."""
    chosen = report.chosen
    if chosen is None:
        return f"everything passes; {format_command('submit')}"
    if report.alone:
        whole = format_command("test", "question", chosen)
        return f"this case passes; the points are for all cases: {whole}"
    number, _, test = chosen.partition(".")
    if test:
        whole = format_command("test", "question", number)
        return f"test {chosen} passes; the whole question: {whole}"
    for question in QUESTIONS:
        if question.number > number and not question.bonus:
            again = format_command("test", "question", question.number)
            return f"question {number} passes; question {question.number}, {question.file}: {again}"
    return f"question {number} passes; all questions together: {format_command('test')}"


def list_failing_tests(report: Report) -> str:
    """List the numbers of the tests that fail, if several do; stubs are left out."""
    failed = [result for result in report.results if result.outcome is Outcome.FAILED]
    numbers = [result.number for result in failed if not result.stub]
    return f"failing: {', '.join(numbers)}" if len(numbers) > 1 else ""


def list_commands(result: Result) -> list[tuple[str, str]]:
    """Describe how to repeat a failure, with the commands."""
    name = result.case.name if result.case is not None else ""
    shows_it = result.finding is not None and result.finding.reproducible
    if name and shows_it and len(name) <= LONGEST_CASE:
        return [
            ("this case alone", format_command("test", "case", name)),
            ("by hand, with prints and breakpoint()", format_command("try", "case", name)),
        ]
    return [("this test alone", format_command("test", "question", result.number))]


def explain_without_finding(result: Result) -> str:
    """Say which failing test comes first, or why there is no verdict."""
    if result.after:
        again = format_command("test", "question", result.after)
        return f"fix {result.after} first ({again}): until it passes, this test proves little"
    if result.outcome is Outcome.FAULT:
        return f"The grader itself failed here, not your code: {result.reason}"
    return NOT_RUN


def lay_out_message(result: Result, screen: Screen = PAPER) -> list[Line]:
    """Return the message about one test, in lines that fit the screen.

    The drawing gets the remaining room.
    """
    if result.outcome is Outcome.PASSED or (result.finding and not result.explained):
        return []
    finding, width = result.finding, screen.width
    if result.outcome is not Outcome.FAILED or finding is None or result.after:
        return list(map(Line, wrap(explain_without_finding(result), width, max_lines=12)))
    said = put_into_words(finding, result.needs_guesses)
    few = screen.height < PAPER.height // 2
    # The indent marks further lines of the message.
    lines = list(map(Line, wrap(said.message, width, indent=2, max_lines=3 if few else 4)))
    if result.stub:
        return [*lines, *map(Line, lay_out_hints(said, screen))]
    for head, body in (("expected", said.expected), ("got", said.got)):
        texts = wrap(f"  {head + ':':<10}{body}", width, indent=12, max_lines=3) if body else []
        lines += [Line(text, style=head) for text in texts]
    after = wrap(f"  {result.failing}", width, indent=4, max_lines=2)
    after += wrap(result.named_mistake, width, max_lines=9)
    rest = lay_out_output(result, screen)
    if place := find_place_in_handout(finding.code):
        rest.append(f"  see also: {place}")
    for reason, again in list_commands(result):
        line = f"  {reason}: {again}"
        rest += [line] if len(line) <= width else [f"  {reason}:", f"{INDENT}{again}"]
    left = screen.height - len(lines) - len(after) - len(rest)
    hints = lay_out_hints(said, Screen(width, max(1, min(left // 2, left - 4))))
    drawn = draw_side_by_side(finding.diagrams, left - len(hints), width - len(INDENT))
    indented = [line._replace(text=INDENT + line.text) for line in drawn]
    return [*lines, *map(Line, [*hints, *after]), *indented, *map(Line, rest)]


def lay_out_hints(said: Words, screen: Screen) -> list[str]:
    """Return as many hints as fit."""
    lines: list[str] = []
    for hint in said.hints[:MOST_HINTS]:
        more = wrap(f"  {hint}", screen.width, indent=4, max_lines=3)
        if len(lines) + len(more) > screen.height:
            break
        lines += more
    return lines


def lay_out_output(result: Result, screen: Screen) -> list[str]:
    """Return the first lines of the student code's output."""
    printed = result.printed.splitlines()
    if not printed:
        return []
    shown = printed[: 3 if screen.height >= PAPER.height else 1]
    more = len(printed) - len(shown)
    cuts = [str(cut(Line(INDENT + line), screen.width)) for line in shown]
    lines = ["  your code printed:", *cuts]
    return [*lines, f"{INDENT}... and {more} line{'s' * (more > 1)} more"] if more else lines


def wrap(text: str, width: int, indent: int = 0, max_lines: int = 4) -> list[str]:
    """Break text into at most `max_lines` lines of that width. A path stays whole."""
    wrapper = textwrap.TextWrapper(width, subsequent_indent=" " * indent, max_lines=max_lines)
    wrapper.placeholder = " ..."
    wrapper.break_on_hyphens = wrapper.break_long_words = False
    return wrapper.wrap(text)


def format_message(result: Result, screen: Screen = PAPER) -> str:
    """Return the message without control characters."""
    return "\n".join(map(sanitize, lay_out_message(result, screen)))


def write_atomically(path: Path, content: str | bytes, private: bool = False) -> None:
    """Write a file atomically. On an OSError the old file is unchanged.

    private: only the owner may read it, from the first byte on

    A link of that name is replaced, never followed. The temporary file's name is new and random, so
    no link is followed there either.
    """
    data = content.encode() if isinstance(content, str) else content
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    try:
        mode = 0o600 if private else 0o666
        with open(draft, "xb", opener=lambda path, flags: os.open(path, flags, mode)) as file:
            file.write(data)
        os.replace(draft, path)
    finally:
        draft.unlink(missing_ok=True)
