"""`class questions` writes a page for each student, reads the answers, and adds to the report."""

import csv
import json
import stat
from pathlib import Path

import pytest

from autograder.author.graded_tests import read_graded_tests
from autograder.cohort.class_folder import Person
from autograder.cohort.class_questions import read_table, write_questions
from autograder.cohort.report import write_report
from autograder.errors import UsageError
from autograder.quiz.kinds import KINDS
from autograder.selftest.support.banks import SOLUTION_FILES, STUBS, read_right_entries
from autograder.selftest.support.browser import Browser, needs_browser
from autograder.selftest.support.graded_class import make_results_json, write_small_class

POINTS = {test.number: 1.0 for test in read_graded_tests()}


@pytest.fixture
def graded(tmp_path: Path) -> Path:
    """Return a class: a pair with the solution, a student with stubs, one without a result."""
    pair = [Person("Ada Lovelace"), Person("Bob Bell")]
    groups = [pair, [Person("Cyd Cole")], [Person("Dan Dee")]]
    results = [make_results_json(POINTS), make_results_json(dict.fromkeys(POINTS, 0.0)), None]
    files = [dict(SOLUTION_FILES), STUBS, STUBS]
    return write_small_class(tmp_path / "class", groups, files, results)


def test_each_student_gets_a_page_of_the_own(graded, capsys):
    assert write_questions(graded, 10) == 0
    folder = graded / "questions"
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o600}
    assert "no page, because nothing of theirs is graded: s" in capsys.readouterr().out
    pages = (folder / "pages.html").read_text(encoding="utf-8")
    asked = json.loads((folder / "questions.json").read_bytes())
    assert pages.count('<section class="sheet">') == len(asked) == 3
    assert not any(name in pages for name in ("Ada Lovelace", "Bob Bell", "Cyd Cole"))
    assert pages.count('class="answer"') == 12
    own, other, stub = sorted(asked.values(), key=lambda items: items[0]["kind"] == "concept")
    assert own != other
    assert {KINDS[item["kind"]].file for item in own} == {"minimax", "alphabeta", "cutoff", "mcts"}
    assert {item["kind"] for item in stub} == {"concept"}
    table = (folder / "answers.csv").read_text(encoding="utf-8").splitlines()
    assert [line.split(",")[0] for line in table] == ["pseudonym", *asked]
    head, *rows = csv.reader((folder / "key.csv").read_text(encoding="utf-8").splitlines())
    assert head[:3] == ["pseudonym", "kind 1", "answer 1"]
    assert [row[0] for row in rows] == [*asked]
    assert [row[1] for row in rows] == [items[0]["kind"] for items in asked.values()]

    write_questions(graded, 10, names=True)  # the same seed, the same questions
    assert json.loads((folder / "questions.json").read_bytes()) == asked
    assert "Ada Lovelace" in (folder / "pages.html").read_text(encoding="utf-8")


