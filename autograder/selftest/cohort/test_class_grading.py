"""A class is graded once, in full, by one grader; only its key has names."""

import contextlib
import dataclasses
import errno
import itertools
import json
import os
import re
import shlex
import shutil
import stat
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from unittest import mock

import pytest

from autograder import command_line
from autograder.__main__ import PYTHON
from autograder.author.graded_tests import read_graded_tests
from autograder.author.progress import ProgressLine
from autograder.checks.ask.finding import Finding, JudgedMove
from autograder.cohort import grade_one
from autograder.cohort.class_folder import (
    DONE,
    GRADER,
    QUEUED,
    STATES,
    STUDENT,
    ClassFolder,
    Row,
    exclusive_lock,
    select_results,
)
from autograder.cohort.grade_one import PoolGone, Reply, do_job, make_reply
from autograder.cohort.grade_one import read_versions as true_versions
from autograder.cohort.grading import rescore
from autograder.cohort.pool import expect_unreadable
from autograder.cohort.publish import publish
from autograder.cohort.report import write_report
from autograder.cohort.similar import compare_class
from autograder.cohort.tournament import play_tournament
from autograder.errors import UsageError
from autograder.feedback.results import Outcome
from autograder.grading.grade import GRADING_FILES
from autograder.questions import is_bonus
from autograder.selftest.support.class_factory import FORMS, LARGE_CLASS, write_class, write_files
from autograder.selftest.support.graded_class import (
    FakePool,
    draw_report,
    expect_said,
    grade_at_random,
    make_passing_reply,
    use_fake_pool,
)
from autograder.selftest.support.students import make_sandbox
from autograder.settings import SETTINGS
from autograder.worker.sandbox import Sandbox


@pytest.fixture
def pool() -> Iterator[FakePool]:
    with use_fake_pool() as pool:
        yield pool


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., int]:
    """Return a function that grades the class in tmp_path into tmp_path/out."""

    def run(*options: str, export: str = "class", out: str = "out") -> int:
        command = ["class", "grade", str(tmp_path / export), "--out", str(tmp_path / out), *options]
        monkeypatch.setattr(sys, "argv", ["autograder", *command])
        return command_line.main()

    return run


def submit(folder: Path, **files: str) -> None:
    """Make a folder for each name, with a minimax.py of the given content."""
    write_files(folder, {f"{name}/minimax.py": text.encode() for name, text in files.items()})


def rows(tmp_path: Path, out: str = "out") -> dict[str, Row]:
    """Return the rows of the class, by the name of each person."""
    folder = ClassFolder(tmp_path / out)
    key = folder.read_key()
    return {key[one].name: row for row in folder.rows for one in row.people}


def states(tmp_path: Path) -> dict[str, str]:
    found = ClassFolder(tmp_path / "out").read_statuses()
    return {name: found[row.id].state for name, row in rows(tmp_path).items()}


def test_equal_submissions_are_graded_once_and_all_have_a_result(tmp_path, pool, run, capsys):
    submit(tmp_path / "class", ann="1", ben="2", cid="1")
    assert run(out="graded now") == 0
    said = capsys.readouterr()
    assert len(pool.requests) == 2
    folder, found = ClassFolder(tmp_path / "graded now"), rows(tmp_path, "graded now")
    assert found["ann"].content == found["cid"].content != found["ben"].content
    for name, row in found.items():
        content = {"minimax.py": "2" if name == "ben" else "1"}
        assert json.loads(folder.read_result(row.content)["request"])[0] == content
        assert folder.result_file(row.content, ".html").read_text() == "<p>"
    first, last = said.out.splitlines()
    assert first == "3 of 3 submissions are graded, 1 of them equal to another"
    command = [PYTHON, "-m", "autograder", "class", "report", str(folder.path)]
    assert shlex.split(last) == ["next:", *command]
    assert said.err == "", "without a terminal it is quiet"


