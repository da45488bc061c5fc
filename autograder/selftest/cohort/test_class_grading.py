"""A class is graded once, whole, and only by the right grader; the ledger tells no names."""

import errno
import json
import os
import re
import shlex
import shutil
import sqlite3
import stat
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from unittest import mock

import pytest

from autograder import command_line
from autograder.__main__ import PYTHON
from autograder.author.graded_tests import graded_tests, total
from autograder.cohort import grading, ledger
from autograder.cohort.grade_one import ENDINGS, Graded, grade_one, packed, told_of
from autograder.cohort.grade_one import marks as true_marks
from autograder.cohort.ledger import DONE, GRADER, QUEUED, STUDENT, BadLedger, KeptLedger, Ledger
from autograder.cohort.pool import expect_unreadable
from autograder.errors import UsageError
from autograder.feedback.progress import Progress
from autograder.feedback.results import Result
from autograder.grading.grade import grade
from autograder.questions import ROOT, is_bonus
from autograder.selftest.support.hostile import SeccompSandbox
from autograder.selftest.support.made_class import FORMS, LARGE, write_class
from autograder.selftest.support.pretended import Pretended, pretended, result
from autograder.submission import Submission
from autograder.worker.sandbox import Sandbox

needs_root = pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root has workers of another user"
)


@pytest.fixture
def pool() -> Iterator[Pretended]:
    with pretended() as pool:
        yield pool


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., int]:
    """`class grade` of the class in tmp_path, into tmp_path/out."""

    def run(*options: str, export: str = "class", out: str = "out") -> int:
        command = ["class", "grade", str(tmp_path / export), "--out", str(tmp_path / out), *options]
        monkeypatch.setattr(sys, "argv", ["autograder", *command])
        return command_line.main()

    return run


def handed_in(folder: Path, **files: str) -> None:
    """A folder for each, with a minimax.py of that content."""
    for name, content in files.items():
        (folder / name).mkdir(parents=True, exist_ok=True)
        (folder / name / "minimax.py").write_text(content)


def rows(tmp_path: Path) -> dict[str, ledger.Submitted]:
    """What the ledger says, by who has handed it in."""
    with Ledger(tmp_path / "out") as kept:
        names = {who: person.name for who, person in kept.key().items()}
        owners = {one: names[who] for who, all_of in kept.people().items() for one in all_of}
        return {owners[row.id]: row for row in kept.submissions()}


# --- once, and all --------------------------------------------------------------------------------


def test_equal_submissions_are_graded_once_and_all_have_a_result(tmp_path, pool, run, capsys):
    handed_in(tmp_path / "class", ann="1", ben="2", cid="1")
    assert run() == 0
    assert len(pool.given) == 2
    found = rows(tmp_path)
    assert sorted(row.attempts for row in found.values()) == [0, 1, 1]
    assert found["ann"].content == found["cid"].content != found["ben"].content
    with Ledger(tmp_path / "out") as kept:
        for row in found.values():
            assert (row.state, row.seconds, row.trouble) == (DONE, 1.5, "")
            content = (kept.files(row.id) / "minimax.py").read_text()
            graded = kept.result(row.id)
            assert graded is not None and json.loads(graded["told"])[0] == {"minimax.py": content}
            assert kept.result_file(row.id, ".html").read_text() == "<p>"
        assert kept.about()["total"] == "5"
    said = capsys.readouterr()
    assert said.out.splitlines()[0] == "3 of 3 submissions are graded, 1 of them equal to another"
    assert said.err == "", "without a terminal it is quiet"


def test_what_comes_next_can_be_typed_as_it_is_said(tmp_path, pool, run, capsys):
    handed_in(tmp_path / "class", ann="1")
    assert run(out="graded now") == 0
    prompt, command = capsys.readouterr().out.splitlines()[-1].split(": ", 1)
    assert prompt == "next"
    words = shlex.split(command)
    assert words == [PYTHON, "-m", "autograder", "class", "report", str(tmp_path / "graded now")]


def test_what_is_done_is_not_done_again(tmp_path, pool, run):
    handed_in(tmp_path / "class", ann="1", ben="2")
    run()
    first = rows(tmp_path)
    handed_in(tmp_path / "class", cid="2", dan="3")
    run()
    assert sorted(json.loads(told)[0]["minimax.py"] for told in pool.given) == ["1", "2", "3"]
    after = rows(tmp_path)
    assert {name: after[name] for name in first} == first
    assert {row.state for row in after.values()} == {DONE}
    handed_in(tmp_path / "class", ann="4")
    run()
    assert len(pool.given) == 4
    with Ledger(tmp_path / "out") as kept:
        assert (kept.files(first["ann"].id) / "minimax.py").read_text() == "4"


