"""Autolab's standard output: feedback as text, and in the last line the scores as JSON.

Each question is one of the lab's problems. After a grading that was not finished there is no such
line, and Autolab stores no score.
"""

import json
from itertools import chain

from autograder.feedback.report import format_row
from autograder.feedback.results import Outcome, Report
from autograder.feedback.results_json import format_output, make_leaderboard
from autograder.formats.text import describe_score, list_remarks, name_test
from autograder.questions import QUESTIONS


def render(report: Report) -> str:
    shown, lines = report.shown, [render_feedback(report)]
    if report.is_complete:
        table = shown.by_question
        scores = {
            f"Question {row.number}": table.get(row.number, (0.0, 0.0))[0] for row in QUESTIONS
        }
        content: dict[str, object] = {"scores": scores}
        if columns := make_leaderboard(shown).get("leaderboard"):
            content["scoreboard"] = [column["value"] for column in columns]
        lines.append(json.dumps(content))
    return "\n".join(lines) + "\n"


def render_feedback(report: Report) -> str:
    """Return the table, the messages and the score as text."""
    shown = report.shown
    failed = [one for one in shown.results if one.outcome is not Outcome.PASSED and not one.stub]
    messages = ([f"\n{name_test(result)}", format_output(result)] for result in failed)
    lines = [*map(format_row, shown.results), *chain.from_iterable(messages), ""]
    return "\n".join([*lines, *list_remarks(report), describe_score(report)])
