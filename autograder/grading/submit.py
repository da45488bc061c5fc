"""Prepare a submission: check the question files, and pack them."""

import io
import re
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from autograder.checks.ask.finding import Failed
from autograder.checks.ask.student import Student
from autograder.feedback.messages import put_into_words
from autograder.feedback.report import write_atomically
from autograder.questions import QUESTIONS
from autograder.submission import Submission
from autograder.worker.sandbox import Sandbox

LIMIT = 10.0  # seconds to load one file


def look_at(submission: Submission, make_sandbox: Callable[..., Any] = Sandbox) -> dict[str, str]:
    """Load each file in a worker and look for its functions; a bonus may be missing.

    Return one line on the error in each file, "" for none. Raises GraderFault if no worker can be
    started.
    """
    there = [question for question in QUESTIONS if not submission.leaves_out(question.name)]
    found = {question.file: "" for question in there}
    sandbox = make_sandbox(submission)
    try:
        for question in there:
            student = Student(submission, sandbox)
            try:
                student.begin(LIMIT)
                for function in question.functions:
                    student.find(f"{question.name}.{function}")
            except Failed as failed:
                said = put_into_words(failed.finding)
                found[question.file] = "; ".join([said.message, *said.hints])
            finally:
                student.end()
    finally:
        sandbox.remove()
    return found


def list_unwritten(submission: Submission, file: str) -> list[str]:
    """Return the functions of a file in which the stub's last line is left."""
    source = submission.files.get(file, b"").decode(errors="replace")
    return re.findall(rf"^ +raise \w+\(\s*[\"']write (\w+) in {re.escape(file)}", source, re.M)


def list_unusable(submission: Submission) -> list[str]:
    """Return the required files that can't be used, which prevent a submission."""
    needed = [question.file for question in QUESTIONS if not question.bonus]
    return [name for name in needed if name in submission.problems]


def write_zip(submission: Submission, path: Path) -> None:
    """Write the question files to a zip. On an OSError an older zip is unchanged."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in submission.files.items():
            archive.writestr(name, content)
    write_atomically(path, packed.getvalue())
