"""Faults of the grader cost no earlier points, and leave valid results.

Each is injected into a copy of the project or into the grading process, which grades the solution.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from autograder.author.handout import copy_grader
from autograder.feedback.results import Outcome
from autograder.selftest.support.commands import run_python
from autograder.selftest.support.contracts import CONTRACTS
from autograder.selftest.support.waiting import WAIT_TIMEOUT_S, wait_for

PASSED, FAILED, FAULT, NOT_RUN = (outcome.value for outcome in Outcome)
POSIX = pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals")


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Path]:
    """Yield a copy of what grading needs, with few cases, to be damaged."""
    copy_grader(tmp_path, "solution")
    minimax = tmp_path / "tests" / "cases" / "minimax.json"
    content = json.loads(minimax.read_text(encoding="utf-8"))
    for case in content["cases"]["1.6"]:
        del case["positions"][10:]
    minimax.write_text(json.dumps(content), encoding="utf-8")
    yield tmp_path


def command(inject: str, **options: object) -> list[str]:
    """Return Python's arguments to run the code in `inject`, then grade the solution."""
    code = (
        "import errno, os\n"
        "from pathlib import Path\n"
        "from autograder.feedback import report\n"
        "from autograder.grading import grade, pytest_plugin as plugin\n"
        "from autograder.worker import sandbox\n"
        f"{inject}\n"
        f"outcome = grade.grade(Path('solution'), Path('results.json'), **{options!r})\n"
        "print(outcome.problem)\n"
    )
    return ["-c", code]


def graded(project: Path, inject: str = "", **options: object) -> dict[str, Any]:
    """Grade the solution; return results.json as the grader leaves it."""
    run = run_python(*command(inject, **options), cwd=project, timeout=2 * WAIT_TIMEOUT_S)
    assert run.returncode == 0, run.stderr[-2000:]
    return results_in(project)


def results_in(project: Path) -> dict[str, Any]:
    text = (project / "results.json").read_text(encoding="utf-8")
    results: dict[str, Any] = CONTRACTS["gradescope"](text)
    return results


def outcomes(results: dict[str, Any]) -> dict[str, str]:
    return {test["number"]: test["extra_data"]["outcome"] for test in results["tests"]}


def expect_no_score(results: dict[str, Any]) -> None:
    """Expect neither a total nor points, which would be less than the submission deserves."""
    assert not any("score" in part for part in [results, *results["tests"]])
    assert results["output"].endswith("no score: not graded, run it again") or not results["tests"]


def failing(function: str, error: str, calls: int) -> str:
    """Return code that makes a function fail with an error after `calls` calls."""
    return f"""
def fails(*args):
    fails.left -= 1
    if fails.left < 0:
        raise OSError(errno.{error}, os.strerror(errno.{error}))
    return sound(*args)
fails.left = {calls}
sound, {function} = {function}, fails
"""