def test_what_was_running_when_it_was_killed_is_graded_again(tmp_path, pool, run):
    handed_in(tmp_path / "class", ann="1", ben="2")
    run()
    with sqlite3.connect(tmp_path / "out" / "ledger.sqlite") as connection:
        connection.execute(
            "UPDATE submission SET state='running' WHERE content=?", [rows(tmp_path)["ben"].content]
        )
    connection.close()
    run()
    assert len(pool.given) == 3
    assert {row.state for row in rows(tmp_path).values()} == {DONE}


def test_a_result_that_is_lost_is_made_again(tmp_path, pool, run):
    handed_in(tmp_path / "class", ann="1", ben="1", cid="2")
    run()
    found = rows(tmp_path)
    with Ledger(tmp_path / "out") as kept:
        kept.result_file(found["ann"].id, ".html").unlink()
        kept.result_file(found["cid"].id).unlink()
        run()
        for ending in (".json", ".html"):
            assert all(kept.result_file(row.id, ending).is_file() for row in found.values())
    assert len(pool.given) == 3, "one has taken it from its equal"


def test_when_the_pool_is_gone_what_is_done_is_kept(tmp_path, pool, run, capsys):
    handed_in(tmp_path / "class", **{f"s{i}": str(i) for i in range(6)})
    pool.ends_after = 4
    assert run() == 3
    said = capsys.readouterr()
    assert said.err == "the pool is gone; what is graded is kept\n"
    assert said.out.splitlines()[-1] == "2 are left: the same command goes on with them"
    pool.ends_after = 10**9
    assert run() == 0
    assert len(pool.given) == 6


def test_a_full_disk_is_said_and_costs_nothing(tmp_path, pool, run, capsys, monkeypatch):
    handed_in(tmp_path / "class", ann="1", ben="2")
    with monkeypatch.context() as patch:
        full = OSError(errno.ENOSPC, "No space left on device")
        patch.setattr(KeptLedger, "keep_result", mock.Mock(side_effect=full))
        assert run() == 3
    assert "No space left on device; what is graded is kept" in capsys.readouterr().err
    assert run() == 0
    assert {row.state for row in rows(tmp_path).values()} == {DONE}


def test_a_folder_that_can_not_be_made_is_one_line(tmp_path, pool, run, capsys):
    handed_in(tmp_path / "class", ann="1")
    (tmp_path / "file").touch()
    assert run(out="file/out") == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("class can't begin: ") and "file" in line


# --- troubles -------------------------------------------------------------------------------------


def test_only_the_graders_trouble_is_tried_again_and_stops_no_other(tmp_path, pool, run, capsys):
    handed_in(tmp_path / "class", bad="bad", ill="ill", ok="ok")
    (tmp_path / "class" / "pdf").mkdir()
    (tmp_path / "class" / "pdf" / "answer.pdf").touch()
    tries: dict[str, int] = {}

    def grades(told: str) -> Graded:
        (content,) = json.loads(told)[0].values()
        tries[content] = tries.get(content, 0) + 1
        if content == "ill":
            raise RuntimeError("the worker\nwas killed")
        if content == "bad" and tries[content] < 3:
            return Graded({}, trouble="no memory")
        return result(told)

    pool.grades = grades
    assert run() == 3
    assert tries == {"bad": 3, "ill": 3, "ok": 1}
    found = rows(tmp_path)
    assert {name: (row.state, row.attempts) for name, row in found.items()} == {
        "bad": (DONE, 3),
        "ill": (GRADER, 3),
        "ok": (DONE, 1),
        "pdf": (STUDENT, 0),
    }
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "2 of 4 submissions are graded"
    assert lines[1] == "1 can't be graded as they were handed in:"
    assert lines[2].startswith(f"  {found['pdf'].id}: there is nothing to grade in the submission")
    assert lines[3] == "1 could not be graded, for the grader failed:"
    assert lines[4] == f"  {found['ill'].id}: RuntimeError: the worker\ufffdwas killed"
    pool.grades = result
    assert run("--only", "failed") == 0
    assert rows(tmp_path)["ill"].state == DONE
    assert len(pool.given) == 8


