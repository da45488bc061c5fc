"""Students, and sandboxes of their code, for tests."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from autograder.checks.ask.student import Student
from autograder.submission import Submission
from autograder.worker.sandbox import Sandbox

WITHOUT_LANDLOCK = "\n\ndef restrict_files(*args: object) -> bool:\n    return False\n"
OTHER_SYSTEMS = {  # by system: the end of confine.py, which replaces functions
    "seccomp": WITHOUT_LANDLOCK,
    "bare": f"{WITHOUT_LANDLOCK}\n\nfrom autograder.worker.inside import system_calls\n"
    "system_calls.refuse_calls = restrict_files\n",
    "old": "\n\ndef read_landlock_version(*args: object) -> int:\n    return 1\n",
}


def make_sandbox(system: str, submission: Submission, **options: Any) -> Sandbox:
    """Return a sandbox whose confine.py finds only what that system has."""
    sandbox = Sandbox(submission, **options)
    confine = sandbox.stage / "autograder" / "worker" / "inside" / "confine.py"
    confine.write_text(confine.read_text() + OTHER_SYSTEMS.get(system, ""))
    return sandbox


@contextmanager
def start_student(files: dict[str, bytes], watch: bool = False) -> Iterator[Student]:
    """Yield a student who has submitted these files; end the worker afterwards."""
    submission = Submission(files)
    student = Student(submission, Sandbox(submission), watch=watch)
    try:
        yield student
    finally:
        student.end()
        student.sandbox.remove()
