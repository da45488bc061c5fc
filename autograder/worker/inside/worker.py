"""The worker: it runs student code and answers the grader's requests.

It is copied into a separate folder with the student's files, and runs as a separate process. It
knows no expected value and no verdict: student code in this process can only change its own
answers.
Requests come in and replies go out as lines of JSON, see `protocol.py`.
"""

import gc
import importlib
import json
import os
import sys
from collections.abc import Callable
from typing import Any

from autograder.worker.inside import mcts
from autograder.worker.inside.call_trace import watch_calls
from autograder.worker.inside.channel import Channel, Printed
from autograder.worker.inside.confine import become_user, hide_packages, limit_resources, restrict
from autograder.worker.inside.request import (
    Missing,
    Request,
    ask_for_move,
    call_function,
    find_function,
    import_module,
)
from autograder.worker.inside.stack import describe_error, dump_later, dump_tracebacks
from autograder.worker.inside.system_calls import refuse_calls

VERBS: dict[str, Callable[[Request, dict[str, Any]], Any]] = {
    "call": call_function,
    "find": find_function,
    "import": import_module,
    "move": ask_for_move,
    "phase": mcts.call_phase,
    "choose": mcts.choose_move,
    "grow": mcts.grow_tree,
}


def answer_request(channel: Channel, request: dict[str, Any]) -> dict[str, Any]:
    """Answer every call of the request, up to the first that raises."""
    answers: list[Any] = []
    traced: dict[int, dict[str, str]] = {}
    importing = True
    try:
        module = importlib.import_module(f"starter.{request['file']}")
        importing = False
        about = Request(channel, request, module)
        for index, call in enumerate(request["calls"]):
            if index:
                channel.begin_call(index)
            with watch_calls(request.get("watch", False)) as traced:
                answers.append(VERBS[request["do"]](about, call))
    except Missing as missing:
        return {"answers": answers, "missing": str(missing)}
    except BaseException as error:
        return {"answers": answers, "raised": describe_error(error), "importing": importing}
    return {"answers": answers, "traced": list(traced.items())}


class Breakpoint(Exception):
    """Student code has called breakpoint(), which has no terminal here."""


def refuse_debugger(*args: Any, **options: Any) -> None:
    raise Breakpoint


def is_readable(path: str) -> bool:
    try:
        with open(path, "rb"):
            return True
    except OSError:
        return False


def fork_workers(socket_to_grader: int) -> tuple[int, int]:
    """Fork a worker for each pair of pipes from the grader; return the pair in it.

    This process has imported everything, and never runs student code. It reports the worker's
    number, and its exit status after its end; only then it forks the next one.
    """
    import socket  # here, because only Linux forks

    control = socket.socket(fileno=socket_to_grader)
    while True:
        _, pipes, *_ = socket.recv_fds(control, 1, 2)
        if not pipes:
            os._exit(0)  # the grader is gone
        worker = os.fork()
        if not worker:
            control.close()
            os.setsid()
            return pipes[0], pipes[1]
        for pipe in pipes:
            os.close(pipe)
        control.send(b"%d" % worker)
        control.send(b"%d" % os.waitstatus_to_exitcode(os.waitpid(worker, 0)[1]))


def main(folder: str, setting: str) -> None:
    """Drop rights, then answer requests until the grader closes the channel.

    folder:  has everything that is needed besides Python
    setting: JSON from `Sandbox.launch_worker`
    """
    ends = os.dup(0), os.dup(1)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1):
        os.dup2(nowhere, stream)
    sys.dont_write_bytecode = True
    gc.set_threshold(20_000)  # a search tree is many objects, of which few are garbage
    sys.breakpointhook = refuse_debugger
    options = json.loads(setting)
    landlock = restrict([folder])
    hide_packages()
    if options["forks"]:
        os.close(ends[1])
        ends = fork_workers(ends[0])
    if options["uid"] is not None:
        become_user(options["uid"])
    limits = limit_resources(options["limits"])
    channel = Channel(*ends)
    dump_tracebacks(channel)
    parts = {"limits": limits, "landlock": landlock, "seccomp": refuse_calls(landlock)}
    exposed = [path for path in options["secrets"] if is_readable(path)]
    in_force = [part for part in parts if parts[part]]
    channel.send(json.dumps({"ready": in_force, "exposed": exposed}))
    os.dup2(nowhere, 2)  # until here it showed the grader's own errors
    while True:
        request = channel.receive()
        sys.stdout = sys.stderr = Printed(channel.show).stream
        with dump_later(request["seconds"]):
            reply = answer_request(channel, request)
        channel.send(json.dumps({"id": request["id"], **reply}))