@pytest.mark.parametrize(("only", "again"), [("1.2", "abc"), ("1.1", ""), ("ids", "ac")])
def test_some_are_graded_again(tmp_path, pool, run, capsys, only, again):
    handed_in(tmp_path / "class", ann="a", ben="b", cid="c")
    run()
    pool.given.clear()
    ids = ",".join(rows(tmp_path)[name].id for name in ("ann", "cid"))
    status = run("--only", ids if only == "ids" else only)
    assert sorted(json.loads(told)[0]["minimax.py"] for told in pool.given) == list(again)
    assert status == (0 if again else 2)
    if not again:
        error = capsys.readouterr().err
        assert "--only 1.1: no submission has this id, and none fails a test" in error


def test_a_test_that_is_graded_again_goes_on_where_it_was_stopped(tmp_path, pool, run, monkeypatch):
    handed_in(tmp_path / "class", ann="a", ben="b", cid="c", dan="d")
    run()
    monkeypatch.setattr(grading, "marks", lambda: {**true_marks(), "cases": "newer"})
    corrected = {**dict.fromkeys(ENDINGS, ""), ".json": json.dumps({"score": 5.0, "tests": []})}
    pool.grades = lambda told: Graded(corrected)
    pool.given.clear()
    pool.ends_after = 2
    assert run("--only", "1.2") == 3
    pool.ends_after = 10**9
    assert run("--only", "1.2") == 0
    assert len(pool.given) == 4


def test_an_older_grader_is_not_mixed_with_this_one(tmp_path, pool, run, capsys, monkeypatch):
    handed_in(tmp_path / "class", ann="a", ben="b")
    run()
    before = rows(tmp_path)
    monkeypatch.setattr(grading, "marks", lambda: {**true_marks(), "cases": "newer"})
    assert run() == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "2 submissions in" in line and "by another version of the grader" in line
    assert rows(tmp_path) == before
    assert run("--only", before["ann"].id) == 0
    after = rows(tmp_path)
    assert after["ben"] == before["ben"] and after["ann"].grader != before["ann"].grader


def test_another_assignment_is_not_mixed_with_this_one(tmp_path, pool, run, capsys):
    handed_in(tmp_path / "class", ann="a", ben="b")
    handed_in(tmp_path / "other", ann="x", ben="y")
    run()
    before = rows(tmp_path)
    assert run(export="other") == 2
    assert "may be of another assignment" in capsys.readouterr().err
    assert rows(tmp_path) == before


# --- names ----------------------------------------------------------------------------------------


@pytest.mark.slow
def test_names_are_in_the_key_and_nowhere_else(tmp_path, pool, run, capsys):
    for form in FORMS:
        write_class(tmp_path / form, LARGE, form=form)
        if form == "zips":
            next((tmp_path / form).glob("*.zip")).write_bytes(b"PK damaged")
        assert run(export=form, out=f"{form} out") == 0
        out = tmp_path / f"{form} out"
        assert stat.S_IMODE((out / "key.json").stat().st_mode) == 0o600
        with Ledger(out) as kept:
            names = {person.name for person in kept.key().values()}
            assert len(names) == len(kept.people()) == LARGE
            groups = list(kept.people().values())
            assert sum(map(len, groups)) == LARGE
        told = capsys.readouterr()
        everything = [told.out.encode(), told.err.encode()]
        for path in out.rglob("*"):
            everything.append(str(path.relative_to(out)).encode())
            if path.is_file() and path.name != "key.json":
                everything.append(path.read_bytes())
        for name in names:
            assert not any(name.encode() in content for content in everything)


@pytest.mark.slow
def test_a_group_is_graded_once_and_its_history_is_kept(tmp_path, pool, run):
    write_class(tmp_path / "class", LARGE)
    run()
    with Ledger(tmp_path / "out") as kept:
        shared = [tuple(all_of) for all_of in kept.people().values()]
        assert len(shared) - len(set(shared)) == 1
        numbers: dict[str, list[int]] = {}
        for attempt in kept.attempts():
            numbers.setdefault(attempt.submission, []).append(attempt.number)
        assert numbers and all(got == list(range(1, len(got) + 1)) for got in numbers.values())
        assert all(row.folder == f"submission_{row.id}" for row in kept.submissions())


