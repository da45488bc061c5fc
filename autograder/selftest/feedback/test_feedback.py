"""Messages to students and the last lines: short, plain, concrete, complete on the screen."""

import re
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from autograder import command_line
from autograder.checks.ask.finding import Finding, Hint
from autograder.checks.ask.student_errors import clean_output
from autograder.commands import TYPED, format_command
from autograder.diagram import Board, Node, Tree
from autograder.errors import UsageError
from autograder.feedback import terminal
from autograder.feedback.report import (
    PAPER,
    UPLOAD,
    Screen,
    find_next_step,
    format_score,
    lay_out_message,
)
from autograder.feedback.results import Outcome, Report, Result
from autograder.feedback.results_json import make_json
from autograder.feedback.text_drawing import HEIGHT, Line, draw_lines, draw_side_by_side, fold
from autograder.selftest.support.banks import SOLUTION_FILES, change_solution
from autograder.selftest.support.commands import run_cli
from autograder.serving.case import Case
from autograder.serving.case_files import Cases
from autograder.serving.cases import PositionsCase
from autograder.submission import Submission
from starter.games import ConnectFour, TicTacToe

MISTAKE = Finding("not-loaded/not-python", {"problem": "what is wrong"})


def test_a_case_that_is_too_long_for_a_command_is_run_with_its_test() -> None:
    case = replace(Cases().load("1.6")[0], index=None)
    failed = replace(result(MISTAKE, "1.6"), case=case)
    assert len(case.name) > 8_000
    assert str(lay_out_message(failed)[-1]) == "  this test alone: make test Q=1.6"


def test_one_position_of_a_case_has_a_short_name() -> None:
    whole = Cases().load("1.7")[0]
    assert isinstance(whole, PositionsCase)
    single = Cases().only("1.7/1.2").load("1.7")
    assert single == [replace(whole, part=2, positions=[whole.positions[1]])]
    assert single[0].name == "1.7/1.2"
    for name in ("1.7/1.0", "1.7/1.999", "1.1/1.1"):
        with pytest.raises(UsageError, match=r"^case 1\.\d/1 has \d+ positions$"):
            Cases().only(name)


STAGE = "/tmp/grading-x/stage"
WARNS = f"{STAGE}/autograder/worker/inside/worker.py:52: RuntimeWarning: a\n"


@pytest.mark.parametrize(
    ("printed", "shown"),
    [
        (f"{WARNS}{STAGE}/starter/mcts.py:3: b", "RuntimeWarning: a\nmcts.py:3: b"),
        ("C:\\stage\\starter\\mcts.py:3: b, in /starter/", "mcts.py:3: b, in"),
        ("  0 1\n0 X .\n    |-- a   3\n\tb", "  0 1\n0 X .\n    |-- a   3\n        b"),
        ("<Node object at 0x7f00>\x1b[2J", "<Node object>\ufffd[2J"),
    ],
)
def test_printed_text_keeps_its_layout_and_names_no_file_of_the_grader(printed, shown):
    assert clean_output(printed) == shown


def nested(depth: int, width: int) -> Node:
    children = [nested(depth - 1, width) for _ in range(width)] if depth else []
    return Node("a", "max" if depth % 2 else "min", children=children)


@pytest.mark.parametrize("where", [0, 500, -1])
def test_large_tree_with_one_mark_fits(where: int) -> None:
    root = nested(6, 3)
    list(root.walk())[where].mark = "unneeded"
    drawn = draw_lines(Tree(root, "caption"), 24)
    assert len(drawn) <= 24
    assert [line.mark for line in drawn if line.mark] == ["unneeded"]
    hidden = sum(int(part.split()[0]) for line in drawn for part in line.text.split("(")[1:])
    assert len(drawn[1:]) + hidden == 3**7 // 2  # nothing is lost without being counted


def test_long_chain_is_left_out() -> None:
    root = end = Node("root")
    for _ in range(40):
        end.children = [Node("a")]
        (end,) = end.children
    end.children = [Node("a", mark="unneeded"), Node("b")]
    drawn = [node.name for node in fold(root, HEIGHT).walk()]
    assert drawn == ["after 40 moves without a choice", "a", "b"]