@pytest.mark.parametrize("kill_at", range(1, 14))
def test_a_run_that_is_killed_at_any_file_loses_nothing(tmp_path, pool, run, monkeypatch, kill_at):
    """Each file is written by rename: a kill is a rename that does not happen."""
    true_rename, renames = os.replace, itertools.count(1)

    def rename(old: str, new: str) -> None:
        if next(renames) == kill_at:
            raise SystemExit
        true_rename(old, new)

    submit(tmp_path / "class", ann="1", ben="2")
    with monkeypatch.context() as patch, contextlib.suppress(SystemExit):
        patch.setattr(os, "replace", rename)
        run()
    assert run() == 0
    assert states(tmp_path) == {"ann": DONE, "ben": DONE}
    folder = ClassFolder(tmp_path / "out")
    for row in folder.rows:  # results.json and the remarks are written last
        assert len([*(tmp_path / "out" / "results").glob(f"{row.content}.*")]) == 3
        assert list(folder.read_files(row.content)) == ["minimax.py"]
    assert len(pool.requests) <= 4, "only what was under way is graded again"


@pytest.mark.parametrize(
    "problem", [PoolGone("the pool is gone"), OSError(errno.ENOSPC, "No space left on device")]
)
def test_a_lost_pool_or_full_disk_loses_nothing(tmp_path, pool, run, capsys, monkeypatch, problem):
    submit(tmp_path / "class", **{f"s{i}": str(i) for i in range(6)})
    with monkeypatch.context() as patch:
        slots = mock.Mock(side_effect=[2, 2, problem])  # two jobs at each time
        patch.setattr(pool, "slots", slots)
        assert run() == 3
    said = capsys.readouterr()
    assert said.err == f"{problem}; what is done is stored: the same command goes on\n"
    assert said.out.endswith("not graded yet: 2; the same command goes on\n")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert run() == 0
    assert capsys.readouterr().err.startswith("\r\x1b[Kgraded: 4 of 6 submissions")
    assert len(pool.requests) == 6
    folder = ClassFolder(tmp_path / "out")
    folder.result_file(folder.rows[0].content).write_text("{")
    assert run() == 0
    assert len(pool.requests) == 7
    assert set(states(tmp_path).values()) == {DONE}


def test_only_failures_of_the_grader_are_retried(tmp_path, pool, run, capsys):
    submit(tmp_path / "class", bad="bad", ill="ill", ok="ok")
    write_files(tmp_path / "class", {"pdf/answer.pdf": b""})
    tries: Counter[str] = Counter()

    def grades(request: str) -> Reply:
        (content,) = json.loads(request)[0].values()
        tries[content] += 1
        if content == "ill":
            raise RuntimeError("the worker\nwas killed")
        failed = content == "bad" and tries[content] < 3
        return Reply({}, error="no memory") if failed else make_passing_reply(request)

    pool.grade = grades
    assert run() == 3
    assert tries == {"bad": 3, "ill": 1, "ok": 1}
    found = rows(tmp_path)
    assert states(tmp_path) == {"bad": DONE, "ill": GRADER, "ok": DONE, "pdf": STUDENT}
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == ["2 of 4 submissions are graded", f"{STATES[STUDENT]}: 1"]
    assert lines[2].startswith(f"  {found['pdf'].id}: there is nothing to grade in the submission")
    assert lines[3:5] == [
        f"{STATES[GRADER]}: 1",
        f"  {found['ill'].id}: RuntimeError: the worker\ufffdwas killed",
    ]
    assert "the same command grades again where the grader failed" in lines
    pool.grade = make_passing_reply
    assert run() == 0
    assert states(tmp_path)["ill"] == DONE
    assert run("--only", found["pdf"].id) == 0
    assert len(pool.requests) == 6


def test_a_class_without_a_result_is_not_called_a_success(tmp_path, pool, run, capsys):
    write_files(tmp_path / "class", {"ann.pdf.zip": b"no zip"})
    assert run() == 2
    assert capsys.readouterr().out.endswith("nothing is graded, so there is nothing to report\n")


def another_version(monkeypatch: pytest.MonkeyPatch, **changed: str) -> None:
    monkeypatch.setattr(grade_one, "read_versions", lambda: {**true_versions(), **changed})