def test_pseudonyms_stay(tmp_path, pool, run):
    handed_in(tmp_path / "class", ann="a", ben="b")
    run()
    with Ledger(tmp_path / "out") as kept:
        before = kept.key()
    handed_in(tmp_path / "class", cid="c")
    run()
    with Ledger(tmp_path / "out") as kept:
        assert before.items() <= kept.key().items() and len(kept.key()) == 3


def test_someone_who_is_there_twice_has_two_results(tmp_path, pool, run):
    write_class(tmp_path / "class", 1, form="zips")
    (one,) = (tmp_path / "class").iterdir()
    handed_in(tmp_path / "class", **{one.stem: "x"})
    run()
    with Ledger(tmp_path / "out") as kept:
        assert [len(all_of) for all_of in kept.people().values()] == [2]
        assert {row.state for row in kept.submissions()} == {DONE}


def test_whoever_is_there_twice_is_told_apart(tmp_path, pool, run):
    handed_in(tmp_path / "class", ann="x", ben="y")
    run()
    with KeptLedger(tmp_path / "out") as kept:
        assert sorted(kept.labels().values()) == sorted(kept.people())
        (ann, (one,)), (_, (other,)) = kept.people().items()
        kept.connection.execute("UPDATE person SET pseudonym = ?", [ann])
        assert kept.labels() == {one: f"{ann} {one}", other: f"{ann} {other}"}


# --- folders that are something else --------------------------------------------------------------


def refused(folder: Path, kind: type[Ledger] = Ledger) -> str:
    with pytest.raises(BadLedger) as caught:
        kind(folder)
    return str(caught.value)


def test_a_folder_without_a_ledger_or_with_a_damaged_one(tmp_path):
    assert "holds no graded class" in refused(tmp_path)
    (tmp_path / "thesis.txt").touch()
    assert "holds other things" in refused(tmp_path, KeptLedger)
    assert sorted(os.listdir(tmp_path)) == ["thesis.txt"]
    (tmp_path / "ledger.sqlite").write_bytes(b"no data base at all" * 99)
    assert "can't be read" in refused(tmp_path)
    with KeptLedger(tmp_path / "out") as kept:
        kept.note(form="0")
        (tmp_path / "out" / "key.json").write_text("{")
        with pytest.raises(BadLedger, match=r"key\.json can't be read"):
            kept.key()
    assert "of another version" in refused(tmp_path / "out")


def test_only_one_grades_into_a_folder(tmp_path, pool, run, capsys):
    handed_in(tmp_path / "class", ann="a")
    run()
    with grading.alone_in(tmp_path / "out"):
        assert run() == 2
    assert "is written by another `class grade`" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--jobs", "0"], "give --jobs a number from 1 on"),
        (["--only", "xyz"], "--only xyz: no submission has this id"),
    ],
)
def test_options_that_mean_nothing(tmp_path, pool, run, capsys, options, says):
    handed_in(tmp_path / "class", ann="a")
    assert run(*options) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert says in line


@pytest.mark.slow
@pytest.mark.parametrize(
    ("scheduler", "says"),
    [
        ("tcp://203.0.113.5:8786", "is another machine, and not encrypted"),
        ("203.0.113.5:8786", "is another machine, and not encrypted"),
        ("nowhere.json", "is no scheduler's file"),
    ],
)
def test_a_scheduler_that_is_not_used(tmp_path, run, capsys, scheduler, says):
    pytest.importorskip("distributed")
    handed_in(tmp_path / "class", ann="a")
    assert run("--scheduler", scheduler) == 2
    assert says in capsys.readouterr().err


@pytest.mark.parametrize("missing", ["tqdm", "yaml"])
def test_what_is_not_installed_is_named(run, capsys, monkeypatch, missing):
    for name in [name for name in sys.modules if name.startswith("autograder.cohort.")]:
        if not name.endswith("command_line"):
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, missing, None)
    assert run() == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert f"{missing} is not installed" in line and line.endswith("pip install '.[class]'")


# --- what student code could read -----------------------------------------------------------------


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that every user may read, as pytest's own are not."""
    folder = Path(tempfile.mkdtemp()).resolve()
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


def test_the_folder_of_a_class_is_for_its_owner_alone(tmp_path, pool, run):
    handed_in(tmp_path / "class", ann="1")
    (tmp_path / "out").mkdir(mode=0o755)
    run()
    assert stat.S_IMODE((tmp_path / "out").stat().st_mode) == 0o700
    (tmp_path / "out").chmod(0o750)  # who wants to share it may
    run()
    assert stat.S_IMODE((tmp_path / "out").stat().st_mode) == 0o750


