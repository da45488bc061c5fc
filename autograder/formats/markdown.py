"""Markdown, for the summary of GitHub Actions and the release notes of Classroom 50."""

import re

from autograder.feedback.report import MARKS, format_share
from autograder.feedback.results import Outcome, Report, Result
from autograder.feedback.results_json import format_output
from autograder.formats.text import describe_score, list_remarks, name_test
from autograder.questions import QUESTIONS

MAX_BYTES = 900_000  # GitHub takes 1 MiB per step
CUT = "*The rest is cut: it is in the log of the run.*"


def render(report: Report) -> str:
    """Return the points of questions and tests, and the messages of failed tests."""
    shown = report.shown
    remarks = "\n>\n".join(f"> {escape(line)}" for line in list_remarks(report))
    parts = [f"### {describe_score(report)}", remarks]
    if shown.results:
        titles = {row.number: row.title for row in QUESTIONS}
        sums = [
            [f"{number} {titles.get(number, '')}", f"{earned:g}/{most:g}"]
            for number, (earned, most) in shown.by_question.items()
        ]
        tests = [
            [name_test(result), MARKS[result.outcome], format_share(result)]
            for result in shown.results
        ]
        parts.append(make_table(["question", "points"], sums))
        parts += [f"<details><summary>{len(tests)} tests</summary>"]
        parts += [make_table(["test", "", "points"], tests), "</details>"]
    failed = [one for one in shown.results if one.outcome is not Outcome.PASSED]
    sections = [make_section(result) for result in failed if not result.stub]
    left = MAX_BYTES - sum(len(part.encode()) for part in parts)
    for section in sections:
        left -= len(section.encode())
        parts.append(section if left > 0 else CUT)
        if left <= 0:
            break
    return "\n\n".join(parts) + "\n"


def make_table(heads: list[str], rows: list[list[str]]) -> str:
    """Return a table whose last column is aligned to the right."""
    lines = [heads, [*["---"] * (len(heads) - 1), "---:"], *rows]
    return "\n".join(f"| {' | '.join(map(escape, cells))} |" for cells in lines)


def make_section(result: Result) -> str:
    """Return the message about a failed test, in a fence that its text can't close."""
    text = format_output(result)
    longest = max(map(len, re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"#### {escape(name_test(result))}\n\n{fence}text\n{text}\n{fence}"


def escape(text: str) -> str:
    """Escape what Markdown or HTML would interpret, but not a table's own marks."""
    return text if set(text) <= set("-:") else re.sub(r"([\\`*_{}\[\]<>|#~&@])", r"\\\1", text)