def test_answers_are_in_the_report(graded: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_questions(graded, 10)
    asked = json.loads((graded / "questions" / "questions.json").read_bytes())
    first, second = (one for one, items in asked.items() if items[0]["kind"] != "concept")
    (graded / "questions" / "answers.csv").write_text(f"pseudonym;1\n{first};3\n")
    with pytest.raises(UsageError, match="has answers to other questions"):
        write_questions(graded, 10)
    lines = ["\ufeffpseudonym;1;2;3;4"]
    for one, right in ((first, 4), (second, 1)):  # the other answers are known mistakes
        cells = [item["answer"] for item in asked[one][:right]]
        cells += [next(iter(item["wrong"])) for item in asked[one][right:]]
        letters = [dict(zip(item["choices"], "abcd")) for item in asked[one]]
        lines.append(";".join([one, *(of.get(cell, cell) for of, cell in zip(letters, cells))]))
    (graded / "filled.csv").write_text("\n".join(lines), encoding="utf-8")
    assert write_questions(graded, answers=graded / "filled.csv") == 0
    assert "right: 5 of 8 answers" in capsys.readouterr().out
    write_report(graded)
    quiz = json.loads((graded / "report.json").read_bytes())["quiz"]
    assert quiz["students"] == 2
    assert sum(kind["right"] for kind in quiz["kinds"]) == 5
    assert sum(kind["asked"] for kind in quiz["kinds"]) == 8
    assert {kind["share"] for kind in quiz["kinds"]} == {1.0}
    assert quiz["talks"] == [{"pseudonym": second, "right": 1, "asked": 4}]
    known = [next(iter(item["wrong"].values())) for item in asked[second][1:]]
    assert sum(one["count"] for one in quiz["misconceptions"]) == sum(map(bool, known))
    assert "no proof of anything" in (graded / "report.html").read_text(encoding="utf-8")
    with pytest.raises(UsageError, match="has answers to other questions"):
        write_questions(graded, 10)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("who,1\nsa,3\n", "the first column .* should be pseudonym"),
        ("pseudonym,1\nsa,3\nsx,3\n", "row 3: nobody has the pseudonym 'sx'"),
        ("pseudonym,1\nsa,3\nsa,4\n", "row 3: sa stands there for the second time"),
        ("", "the first column .* should be pseudonym"),
    ],
)
def test_table_that_does_not_fit_is_refused(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(text)
    with pytest.raises(UsageError, match=message):
        read_table(tmp_path / "a.csv", {"sa": [{}]})


def test_absence_and_missing_cells_are_no_wrong_answers(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("pseudonym,1,2\nsa,'-3\nsb,,\n\n", encoding="utf-8")
    assert read_table(tmp_path / "a.csv", {"sa": [{}, {}], "sb": [{}, {}]}) == {"sa": ["-3", ""]}


def test_answers_are_read_as_people_write_them(graded, capsys):
    item = {"kind": "alphabeta-pruned", "form": "leaves", "choices": [], "wrong": {}}
    item["names"] = ["root", "a", "a/b", "c", "c/a"]
    asked = [{**item, "answer": answer} for answer in ("a/b, c/a", "none", "none")]
    (graded / "questions").mkdir()
    (graded / "questions" / "questions.json").write_text(json.dumps({"sa": asked}))
    path = graded / "answers.csv"
    path.write_text("pseudonym,1,2,3\nsa,a/b; C/a,None,x/y\n", encoding="utf-8")
    assert write_questions(graded, answers=path) == 0
    shown = capsys.readouterr().out
    assert "right: 2 of 3 answers" in shown
    assert "sa, question 3: counted as wrong: 'x/y': type leaves" in shown


@pytest.mark.parametrize("minutes", [1, 11])
def test_page_holds_ten_minutes(minutes: int, graded: Path) -> None:
    with pytest.raises(UsageError, match="one page holds 3 to 10 minutes"):
        write_questions(graded, minutes)


@pytest.mark.slow
@needs_browser
def test_every_question_fits_into_its_box(tmp_path: Path) -> None:
    entries = read_right_entries()[:8]
    files = [{**SOLUTION_FILES, **entry.files} for entry in entries]
    groups = [[Person(entry.name)] for entry in entries]
    graded = write_small_class(
        tmp_path / "class", groups, files, [make_results_json(POINTS)] * len(entries)
    )
    write_questions(graded, 10, names=True)
    with Browser() as browser:
        page = browser.page
        page.goto((graded / "questions" / "pages.html").as_uri())
        page.emulate_media(media="print")
        overflowing = page.eval_on_selector_all(
            ".cell",
            "all => all.filter(cell => cell.scrollHeight > cell.clientHeight + 1"
            " || cell.scrollWidth > cell.clientWidth + 1).map(cell => cell.innerText)",
        )
        boxes = page.eval_on_selector_all(
            ".sheet",
            "all => all.map(sheet => [...sheet.querySelectorAll('.answer span')].flatMap("
            "box => [box.offsetLeft - sheet.offsetLeft, box.offsetTop - sheet.offsetTop]))",
        )
        scales = page.eval_on_selector_all(
            ".tree svg", "all => all.map(drawing => drawing.getScreenCTM().a)"
        )
    assert overflowing == []
    assert 9 * min(scales) >= 5.8  # points, of the text in a drawing
    assert all(max(places) - min(places) <= 2 for places in zip(*boxes))  # a template finds them
