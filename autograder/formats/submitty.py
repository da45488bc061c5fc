"""What Submitty's validator passes on: a result for each question.

Points of a test case are whole, and its result is a share. Submitty itself hides a test case, so
the hidden tests of a question are a test case of their own.
"""

import json
from typing import Any

from autograder.feedback.results import Outcome, Report, Result
from autograder.feedback.results_json import format_output
from autograder.formats.points import Total, WholePoints
from autograder.formats.text import UNFINISHED, list_remarks, name_test
from autograder.questions import QUESTIONS

HIDDEN = " hidden"  # after the number of a question: its hidden tests
MARGIN = 1e-5  # on a share, because Submitty rounds points down: 0.58 * 50 is below 29


def render(report: Report) -> str:
    """Return the object that the validator writes, by the number of the question."""
    whole, found = WholePoints(report), {}
    for row in QUESTIONS:
        results = [result for result in report.results if result.question == row.number]
        for mark in ("", HIDDEN):
            part = [one for one in results if (one.visibility != "visible") == bool(mark)]
            found[f"{row.number}{mark}"] = judge(report, whole, part)
    return json.dumps(found, indent=1)


def judge(report: Report, whole: WholePoints, results: list[Result]) -> dict[str, Any]:
    """Return the result of some tests as Submitty wants it."""
    if not report.is_complete:
        return {"status": "failure", "message": "\n".join([UNFINISHED, *list_remarks(report)])}
    total = whole.sum(results, [])
    messages = [
        {
            "message": f"{name_test(result)}\n{format_output(result)}",
            "status": "success" if result.outcome is Outcome.PASSED else "failure",
        }
        for result in results
    ]
    if not messages:
        messages = [{"message": "\n".join(list_remarks(report)), "status": "information"}]
    return {"status": "success", "data": {"score": round_up(total), "message": messages}}


def round_up(total: Total) -> float:
    """Return the share of the points, slightly more, so that Submitty loses none of them."""
    return min(1.0, total.share + MARGIN) if total.points else 0.0
