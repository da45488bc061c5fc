"""Report a grading as Gradescope's results.json."""

import json
import platform
from functools import cache
from importlib import metadata
from statistics import fmean
from typing import Any

from autograder.checks.ask.finding import mean_regret
from autograder.feedback.messages import put_into_words
from autograder.feedback.report import format_message, format_score
from autograder.feedback.results import Outcome, Report, Result
from autograder.printable import sanitize
from autograder.settings import SETTINGS


def make_json(report: Report) -> dict[str, Any]:
    """Return the report in Gradescope's form.

    The student's text does not mention hidden tests. Gradescope shows no total while there are any.
    Unless each test has a verdict, neither the whole nor a test has a score, so that Gradescope
    enters none; each test's status is there.
    """
    shown = report.shown
    graded = report.is_complete
    ending = [format_score(shown if graded else report)] if shown.results else []
    if ending and graded and len(shown.results) < len(report.results):
        ending = [f"{ending[0]} in the tests that are shown"]
    lines = [report.problem] if report.problem else []
    if report.faulty:
        whom = SETTINGS.whom_to_tell
        lines.append(f"The grader itself failed. That is not your fault: tell {whom}.")
    lines += [*report.notes, f"graded with {describe_versions()}"]
    return {
        **({"score": float(report.earned + report.bonus)} if graded else {}),
        "execution_time": round(report.seconds, 3),
        "output": "\n".join([*lines, *ending]),
        "output_format": "text",
        "test_output_format": "text",
        "test_name_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        **make_leaderboard(shown),
        "tests": [
            {
                "name": result.label + " (bonus)" * result.bonus,
                "number": result.number,
                **({"score": float(result.points)} if graded else {}),
                "max_score": float(result.max_points),
                "status": "passed" if result.outcome is Outcome.PASSED else "failed",
                "output": format_output(result),
                "output_format": "text",
                "visibility": result.visibility,
                "extra_data": {
                    "outcome": result.outcome.value,
                    "code": result.finding.code if result.finding else "",
                    "what": sanitize(result.summary or put_into_words(result.finding).message)
                    if result.finding and result.explained
                    else "",
                    "diagnosis": result.diagnosis if result.explained else "",
                    "seconds": round(result.seconds, 3),
                },
            }
            for result in report.results
        ],
    }


@cache
def describe_versions() -> str:
    """Name the versions of Python and NumPy: an older Python lacks newer syntax."""
    return f"Python {platform.python_version()}, NumPy {metadata.version('numpy')}"


def make_leaderboard(report: Report) -> dict[str, Any]:
    """Return the quality of the student player's moves, as Gradescope's leaderboard.

    It is empty for a player that is not written, and until all its tests are judged.
    """
    moves = [move for result in report.results for move in result.moves]
    questions = {result.question for result in report.results if result.moves}
    results = [result for result in report.results if result.question in questions]
    judged = all(result.judged for result in results)
    if not SETTINGS.leaderboard or not judged or all(result.stub for result in results):
        return {}
    saving = [move.keeps for move in moves if move.saving]
    rows = [("Moves that keep the value, %", fmean([100 * m.keeps for m in moves]), "desc")]
    if saving:
        rows.append(("Only good moves found, %", fmean([100 * keeps for keeps in saving]), "desc"))
    rows.append(("Mean regret", mean_regret(moves), "asc"))
    return {
        "leaderboard": [
            {"name": name, "value": round(value, 2), "order": order} for name, value, order in rows
        ]
    }


def render_json(report: Report) -> str:
    return json.dumps(make_json(report), indent=1, allow_nan=False)


def format_output(result: Result) -> str:
    """Return the message about a test, or its outcome if there is none to show."""
    shown = result.explained or result.finding is None
    message = result.text or format_message(result) if shown else ""
    if message:
        return message
    if result.outcome is not Outcome.PASSED:
        return "Failed."
    return f"Passed: {result.reason}" if result.reason and result.explained else "Passed."
