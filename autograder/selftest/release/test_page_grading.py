"""What Python does in the page of the browser version, with a page of ten lines."""

from __future__ import annotations

import io
import json
import linecache
import re
import shutil
import signal
import sys
import time
import zipfile
from base64 import b64decode, b64encode
from math import inf
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from autograder.author.graded_tests import read_graded_tests
from autograder.author.handout import copy_grader
from autograder.errors import GraderFault, GradingOver, Refused
from autograder.questions import ROOT
from autograder.selftest.support.banks import SOLUTION_TEXTS as SOLUTION
from autograder.selftest.support.banks import change_solution
from autograder.selftest.support.class_factory import make_zip
from autograder.selftest.support.commands import run_python
from autograder.submission import Submission
from autograder.worker.replies import Gone, Reply, TooSlow
from browser import grading
from browser.build import STUBS

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no interval timers")

# A page that sends requests of argv[1] to Python, and prints the answers and what was posted. (The
# graded tests have SIGALRM for themselves, and judging SIGVTALRM.)
PAGE = """
import json, pdb, signal, sys
from pathlib import Path

class Page:
    def post(self, kind, data): self.posted.append([kind, json.loads(data)])
    def set_alarm(self, seconds):
        self.alarms.append(seconds)
        signal.setitimer(signal.ITIMER_PROF, seconds, seconds and 0.5)
    def ask_other(self, line):
        self.post("other", "0")
        return grading.perform_here(line)

signal.signal(signal.SIGPROF, lambda *_: signal.raise_signal(signal.SIGINT))
from browser import grading
page = Page()
grading.prepare(page)
grading.SUBMISSION_ZIP = Path(sys.argv[2]) / "s.zip"
grading.LONGEST, grading.LEAST_SLOWNESS, grading.MOST_SLOWNESS = 0.4, 3.04, 3.04
found, set_limit, set_trace = [], sys.setrecursionlimit, pdb.set_trace
for request in json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")):
    page.posted, page.alarms = [], []
    answer = json.loads(grading.answer(json.dumps(request)))
    state = [sys.setrecursionlimit is set_limit, pdb.set_trace is set_trace, sys.getprofile()]
    state += [sys.getrecursionlimit(), sys.stdout is sys.__stdout__]
    found.append({**answer, "posted": page.posted, "alarms": page.alarms, "state": state})
print(json.dumps(found))
"""
IN_MINIMAX = "    v, best_move = inf, None\n"  # in min_value


