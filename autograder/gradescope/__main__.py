"""Grade a submission on Gradescope: `python -m autograder.gradescope`.

The submission is in /autograder/submission; results.json goes to /autograder/results. Only
instructors see what is printed.
"""

import sys
import traceback
from pathlib import Path

from autograder.feedback.terminal import LineByLine
from autograder.grading.grade import grade
from autograder.packaging import BadSubmission

HOME = Path("/autograder")


def main() -> int:
    """Grade; even after an error, store the results so far and return status 0."""
    try:
        results = HOME / "results" / "results.json"
        report = grade(HOME / "submission", results, progress=LineByLine())
        print(report.exposure)
    except BadSubmission as problem:
        print(problem)
    except Exception:
        traceback.print_exc()
    return 0


if __name__ == "__main__":
    sys.exit(main())
