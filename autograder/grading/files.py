"""List the files that a grading needs besides the submission."""

from __future__ import annotations

from autograder.worker.inside.protocol import PROVIDED_FILES

# A result also depends on these: the grader's files, and the cases.
GRADING_FILES = (
    "assignment.toml",
    "autograder/grading/grading.ini",
    "autograder/feedback/messages.ini",
    "autograder/*.py",
    *(
        f"autograder/{package}/*.py"
        for package in ("worker", "worker/inside", "serving", "checks", "feedback", "grading")
    ),
    *(f"starter/{name}" for name in PROVIDED_FILES),
    "tests/*.py",
)