@pytest.mark.parametrize(("changed", "to"), [("cases", "newer"), ("points", "0")])
def test_two_versions_are_not_mixed(tmp_path, pool, run, capsys, monkeypatch, changed, to):
    submit(tmp_path / "class", ann="a", ben="b", cid="c")
    (tmp_path / "class" / "dan.rar").touch()  # has no result
    run()
    another_version(monkeypatch, **{changed: to})
    run("--only", ",".join(rows(tmp_path)[name].id for name in ("ann", "cid")))
    expect_said(f"older {changed}", "\n".join(capsys.readouterr().out.splitlines()[-2:]), tmp_path)
    assert len(pool.requests) == 5
    for refuses in (write_report, lambda path: publish(path, "csv")):
        expect_said(f"mixed {changed}", refused(tmp_path / "out", refuses), tmp_path)
    assert run("--only", "older") == 0
    assert len(pool.requests) == 6
    assert write_report(tmp_path / "out") == publish(tmp_path / "out", "csv") == 0


def test_points_are_summed_again_without_grading(tmp_path, pool, run, capsys, monkeypatch):
    pool.grade = grade_at_random
    submit(tmp_path / "class", ann="a", ben="b", cid="c")
    (tmp_path / "class" / "dan.rar").touch()  # has no result
    assert run() == 0
    (test,) = [test for test in read_graded_tests() if test.number == "1.1"]
    monkeypatch.setattr(test.function, "__weight__", 30.0)
    hidden = {**SETTINGS.tests, "after_published": ["1.1"], "pass_fail_only": ["2"]}
    settings = dataclasses.replace(SETTINGS, tests=hidden)
    monkeypatch.setattr("autograder.cohort.grading.SETTINGS", settings)
    another_version(monkeypatch, points="newer")
    shown = (lambda _: run(), write_report, lambda path: publish(path, "csv"))
    for command in shown:  # all results are older
        assert command(tmp_path / "out") == 0
        assert capsys.readouterr().out.endswith(f"class rescore {tmp_path}/out\n")
    assert rescore(tmp_path / "out") == 0
    assert capsys.readouterr().out == "results with their points summed again: 3\n"
    points = {test.number: test.points for test in read_graded_tests()}
    for found in select_results(ClassFolder(tmp_path / "out").read_statuses()).values():
        tests = found["tests"]
        assert {test["number"]: test["max_score"] for test in tests} == points
        assert found["score"] == sum(points[t["number"]] for t in tests if t["status"] == "passed")
        assert tests[0]["visibility"] == "after_published"
        written = [test for test in tests if test["extra_data"]["code"] != "not-written"]
        second = {test["output"] for test in written if test["number"].startswith("2")}
        assert second <= {"Passed.", "Failed."}
    assert [command(tmp_path / "out") for command in shown] == [0, 0, 0]
    assert "class rescore" not in capsys.readouterr().out
    assert len(pool.requests) == 3  # nothing was graded again
    most = sum(weight for number, weight in points.items() if not is_bonus(number))
    assert json.loads((tmp_path / "out" / "report.json").read_text())["total"] == most
    another_version(monkeypatch, grader="newer", points="newer")
    expect_said("other judge", refused(tmp_path / "out", rescore), tmp_path)


def test_a_stored_report_is_read_back_with_what_is_hidden_today():
    report = draw_report("any", 0.2)
    report.results[0].finding = Finding("not-written", {"what": "write it"}, stop=True)
    report.results[-1].moves = [JudgedMove("opening", True, 0, False)]
    made = {}
    for hidden in (False, True):
        for one in report.results:
            one.pass_fail_only = hidden
        made[hidden] = grade_one.make_result_files(report)
    assert made[False][".html"] != made[True][".html"]
    for hidden, files in made.items():
        stored = grade_one.read_report(files[".report"])
        assert grade_one.make_result_files(stored) == files
        for one in stored.results:
            one.pass_fail_only = not one.pass_fail_only
        assert grade_one.make_result_files(stored) == made[not hidden]
    for damaged in ("", "[]", '{"when": 1}', made[False][".report"][:100]):
        with pytest.raises(UsageError, match="can't be read"):
            grade_one.read_report(damaged)


