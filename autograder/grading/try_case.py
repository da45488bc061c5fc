"""Run one case in this Python, outside the sandbox: `make try`.

The graded test itself runs. The worker's verbs answer its requests in this process, with a game
served from here. So output appears at once, and `breakpoint()` and an editor's debugger work. A
case is only data: no text of it is executed.
"""

from __future__ import annotations

import bdb
import importlib
import json
import sys
import traceback
from collections.abc import Callable
from math import inf
from pathlib import Path
from types import ModuleType
from typing import Any

import starter
from autograder.checks.ask.finding import Failed
from autograder.checks.ask.plain_answers import draw_position
from autograder.checks.ask.session import Hung
from autograder.checks.ask.student import Student
from autograder.diagram import format_value
from autograder.errors import Refused, UsageError
from autograder.feedback.results import Outcome, Result
from autograder.feedback.terminal import BOLD, GREEN, RED, colour, measure_screen, show_messages
from autograder.feedback.text_drawing import draw_side_by_side
from autograder.printable import sanitize
from autograder.questions import QUESTIONS, ROOT, find_question
from autograder.serving.case_files import Cases
from autograder.serving.game_server import GameServer
from autograder.submission import read_submission
from autograder.worker.inside.channel import DECODER, Channel
from autograder.worker.inside.protocol import GAME, STATE
from autograder.worker.inside.request import PLAYERS, Missing, Request
from autograder.worker.inside.worker import VERBS
from autograder.worker.replies import Done, Reply

MAX_SHOWN = 5  # requests whose first call is printed; more would hide the verdict
MAX_FRAMES = 6  # of a traceback; an endless recursion has a thousand
OTHER_CALLS = {  # by what a request does
    "grow": "select, expand, simulate and backprop, for {playouts} playouts",
    "choose": "{name}(game, state) to its end, with a tree that this test fills itself",
    "move": "{name}().choose(game, state)",
}


class LocalChannel(Channel):
    """A worker's channel to the grader within this process."""

    def __init__(self, server: GameServer | None) -> None:
        self.server = server

    def request(self, line: str) -> Any:
        assert self.server is not None
        return self.server.serve(DECODER.raw_decode(line)[0])

    def note(self, line: str) -> None:
        self.request(line)

    def begin_call(self, index: int) -> None:
        pass


class LocalTransport:
    """Runs a submission's files in this process, in which sets keep their order.

    Errors of its code are not caught. It is its own launcher.
    """

    def __init__(self, load: Callable[[str], ModuleType]) -> None:
        """Prepare; `load` returns the module of a question file."""
        self.load = load
        self.hung: Hung = {}

    def start(self) -> LocalTransport:
        return self

    def ask(self, request: dict[str, Any], server: GameServer | None, seconds: float) -> Reply:
        request = json.loads(json.dumps(request))
        asked = Request(LocalChannel(server), request, self.load(request["file"]))
        do = VERBS[request["do"]]
        answers = [json.loads(json.dumps(do(asked, call))) for call in request["calls"]]
        return Reply(answers, Done([]))

    def pause(self) -> None:
        pass

    resume = close = end_parent = pause


class ShownTransport(LocalTransport):
    """Prints the first call of the first requests."""

    requests = 0

    def ask(self, request: dict[str, Any], server: GameServer | None, seconds: float) -> Reply:
        self.requests += 1
        if self.requests <= MAX_SHOWN:
            drawn = draw_side_by_side(draw_position(request, 0, server), measure_screen().height)
            lines = [*map(str, drawn), f"calling {format_call(request, request['calls'][0])}"]
            print(*map(sanitize, lines), sep="\n", flush=True)
        return super().ask(request, server, seconds)

    def close(self) -> None:
        forget_submission()


def forget_submission() -> None:
    """Load the files again for the next request, as a new process would."""
    for question in QUESTIONS:
        sys.modules.pop(f"starter.{question.name}", None)
        vars(starter).pop(question.name, None)
    PLAYERS.clear()


