"""The store of verdicts: what its keys hold, and that what it knows is checked."""

import json
import os
import platform
import subprocess
import sys
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from types import SimpleNamespace

import pytest

from autograder.author.parallel import Job, Verdict
from autograder.cases import FOLDER
from autograder.questions import QUESTIONS, ROOT, Question, is_off
from autograder.selftest import verdicts as subject
from autograder.selftest.sample import by_turns, only_in_proof
from autograder.selftest.verdicts import case_files, files_behind, key_of, verdicts_on
from autograder.submission import Submission

JOB = Job(Submission({"minimax.py": b"x = 1\n"}), "1")


@pytest.fixture(autouse=True)
def nothing_remembered() -> Iterator[None]:
    """What is found out once in a process is found out anew."""
    caches = (subject.surroundings, subject.state_behind)
    for cached in caches:
        cached.cache_clear()
    yield
    for cached in caches:
        cached.cache_clear()


def key(job: Job = JOB, stop_at_first: bool = False, folder: Path = FOLDER) -> str:
    subject.state_behind.cache_clear()
    return key_of(job, stop_at_first, folder)


# --- the key --------------------------------------------------------------------------------------

READS = """
import json, os, sys
seen = set()
sys.addaudithook(lambda event, args: event == "open" and seen.add(str(args[0])))
from autograder.author.parallel import Job
from autograder.grade import grade
from autograder.submission import read_submission
grade(read_submission("solution"), question=sys.argv[1])
print(json.dumps([os.path.abspath(path) for path in seen]))
"""


@by_turns
@pytest.mark.parametrize(
    "question",
    [
        pytest.param(row, id=row.name, marks=() if row.number == "2" else only_in_proof)
        for row in QUESTIONS
    ],
)
def test_every_file_that_a_grading_reads_is_in_the_key(question: Question, tmp_path: Path) -> None:
    """But for what is the other questions' own, on or off: pytest collects their tests, too."""
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(tmp_path)}  # sources, not bytecode
    command = [sys.executable, "-c", READS, f"{question.number}.1"]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    folders = [f"{ROOT / name}{os.sep}" for name in ("autograder", "starter", "tests")]
    read = {Path(path) for path in json.loads(done.stdout) if path.startswith(tuple(folders))}
    known = {*files_behind(question.number), *case_files(question.number, FOLDER)}
    assert len(read & known) > 20
    docstrings = {path for path in read if path.name == "__init__.py"}
    off = {path for path in read if is_off(path)}
    assert read - known - docstrings - off <= {*files_behind(None), *case_files(None, FOLDER)}


@by_turns
def test_the_key_changes_with_every_file_behind_a_question(monkeypatch: pytest.MonkeyPatch) -> None:
    files = [*files_behind("2"), *case_files("2", FOLDER)]
    changed: list[Path] = []
    read = Path.read_bytes
    monkeypatch.setattr(Path, "read_bytes", lambda path: read(path) + b"\n" * (path in changed))
    keys = {key(JOB._replace(question="2"))}
    for path in files:
        changed[:] = [path]
        keys.add(key(JOB._replace(question="2")))
    assert len(keys) == len(files) + 1


def test_no_other_question_is_in_the_key() -> None:
    names = {path.name for path in [*files_behind("2"), *case_files("2", FOLDER)]}
    assert {"test_2_alphabeta.py", "alphabeta.json", "tic_tac_toe.json"} <= names
    assert not names & {"test_4_mcts.py", "mcts.py", "mcts.json", "test_3_cutoff.py", "cutoff.json"}


class OtherSandbox:
    """A sandbox on another system."""

    user: int | None = 20_000
    in_force = ("landlock", "seccomp", "limits")

    def __init__(self, submission: Submission) -> None:
        pass

    def prepare(self) -> None:
        pass

    def remove(self) -> None:
        pass


def test_the_key_changes_with_all_around(monkeypatch: pytest.MonkeyPatch) -> None:
    package = SimpleNamespace(metadata={"Name": "numpy"}, version="1.26.0")
    monkeypatch.setattr(subject, "Sandbox", OtherSandbox)
    monkeypatch.setattr(metadata, "distributions", lambda: [package])
    keys = [key()]
    for owner, name, value in (
        (sys, "version", "3.99"),
        (sys, "platform", "plan9"),
        (platform, "machine", lambda: "abacus"),
        (package, "version", "2.0.0"),
        (OtherSandbox, "user", None),
        (OtherSandbox, "in_force", ("landlock", "limits")),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(owner, name, value)
            subject.surroundings.cache_clear()
            keys.append(key())
    assert len(set(keys)) == len(keys)


def test_the_key_changes_with_all_that_a_job_is(tmp_path: Path) -> None:
    (tmp_path / "minimax.json").write_text("{}")
    keys = [
        key(),
        key(stop_at_first=True),
        key(folder=tmp_path),
        key(JOB._replace(question="2")),
        key(JOB._replace(without={"1.6"})),
        key(JOB._replace(submission=Submission({"minimax.py": b"x = 2\n"}))),
        key(JOB._replace(submission=Submission({"mcts.py": b"x = 1\n"}))),
        key(JOB._replace(submission=Submission({}, problems={"minimax.py": "is missing"}))),
    ]
    assert len(set(keys)) == len(keys)


# --- the store ------------------------------------------------------------------------------------


@pytest.fixture
def graded(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[Job]:
    """The jobs that were graded, with an empty store; each fails 1.1."""
    jobs: list[Job] = []

    def grade_each(wanted: list[Job], *rest: object) -> Iterator[tuple[int, Verdict]]:
        jobs.extend(wanted)
        yield from ((i, Verdict(["1.1"])) for i, _ in enumerate(wanted))

    monkeypatch.setattr(subject, "grade_each", grade_each)
    monkeypatch.setattr(subject, "STORE", tmp_path / "store.sqlite")
    monkeypatch.setattr(subject, "AGAIN", 0)
    monkeypatch.delenv("FRESH", raising=False)
    return jobs


def ask(jobs: list[Job]) -> dict[int, Verdict]:
    return dict(verdicts_on(jobs, lambda _, verdict: verdict.failed))


def test_what_is_known_is_not_graded_again(graded: list[Job]) -> None:
    assert ask([JOB]) == ask([JOB]) == {0: Verdict(["1.1"])}
    assert graded == [JOB]
    other = JOB._replace(without={"1.2"})
    assert ask([JOB, other]) == {0: Verdict(["1.1"]), 1: Verdict(["1.1"])}
    assert graded == [JOB, other]


def test_a_fresh_proof_forgets_what_is_known(
    graded: list[Job], monkeypatch: pytest.MonkeyPatch
) -> None:
    ask([JOB])
    monkeypatch.setenv("FRESH", "1")
    ask([JOB])
    assert graded == [JOB, JOB]


def test_another_verdict_on_what_is_known_is_a_fault(
    graded: list[Job], monkeypatch: pytest.MonkeyPatch
) -> None:
    subject.keep(key(), Verdict(["1.2"]).__dict__)
    monkeypatch.setattr(subject, "AGAIN", 1)
    assert "comes out otherwise: ['1.1'], before ['1.2']" in ask([JOB])[0].fault


def test_a_fault_of_the_grader_is_not_kept(
    graded: list[Job], monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(subject, "grade_each", lambda *rest: [(0, Verdict(fault="no room"))])
        assert ask([JOB])[0].fault == "no room"
    assert ask([JOB])[0].fault == ""