def with_line(line: str) -> dict[str, str]:
    changed = change_solution("minimax.py", IN_MINIMAX, f"{IN_MINIMAX}    {line}\n")
    return {**SOLUTION, "minimax.py": changed}


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of what the page has, because it writes into `starter/`."""
    tree = copy_grader(tmp_path_factory.mktemp("page"), "lab")
    for name in ("browser", "home"):
        (tree / name).mkdir()
    for file in (ROOT / "browser").glob("*.py"):
        source = "".join(linecache.getlines(str(file)))  # or a mutant's
        (tree / "browser" / file.name).write_text(source, encoding="utf-8")
    shutil.copy(ROOT / "pyproject.toml", tree)
    (tree / "page.py").write_text(PAGE, encoding="utf-8")
    (tree / "numpy.py").write_text(STUBS["numpy"], encoding="utf-8")
    return tree


def ask(tree: Path, *requests: dict[str, Any]) -> list[dict[str, Any]]:
    """Send the requests to one page; return its answers, each with what was posted."""
    (tree / "requests.json").write_text(json.dumps(requests), encoding="utf-8")
    done = run_python("page.py", "requests.json", str(tree / "home"), cwd=tree)
    assert done.returncode == 0, done.stdout + done.stderr
    answers: list[dict[str, Any]] = json.loads(done.stdout.splitlines()[-1])
    return answers


def request_run(chosen: str, files: dict[str, str] = SOLUTION) -> dict[str, Any]:
    return {"do": "grading.run", "files": files, "chosen": chosen, "version": "abc"}


def test_page_grades_as_at_home(tree: Path) -> None:
    wrong = change_solution("minimax.py", "v, best_move = inf", "v, best_move = 0")
    deep = "import sys; sys.setrecursionlimit(10**6); return min_value(game, state, player)"
    stub = (ROOT / "starter" / "minimax.py").read_text(encoding="utf-8")
    to_do, too_deep, right, restarted, failed, debugged, endless, numpy, newer, profiled = ask(
        tree,
        request_run("1.1", {**SOLUTION, "minimax.py": stub}),
        request_run("1.1", with_line(f"print('hello'); {deep}")),
        request_run("1.1"),
        request_run("4.14"),
        request_run("1.1", {**SOLUTION, "minimax.py": wrong}),
        request_run("1.1", with_line("import pdb; pdb.set_trace()")),
        request_run("1.1", with_line("while v: v = v + 1")),
        request_run("1.1", with_line("import numpy")),
        request_run("1.1", with_line("type Value = float")),
        request_run("1.1", {"minimax.py": "import sys; sys.setprofile(lambda *_: None); 1 / 0"}),
    )
    answers = to_do, too_deep, right, restarted, failed, debugged, endless, numpy, newer, profiled
    for one in answers:
        assert one["state"] == [True, True, None, 1000, True], "as before"
        assert one["alarms"][-1] == 0
    assert endless["alarms"][0] == pytest.approx(0.4 * 3.04)
    assert ["other", 0] in restarted["posted"]
    assert not [*(tree / "starter").glob("**/minimax.*.pyc")], "a file may change within a second"
    points = {test.number: test.points for test in read_graded_tests()}
    (first, *_) = read_graded_tests()
    most = len(right["posted"]) - 2
    begun = [*range(2, most + 1), most]  # by the end of each case
    running = [["running", f"1.1, case {number} of {most}"] for number in begun]
    outcome = [first.number, first.label, "passed", f"{first.points:g}/{first.points:g}"]
    assert right["posted"] == [["running", "1.1"], *running, ["result", outcome]]
    assert to_do["posted"][-1][1][2:] == ["to do", f"0/{first.points:g}"]
    assert re.search("the recursion was 9,9.. calls deep", too_deep["html"])
    assert "your code printed" in too_deep["html"] and "hello" in too_deep["html"]
    assert right["score"] == f"score: {points['1.1']:g}/{points['1.1']:g}"
    assert "your files, graded on" in right["html"]
    assert "one second of a time limit is 3.0 s here" in right["html"]
    assert "in the browser, version abc, with the public cases" in right["html"]
    again = points["4.14"]
    assert restarted["score"] == f"score: {again:g}/{again:g}"
    assert failed["score"].startswith("score: 0/") and '<a href="#run/1.1/' in failed["html"]
    line = SOLUTION["minimax.py"].split(IN_MINIMAX)[0].count("\n") + 2
    assert "a debugger starts just before" in debugged["html"]
    assert f'<a href="#line/minimax.py/{line}">minimax.py, line {line}</a>' in debugged["html"]
    assert f'<a href="#line/minimax.py/{line}">' in endless["html"]
    stopped = re.findall(r"did not end: it was stopped after ([\d.]+) s", endless["html"])
    assert float(stopped[0]) >= 1.2  # 0.4 s, 3 times slower
    assert "NumPy is not part of the browser version: use state.rows" in numpy["html"]
    if sys.version_info >= (3, 12):
        assert "is new in Python 3.12" in newer["html"]


def test_page_answers_around_the_tests(tree: Path) -> None:
    watch = {"do": "watching.watch", "files": SOLUTION, "subject": "the textbook's figure 5.2"}
    opened = {"minimax.py": b"\xef\xbb\xbfx = 1\n", "mcts.py": b"\xff\xfe", "a.txt": b""}
    read, unusable, packed, watched, console, unknown = ask(
        tree,
        {"do": "grading.read", "name": "a.zip", "content": b64encode(make_zip(opened)).decode()},
        {"do": "grading.pack", "files": SOLUTION | dict.fromkeys(("minimax.py", "mcts.py"), "\0")},
        {"do": "grading.pack", "files": {**SOLUTION, "alphabeta.py": "def broken(:\n"}},
        {**watch, "engine": "alpha-beta", "plies": "9"},
        {"do": "editing.console", "files": SOLUTION, "line": ">>> 1 + 1\n>>> undefined"},
        request_run("9.9"),
    )
    assert read["files"] == {"minimax.py": "x = 1\n"}
    assert read["notes"] == [
        "mcts.py is not saved as UTF-8 (see line 1): save it as UTF-8",
        "not used: a.txt; only the question files are graded",
    ]
    assert unusable["problem"] == "no submission.zip was written: fix minimax.py, mcts.py first"
    with zipfile.ZipFile(io.BytesIO(b64decode(packed["zip"]))) as archive:
        assert archive.read("mcts.py").decode() == SOLUTION["mcts.py"]
    (problem,) = packed["problems"]
    assert problem.startswith("alphabeta.py will earn nothing as it is: ")
    assert "positions looked at" in " ".join(watched["figures"]) and watched["steps"] > 11
    assert console["printed"].startswith("2\n") and "NameError" in console["printed"]
    assert "9.9" in unknown["problem"]
    (stale,) = ask(tree, {"do": "watching.show", "step": 1})  # Python was started again
    assert "press Watch again" in stale["problem"]
    line = "from starter.minimax import calls; calls.append(1); len(calls)"
    texts = ("calls = []", "calls = []", "calls = []  # changed: loaded again")
    typed = [{"do": "editing.console", "files": {"minimax.py": one}, "line": line} for one in texts]
    assert [one["printed"] for one in ask(tree, *typed)] == ["1\n", "2\n", "1\n"]


def test_page_watches_and_plays(tree: Path) -> None:
    chosen = ("1.1/3", "3.10/1", "4.6/1", "2.8/1", "3.6/1", "3.14/1")
    cases = [{"do": "watching.watch_case", "files": SOLUTION, "chosen": one} for one in chosen]
    moves = ["(1, 1)", "(0, 0)", "(0, 1)"]
    play: dict[str, Any] = {"do": "watching.play", "files": SOLUTION, "subject": "tic-tac-toe"}
    play |= {"side": "X", "engine": "minimax", "plies": "9", "played": moves}
    games = [{**play, "back": back} for back in (False, True)]
    broken = {**play, "back": False, "files": with_line("1 / 0")}
    whole, cut, playouts, *refused, played, taken_back, failed = ask(tree, *cases, *games, broken)
    assert whole["steps"] > 5 and 80 < cut["steps"] < 2_000  # three plies of Connect Four
    assert (whole["next"], playouts["next"]) == ("next prune", "next playout")
    assert playouts["steps"] == 4 * 12  # their phases
    assert all("this case is more than a search" in one["problem"] for one in refused)
    assert played["played"] == [*moves, "(2, 1)"] and played["found"].startswith("value 0 for O, ")
    notes = ["", "", "-1", "0", "", "0", "0", "", "0"]
    assert [square["note"] for square in played["squares"]] == notes
    assert taken_back["played"] == moves[:2] and taken_back["turn"] == "Your move: you are X."
    assert failed["played"] == moves and failed["turn"].startswith("ZeroDivisionError: ")
    assert all(one["alarms"] == [60, 0] for one in (played, taken_back, failed))


def test_slower_machine_gives_more_time(monkeypatch: pytest.MonkeyPatch) -> None:
    page, handle, now = mock.Mock(), mock.Mock(), [0.0]
    monkeypatch.setattr("signal.signal", handle)
    monkeypatch.setattr(grading, "time", mock.Mock(monotonic=lambda: now[0]))
    monkeypatch.setattr(grading, "measure_slowness", mock.Mock(side_effect=[3.0, 5.0, 4.0]))

    def answer(channel: grading.PageTransport, request: dict[str, Any]) -> None:
        assert request == {"calls": []}
        for now[0] in (1.5, 2.5):
            handle.call_args.args[1](signal.SIGINT, sys._getframe())
            channel.begin_call(1)

    monkeypatch.setattr(grading, "answer_request", answer)
    monkeypatch.setattr(grading, "PAGE", page, raising=False)
    transport = grading.PageTransport(Submission({}), deadline=99.0)
    transport.recursion_limit = sys.getrecursionlimit()
    reply = transport.ask({"calls": []}, None, 0.5)
    assert reply == Reply([], TooSlow(inf, 2.5), seconds=0.5, call_s=0.2)
    assert [call.args[0] for call in page.set_alarm.mock_calls] == [1.5, 0, 1.0, 0, 0.5, 0]
    now[0] = 99.1
    with pytest.raises(GradingOver):
        transport.ask({}, None, 0.5)


def test_refused_request_or_a_fault_ends_student_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("signal.signal", mock.Mock())
    monkeypatch.setattr(grading, "answer_request", lambda channel, request: channel.request("{}"))
    monkeypatch.setattr(grading, "PAGE", mock.Mock(), raising=False)
    transport = grading.PageTransport(Submission({}))
    transport.recursion_limit = sys.getrecursionlimit()
    refused = mock.Mock(**{"serve.side_effect": Refused("no-move", "not legal")})
    assert transport.ask({}, refused, 1.0).ending == Gone("no-move", "not legal")
    with pytest.raises(ValueError, match="no cases"):
        transport.ask({}, mock.Mock(**{"serve.side_effect": ValueError("no cases")}), 1.0)


def test_fault_of_the_grader_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    fault = mock.Mock(side_effect=GraderFault("no cases"))
    monkeypatch.setattr("autograder.grading.grade.run_pytest", fault)
    said = json.loads(grading.answer(json.dumps(request_run("1.1", {}))))
    assert said == {"problem": "the grader failed, not your code: no cases"}


def test_names_on_the_page_are_links() -> None:
    """The file holds a page before and after."""
    file = Path(__file__).with_name("links_of_page.txt")
    before, after = file.read_text(encoding="utf-8").split("\n\n")
    assert grading.link(before) == after.rstrip("\n")


def test_watched_search_is_stopped_after_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    page, handle = mock.Mock(), mock.Mock()
    monkeypatch.setattr("signal.signal", handle)
    monkeypatch.setattr(grading, "PAGE", page, raising=False)
    stopped = "^stopped after 60 s: choose fewer plies or playouts$"
    with pytest.raises(TimeoutError, match=stopped), grading.time_limit(grading.WATCH_S):
        handle.call_args.args[1](signal.SIGINT, None)
    assert handle.call_args.args[0] == signal.SIGINT
    assert page.mock_calls == [mock.call.set_alarm(60.0), mock.call.set_alarm(0)]


def test_slowness_counts_wall_time_within_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    for took, slowness in ((4.0, 6.0), (0.0, 3.0), (9000.0, 30.0)):
        monkeypatch.setattr(grading, "compare_speed", {time.perf_counter: took}.get)
        assert grading.measure_slowness() == slowness


@pytest.mark.slow
def test_page_asks_about_the_files(tree: Path) -> None:
    shutil.copytree(ROOT / "autograder" / "quiz", tree / "autograder" / "quiz", dirs_exist_ok=True)
    asked, *judged = ask(
        tree,
        {"do": "quizzing.quiz", "files": SOLUTION, "seed": "3"},
        *({"do": "quizzing.judge", "number": number, "typed": "A"} for number in range(5)),
    )
    assert len(asked["items"]) == 5
    assert all(item["drawing"].startswith("<svg ") and item["lines"] for item in asked["items"])
    for item, one in zip(asked["items"], judged):
        assert one["right"] in ((True, False) if item["choices"] else (None, False))
        assert one["words"]
