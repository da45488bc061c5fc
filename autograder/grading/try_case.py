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
from collections.abc import Callable, Iterator
from math import inf
from pathlib import Path
from types import ModuleType
from typing import Any, cast

import starter
from autograder.checks.ask.finding import Failed
from autograder.checks.ask.plain_answers import draw_position
from autograder.checks.ask.student import Student
from autograder.checks.ask.student_errors import Request as Asked
from autograder.diagram import format_value
from autograder.errors import UsageError, WorkerGone
from autograder.feedback.results import Outcome, Result
from autograder.feedback.terminal import BOLD, GREEN, RED, colour, measure_screen, show_messages
from autograder.feedback.text_drawing import draw_side_by_side
from autograder.printable import sanitize
from autograder.questions import QUESTIONS, ROOT, find_question
from autograder.serving.case import Case
from autograder.serving.case_files import Cases
from autograder.serving.cases import PositionsCase, SearchCase
from autograder.serving.game_server import GameServer, UnknownState
from autograder.submission import read_submission
from autograder.worker.inside.channel import Channel
from autograder.worker.inside.protocol import GAME, STATE, make_game, make_state
from autograder.worker.inside.remote_game import SERVED
from autograder.worker.inside.request import PLAYERS, Missing, Request
from autograder.worker.inside.worker import VERBS
from autograder.worker.sandbox import Sandbox

MAX_SHOWN = 5  # requests whose first call is printed; more would hide the verdict
MAX_FRAMES = 6  # of a traceback; an endless recursion has a thousand


class LocalChannel(Channel):
    """A worker's channel to the grader within this process."""

    def __init__(self, server: GameServer | None) -> None:
        self.server = server

    def request(self, line: str) -> Any:
        assert self.server is not None
        return json.loads(self.server.serve(json.loads(line)))

    def note(self, line: str) -> None:
        self.request(line)

    def begin_call(self, index: int) -> None:
        pass


class LocalStudent(Student):
    """The files in starter/, loaded into this process; their errors are not caught."""

    def __init__(self, cases: Cases) -> None:
        no_sandbox = cast(Sandbox, None)  # only `exchange` and `restart` use it
        super().__init__(read_submission(ROOT / "starter"), no_sandbox, cases)
        self.questions = 0
        self.begin(inf)

    def exchange(self, asked: Asked, question: dict[str, Any]) -> dict[str, Any]:
        """Call the functions; print the first call of the first requests."""
        question, server = json.loads(json.dumps(question)), asked.server
        replies = answer_here(question, load_module(asked.file), server)
        answers = []
        self.questions += 1
        for index, call in enumerate(question["calls"]):
            printed = index == 0 and self.questions <= MAX_SHOWN
            if printed:
                pictures = draw_position(question, index, server)
                drawn = draw_side_by_side(pictures, measure_screen().height)
                lines = [*map(str, drawn), f"calling {format_call(question, call)}"]
                print(*map(sanitize, lines), sep="\n", flush=True)
            answer = next(replies)
            answers.append(answer)
            if printed and (text := format_result(question, call, answer, server)):
                print(f"returned {sanitize(text)}")
        return {"answers": answers}

    def end(self) -> None:
        forget_submission()

    restart = end  # sets keep their order in this process


def answer_here(
    question: dict[str, Any], module: ModuleType, server: GameServer | None
) -> Iterator[Any]:
    """Yield the answers of a module's functions to a request, in this process."""
    asked = Request(LocalChannel(server), question, module)
    for call in question["calls"]:
        yield json.loads(json.dumps(VERBS[question["do"]](asked, call)))


def forget_submission() -> None:
    """Load the files again for the next request, as a new process would."""
    for question in QUESTIONS:
        sys.modules.pop(f"starter.{question.name}", None)
        vars(starter).pop(question.name, None)
    PLAYERS.clear()
    SERVED.clear()


def load_module(file: str) -> ModuleType:
    """Return the module of a question file."""
    return importlib.import_module(f"starter.{file}")


def try_case(cases: Cases) -> int:
    """Run the chosen case; print the call, the expected answer and the verdict."""
    case = cases.chosen
    assert case is not None
    test = find_graded_test(case.number)
    label = (test.__doc__ or "").strip().splitlines()[0]
    print(colour(f"{case.number}  {label}", BOLD))
    if expected := describe_expected(case):
        print(colour(sanitize(expected), GREEN))
    try:
        test(student=LocalStudent(cases), case=case)
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
    except WorkerGone as refused:
        print_own_traceback(refused)
        did = "" if isinstance(refused, UnknownState) else "gave no answer: "
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
    for test in vars(module).values():
        if getattr(test, "__number__", "") == number:
            found: Callable[..., None] = test
            return found
    raise UsageError(f"there is no test {number}")


def describe_expected(case: Case) -> str:
    """Describe the expected answer of the case's search; "" if there are several."""
    if isinstance(case, PositionsCase) and len(case.positions) == 1:
        spec, value, best = case.positions[0]
        state = make_state(case.make_game(), spec)
    elif isinstance(case, SearchCase) and case.alpha < case.value < case.beta:
        state, value, best = case.make_state(), case.value, case.best
    else:
        return ""
    actions = case.make_game().actions(state)
    moves = " or ".join(format_value(actions[index]) for index in best) or "None"
    return f"expected: the value {format_value(value)}, the move {moves}"


def format_call(question: dict[str, Any], call: dict[str, Any]) -> str:
    """Format a call as Python code."""
    name = str(question["function"])
    if question["do"] == "grow":
        return f"select, expand, simulate and backprop, for {call['playouts']} playouts"
    if question["do"] == "choose":
        return f"{name}(game, state) to its end, with a tree that this test fills itself"
    if question["do"] == "move":
        return f"{name}().choose(game, state)"
    if question["do"] == "phase":
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
    if kind == "rng":
        return f"random.Random({what})"
    if kind == "cutoff" and what != "served":
        return f"cutoff_depth({what})"
    return "connect_four_heuristic" if what == "own" else kind


def format_result(
    question: dict[str, Any], call: dict[str, Any], answer: Any, server: GameServer | None
) -> str:
    """Format the result of a search, heuristic or player; "" for any other."""
    if question["do"] not in ("call", "move"):
        return ""
    if isinstance(answer, dict) and "odd" in answer:
        return str(answer["odd"])
    game = server.game if server else make_game(question["game"])
    state = server.root if server else make_state(game, call.get("state"))
    moves = game.actions(state)
    if question["do"] == "move":
        return "None" if answer is None else format_value(moves[answer])
    if not isinstance(answer, dict):
        return format_value(answer)
    value, move = answer["value"], answer["move"]
    parts = [value, moves[move] if type(move) is int else move]
    words = (part["odd"] if isinstance(part, dict) else format_value(part) for part in parts)
    return f"({', '.join(words)})"


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
