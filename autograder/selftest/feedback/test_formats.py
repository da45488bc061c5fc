"""Each output format meets its platform's contract, whatever the report holds."""

import ast
import json
from dataclasses import replace
from datetime import datetime
from math import floor
from pathlib import Path
from typing import Any

import pytest

from autograder.checks.ask.finding import Finding
from autograder.diagram import Board
from autograder.feedback.results import Outcome, Report, Result
from autograder.formats import FORMATS
from autograder.formats.points import Total, WholePoints, sum_shown
from autograder.formats.submitty import round_up
from autograder.questions import ROOT
from autograder.selftest.support.commands import run_cli
from autograder.selftest.support.contracts import CONTRACTS
from starter.games import TicTacToe

NASTY = '<b>]]> & "x"\n`````\n{"scores": {}}\nGrade :=>> 99\n--|>\n| a | b |\ufffd \u00fc'
OTHERS = [name for name in FORMATS if name != "gradescope"]
SECRET = "a label that nobody may see"


def make_report(points: float = 2, hidden: Outcome = Outcome.FAILED) -> Report:
    """Return a report with each outcome, a hidden test and one with pass/fail only."""
    results = [
        Result("1.1", "passes", points, outcome=Outcome.PASSED),
        Result("1.2", NASTY, points, outcome=Outcome.FAILED, text=NASTY, seconds=1.5),
        Result("1.3", SECRET, 7, visibility="hidden", outcome=hidden, text=SECRET),
    ]
    only = replace(results[1], number="1.4", label="pass/fail only", pass_fail_only=True)
    results.append(replace(only, finding=make_finding(), text=SECRET))
    results.append(Result("5.1", "extra", 3, outcome=Outcome.PASSED))
    return Report(results=results, notes=[NASTY], name="somebody", when=datetime(2026, 9, 1))


def make_finding() -> Finding:
    board = Board(TicTacToe().initial, "a drawing")
    return Finding("value", facts={"expected": 1, "got": SECRET}, diagrams=(board,))


@pytest.mark.parametrize("name", FORMATS)
def test_contract_holds_for_every_report(name: str) -> None:
    full = make_report()
    fault = replace(full.results[0], outcome=Outcome.FAULT, reason=NASTY)
    late = replace(full.results[0], outcome=Outcome.NOT_RUN)
    long = replace(full.results[1], text=f"{NASTY}\n\n" * 1_200)
    for report in (
        full,
        make_report(0.25),
        Report(),
        replace(full, results=[r for r in full.results if r.visibility == "hidden"]),
        replace(full, results=[*full.results, fault]),
        replace(full, results=[*full.results, late]),
        replace(full, results=[long] * 20),
        replace(full, problem=NASTY, refused=True),
        replace(full, problem="no worker", fault=True),
    ):
        CONTRACTS.get(name, str)(FORMATS[name].render(report))


@pytest.mark.parametrize("name", OTHERS)
def test_nothing_that_students_read_depends_on_a_hidden_test(name: str) -> None:
    texts = []
    for outcome in (Outcome.FAILED, Outcome.PASSED):
        text = FORMATS[name].render(replace(make_report(hidden=outcome)))
        if name == "submitty":  # there the hidden tests are a test case that Submitty hides
            text = json.dumps({k: v for k, v in json.loads(text).items() if "hidden" not in k})
        texts.append(text)
    assert texts[0] == texts[1]
    assert SECRET not in texts[0]


@pytest.mark.parametrize("name", ["prairielearn", "submitty", "autolab", "vpl"])
def test_unfinished_grading_has_no_points(name: str) -> None:
    """For classroom50 the exit status says it."""
    report = make_report()
    report.results[0].outcome = Outcome.NOT_RUN
    found: Any = CONTRACTS[name](FORMATS[name].render(report))
    if name == "prairielearn":
        assert found["gradable"] is False and "score" not in found
    elif name == "submitty":
        assert {one["status"] for one in found.values()} == {"failure"}
    else:
        assert found in ({}, -1.0)


