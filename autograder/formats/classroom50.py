"""result.json of Classroom 50, schema classroom50/result/v1.

Who and what is graded comes from the environment that its runner sets. Scores are whole numbers,
and none is above its maximum.
"""

import json
import os
import re
from datetime import timezone

from autograder.feedback.results import Outcome, Report
from autograder.feedback.results_json import format_output
from autograder.formats.points import WholePoints, sum_shown
from autograder.formats.text import name_test

SCHEMA = "classroom50/result/v1"
# The time of submission in the name of the tag; the same after a regrade.
TAG = re.compile(r"submit/(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z-\w+")
UNKNOWN = "unknown"  # outside of a runner


def render(report: Report) -> str:
    known = os.environ.get
    tag = known("SUBMISSION_TAG", f"submit/{UNKNOWN}")
    time = TAG.fullmatch(tag)
    graded = f"{report.when.astimezone(timezone.utc):%Y-%m-%dT%H:%M:%SZ}"
    commit = known("COMMIT_URL", UNKNOWN)
    total, whole = sum_shown(report), WholePoints(report)
    content = {
        "schema": SCHEMA,
        "classroom": known("CLASSROOM", UNKNOWN),
        "assignment": known("ASSIGNMENT", UNKNOWN),
        "assignment_type": known("ASSIGNMENT_TYPE", "individual"),
        "owner": known("OWNER") or known("USERNAME", UNKNOWN),
        "submission": tag,
        "commit": commit,
        "release": known("RELEASE_URL", UNKNOWN),
        "review": known("REVIEW_URL") or commit,
        "datetime": "{}T{}:{}:{}Z".format(*time.groups()) if time else graded,
        "graded_at": graded,
        "score": total.points,
        "max-score": total.max_points,
        "tests": [
            {
                "test-name": name_test(result),
                "passed": result.outcome is Outcome.PASSED,
                "score": whole.convert(result.points),
                "max-score": whole.convert(result.max_points),
                "output": format_output(result),
            }
            for result in report.shown.results
        ],
    }
    return json.dumps(content, indent=1)
