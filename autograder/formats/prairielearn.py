"""results.json of PrairieLearn's external graders.

What could not be graded is not gradable, so no attempt is charged: a submission without question
files, or one on which the grader failed.
"""

import base64
import json
from typing import Any

from autograder.feedback.results import Report, Result
from autograder.feedback.results_json import format_output
from autograder.feedback.svg import draw_file
from autograder.formats.points import sum_shown
from autograder.formats.text import ALL_HIDDEN, UNFINISHED, describe_score, list_remarks, name_test

SVG_URL = "data:image/svg+xml;base64,"
MAX_BYTES = 900_000  # PrairieLearn takes 1 MB
MAX_OUTPUT = 4_000  # characters of a message, if all of them are too long


def render(report: Report) -> str:
    """Return the share of the points and the tests that are shown, with their drawings."""
    if report.refused:
        return json.dumps({"gradable": False, "format_errors": [report.problem]})
    if not report.is_complete or not report.shown.results:
        why = ALL_HIDDEN if report.is_complete else UNFINISHED
        return json.dumps({"gradable": False, "format_errors": [why]})
    content: dict[str, Any] = {
        "gradable": True,
        "score": sum_shown(report).share,
        "message": describe_score(report),
        "output": "\n".join(list_remarks(report)),
        "tests": list(map(make_test, report.shown.results)),
    }
    for test in reversed(content["tests"]):  # the last drawings are the least needed
        if len(json.dumps(content)) > MAX_BYTES:
            test.pop("images", None)
    if len(json.dumps(content)) > MAX_BYTES:
        for test in content["tests"]:
            test["output"] = test["output"][:MAX_OUTPUT]
    return json.dumps(content)


def make_test(result: Result) -> dict[str, Any]:
    """Return a test, with the drawings of its message."""
    test: dict[str, Any] = {
        "name": name_test(result),
        "points": result.points,
        "max_points": result.max_points,
        "output": format_output(result),
    }
    if result.finding and result.finding.diagrams and result.explained:
        test["images"] = [
            {
                "label": picture.caption or "Figure",
                "url": SVG_URL + base64.b64encode(draw_file(picture).encode()).decode(),
            }
            for picture in result.finding.diagrams
        ]
    return test