def once_1_2_is_judged(code: str) -> str:
    """Return code that makes the grader run `code` once it has judged test 1.2."""
    return f"""
import time
judge_cases = plugin.GradedTests.judge_cases
def judge(self, test, student):
    judge_cases(self, test, student)
    if test.result.number == "1.2":
        {code}
plugin.GradedTests.judge_cases = judge
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "content", "said"),
    [
        ("autograder/worker/inside/worker.py", "raise ImportError('broken')", "Error: broken"),
        ("tests/test_2_alphabeta.py", "@weight(25)\ndef f(:\n", "test_2_alphabeta.py could not be"),
    ],
)
def test_damaged_file_of_the_project_is_the_graders_fault(project, file, content, said):
    (project / file).write_text(content)
    results = graded(project)
    expect_no_score(results)
    assert said in results["output"]
    assert "That is not your fault" in results["output"]


@pytest.mark.slow
def test_unfinished_module_beside_the_games_is_not_compiled(project):
    (project / "starter" / "games" / "my_game.py").write_text("def unfinished(:\n")
    assert outcomes(graded(project, question="1.1")) == {"1.1": PASSED}


STOPPED = "def stopped(tests):\n    raise KeyboardInterrupt\ngrade.explain = stopped"
FULL, NO_ROOM = "ENOSPC", "no worker can be prepared: [Errno 28] No space left"
NO_HOOK = "plugin.Progress.finished = lambda *args: 1 / 0"


@pytest.mark.parametrize(
    ("inject", "said", "scored"),
    [
        (failing("sandbox.tempfile.TemporaryFile", FULL, 0), NO_ROOM, False),
        (failing("sandbox.lay_out", FULL, 0), NO_ROOM, False),
        (NO_HOOK, "the grader failed, not your code: ZeroDivisionError", False),
        (failing("os.sched_setaffinity", "EPERM", 0), "score: ", True),
        (STOPPED, "explaining was stopped; the results are whole", True),
    ],
)
def test_refusals_and_interruptions_cost_no_result(project, inject, said, scored):
    results = graded(project, inject, question="1.3")
    assert said in results["output"]
    if scored:
        assert results["score"] == results["tests"][0]["max_score"]
    else:
        expect_no_score(results)


@pytest.mark.slow
def test_earlier_results_survive_a_full_disk(project):
    results = graded(project, failing("os.replace", "ENOSPC", 5), question="1")
    assert PASSED in outcomes(results).values()
    assert FAILED not in outcomes(results).values()
    assert not list(project.glob(".results*"))


BUG = """
file = Path("tests/test_1_minimax.py")
file.write_text(file.read_text().replace("check(student", "undefined_name(student", 1))
"""
ENDLESS = """
import time
from autograder.checks.search import answer
answer.find_wrong_value = lambda *args: time.sleep(60)
plugin.GRACE = 0.1
add_alarm = plugin.add_alarm
plugin.add_alarm = lambda function, deadline: add_alarm(function, time.monotonic() + 5)
"""
# Of the three good starts, the first only checks the confinement of student code.
NO_WORKER = failing("sandbox.Sandbox.start", "EAGAIN", 3)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("inject", "question", "number", "passed"),
    [
        (BUG, "1", "1.1", 8),
        (NO_WORKER, "1", "1.3", 2),
        pytest.param(ENDLESS, "1.1", "1.1", 0, marks=POSIX),
    ],
    ids=["bug", "no worker", "endless"],
)
def test_bug_in_a_graded_test_is_the_graders_fault(project, inject, question, number, passed):
    results = graded(project, inject, question=question)
    found = list(outcomes(results).values())
    assert found.count(PASSED) == passed
    assert FAILED not in found
    (test,) = [test for test in results["tests"] if test["number"] == number]
    assert test["extra_data"]["outcome"] == FAULT
    assert "grader itself failed" in test["output"]
    assert "not your code" in test["output"]
    assert "not your fault" in results["output"]
    expect_no_score(results)


@pytest.mark.slow
def test_tests_after_the_deadline_are_not_run(project):
    results = graded(project, once_1_2_is_judged("self.sandbox.deadline = 0"), question="1")
    found = list(outcomes(results).values())
    assert found[:2] == [PASSED, PASSED]
    assert set(found[2:]) == {NOT_RUN}
    expect_no_score(results)
    assert "not lost" in results["tests"][2]["output"]
    assert "were not reached" in results["output"]


@POSIX
@pytest.mark.slow
def test_record_that_takes_too_long_to_judge_is_the_students_finding(project):
    inject = """
from autograder.checks.ask import session
from autograder.checks.search import answer
def busy(*args):
    while True: pass
answer.find_wrong_value, session.JUDGING_S = busy, 0.3
"""
    (test,) = graded(project, inject, question="1.1")["tests"]
    assert test["extra_data"]["code"] == "too-much-to-judge"


WAITS = 'student.begin(60); student.find("minimax.min_value")'
WAITS += '; Path("ready").touch(); time.sleep(600)'


def alive(pid: int) -> bool:
    """Return whether a process is running; a zombie is not."""
    with suppress(OSError):
        return ") Z " not in Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    return False


def descendants_of(pid: int) -> list[int]:
    found = [pid]
    for one in found:
        for task in Path(f"/proc/{one}/task").glob("*/children"):
            found += map(int, task.read_text().split())
    return found[1:]


@pytest.mark.slow
@POSIX
@pytest.mark.parametrize("number", ["SIGTERM", "SIGKILL"])
def test_stopped_grader_leaves_the_points_so_far(project, number):
    waiting = [sys.executable, *command(once_1_2_is_judged(WAITS), question="1")]
    process = subprocess.Popen(waiting, cwd=project, start_new_session=True)
    try:
        ready = project / "ready"
        wait_for(lambda: ready.exists() or process.poll() is not None, "the grader begins")
        assert process.poll() is None, "the grader ended by itself"
        workers = descendants_of(process.pid)
        folders = [Path(os.readlink(f"/proc/{worker}/cwd")).parent for worker in workers]
        process.send_signal(signal.Signals[number])
        process.wait(WAIT_TIMEOUT_S)
        wait_for(lambda: not any(map(alive, workers)), "no worker is left")
        for folder in folders:  # a killed grader can't remove it
            shutil.rmtree(folder, ignore_errors=True)
    finally:
        process.kill()
        process.wait()
    results = results_in(project)
    found = list(outcomes(results).values())
    assert found[0] == PASSED
    assert set(found[2:]) == {NOT_RUN}
    assert FAILED not in found
    expect_no_score(results)
    if number == "SIGTERM":
        assert "stopped from outside" in results["output"]


@pytest.mark.slow
def test_results_are_no_score_from_the_first_moment(project):
    results = graded(project, "grade.read_submission = lambda path: os._exit(0)")
    expect_no_score(results)
    assert results["tests"] == []
    assert "did not begin" in results["output"]