def test_wide_tree_is_shown_around_the_mark() -> None:
    root = Node("root", children=[Node(str(i)) for i in range(5_000)])
    root.children[4_000].mark = "unneeded"
    names = [node.name for node in fold(root, HEIGHT).walk()]
    assert "4000" in names and len(names) < 50
    assert names[-1] == "... and 4960 more"


def test_boards_stand_side_by_side() -> None:
    boards = [Board(TicTacToe().initial, "before:"), Board(ConnectFour().initial)]
    lines = [str(line) for line in draw_side_by_side(boards)]
    assert lines[0] == "before:          0 1 2 3 4 5 6"
    assert lines[1] == "  0 1 2        0 . . . . . . ."
    assert lines[-1] == "               X to move"


def result(finding: Finding | None, number: str = "2.3", **more: object) -> Result:
    outcome = Outcome.FAILED if finding else Outcome.PASSED
    case = Case(number=number, index=4, game=["TicTacToe"])
    return Result(number, "A label", 3, outcome=outcome, finding=finding, case=case, **more)  # type: ignore[arg-type]


def test_overlong_message_still_fits_a_screen() -> None:
    board = ConnectFour().initial
    facts = {name: f"{name} " * 500 for name in ("to_move", "value", "player", "got")}
    hints = (Hint("game-played", {"moves": "line " * 100}),) * 50
    boards = (Board(board, "the first:"), Board(board, "the second:"))
    finding = Finding("wrong-value", facts, hints, boards)
    more = {"printed": "printed\n" * 900, "diagnosis": "you guessed " * 90}
    lines = lay_out_message(result(finding, **more))
    assert len(lines) <= PAPER.height
    assert all(len(str(line)) <= PAPER.width for line in lines)
    lines = lay_out_message(result(replace(finding, diagrams=(Tree(nested(5, 3)),)), **more))
    assert len(lines) <= PAPER.height
    assert lines[-2].text.endswith("make test CASE=2.3/4")


@pytest.mark.parametrize("screen", [PAPER, Screen(80, 17), Screen(60, 17)])
def test_a_named_mistake_is_not_cut_and_replaces_guesses(screen: Screen) -> None:
    vague = replace(MISTAKE, hints=(Hint("another-return"),))
    one = "min_value returned the smallest value it had seen in any call before, " * 2 + "one"
    lines = lay_out_message(result(vague, diagnosis=f"{one}, or if two"), screen)
    text = " ".join(map(str, lines))
    assert f"what you would get if {one}" in text and "..." not in text
    assert "another comparison" not in text
    assert "another comparison" in " ".join(map(str, lay_out_message(result(vague), screen)))


PASSED = [result(None)]
WRONG = result(MISTAKE, "2.3")
STUB = result(Finding("not-written", {"what": "write min_value in minimax.py"}, stop=True), "1.1")
NO_FILE = result(Finding("no-file", {"problem": "mcts.py is not in the submission"}), "4.1")
ALONE = [replace(WRONG, max_points=0)]


@pytest.mark.parametrize(
    ("report", "says"),
    [
        (Report("2", [STUB]), "next: write min_value in minimax.py, then: make test Q=1"),
        (Report("2", [STUB, WRONG]), "next: fix 2.3 (make test Q=2.3)"),
        (Report("2", [WRONG] * 2), "(make test Q=2.3); what fails after it may have the same"),
        (Report("2", [NO_FILE]), "make test Q=4"),
        (Report(None, PASSED), "next: everything passes; make submit"),
        (Report("1", PASSED), "question 1 passes; question 2, alphabeta.py: make test Q=2"),
        (Report("4", PASSED), "question 4 passes; all questions together: make test"),
        (Report("2.3", PASSED), "next: test 2.3 passes; the whole question: make test Q=2"),
        (Report("2.3", ALONE, alone=True), "next: fix this case; make test Q=2.3 runs all, and "),
        (Report("1", [], fault=True), "next: tell your instructor that the grader fails; it"),
        (Report("1", PASSED, fault=True), "next: tell your instructor that the grader fails; it "),
    ],
)
def test_next_step_is_named(report: Report, says: str) -> None:
    line = find_next_step(report)
    assert says in line
    assert len(line) <= PAPER.width
    assert ("That is not your fault" in make_json(report)["output"]) == report.fault
    assert (format_score(report) == "no score: only one case was run") == report.alone


