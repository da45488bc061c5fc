"""`class report` says what the results show, with names only on request."""

import json
import re
import stat
from pathlib import Path

import numpy
import pytest

from autograder.cohort.class_folder import STUDENT, ClassFolder, Person
from autograder.cohort.grade_one import Reply
from autograder.cohort.report import compute_discrimination, summarise_tests, write_report
from autograder.cohort.show import show_person
from autograder.cohort.topics import NOT_WRITTEN, group_by_topic, name_topic, read_titles
from autograder.errors import UsageError
from autograder.feedback.messages import read_table
from autograder.selftest.support.browser import expect_page_fits, needs_browser
from autograder.selftest.support.commands import run_cli
from autograder.selftest.support.graded_class import (
    grade_at_random,
    make_results_json,
    write_graded_class,
    write_small_class,
)
from autograder.settings import SETTINGS


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_graded_class(tmp_path_factory.mktemp("graded"), 40, grade=grade_with_failure)


def grade_with_failure(request: str) -> Reply:
    """Fail on the submission without cutoff.py; grade the others by chance."""
    if "cutoff.py" not in json.loads(request)[0]:
        return Reply({}, error="its process was killed")
    return grade_at_random(request)


@pytest.fixture
def folder(graded: Path) -> Path:
    """Return the same class each time, without the reports of other tests."""
    for path in graded.glob("report.*"):
        path.unlink()
    return graded


def test_lost_points_are_grouped_by_topic():
    some = make_results_json({"1.1": 0.0, "1.2": 1.0}, most=2.0)
    some["tests"][0]["extra_data"]["code"] = "wrong-value/side"
    some["tests"][1]["extra_data"]["code"] = "terminal/h"
    much = make_results_json({"1.1": 0.0, "1.2": 0.0}, most=2.0, code="wrong-value/side")
    none = make_results_json({"1.1": 0.0, "1.2": 2.0}, most=2.0, code="not-written")
    none["tests"][1]["extra_data"]["code"] = ""
    results = {"some": some, "much": much, "none": none}
    topics = group_by_topic(results, {"some": 1.0, "much": 0.0, "none": 2.0})
    names = ("place", "lost", "submissions", "tests", "example")
    found = [tuple(one[name] for name in names) for one in topics]
    assert found == [
        ("wrong-side", 6.0, ["much", "some"], ["1.1", "1.2"], ("some", "1.1")),
        ("", 2.0, ["none"], ["1.1"], ("none", "1.1")),
        ("terminal-first", 1.0, ["some"], ["1.2"], ("some", "1.2")),
    ]
    assert topics[0]["title"] == "My search plays well as X and badly as O"
    assert topics[1]["title"] == NOT_WRITTEN


def test_handout_has_every_place_of_the_messages():
    places = set(read_table()["see"].values())
    assert places <= read_titles().keys()
    unknown = {"number": "2.3", "extra_data": {"code": "no/such"}}
    assert name_topic(unknown) == ("Question 2, Alpha-beta: other mistakes", "")


def test_results_of_a_question_that_is_off_now_are_reported(tmp_path, monkeypatch):
    monkeypatch.setattr("autograder.questions.QUESTIONS", ())
    results = [make_results_json({"1.1": 0.0, "9.1": 0.0}, code="no/such")]
    folder = write_small_class(tmp_path / "class", results=results)
    (folder / "questions").mkdir()
    (folder / "questions" / "answers.json").write_text('{"s": [["minimax-move", "right", ""]]}')
    write_report(folder)
    assert "Question 1, Minimax: other mistakes" in text_of(folder)