@pytest.mark.parametrize(
    ("weights", "scale"), [([3, 2, 5], 1), ([0.5, 2], 2), ([0.5, 0.2, 1], 10), ([1 / 3, 1], 3)]
)
def test_points_become_whole_by_one_factor(weights: list[float], scale: int) -> None:
    results = [Result(f"1.{n}", "", w) for n, w in enumerate(weights)]
    results[0].outcome = Outcome.PASSED
    whole = WholePoints(Report(results=results[:-1], left_out=weights[-1:]))
    assert whole.scale == scale
    assert [whole.convert(points) for points in weights] == [round(w * scale) for w in weights]


def test_maximum_grows_by_the_bonus_whether_it_was_tried_or_not() -> None:
    tried, missing = make_report(), make_report()
    missing.left_out = [missing.results.pop().max_points]
    assert sum_shown(tried) == (5, 9)
    assert sum_shown(missing) == (2, 9)


def test_no_point_is_lost_where_submitty_rounds_down() -> None:
    for most in range(1, 200):
        for points in range(most + 1):
            share = round_up(Total(points, most))
            assert 0 <= share <= 1 and floor(share * most) == points


def test_junit_tells_failures_from_errors() -> None:
    report = make_report()
    report.results[0].outcome, report.results[1].outcome = Outcome.FAULT, Outcome.NOT_RUN
    suite = CONTRACTS["junit"](FORMATS["junit"].render(report))[0]
    assert [suite.attrib[key] for key in ("tests", "failures", "errors", "skipped")] == list("3111")


def test_prairielearn_drops_drawings_before_text() -> None:
    report = make_report()
    big = replace(make_finding(), diagrams=make_finding().diagrams * 400)
    shown = Result("1.5", "drawn", 1, outcome=Outcome.FAILED, finding=big, text="said")
    small = replace(shown, finding=make_finding())
    report.results += [small, shown]
    found = CONTRACTS["prairielearn"](FORMATS["prairielearn"].render(report))
    *_, first, last = found["tests"]
    assert first["images"] and "images" not in last and last["output"] == "said"


def test_no_printed_sentence_names_one_platform() -> None:
    """assignment.toml has the platform's name; instructors' tools may name any of them."""
    apart = ("author", "cohort", "formats", "gradescope", "selftest", "settings.py")
    found = []
    for folder in ("autograder", "browser", "lab", "starter", "tests"):
        for path in (ROOT / folder).rglob("*.py"):
            if path.relative_to(ROOT / folder).parts[0] in apart:
                continue
            tree = ast.parse(path.read_bytes())
            said = {id(one.value) for one in ast.walk(tree) if isinstance(one, ast.Expr)}
            found += [
                f"{path}:{one.lineno}"
                for one in ast.walk(tree)
                if isinstance(one, ast.Constant) and id(one) not in said
                if any(name in str(one.value) for name in ("Gradescope", "PrairieLearn", "Autolab"))
            ]
    assert found == []


@pytest.mark.parametrize(("least", "status"), [("15", 0), ("16", 1)])
def test_minimum_decides_about_the_exit_status(least, status, tmp_path, monkeypatch):
    """The report has 2 of 13 points."""
    monkeypatch.setattr("autograder.command_line.grade", lambda *args, **more: make_report())
    file = tmp_path / "out.xml"
    done = run_cli("grade", tmp_path, "--format", f"junit={file}", "--min", least)
    assert done.returncode == status, done.stderr
    CONTRACTS["junit"](file.read_text())
    done = run_cli("grade", tmp_path, "--format", "junit", "--min", least)
    assert done.returncode == status
    CONTRACTS["junit"](done.stdout)  # nothing else is on standard output
    assert "score: " in done.stderr


@pytest.mark.parametrize("name", OTHERS)
def test_submission_that_cannot_be_graded_has_no_points(name: str, tmp_path: Path) -> None:
    (tmp_path / "answers.pdf").write_bytes(b"%PDF")
    done = run_cli("grade", tmp_path, "--format", name)
    assert done.returncode == 0
    found: Any = CONTRACTS.get(name, str)(done.stdout)
    words = done.stdout.replace("\\n", " ").replace("\\.", ".").split()  # lines may be broken
    assert "it holds answers.pdf" in " ".join(words)
    if name == "classroom50":
        assert found["score"] == 0 < found["max-score"]
    if name == "autolab":
        assert set(found["scores"].values()) == {0.0}
