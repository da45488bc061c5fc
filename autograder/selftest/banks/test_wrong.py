"""Wrong submissions lose the points of what is wrong, and the finding has its code."""

import ast
import sys
from pathlib import Path

import pytest

from autograder.author.bank import SOLUTION, Entry, read_entry
from autograder.author.grade_batch import Job, verdict_on
from autograder.feedback.diagnosis import OR
from autograder.questions import QUESTION_FILES
from autograder.selftest.support import matrix
from autograder.selftest.support.banks import BANKS, core, read_wrong
from autograder.selftest.support.golden import read_expected, read_wordings

BANK = {entry.name: entry for entry in read_wrong()}
CORE = core()
EXPECTED = read_expected()


@pytest.mark.parametrize(
    "entry",
    [
        pytest.param(entry, id=name, marks=() if name in CORE else pytest.mark.slow)
        for name, entry in BANK.items()
    ],
)
def test_wrong_submission_fails_its_test(entry: Entry) -> None:
    verdict = verdict_on(Job(entry.submission, entry.question, entry.fails))
    assert not verdict.fault
    assert verdict.codes == EXPECTED[entry.name].codes
    for diagnosis in verdict.diagnoses.values():
        assert entry.says in diagnosis.split(OR), "another mistake was named"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["minimax_asks_the_outcome", "player_seven_columns"])
def test_mistake_costs_points_on_its_own_question_only(name: str) -> None:
    verdict = verdict_on(Job(BANK[name].submission, None))
    assert set(BANK[name].fails) <= set(verdict.failed)
    assert {number[0] for number in verdict.failed} == {BANK[name].question}


def test_core_names_entries_of_the_bank() -> None:
    assert set(BANK) >= CORE


def test_no_wrong_submission_is_there_twice() -> None:
    assert len({tuple(entry.files.items()) for entry in BANK.values()}) == len(BANK)


def test_golden_files_are_of_this_bank() -> None:
    assert {name: list(row.codes) for name, row in EXPECTED.items()} == {
        name: list(entry.fails) for name, entry in BANK.items()
    }, "make matrix UPDATE=1"
    shown = {code for row in EXPECTED.values() for code in row.codes.values()}
    assert shown <= {example.code for example in read_wordings()}, "make matrix UPDATE=1"


def test_every_entry_is_for_a_test() -> None:
    for entry in BANK.values():
        assert entry.fails, entry.name
        assert {number[0] for number in entry.fails} == {entry.question}, entry.name


def test_every_known_mistake_has_words_for_students() -> None:
    own = {path.stem for path in (BANKS / "wrong").glob("*.txt")}
    assert {name for name, entry in BANK.items() if not entry.says} == own & set(BANK)


def test_no_question_file_uses_another() -> None:
    """So a mistake in one file can't cost points on another file's question."""
    for name in set(QUESTION_FILES) - {"player.py"}:  # a player may
        tree = ast.parse((SOLUTION / name).read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom):
                assert node.level == 0
                assert node.module
                top = node.module.split(".")[0]
                assert node.module == "starter.games" or top in sys.stdlib_module_names
            elif isinstance(node, ast.Import):
                assert {alias.name for alias in node.names} <= sys.stdlib_module_names


# --- the kill matrix ------------------------------------------------------------------------------


def test_matrix_says_what_one_entry_fails(capsys: pytest.CaptureFixture[str]) -> None:
    name = "expectiminimax_certain_outcome_has_a_move"
    assert matrix.print_entry(name) == 0
    first, *_, last = capsys.readouterr().out.splitlines()
    assert first == f"5.4 {EXPECTED[name].codes['5.4']}"
    assert last == f"{name}: fails 5.4, for 5.4"


def test_unknown_entry_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["matrix", "--entry=no_such"])
    assert matrix.main() == 2
    assert capsys.readouterr().err == "there is no wrong submission of the name no_such\n"


# --- reading an entry -----------------------------------------------------------------------------


def test_an_entry_that_fits_no_place_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "entry.txt"
    header = "nothing\nfails: 4.1\n--- mcts.py: changes\n"
    path.write_text(f"{header}<<<<<<< solution\nnowhere\n=======\n>>>>>>> entry\n")
    with pytest.raises(ValueError, match="stands 0 times"):
        assert read_entry(path).files


@pytest.mark.parametrize(
    "damage",
    [
        "",
        "cost: 3\n",
        "--- other.txt: changes\n",
        "--- mcts.py: changes\n<<<<<<< solution\n",
        "--- mcts.py: whole\n",
    ],
)
def test_a_damaged_entry_is_refused(damage: str, tmp_path: Path) -> None:
    path = tmp_path / "entry.txt"
    path.write_text(f"a mistake\n{damage}")
    with pytest.raises(ValueError, match=r"entry\.txt"):
        read_entry(path)


def test_added_code_follows_the_file(tmp_path: Path) -> None:
    path = tmp_path / "entry.txt"
    path.write_text("adds a line\nbase: starter\n--- mcts.py: added\nx = 1\n")
    (source,) = read_entry(path).files.values()
    starter = (SOLUTION.parent / "starter" / "mcts.py").read_bytes()
    assert source == starter + b"\n\nx = 1\n"
    assert read_entry(path).honest == {"mcts.py": starter}