@pytest.mark.parametrize(
    ("settings", "old", "new", "changed"),
    [
        ({"title": "x", "rules": "y", "students_get_hidden": True}, b"", b"", set()),
        ({"questions": {**SETTINGS.questions, "mcts": "bonus"}}, b"", b"", {"points"}),
        ({"tests": {**SETTINGS.tests, "hidden": ["2.3"]}}, b"", b"", {"points"}),
        ({"C": 2.0}, b"", b"", {"grader"}),
        ({}, b"@weight(3)", b"@weight(4)", {"points"}),
        ({}, b"@limit", b"@x", {"grader"}),
    ],
)
def test_outcomes_and_points_have_versions_of_their_own(monkeypatch, settings, old, new, changed):
    before, files = true_versions.__wrapped__(), grade_one.read_project_files(GRADING_FILES)
    changed_files = [(name, source.replace(old, new)) for name, source in files]
    monkeypatch.setattr(grade_one, "read_project_files", lambda _: changed_files)
    monkeypatch.setattr(grade_one, "SETTINGS", dataclasses.replace(SETTINGS, **settings))
    after = true_versions.__wrapped__()
    assert {name for name in before if before[name] != after[name]} == changed


def test_an_export_of_another_assignment_is_refused(tmp_path, pool, run, capsys):
    for name in ("assignment_1_export", "assignment_2_export"):
        submit(tmp_path / name, submission_7=name)
    assert run(export="assignment_1_export") == run(export="assignment_1_export") == 0
    before = rows(tmp_path)
    assert run(export="assignment_2_export") == 2
    expect_said("other assignment", capsys.readouterr().err, tmp_path)
    assert rows(tmp_path) == before


def test_an_export_of_one_late_student_adds_to_the_class(tmp_path, pool, run, capsys, monkeypatch):
    submit(tmp_path / "class", ann="a", ben="b")
    run()
    before = rows(tmp_path)
    submit(tmp_path / "late", cid="c")
    assert run(export="late") == 0
    said = capsys.readouterr()
    assert "3 of 3 submissions are graded" in said.out
    assert said.err == f"none of these people was in {tmp_path}/out before: they are added\n"
    submit(tmp_path / "later", ben="new")
    write_files(tmp_path / "later", {"cid/answer.pdf": b""})
    monkeypatch.setitem(SETTINGS.extensions, "eve@uni.edu", "2027-03-05 23:59+01:00")
    assert run(export="later") == 0
    expect_said("unused extension", capsys.readouterr().err, tmp_path)
    after = rows(tmp_path)
    assert sorted(after) == ["ann", "ben", "cid"] and after["ann"] == before["ann"]
    assert after["ben"].id == before["ben"].id and after["ben"].content != before["ben"].content
    assert states(tmp_path)["cid"] == STUDENT, "the newest counts, though it can't be graded"
    assert len(pool.requests) == 4
    another_version(monkeypatch, cases="newer")
    assert run("--only", "older", export="late") == 0
    assert len(pool.requests) == 7


def test_a_part_of_an_export_takes_no_submission_from_the_others(tmp_path, pool, run, capsys):
    people = {f"submission_{i}": f"{name}@uni.edu" for i, name in enumerate(("ann", "ben", "cid"))}
    metadata = "".join(
        f"{place}: {{':submitters': [{{':email': {address}}}]}}\n"
        for place, address in people.items()
    )
    for export, files in (
        ("class", {"submission_0": "a", "submission_1": "b"}),
        ("part", {"submission_1": "new"}),
    ):
        submit(tmp_path / export, **files)
        (tmp_path / export / "submission_metadata.yml").write_text(metadata)
        assert run(export=export) == 0
        said = capsys.readouterr()
        assert "2 of 3 submissions are graded" in said.out
        assert "its folder is missing" in said.out  # Cid never had one
    assert said.err == "their folders are missing in the export, so earlier submissions stay: 1\n"
    folder = ClassFolder(tmp_path / "out")
    found = {folder.read_files(row.content).get("minimax.py") for row in folder.rows}
    assert found == {b"a", b"new", None}