def load_module(file: str) -> ModuleType:
    return importlib.import_module(f"starter.{file}")


def try_case(cases: Cases) -> int:
    """Run the chosen case; print the calls and the verdict."""
    case = cases.chosen
    assert case is not None
    test = find_graded_test(case.number)
    label = (test.__doc__ or "").strip().splitlines()[0]
    print(colour(f"{case.number}  {label}", BOLD))
    try:
        transport = ShownTransport(load_module)
        student = Student(read_submission(ROOT / "starter"), transport, cases)
        student.begin(inf)
        test(student=student, case=case)
    except Failed as failed:
        result = Result(case.number, "this case fails", 0, outcome=Outcome.FAILED)
        result.finding, result.case = failed.finding, failed.finding.case or case
        show_messages([result], measure_screen())
    except Missing as missing:
        file = find_question(case.number).file
        print(colour(f"{file} has no {missing}: keep the names as they are", RED))
    except NotImplementedError as stub:
        print(colour(f"not written yet: {stub}", RED))
    except bdb.BdbQuit:
        print("the debugger has ended")
    except Refused as refused:
        print_own_traceback(refused)
        did = "" if refused.code == "state-kept" else "gave no answer: "
        print(colour(f"your code {did}{refused}", RED))
    except (Exception, KeyboardInterrupt, SystemExit) as error:
        if case.index is None and isinstance(error, Exception) and not find_own_frames(error):
            raise case.misfit(case.number) from error
        print_own_traceback(error)
        ending = traceback.format_exception_only(type(error), error)
        print(colour("".join(ending).rstrip(), RED))
    else:
        print(colour("this case passes", GREEN))
    return 0


def find_graded_test(number: str) -> Callable[..., None]:
    """Return the function of a graded test. Raises UsageError if there is none."""
    question = find_question(number)
    module = importlib.import_module(f"tests.test_{question.number}_{question.name}")
    found = [test for test in vars(module).values() if getattr(test, "__number__", "") == number]
    if not found:
        raise UsageError(f"there is no test {number}")
    return found[0]


def format_call(request: dict[str, Any], call: dict[str, Any]) -> str:
    name = str(request["function"])
    if request["do"] in OTHER_CALLS:
        return OTHER_CALLS[request["do"]].format(name=name, **call)
    if request["do"] == "phase":
        rest = ["game"] if name == "expand" else map(repr, call["args"])
        return f"{name}({', '.join(['node', *rest])})"
    args = [format_spec(spec) for spec in call.get("args", ())]
    options = call.get("options", {}).items()
    args += [f"{name}={format_spec(spec)}" for name, spec in options]
    return f"{name}({', '.join(args)})"


def format_spec(spec: Any) -> str:
    if spec in (GAME, STATE):
        return str(spec["the"])
    if not isinstance(spec, dict):
        return format_value(spec) if isinstance(spec, float) else repr(spec)
    ((kind, what),) = spec.items()
    if kind in ("rng", "only rng"):
        return f"random.Random({what})"
    if kind == "cutoff" and what != "served":
        return f"cutoff_depth({what})"
    return "connect_four_heuristic" if what == "own" else kind


def find_own_frames(error: BaseException) -> list[traceback.FrameSummary]:
    """Return the traceback of an exception from the student's first line on."""
    frames = traceback.extract_tb(error.__traceback__)
    while frames and Path(frames[0].filename).parent != Path(starter.__file__).parent:
        del frames[0]
    hidden = (str(ROOT / "autograder"), "<frozen")
    return [frame for frame in frames if not frame.filename.startswith(hidden)]


def print_own_traceback(error: BaseException) -> None:
    """Print the traceback of an exception, without the grader's lines."""
    own = find_own_frames(error)
    if len(own) > MAX_FRAMES:
        print(f"{len(own):,} calls deep, the last of them:")
    print("".join(traceback.format_list(own[-MAX_FRAMES:])), end="")
