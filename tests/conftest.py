"""Let `pytest tests --submission PATH` run the graded tests as any suite is run.

`-k 2.3` selects one test, `-k 2` a question.
Grading for points does not read this file; see `autograder/grading/pytest_plugin.py`.
"""

import re
from pathlib import Path

import pytest

from autograder.errors import GraderFault
from autograder.feedback.results import Report
from autograder.grading.pytest_plugin import GradedTests
from autograder.packaging import BadSubmission
from autograder.questions import ROOT
from autograder.submission import read_submission
from autograder.worker.sandbox import Sandbox


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--submission",
        type=Path,
        default=ROOT / "starter",
        help="the folder or zip that the graded tests are run on (default: starter)",
    )


def pytest_configure(config: pytest.Config) -> None:
    if config.option.help or config.option.collectonly:
        return
    chosen = None
    if re.fullmatch(r"\d+(\.\d+)?", config.option.keyword):  # pytest's own -k 4.1 takes 4.10, too
        chosen, config.option.keyword = config.option.keyword, ""
    try:
        submission = read_submission(config.getoption("submission"))
        sandbox = Sandbox(submission)
    except (BadSubmission, GraderFault) as problem:
        raise pytest.UsageError(str(problem)) from None
    config.add_cleanup(sandbox.remove)
    config.pluginmanager.register(GradedTests(submission, sandbox, report=Report(chosen)))