def test_a_file_that_the_instructor_accepts_is_graded_and_noted(tmp_path, pool, run, capsys):
    write_files(tmp_path / "class", {"ann/minimax.py": b"a", "ben/proj/src/mm.py": b"b"})
    run()
    assert states(tmp_path) == {"ann": DONE, "ben": STUDENT}
    assert "it holds proj/src/mm.py" in capsys.readouterr().out
    accept, id = tmp_path / "out" / "accept.csv", rows(tmp_path)["ben"].id
    accept.write_text(f"submission;file;as\n{id};proj/src/mm.py;minimax.py\n")
    assert run() == 0
    assert json.loads(pool.requests[-1])[0] == {"minimax.py": "b"}
    assert states(tmp_path) == {"ann": DONE, "ben": DONE}
    assert capsys.readouterr().err == ""
    accept.write_text("submission,file,as\nben,other.py,minimax.py\nzoe,a.py,minimax.py\n")
    run()
    said = capsys.readouterr()
    assert "accept.csv names other.py, which is not in the submission" in said.out
    assert "accept.csv: zoe is not in this export" in said.err
    for text in ("who,file,as\nben,a.py,minimax.py\n", "submission,file,as\nben,a.py,x\n"):
        accept.write_text(text)
        assert run() == 2
        assert "accept.csv" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS)
def test_names_are_in_the_key_and_nowhere_else(tmp_path, pool, run, capsys, form):
    write_class(tmp_path / "class", LARGE_CLASS, form=form)
    if form == "zips":
        next((tmp_path / "class").glob("*.zip")).write_bytes(b"PK damaged")
    assert run() == 0
    said, out = capsys.readouterr(), tmp_path / "out"
    bad = 2 if form == "zips" else 1
    assert f"not graded, because of the submission: {bad}\n" in said.out and said.err == ""
    assert stat.S_IMODE((out / "key.json").stat().st_mode) == 0o600
    folder = ClassFolder(out)
    people = folder.read_key().values()
    names = {person.name for person in people}
    assert len(names) == len(folder.people()) == LARGE_CLASS
    assert sum(len(row.people) for row in folder.rows) == LARGE_CLASS
    if form == "gradescope":  # with a group, and former attempts
        assert sorted(len(row.people) for row in folder.rows)[-2:] == [1, 2]
        assert any(len(row.history) > 1 for row in folder.rows)
    addresses = {person.address for person in people} - {""}
    assert len(addresses) == {"folders": 0, "zips": 0, "gradescope": 11}.get(form, LARGE_CLASS)
    paths = [path for path in out.rglob("*") if path.name != "key.json"]
    texts = [said.out.encode(), "\n".join(map(str, paths)).encode()]
    texts += [path.read_bytes() for path in paths if path.is_file()]
    assert not any(one.encode() in text for one in names | addresses for text in texts)


def test_resubmission_of_one_member_leaves_the_group_its_submission(tmp_path, pool, run):
    for people, id, expected in (
        ("ann ben", 1, {"ann": "1", "ben": "1"}),
        ("ben", 2, {"ann": "1", "ben": "2"}),
        ("ann", 3, {"ben": "2", "ann": "3"}),
        ("cid", 3, {"ben": "2", "cid": "3"}),
    ):
        shutil.rmtree(tmp_path / "class", ignore_errors=True)
        submit(tmp_path / "class", **{f"submission_{id}": people})
        names = "".join(f"  - :name: {name}\n" for name in people.split())
        metadata = f"submission_{id}:\n  :submitters:\n{names}"
        (tmp_path / "class" / "submission_metadata.yml").write_text(metadata)
        assert run() == 0
        folder = ClassFolder(tmp_path / "out")
        key, found = folder.read_key(), folder.people()
        assert {key[one].name: key[one].address for one in found} == expected


