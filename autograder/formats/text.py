"""Texts that several formats share."""

from autograder.feedback.report import format_score
from autograder.feedback.results import Report, Result
from autograder.feedback.results_json import describe_versions
from autograder.printable import sanitize
from autograder.settings import SETTINGS

UNFINISHED = "The grader could not finish. That is not your fault, and there is no score: "
UNFINISHED += f"submit again, and if this is repeated, tell {SETTINGS.whom_to_tell}."
ALL_HIDDEN = "The results are not shown yet."


def name_test(result: Result) -> str:
    """Return a test's number, label and whether it is a bonus."""
    return f"{result.number} {result.label}{' (bonus)' * result.bonus}"


def list_remarks(report: Report) -> list[str]:
    """Return the lines about the grading as a whole that students may read."""
    lines = [report.problem] if report.problem else []
    if not report.is_complete:
        lines.append(UNFINISHED)
    lines += [*report.notes, f"graded with {describe_versions()}"]
    return list(map(sanitize, lines))


def describe_score(report: Report) -> str:
    """Return the score in the tests that are shown, as the terminal prints it."""
    shown = report.shown
    return format_score(shown) if shown.results else ALL_HIDDEN
