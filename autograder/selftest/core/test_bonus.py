"""A bonus question: its points come on top, and its file may be missing."""

import shutil

import pytest

from autograder.checks.ask.finding import Finding
from autograder.feedback.messages import put_into_words
from autograder.feedback.page import make_page
from autograder.feedback.report import find_next_step, format_score
from autograder.feedback.results import Outcome, Report, Result
from autograder.feedback.results_json import make_json
from autograder.grading.grade import grade
from autograder.questions import QUESTIONS, ROOT
from autograder.submission import read_submission

BONUS = [question for question in QUESTIONS if question.bonus]
N = BONUS[0].number


def result(number: str, most: float, passed: bool, stub: bool = False) -> Result:
    if passed:
        return Result(number, "a label", most, outcome=Outcome.PASSED)
    missing = Finding("not-written", {"what": f"write f in {number}.py"}, stop=True)
    finding = missing if stub else None
    return Result(number, "a label", most, outcome=Outcome.FAILED, finding=finding)


def report(*bonus: Result) -> Report:
    return Report(None, [result("1.1", 60, True), result("2.1", 40, False), *bonus])


SOME = [result(f"{N}.1", 7, True), result(f"{N}.2", 3, False)]


@pytest.mark.parametrize(
    ("found", "line", "gradescope"),
    [
        (report(), "60/100", 60),
        (report(*SOME), "60/100 + 7 bonus", 67),
        (report(result(f"{N}.1", 7, False)), "60/100", 60),
        (Report(N, SOME), "7/10 bonus", 7),
    ],
)
def test_score_names_a_bonus_that_adds_points(found, line, gradescope):
    assert format_score(found) == f"score: {line}"
    assert make_json(found)["score"] == gradescope


def test_bonus_is_named_on_the_page_and_on_gradescope():
    found = report(result(f"{N}.1", 7, True))
    assert "60 <small>of 100 points + 7 bonus</small>" in make_page(found)
    assert make_json(found)["tests"][-1]["name"] == "a label (bonus)"


def test_bonus_is_offered_once_all_else_passes():
    found = Report(None, [result("1.1", 100, True), result(f"{N}.1", 10, False, stub=True)])
    assert find_next_step(found) == (
        f"next: make submit; or, for a bonus, write f in {N}.1.py, then: make test Q={N}"
    )
    found.chosen = N
    assert find_next_step(found) == f"next: write f in {N}.1.py, then: make test Q={N}"


def test_bonus_file_may_be_missing_unless_it_is_selected(tmp_path):
    """The provided players.py is not taken for a misnamed player.py."""
    bonus = shutil.ignore_patterns(*(question.file for question in BONUS))
    folder = shutil.copytree(ROOT / "starter", tmp_path / "starter", ignore=bonus)
    submission = read_submission(folder)
    assert submission.problems == {}
    assert all(submission.leaves_out(question.name) for question in BONUS)
    found = grade(submission, question=N)
    (said,) = {put_into_words(r.finding).message for r in found.results if r.finding}
    assert said == f"{BONUS[0].file} is not in the submission"
    assert format_score(found).startswith("score: 0/")