def test_commands_are_those_of_the_system(monkeypatch: pytest.MonkeyPatch) -> None:
    assert format_command("test", "case", "2.3/17") == "make test CASE=2.3/17"
    assert format_command("test", "question", "1") == "make test Q=1"
    monkeypatch.setenv(TYPED, "python")
    assert format_command("test", "question", "1") == ".venv/bin/python -m autograder test -q 1"
    monkeypatch.setattr(sys, "platform", "win32")
    here = r".venv\Scripts\python -m autograder"
    assert format_command("test", "case", "2.3/17") == f"{here} test -c 2.3/17"
    assert format_command("submit") == f"{here} submit"
    assert format_command("try", "case", "2.3/17") == f"{here} try 2.3/17"


@pytest.mark.parametrize(
    ("is_terminal", "environment", "coloured"),
    [
        (True, {"TERM": "xterm"}, True),
        (True, {"TERM": "xterm", "NO_COLOR": "1"}, False),
        (True, {"TERM": "dumb"}, False),
        (False, {"TERM": "xterm"}, False),
    ],
)
def test_colour_is_for_terminals_only(monkeypatch, is_terminal, environment, coloured):
    monkeypatch.delenv("NO_COLOR", raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: is_terminal)
    painted = terminal.paint(Line("  expected: 3", style="expected"))
    assert "  expected: 3" in painted and (painted != "  expected: 3") is coloured


LABEL = "The true value and a best move on undecided tic-tac-toe positions"


def test_table_grows_with_the_progress_in_any_width(monkeypatch, capsys):
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    progress, result = terminal.LineByLine(), Result("1.6", LABEL, 3, outcome=Outcome.PASSED)
    progress.starts(result)
    progress.case_judged(3, 20)
    progress.finished(result)
    seen = re.split(r"[\r\n]", capsys.readouterr().out)
    assert any(line.rstrip().endswith(" 3/20") for line in seen)
    assert all(len(line) <= 60 for line in seen)
    assert any("pass     3/3" in line for line in seen)


def test_the_last_screen_lists_all_failing_tests_and_the_next_step(tmp_path: Path) -> None:
    for_x = change_solution("minimax.py", "    player = state.to_move", "    player = 'X'")
    (tmp_path / "minimax.py").write_text(for_x)
    lines = run_cli("test", "-q", "1", tmp_path).stdout.splitlines()
    failing = [
        line.split()[0] for line in lines if re.match(r" +1\.\d .* (FAIL|after 1\.\d) ", line)
    ]
    assert len(failing) > 1
    assert f"failing: {', '.join(failing)}" in lines[-5:]
    assert any(line.startswith(f"next: fix {failing[0]} ") for line in lines[-5:])


OPEN = f"{UPLOAD}; points are left: write min_value in minimax.py, then: make test Q=1"


@pytest.mark.parametrize(("failed", "step"), [([], UPLOAD), ([STUB], OPEN)])
def test_submit_prints_a_summary_and_ends_in_the_upload(tmp_path, monkeypatch, failed, step):
    monkeypatch.setattr(command_line, "SUBMISSION_ZIP", tmp_path / "submission.zip")
    monkeypatch.setattr(command_line, "read_submission", lambda path: Submission(SOLUTION_FILES))
    monkeypatch.setattr(
        command_line, "look_at", lambda submission: dict.fromkeys(SOLUTION_FILES, "")
    )

    def graded(submission: Submission, progress: terminal.CurrentTest) -> Report:
        results = [
            Result(f"{q}.{n}", LABEL, 3, outcome=Outcome.PASSED) for q in (1, 2) for n in (1, 2)
        ]
        for result in results:
            progress.starts(result)
            progress.finished(result)
        return Report(results=[*results, *failed])

    monkeypatch.setattr(command_line, "grade", graded)
    lines = run_cli("submit").stdout.splitlines()
    assert LABEL not in "".join(lines)
    assert f"question 1: 6/{9 if failed else 6}   question 2: 6/6" in lines
    assert step in lines and lines[-1] == f"score: 12/{15 if failed else 12}"
    assert (tmp_path / "submission.zip").exists()