def test_discrimination_is_the_correlation_with_the_other_points():
    good = [float(i // 10 >= 2) for i in range(40)]
    others = [i % 3 + i // 10 for i in range(40)]
    found = compute_discrimination(good, others)
    assert found == round(float(numpy.corrcoef(good, others)[0, 1]), 2) > 0.5
    assert compute_discrimination([1.0] * 39 + [0.0], others) is None
    assert [compute_discrimination(good[:n], others[:n]) is None for n in (29, 30)] == [True, False]
    assert compute_discrimination(good, [5.0] * 40) is None
    results = {
        f"{i}": make_results_json({"1.1": one, "1.2": i % 3, "1.3": i // 10})
        for i, one in enumerate(good)
    }
    assert summarise_tests(results)[0]["discrimination"] == found


def test_report_draws_an_example_of_each_topic(folder):
    write_report(folder)
    text, data = text_of(folder), json.loads(text_of(folder, "json"))
    assert "What to reteach" in text
    lost = [topic["lost"] for topic in data["topics"]]
    assert lost == sorted(lost, reverse=True) and len(lost) > 3
    tests = sum(
        test["max_score"] - test["score"]
        for row in ClassFolder(folder).read_statuses().values()
        for test in (row.result or {"tests": []})["tests"]
    )
    assert sum(lost) == pytest.approx(tests)
    assert text.count('<section class="failed">') == len(lost)


@pytest.mark.parametrize("which", ["email", "sid", "name", "pseudonym"])
def test_one_student_is_found(folder, capsys, which):
    key = ClassFolder(folder).read_key()  # some have no number, or no address
    rows = [row for row in ClassFolder(folder).rows if (folder / "files" / row.content).exists()]
    known = [row for row in rows if all(key[row.people[0]].fields)]
    row = next(row for row in known if len(row.people) == 1 and row.history)
    pseudonym, person = row.people[0], key[row.people[0]]
    who = pseudonym if which == "pseudonym" else getattr(person, which).upper()
    assert show_person(folder, who) == 0
    said = capsys.readouterr().out
    assert person.email in said and pseudonym in said and f"submission {row.id}: " in said
    assert f"files: {folder / 'files' / row.content}" in said and "attempts: " in said


def test_shown_student_without_a_result_reads_why(folder, capsys):
    statuses = ClassFolder(folder).read_statuses()
    one = next(id for id, status in statuses.items() if status.state == STUDENT)
    assert show_person(folder, one) == 0
    because = f"{one}: not graded, because of the submission: {statuses[one].problem}"
    assert because in capsys.readouterr().out


def test_unknown_and_ambiguous_students_are_refused(folder, tmp_path):
    with pytest.raises(UsageError, match="has nobody with the address, number or name eve@"):
        show_person(folder, "eve@uni.edu")
    people = [[Person("Ann Lee", "1", "a@uni.edu")], [Person("Ann Lee", "2", "b@uni.edu")]]
    path = write_small_class(tmp_path / "c", people, results=[make_results_json({"1.1": 1.0})] * 2)
    with pytest.raises(UsageError, match=r"several people: a@uni[.]edu, b@uni[.]edu; name one"):
        show_person(path, "ann lee")


def text_of(folder: Path, ending: str = "html") -> str:
    return (folder / f"report.{ending}").read_text(encoding="utf-8")


def test_links_of_the_report_lead_to_files(folder, capsys):
    assert write_report(folder) == 0
    assert "37 of 39 submissions have a score" in capsys.readouterr().out
    text = text_of(folder)
    assert "<script" not in text
    links = set(re.findall(r'href="([^"]+)"', text))
    assert len(links) == 36  # two submissions are equal
    assert all((folder / link).is_file() for link in links)


def test_pages_begin_with_title_and_course(folder, monkeypatch):
    monkeypatch.setitem(vars(SETTINGS), "title", "Search & games")
    monkeypatch.setitem(vars(SETTINGS), "course", "CS 101")
    write_report(folder)
    assert '<p class="soft">Search &amp; games, CS 101</p>' in text_of(folder)
    assert "<title>Class report: Search &amp; games</title>" in text_of(folder)


def test_names_appear_only_on_request(folder):
    write_report(folder)
    people = ClassFolder(folder).read_key().values()
    names = [part for person in people for part in person if part]
    for ending in ("html", "csv", "json"):
        text = text_of(folder, ending)
        assert not [name for name in names if name in text]
    write_report(folder, names=True)
    assert "Aïcha" in text_of(folder)
    assert "Aïcha" in text_of(folder, "csv")
    for path in (folder / "key.json", *folder.glob("report.*")):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600, path


def test_student_text_is_only_text(tmp_path):
    nasty = "<script>alert(1)</script>\x1b[31m\u202e"
    results = [make_results_json({"1.1": 0.0}, what=nasty, diagnosis=nasty, code=nasty)]
    person = Person("=cmd|' /C calc'!A0<img src=x>")
    write_report(write_small_class(tmp_path / "class", [[person]], results=results), names=True)
    text = text_of(tmp_path / "class")
    assert not re.search("<script|<img|<b>an|\x1b|\u202e", text)
    assert ",'=cmd" in text_of(tmp_path / "class", "csv").replace('"', "")


def test_a_report_without_a_bonus_does_not_name_one(tmp_path, capsys):
    results = [make_results_json({"1.1": 1.0, "1.2": float(i)}) for i in range(2)]
    folder = write_small_class(tmp_path / "class", results=results)
    write_report(folder)
    assert "have a score: 1.5 of 2 on average, median 1.5\n" in capsys.readouterr().out
    text = text_of(folder).partition("</style>")[2]
    assert "onus" not in text and "the test was run" not in text
    assert "1 to 1.1 points: 1" in text and "1.9 to 2 points: 1" in text


def test_changes_come_largest_first_and_a_lost_score_before_all(tmp_path, capsys):
    # A test that a result does not have is worth nothing in it.
    points = {"1.1": 0.0}, {"1.2": 1.0}, {"1.1": 1.0}, {"1.1": 1.0, "1.2": 1.0}
    lost, one, other, both = map(make_results_json, points)
    before = write_small_class(tmp_path / "before", results=[other, both, both, lost, both])
    # The ids differ: submissions are matched by their owners.
    now = [one, lost, None, lost]
    after = write_small_class(tmp_path / "after", results=now, first_id=10)
    assert write_report(after, before=before) == 0
    said, text = capsys.readouterr().out, text_of(after)
    assert f"changed since {before}: 3, 1 of them without a score now\n" in said
    assert f"graded in {before} and not in this class: 1\n" in said
    changes = json.loads(text_of(after, "json"))["changes"]
    assert [(one["submission"], one["old"], one["new"]) for one in changes] == [
        ("12", 2, None),
        ("11", 2, 0),
        ("10", 1, 1),
    ]
    assert changes[2]["tests"] == {"1.1": [1, 0], "1.2": [0, 1]}
    assert "the largest change first" in text
    assert "1.1: 1 → 0, 1.2: 0 → 1" in text.replace("&nbsp;", " ")
    assert "no score" in text and "Nobody's points" not in text
    assert "the submissions in which the test was run" in text.replace("\n", " ")
    assert write_report(before, before=after) == 0
    assert f"changed since {after}: 3" in capsys.readouterr().out
    assert write_report(after, before=after) == 0
    assert "Nobody's points have changed" in text_of(after)


def test_bad_input_gets_one_line(folder, tmp_path):
    other = write_small_class(tmp_path / "other", results=[make_results_json({"1.1": 1.0})])
    empty = write_small_class(tmp_path / "empty", results=[])
    nowhere = tmp_path / "nowhere"
    for directory, before, words in (
        (empty, None, f"nothing is graded in {empty} yet: `class grade` first"),
        (folder, nowhere, f"{nowhere} holds no graded class: `class grade EXPORT --out {nowhere}`"),
        (folder, other, f"{other} holds another class: nobody of {folder} is in it"),
    ):
        with pytest.raises(UsageError) as problem:
            write_report(directory, before=before)
        assert str(problem.value) == words
    assert not list(folder.glob("report.*"))


def test_a_file_that_cannot_be_written_is_reported(tmp_path):
    folder = write_small_class(tmp_path / "class", results=[make_results_json({"1.1": 1.0})])
    (folder / "report.html").mkdir()
    done = run_cli("class", "report", folder)
    assert done.returncode == 2
    assert done.stderr == f"class: {folder}/report.html can't be used: Is a directory\n"
    assert not list(folder.glob(".report*"))


@pytest.mark.slow
@needs_browser
def test_page_fits_a_browser_window(folder):
    write_report(folder, before=folder)
    expect_page_fits(folder / "report.html")
