"""Grades where Gradescope has put things: `python -m autograder.gradescope`.

The submission lies in /autograder/submission; results.json goes to /autograder/feedback/results.
"""

import json
import sys
import traceback
from pathlib import Path

from autograder.feedback.results import Report
from autograder.feedback.terminal import LineByLine
from autograder.grading.grade import grade, save
from autograder.submission import BadSubmission

HOME = Path("/autograder")


def points_differ(metadata: Path, report: Report) -> list[str]:
    """Say so if the assignment on Gradescope is worth other points than the tests give.

    Without metadata that can be read, nothing is said.
    """
    try:
        total = float(json.loads(metadata.read_bytes())["assignment"]["total_points"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return []
    if not report.results or total == report.most:
        return []
    return [
        f"This assignment is set to {total:g} points on Gradescope, but its tests give "
        f"{report.most:g}: tell your instructor."
    ]


def main() -> int:
    """Grade; whatever happens, results.json holds what is known and the exit status is 0."""
    try:
        results = HOME / "results" / "results.json"
        report = grade(HOME / "submission", results, progress=LineByLine())
        report.notes += points_differ(HOME / "submission_metadata.json", report)
        save(report, results)
    except BadSubmission as problem:
        print(problem)
    except Exception:
        traceback.print_exc()
    return 0


if __name__ == "__main__":
    sys.exit(main())
