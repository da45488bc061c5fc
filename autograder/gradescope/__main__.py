"""Grade a submission on Gradescope: `python -m autograder.gradescope`.

The submission is in /autograder/submission; results.json goes to /autograder/results. Only
instructors see what is printed. With `check`, only prove that student code can run here.
"""

import sys
import traceback
from pathlib import Path

from autograder.errors import GraderFault
from autograder.feedback.terminal import LineByLine
from autograder.grading.grade import describe_exposure, grade
from autograder.packaging import BadSubmission
from autograder.submission import Submission
from autograder.worker.sandbox import Sandbox

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


def check() -> int:
    """Start a worker without a submission; print the result in one line."""
    try:
        sandbox = Sandbox(Submission())
        try:
            sandbox.prepare()
            print(describe_exposure(sandbox) or "student code is confined")
        finally:
            sandbox.remove()
    except GraderFault as fault:
        print(f"no submission can be graded here: {fault}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(check() if sys.argv[1:] == ["check"] else main())
