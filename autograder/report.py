"""Says what came of a grading: a table and messages as text, and Gradescope's results.json."""

from __future__ import annotations

import json
import os
import textwrap
from pathlib import Path

from autograder.draw import side_by_side
from autograder.plugin import FAILED, FAULT, PASSED, TOTAL, Result

WIDTH = 92
LABEL = 69  # the width of a test's label in the table
MOST_LINES = 40  # of one test's message
LONGEST = 90_000  # characters of one string in results.json; Gradescope cuts at 100,000
MARKS = {PASSED: "pass", FAILED: "FAIL", FAULT: "GRADER", "not run": "-"}


def points(number: float) -> str:
    return f"{number:g}"


def score(results: list[Result]) -> str:
    """The line that ends every grading."""
    earned, most = sum(r.points for r in results), sum(r.most for r in results)
    return f"score: {points(earned)}/{points(most)}"


def table_line(result: Result) -> str:
    """One test in the table of points; a long label goes on below."""
    mark = "todo" if result.stub else MARKS[result.outcome]
    got = f"{points(result.points)}/{points(result.most)}"
    first, *rest = textwrap.wrap(result.label, LABEL) or [""]
    lines = [f"{result.number:>5}  {first:<{LABEL}} {mark:<6} {got:>5}"]
    return "\n".join(lines + [f"{'':>7}{line}" for line in rest])


def by_question(results: list[Result]) -> dict[str, tuple[float, float]]:
    """The points earned, and those to be had, by question."""
    table: dict[str, tuple[float, float]] = {}
    for result in results:
        question = result.number.split(".")[0]
        earned, most = table.get(question, (0, 0))
        table[question] = earned + result.points, most + result.most
    return table


def to_look_at(results: list[Result]) -> Result | None:
    """The test to look at first: one that fails on code that is written, else one that is not."""
    failed = [result for result in results if result.outcome == FAILED]
    return next((result for result in failed if not result.stub), failed[0] if failed else None)


def next_step(results: list[Result]) -> str:
    """The one thing to do now, with the command that shows whether it is done."""
    first = to_look_at(results)
    if first is None:
        if any(result.outcome == FAULT for result in results):
            return "next: tell your instructor that the grader fails"
        if any(result.outcome != PASSED for result in results):
            return "next: make test, to the end"
        whole = sum(result.most for result in results) == TOTAL
        return f"next: everything passes; {'make submit' if whole else 'make test'}"
    question = first.number.split(".")[0]
    if first.stub and first.wrong is not None:
        todo, _, unwritten = first.wrong.what.rpartition("not written yet: ")
        return f"next: {unwritten if not todo else 'mend that'}, then: make test Q={question}"
    mend = f"next: mend {first.number}, shown above"
    others = [r for r in results if r.outcome == FAILED and r.number.split(".")[0] == question]
    return f"{mend}; what fails after it may have the same cause" if len(others) > 1 else mend


def message(result: Result) -> list[str]:
    """What a student should know about one test, in at most a screen of plain text."""
    if result.outcome == PASSED:
        return []
    if result.outcome != FAILED or result.wrong is None:
        blame = "The grader itself failed here, not your code: " if result.outcome == FAULT else ""
        return textwrap.wrap(blame + result.reason, WIDTH)
    wrong = result.wrong
    lines = wrapped(wrong.what, most=4)
    if result.stub:
        return lines
    for head, body in (("expected", wrong.expected), ("got", wrong.got)):
        if body:
            lines += wrapped(f"  {head + ':':<10}{body}", indent=12, most=3)
    for where in wrong.where[:5]:
        lines += wrapped(f"  {where}", indent=4, most=2)
    if result.diagnosis:
        lines += wrapped(f"This is what you would get if {result.diagnosis}.", most=2)
    rest = []
    if result.printed:
        printed = result.printed.splitlines()
        rest = ["  your code printed:", *(f"    {line[: WIDTH - 4]}" for line in printed[:3])]
        rest += [f"    ... and {len(printed) - 3} lines more"] if len(printed) > 3 else []
    if result.case is not None and wrong.alone:
        rest += ["  to run this case alone, at home:", f"    make test CASE={result.case.name}"]
    else:
        rest += ["  to run this test alone, at home:", f"    make test Q={result.number}"]
    room = MOST_LINES - len(lines) - len(rest)
    drawn = [shortened(f"    {line}") for line in side_by_side(wrong.pictures, room)]
    return lines + drawn + rest


def wrapped(text: str, indent: int = 0, most: int = 4) -> list[str]:
    """Break text into at most so many lines of the report's width."""
    margin = " " * indent
    return textwrap.wrap(text, WIDTH, subsequent_indent=margin, max_lines=most, placeholder=" ...")


def shortened(line: str) -> str:
    return line if len(line) <= WIDTH else line[: WIDTH - 4] + " ..."


def passed(result: Result) -> str:
    return f"Passed: {result.reason}" if result.reason else "Passed."


def as_text(result: Result) -> str:
    """The message without what a terminal or a page could obey."""
    text = clean("\n".join(message(result)))
    return text if len(text) <= LONGEST else text[:LONGEST] + "\n..."


def clean(text: str) -> str:
    return "".join(c if c.isprintable() or c == "\n" else "\ufffd" for c in text)


def as_json(results: list[Result], notes: list[str], trouble: str, seconds: float) -> dict:
    """The results in the form that Gradescope reads."""
    summary = [trouble] if trouble else []
    if any(result.outcome == FAULT for result in results):
        summary.append(
            "The grader itself failed on some tests. That is not your fault: tell your instructor."
        )
    return {
        "score": float(sum(result.points for result in results)),
        "execution_time": round(seconds, 3),
        "output": "\n".join([*summary, *notes, score(results) if results else "score: 0/100"]),
        "output_format": "text",
        "test_output_format": "text",
        "test_name_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": [
            {
                "name": result.label,
                "number": result.number,
                "score": float(result.points),
                "max_score": float(result.most),
                "status": "passed" if result.outcome == PASSED else "failed",
                "output": as_text(result) or passed(result),
                "output_format": "text",
                "tags": result.tags,
                "visibility": result.visibility,
                "extra_data": {"outcome": result.outcome, "seconds": round(result.seconds, 3)},
            }
            for result in results
        ],
    }


def write_json(
    path: Path, results: list[Result], notes: list[str], trouble: str, seconds: float
) -> None:
    """Write results.json in one step: whoever reads it finds the old one or the new one, whole."""
    content = json.dumps(as_json(results, notes, trouble, seconds), indent=1, allow_nan=False)
    write_whole(path, content)


def write_whole(path: Path, content: str) -> None:
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        draft.write_text(content, encoding="utf-8")
        os.replace(draft, path)
    finally:
        draft.unlink(missing_ok=True)