def refused(path: Path, read: Callable[[Path], object] = ClassFolder) -> str:
    with pytest.raises(UsageError) as caught:
        read(path)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize(
    "read",
    [write_report, rescore, compare_class, play_tournament, lambda path: publish(path, "csv")],
)
def test_a_folder_without_a_class_is_refused(tmp_path, read):
    expect_said("no class", refused(tmp_path / "nowhere", read), tmp_path)


def test_a_folder_of_other_things_or_a_damaged_class_is_refused(tmp_path):
    (tmp_path / "thesis.txt").touch()
    expect_said("other things", refused(tmp_path, ClassFolder.make), tmp_path)
    assert sorted(os.listdir(tmp_path)) == ["thesis.txt"]
    write_files(tmp_path / "out", {"accept.csv": b"", ".DS_Store": b""})
    folder = ClassFolder.make(tmp_path / "out")
    assert folder.read_result("none") is None
    (tmp_path / "out" / "key.json").write_text("{")
    expect_said("damaged key", refused(tmp_path, lambda _: folder.read_key()), tmp_path)
    for text in ("{", "[]", "{}", '{"format": "4"}', '{"format": "4", "submissions": [1]}'):
        (tmp_path / "out" / "class.json").write_text(text)
        assert re.fullmatch(r"\S+/out/class\.json can't be read \(.+\)", refused(tmp_path / "out"))
    for version in "35":
        (tmp_path / "out" / "class.json").write_text(f'{{"format": "{version}"}}')
        expect_said("other format", refused(tmp_path / "out"), tmp_path)


def test_only_one_grades_into_a_folder(tmp_path, pool, run, capsys):
    submit(tmp_path / "class", ann="a")
    run()
    with exclusive_lock(tmp_path / "out"):
        assert run() == 2
    expect_said("locked", capsys.readouterr().err, tmp_path)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--jobs", "0"], "give --jobs a number from 1 on"),
        (["--only", "xyz"], "--only xyz: no submission has this id"),
        (["--scheduler", "tcp://203.0.113.5:8786"], "is another machine, and not encrypted"),
        (["--scheduler", "203.0.113.5:8786"], "is another machine, and not encrypted"),
        (["--scheduler", "nowhere.json"], "is no scheduler's file"),
        (["--scheduler", "127.0.0.1:1"], "no scheduler answers at tcp://127.0.0.1:1"),
    ],
)
def test_meaningless_options_are_refused(tmp_path, run, capsys, monkeypatch, options, says):
    if "--scheduler" in options:
        pytest.importorskip("distributed")
        monkeypatch.setattr("autograder.cohort.cluster.CONNECT_S", 1.0)
    submit(tmp_path / "class", ann="a")
    assert run(*options) == 2
    assert says in capsys.readouterr().err


def test_a_missing_package_is_named(run, capsys, monkeypatch):
    missing = mock.Mock(side_effect=ModuleNotFoundError(name="yaml"))
    monkeypatch.setattr("autograder.cohort.command_line.import_module", missing)
    assert run() == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "yaml is not installed" in line and line.endswith("pip install '.[class]'")


def test_the_folder_of_a_class_is_for_its_owner_alone(tmp_path, pool, run, capsys, monkeypatch):
    submit(tmp_path / "class", ann="1")
    (tmp_path / "out").mkdir(mode=0o755)
    for before, after in ((0o755, 0o700), (0o750, 0o750)):  # the owner may share it
        (tmp_path / "out").chmod(before)
        assert run() == 0
        assert stat.S_IMODE((tmp_path / "out").stat().st_mode) == after
    for user in (12345, -1):
        monkeypatch.setattr("os.geteuid", lambda user=user: user)
        assert run() == 2
        expect_said("other user", capsys.readouterr().err, tmp_path)


def test_a_readable_export_needs_landlock(separate_user, monkeypatch):
    """The workers run as a separate user."""
    monkeypatch.setattr("autograder.worker.sandbox.list_secrets", list)
    monkeypatch.setattr("autograder.cohort.pool.Sandbox", partial(make_sandbox, "seccomp"))
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)  # unlike pytest's own folders
        file = Path(folder, "class.zip")
        file.touch()
        file.chmod(0o644)
        with pytest.raises(UsageError, match=r"everybody can: make it private \(chmod go=\), or"):
            expect_unreadable([file])
        file.chmod(0o600)
        expect_unreadable([file])


