"""What ends a command, a grading or an exchange with a worker, other than a finding."""

import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class UsageError(Exception):
    """What the user asked for can't be done; the text is one line that says why."""


class GraderFault(Exception):
    """Something that is not the student's fault: the grader, its files or the machine."""


class GradingOver(Exception):
    """The time for the whole grading was up before the worker's own."""


class WorkerGone(Exception):
    """The worker ended, was killed, or is of no use any more. The text says why."""


class NoReply(WorkerGone):
    """The worker sent something that has not the form of a reply."""


class OutOfTime(WorkerGone):
    """The worker was killed when its time was up."""


def in_words(error: BaseException) -> str:
    """Describe an error of the grader's own in one line."""
    if isinstance(error, GraderFault):
        return str(error)
    where = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{Path(where.filename).name}, line {where.lineno}"
    return f"{type(error).__name__}: {error} ({place})"


@contextmanager
def harmless(notes: list[str], what: str) -> Iterator[None]:
    """Let an explanation of `what` fail: a note says so, unless there was no time for it."""
    try:
        yield
    except GradingOver:
        pass
    except Exception as error:
        notes.append(
            f"More could be said about {what}, but the grader failed there ({in_words(error)}); "
            "no verdict depends on it."
        )
