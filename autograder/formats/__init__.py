"""Output formats: a function from a report to text for each platform, one row per format.

No format shows a hidden test: not in its lists, totals or messages. Only Gradescope and Submitty
can count a test without showing it. `points.py` has the rule for platforms that want whole points,
points from 0 to 1, or no points above a maximum.
"""

from collections.abc import Callable
from typing import NamedTuple

from autograder.feedback.results import Report
from autograder.feedback.results_json import render_json
from autograder.formats import autolab, classroom50, junit, markdown, prairielearn, submitty, vpl


class Format(NamedTuple):
    """One output format.

    render: returns the text
    file:   the name that its reader expects
    about:  a few words on its reader
    """

    render: Callable[[Report], str]
    file: str
    about: str


GRADESCOPE = Format(render_json, "results.json", "Gradescope")
FORMATS = {  # by the name of the platform or the standard, for `grade --format`
    "gradescope": GRADESCOPE,
    "junit": Format(junit.render, "junit.xml", "GitLab, Jenkins, CodeGrade, Artemis"),
    "markdown": Format(markdown.render, "summary.md", "the summary of GitHub Actions"),
    "classroom50": Format(classroom50.render, "result.json", "Classroom 50"),
    "prairielearn": Format(prairielearn.render, "results.json", "PrairieLearn"),
    "autolab": Format(autolab.render, "autolab.txt", "Autolab, feedback and then scores as JSON"),
    "submitty": Format(submitty.render, "submitty.json", "Submitty, a result for each question"),
    "vpl": Format(vpl.render, "vpl.txt", "Moodle's Virtual Programming Lab"),
}