@pytest.mark.parametrize(("at", "file"), [(0, "out/class.json"), (1, "class/ann/minimax.py")])
def test_a_class_is_not_graded_by_unconfined_workers(tmp_path, monkeypatch, run, capsys, at, file):
    class Unprotected(Sandbox):
        def prepare(self) -> None:
            self.user, self.exposed = None, self.secrets[at:]

    monkeypatch.setattr("autograder.cohort.pool.Sandbox", Unprotected)
    submit(tmp_path / "class", ann="1")
    assert run() == 2
    said = " ".join(capsys.readouterr().err.split())
    assert f"student code could read {tmp_path}/{file}, as it runs as you" in said
    assert states(tmp_path) == {"ann": QUEUED}
    monkeypatch.setattr(
        "autograder.cohort.pool.do_job", lambda request, is_wanted: make_passing_reply(request)
    )
    assert run("--unconfined") == 0
    assert "could read" in refused(tmp_path / "out", play_tournament)


@pytest.mark.parametrize(
    ("source", "is_wanted", "limit_s", "error"),
    [
        ("while True: pass\n", False, 99.0, "its result is not wanted"),
        ("while True: pass\n", True, -1.0, "it did not end in time"),
        (None, True, 99.0, "its process ended with status 1: TypeError"),
    ],
)
def test_a_job_that_ends_early_is_the_graders_error(monkeypatch, source, is_wanted, limit_s, error):
    monkeypatch.setattr(grade_one, "TIMEOUT_S", limit_s)
    request = json.dumps([{"minimax.py": source}, {}, []] if source else None)
    graded = do_job(request, is_wanted=lambda: is_wanted)
    assert graded.error.startswith(error) and graded.files == {}


@pytest.mark.parametrize("outcome", [Outcome.NOT_RUN, Outcome.FAULT])
def test_results_without_every_verdict_are_no_grading(tmp_path, pool, run, capsys, outcome):
    report = draw_report("any", 2.0)
    report.results[-1].outcome, report.results[-1].reason = outcome, "ValueError: x"
    report.problem = "the time was up" if outcome is Outcome.NOT_RUN else ""
    pool.grade = lambda _: make_reply(report)
    submit(tmp_path / "class", ann="1")
    assert run() == 3
    assert len(pool.requests) == 1
    (row,) = rows(tmp_path).values()
    folder = ClassFolder(tmp_path / "out")
    result = folder.read_result(row.content)
    assert "score" not in result and "passed" in {test["status"] for test in result["tests"]}
    assert folder.read_statuses()[row.id].result is None
    said = capsys.readouterr().out
    reason = report.problem or f"the grader failed on {report.results[-1].number}: ValueError: x"
    assert f"  {row.id}: {reason}" in said


def test_progress_is_shown_in_a_line_or_once_a_minute(capsys, monkeypatch):
    now = [0.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    for terminal in (False, True):
        monkeypatch.setattr(sys.stderr, "isatty", lambda terminal=terminal: terminal)
        with ProgressLine(4, "graded: {}") as line:
            for now[0] in (30.0, 61.0, 90.0, 125.0):
                line.update()
    log, *lines = capsys.readouterr().err.split("\r\x1b[K")
    assert log == "graded: 2 of 4, about 1 min left\n"
    assert [line[:14] for line in lines] == [f"graded: {i} of 4" for i in range(5)]


def test_a_worker_with_other_versions_does_no_job(monkeypatch):
    distributed = pytest.importorskip("distributed")
    from autograder.cohort import cluster

    plugin = mock.Mock(cluster.GradingPlugin, fits=False)  # it was given a job while it joined
    monkeypatch.setattr(cluster, "get_worker", lambda: mock.Mock(plugins={"grading": plugin}))
    with pytest.raises(distributed.Reschedule):
        cluster.do_on_worker("no request")
