"""Students for tests of what asks them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from autograder.checks.student import Student
from autograder.submission import Submission
from autograder.worker.sandbox import Sandbox


@contextmanager
def student_of(files: dict[str, bytes], watch: bool = False) -> Iterator[Student]:
    """Yield a student who has submitted these files; end the worker afterwards."""
    submission = Submission(files)
    student = Student(submission, Sandbox(submission), watch=watch)
    try:
        yield student
    finally:
        student.end()
        student.sandbox.remove()
