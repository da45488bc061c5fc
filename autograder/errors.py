"""Exceptions that end a command, a grading or an exchange with a worker."""

import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class UsageError(Exception):
    """The user's request can't be fulfilled; the text is one line with the reason."""


class GraderFault(Exception):
    """An error of the grader, its files or the machine, not of the student."""


class GradingOver(Exception):
    """The time limit of the whole grading was reached before the worker's."""


class Refused(Exception):
    """A request of student code is refused. The text says why, `code` names the finding."""

    def __init__(self, code: str, why: str) -> None:
        super().__init__(why)
        self.code = code


def describe_fault(error: BaseException) -> str:
    """Describe an error of the grader in one line."""
    if isinstance(error, GraderFault):
        return str(error)
    where = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{Path(where.filename).name}, line {where.lineno}"
    return f"{type(error).__name__}: {error} ({place})"


@contextmanager
def harmless(notes: list[str], what: str) -> Iterator[None]:
    """Turn an error in an explanation of `what` into a note; ignore a timeout."""
    try:
        yield
    except GradingOver:
        pass
    except Exception as error:
        fault = describe_fault(error)
        notes.append(
            f"More could be said about {what}, but the grader failed there ({fault}); "
            "no verdict depends on it."
        )
