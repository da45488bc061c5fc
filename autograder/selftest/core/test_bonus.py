"""A bonus question: its points come on top, and its file may be missing."""

import json
import shutil
from pathlib import Path

import pytest

from autograder.feedback.messages import words
from autograder.feedback.page import page
from autograder.feedback.report import as_json, next_step, score
from autograder.feedback.results import Outcome, Report, Result
from autograder.grading.grade import grade
from autograder.grading.submit import look_at
from autograder.questions import QUESTIONS, ROOT, is_bonus
from autograder.selftest.support.findings import stub_finding
from autograder.submission import BadSubmission, Submission, read_submission

BONUS = [question for question in QUESTIONS if question.bonus]
NEEDED = [question for question in QUESTIONS if not question.bonus]

pytestmark = pytest.mark.skipif(not BONUS, reason="no bonus question is switched on")


def result(number: str, most: float, passed: bool, stub: bool = False) -> Result:
    if passed:
        return Result(number, "a label", most, outcome=Outcome.PASSED)
    finding = stub_finding(f"write f in {number}.py") if stub else None
    return Result(number, "a label", most, outcome=Outcome.FAILED, finding=finding)


def report(*bonus: Result, chosen: str | None = None) -> Report:
    return Report(chosen, [result("1.1", 60, True), result("2.1", 40, False), *bonus])


N = BONUS[0].number if BONUS else ""


@pytest.mark.parametrize(
    ("found", "line", "gradescope"),
    [
        (report(), "60/100", 60),
        (report(result(f"{N}.1", 7, True)), "60/100 + 7 bonus", 67),
        (
            report(result(f"{N}.1", 7, True), result(f"{N}.2", 3, False)),
            "60/100 + 7 bonus",
            67,
        ),
        (report(result(f"{N}.1", 7, False)), "60/100", 60),
        (
            Report(N, [result(f"{N}.1", 7, True), result(f"{N}.2", 3, False)]),
            "7/10 bonus",
            7,
        ),
        (Report(N, [result(f"{N}.1", 7, False)]), "0/7 bonus", 0),
        (Report(), "0/0", 0),
    ],
)
def test_the_score_names_a_bonus_where_there_is_one_to_add(
    found: Report, line: str, gradescope: float
) -> None:
    assert score(found) == f"score: {line}"
    assert as_json(found)["score"] == gradescope
    assert json.loads(json.dumps(as_json(found)))["score"] == gradescope


def test_a_bonus_is_named_on_the_page_and_on_gradescope() -> None:
    found = report(result(f"{N}.1", 7, True))
    assert "60 <small>of 100 points + 7 bonus</small>" in page(found)
    names = [test["name"] for test in as_json(found)["tests"]]
    assert names == ["a label", "a label", "a label (bonus)"]


def test_once_all_else_passes_a_bonus_is_offered_and_not_asked_for() -> None:
    found = Report(None, [result("1.1", 100, True), result(f"{N}.1", 10, False, stub=True)])
    assert next_step(found) == (
        f"next: make submit; or, for a bonus, write f in {N}.1.py, then: make test Q={N}"
    )
    found.chosen = N
    assert next_step(found) == f"next: write f in {N}.1.py, then: make test Q={N}"


def test_unknown_question_is_no_bonus() -> None:
    assert [is_bonus(question.number) for question in QUESTIONS] == [q.bonus for q in QUESTIONS]
    assert is_bonus(BONUS[0].file) and is_bonus(f"{N}.1")
    assert not is_bonus("99.1") and not is_bonus("the tests")


# --- a file that is missing -----------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The solution without any bonus file."""
    for question in NEEDED:
        shutil.copy(ROOT / "solution" / question.file, tmp_path)
    return tmp_path


def test_a_bonus_file_may_be_missing_without_a_word(folder: Path) -> None:
    submission = read_submission(folder)
    assert submission.problems == {} and submission.notes == []
    assert all(submission.leaves_out(question.name) for question in BONUS)
    assert set(look_at(submission)) == {question.file for question in NEEDED}


@pytest.mark.slow
def test_its_tests_are_not_in_the_report_then(folder: Path) -> None:
    for question in NEEDED:  # that is quick
        (folder / question.file).write_text("")
    found = grade(folder)
    assert {r.question for r in found.results} == {question.number for question in NEEDED}
    assert not any("bonus" in line for line in [score(found), *found.notes])


def test_missing_bonus_is_reported_when_selected(folder: Path) -> None:
    found = grade(folder, question=N)
    (said,) = {words(r.finding).message for r in found.results if r.finding}
    assert said == f"{BONUS[0].file} is not in the submission"
    assert score(found).startswith("score: 0/")


def test_a_bonus_file_of_another_name_is_noticed(folder: Path) -> None:
    shutil.copy(ROOT / "solution" / BONUS[0].file, folder / BONUS[0].file.capitalize())
    (said,) = read_submission(folder).problems.values()
    assert f"but the name must be {BONUS[0].file}" in said


def test_provided_file_is_not_a_misnamed_bonus(folder: Path) -> None:
    """players.py, which lies beside it, begins as player.py does."""
    shutil.copytree(ROOT / "starter", folder / "starter")
    for question in BONUS:
        (folder / "starter" / question.file).unlink()
    submission = read_submission(folder)
    assert submission.problems == {}
    assert all(submission.leaves_out(question.name) for question in BONUS)


@pytest.mark.slow
def test_a_bonus_alone_can_be_graded_and_nothing_at_all_can_not(tmp_path: Path) -> None:
    with pytest.raises(BadSubmission, match="nothing to grade"):
        read_submission(tmp_path)
    source = (ROOT / "solution" / BONUS[0].file).read_bytes()
    found = grade(Submission({BONUS[0].file: source}), question=N)
    assert score(found) == f"score: {found.bonus:g}/{found.bonus:g} bonus"
    assert found.bonus > 0
