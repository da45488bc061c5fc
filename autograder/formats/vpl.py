"""The output of Moodle's Virtual Programming Lab: comments, and in the last line the grade.

Each line begins with the mark of a comment, so no line of a message can be a grade. After a grading
that was not finished there is no grade.
"""

from autograder.feedback.results import Report
from autograder.formats.autolab import render_feedback
from autograder.formats.points import sum_shown

COMMENT, PREFORMATTED, GRADE = "Comment :=>>", ">", "Grade :=>> "


def render(report: Report) -> str:
    """Return the table and the messages as comments, and the points with the bonus."""
    lines = [f"{COMMENT}{PREFORMATTED}{line}" for line in render_feedback(report).splitlines()]
    if report.is_complete and report.shown.results:
        lines.append(f"{GRADE}{sum_shown(report).points}")
    return "\n".join(lines) + "\n"
