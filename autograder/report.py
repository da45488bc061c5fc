"""Says what came of a grading: a table and messages as text, and Gradescope's results.json."""

from __future__ import annotations

import json
import os
import textwrap
from pathlib import Path

from autograder.draw import lines_of
from autograder.plugin import FAILED, FAULT, PASSED, Result

WIDTH = 92
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
    label = textwrap.shorten(result.label, WIDTH - 24, placeholder=" ...")
    mark = "todo" if result.stub else MARKS[result.outcome]
    got = f"{points(result.points)}/{points(result.most)}"
    return f"{result.number:>5}  {label:<{WIDTH - 24}} {mark:<6} {got:>5}"


def message(result: Result) -> list[str]:
    """What a student should know about one test, in at most a screen of plain text."""
    if result.outcome == PASSED:
        return []
    if result.outcome != FAILED or result.wrong is None:
        blame = "The grader itself failed here, not your code: " if result.outcome == FAULT else ""
        return textwrap.wrap(blame + result.reason, WIDTH)
    wrong = result.wrong
    if result.stub:
        return textwrap.wrap(wrong.what, WIDTH)
    lines = textwrap.wrap(wrong.what, WIDTH)
    for head, body in (("expected", wrong.expected), ("got", wrong.got)):
        if body:
            indent = " " * 12
            lines += textwrap.wrap(f"  {head + ':':<10}{body}", WIDTH, subsequent_indent=indent)
    for where in wrong.where:
        lines += textwrap.wrap(f"  {where}", WIDTH, subsequent_indent="    ")
    if result.diagnosis:
        lines += textwrap.wrap(f"This is what you would get if {result.diagnosis}.", WIDTH)
    for picture in wrong.pictures:
        lines += [f"    {line}" for line in lines_of(picture)]
    if result.printed:
        lines += ["  your code printed:", *(f"    {x}" for x in result.printed.splitlines()[:5])]
    again = []
    if result.case is not None:
        again = ["  to run this case alone, at home:", f"    make test CASE={result.case.name}"]
    if len(lines) + len(again) > MOST_LINES:
        lines = [*lines[: MOST_LINES - len(again) - 1], "    ..."]
    return lines + again


def passed(result: Result) -> str:
    return f"Passed: {result.reason}" if result.reason else "Passed."


def as_text(result: Result) -> str:
    """The message without what a terminal or a page could obey."""
    lines = "\n".join(message(result))
    clean = "".join(c if c.isprintable() or c == "\n" else "\ufffd" for c in lines)
    return clean if len(clean) <= LONGEST else clean[:LONGEST] + "\n..."


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
