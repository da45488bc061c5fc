"""Which self-tests hold a change is read off imports, data and names; and what a sample holds."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.questions import QUESTIONS, ROOT, Question
from autograder.selftest import __main__ as selftest
from autograder.selftest import conftest
from autograder.selftest import sample as sample_module
from autograder.selftest.affected import DATA, HERE, affected, question_named_by
from autograder.selftest.imports import imported_by
from autograder.selftest.sample import OF_QUESTION, SIZES, by_turns, sample


def names(*changed: str) -> set[str]:
    return {test.name for test in affected([ROOT / name for name in changed])[0]}


def test_imports_are_followed_to_the_end() -> None:
    found = {path.relative_to(ROOT).as_posix() for path in imported_by([HERE / "test_wrong.py"])}
    assert {"autograder/author/wrong_bank.py", "autograder/sandbox.py"} <= found
    assert "lab/app.py" not in found


@by_turns
@pytest.mark.parametrize(
    ("changed", "holds", "does_not"),
    [
        ("autograder/author/wrong/alphabeta_strict.txt", "test_wrong.py", "test_sandbox.py"),
        ("autograder/selftest/lazy/first_moves/deserves.txt", "test_lazy.py", "test_wrong.py"),
        ("autograder/selftest/test_stubs.py", "test_stubs.py", "test_wrong.py"),
        ("autograder/sandbox.py", "test_sandbox.py", "test_games.py"),
        ("handout.md", "test_handout.py", "test_sandbox.py"),
    ],
)
def test_a_change_is_held_by_some_tests_and_not_by_others(
    changed: str, holds: str, does_not: str
) -> None:
    assert holds in names(changed)
    assert does_not not in names(changed)


def test_every_file_of_the_lab_is_held() -> None:
    for pattern in ("*.py", "*.js", "*.css"):
        for path in (ROOT / "lab").rglob(pattern):
            assert affected([path])[0], path


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.name)
def test_what_bears_a_questions_name_is_its_own(question: Question) -> None:
    for name in (
        f"solution/{question.name}.py",
        f"tests/test_{question.number}_{question.name}.py",
        f"tests/cases/{question.name}.json",
    ):
        assert (ROOT / name).is_file()
        assert affected([ROOT / name]) == ({}, [question])
    assert question_named_by(ROOT / "autograder" / "sandbox.py") is None


def test_all_data_that_is_named_is_there() -> None:
    for module, patterns in DATA.items():
        assert (ROOT / module).is_file(), module
        for pattern in patterns:
            assert any(ROOT.glob(pattern)), pattern


# --- the sample -----------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def in_check(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in `make check`, with nothing changed since the commit."""
    monkeypatch.setattr(sample_module, "PROOF", False)
    monkeypatch.setattr(sample_module, "PARTS", 1)
    monkeypatch.setattr(sample_module, "QUESTION", "")
    monkeypatch.setattr(sample_module, "SAMPLES", {})
    monkeypatch.setattr(sample_module, "changed_files", frozenset)


def taken() -> list[int]:
    return sample("wrong", range(1000), lambda entry: (f"entry_{entry}", str(entry % 4 + 1)))


def test_a_sample_changes_with_the_commit_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    first = taken()
    assert len(first) == len(set(first)) == SIZES["wrong"]
    assert taken() == first
    monkeypatch.setattr(sample_module, "last_commit", lambda: "another")
    assert taken() != first


def test_a_sample_holds_what_was_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    left = next(entry for entry in range(1000) if entry not in taken())
    changed = frozenset([Path(f"autograder/author/wrong/entry_{left}.txt")])
    monkeypatch.setattr(sample_module, "changed_files", lambda: changed)
    assert left in taken()


def test_a_sample_of_one_question_holds_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sample_module, "QUESTION", "2")
    assert len(taken()) == OF_QUESTION["wrong"]
    assert {entry % 4 for entry in taken()} == {1}


def test_a_proof_takes_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sample_module, "PROOF", True)
    assert taken() == list(range(1000))


def test_the_parts_of_a_proof_are_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    """Which part it is depends on the commit: after some commits there was each of them."""
    monkeypatch.setattr(sample_module, "PROOF", True)
    monkeypatch.setattr(sample_module, "PARTS", 4)
    parts = set[tuple[int, ...]]()
    for commit in range(60):
        monkeypatch.setattr(sample_module, "last_commit", lambda now=commit: f"commit {now}")
        parts.add(tuple(taken()))
    assert sorted(entry for part in parts for entry in part) == list(range(1000))
    assert len(parts) == 4
    assert all(200 < len(part) < 300 for part in parts)


def test_tests_that_take_seconds_take_turns(
    monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    """After each commit others of them are run; those of a file that was changed always."""
    turns = 0
    for commit in range(60):
        monkeypatch.setattr(sample_module, "last_commit", lambda now=commit: f"commit {now}")
        turns += sample_module.its_turn(request.node)
    assert 5 <= turns <= 15
    monkeypatch.setattr(sample_module, "changed_files", lambda: frozenset([Path(__file__)]))
    assert sample_module.its_turn(request.node)


@pytest.mark.parametrize("check", [True, False])
def test_the_check_alone_leaves_tests_out(
    check: bool, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    """And only such as take turns. By hand all that was named is run."""
    items = [
        pytest.Function.from_parent(request.node.parent, name=f"test_{i}", callobj=taken)
        for i in range(90)
    ]
    for item in items[:60]:
        item.add_marker(by_turns)
    kept = list[pytest.Item](items)
    monkeypatch.setattr(conftest, "SAMPLES", {})
    monkeypatch.setattr(conftest, "CHECK", check)
    monkeypatch.setattr(conftest, "QUESTION", "")
    monkeypatch.setattr(conftest, "PARTS", 1)
    conftest.pytest_collection_modifyitems(request.config, kept)
    assert kept[-30:] == items[60:]
    assert len(kept) == 90 if not check else 35 < len(kept) < 42


def collected(parts: str) -> str:
    files = [str(HERE / f"test_{name}.py") for name in ("metadata", "class_cluster", "mutants")]
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", *files]
    env = os.environ | {"PROOF": "1", "PARTS": parts, "QUESTION": ""}
    return subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True).stdout


@by_turns
def test_a_proof_in_parts_goes_on_where_the_check_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """It has the banks, and some files of what the check skips; nothing is run again."""
    whole, part = collected("1"), collected("2")
    assert "test_metadata.py" in whole
    assert "test_metadata.py" not in part
    assert "test_mutants.py::test_those_not_listed_lose_points" in part
    monkeypatch.setattr(sample_module, "PARTS", 2)
    assert "test_class_cluster.py" in whole
    assert ("test_class_cluster.py" in part) == sample_module.in_this_part("test_class_cluster")


def test_the_quick_tests_under_another_python_are_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARTS", "6")
    code = "import os; print(os.environ['PARTS'] or 'whole')"
    assert selftest.said_by(sys.executable, "-c", code) == (True, "whole\n")


@pytest.mark.parametrize("parts", ["x", "0", "-2", "1.5"])
def test_no_such_parts_of_a_proof(
    parts: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["selftest", "--proof"])
    monkeypatch.setattr(selftest, "proof", lambda: pytest.fail("it has begun"))
    monkeypatch.setenv("PARTS", parts)
    assert selftest.main() == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line == f"PARTS must be a whole number, 1 or more, not '{parts}'"