@needs_root
def test_without_landlock_an_export_that_everybody_can_read_is_not_graded(
    open_folder, monkeypatch, capsys
):
    """Its workers have a user of their own."""
    monkeypatch.setattr("autograder.cohort.pool.Sandbox", SeccompSandbox)
    file = open_folder / "class.zip"
    file.write_bytes(b"")
    file.chmod(0o644)
    with pytest.raises(UsageError, match=r"everybody can: make it private \(chmod go=\), or"):
        expect_unreadable([file])
    file.chmod(0o600)
    expect_unreadable([file])


def test_without_a_user_of_its_own_and_landlock_a_class_is_not_graded(
    tmp_path, monkeypatch, run, capsys
):
    """Unless it is asked for: a worker then reads whatever the grader can."""

    class Unprotected(Sandbox):
        def prepare(self) -> None:
            self.user, self.exposed = None, self.secrets

    monkeypatch.setattr("autograder.cohort.pool.Sandbox", Unprotected)
    handed_in(tmp_path / "class", ann="1")
    assert run() == 2
    said = " ".join(capsys.readouterr().err.split())
    assert f"student code could read {tmp_path}/out/ledger.sqlite, as it runs as you" in said
    assert [row.state for row in rows(tmp_path).values()] == [QUEUED]
    monkeypatch.setattr("autograder.cohort.pool.grade_one", lambda told, wanted: result(told))
    assert run("--unconfined") == 0


def test_under_landlock_or_as_another_user_a_class_is_graded(tmp_path, monkeypatch, run):
    handed_in(tmp_path / "class", ann="1")
    monkeypatch.setattr("autograder.cohort.pool.grade_one", lambda told, wanted: result(told))
    assert run() == 0


# --- a grading in a process of its own ------------------------------------------------------------


@pytest.mark.slow
def test_it_gives_the_results_and_their_page():
    submission = Submission({"minimax.py": (ROOT / "starter" / "minimax.py").read_bytes()})
    graded = grade_one(packed(submission))
    assert graded.trouble == "" and graded.seconds > 0
    told = json.loads(graded.files[".json"])
    assert graded.most == total() and told["score"] == 0.0
    wanted = [test.number for test in graded_tests() if not is_bonus(test.number)]
    assert [test["number"] for test in told["tests"]] == wanted
    assert told["tests"][1]["output"].startswith("not written yet: write min_value in minimax.py")
    assert f"<h1>0 <small>of {total():g} points" in graded.files[".html"]


def test_it_ends_when_nobody_waits():
    submission = Submission({"minimax.py": b"while True: pass\n"})
    graded = grade_one(packed(submission), wanted=lambda: False)
    assert (graded.trouble, graded.files) == ("nobody waited for it", {})


def test_when_the_time_for_all_tests_is_up_the_points_so_far_count(
    tmp_path, monkeypatch, pool, run, capsys
):
    """As they do in `grade`; it is no trouble of the grader's, and not tried again."""

    class Deadline(Progress):
        """It comes after the first test."""

        def finished(self, result: Result) -> None:
            place.deadline = 0.0

    submission = Submission({"minimax.py": (ROOT / "solution" / "minimax.py").read_bytes()})
    place = Sandbox(submission, deadline=time.monotonic() + 480)
    monkeypatch.setattr("autograder.grading.grade.Sandbox", lambda *args, **options: place)
    told = told_of(grade(submission, question="1", progress=Deadline()))
    points = json.loads(told["files"][".json"])["score"]
    assert points > 0 and told["trouble"] == ""
    assert re.fullmatch(
        r"the time for all tests, 480 s, was up: \d+ of them were not reached", told["partial"]
    )
    pool.grades = lambda _: Graded(**told)
    handed_in(tmp_path / "class", ann="1")
    assert run() == 0
    assert len(pool.given) == 1
    (row,) = rows(tmp_path).values()
    assert (row.state, row.trouble) == (DONE, told["partial"])
    with Ledger(tmp_path / "out") as kept:
        assert (kept.result(row.id) or {})["score"] == points
    said = capsys.readouterr().out
    assert "1 took too long, so their results are partial:\n" in said
    assert f"  {row.id}: the time for all tests, 480 s, was up" in said


def test_whatever_ends_it_is_the_graders_trouble():
    graded = grade_one("no submission at all")
    assert graded.trouble.startswith(
        "its process ended with status 1: json.decoder.JSONDecodeError"
    )
