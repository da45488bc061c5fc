"""What the page can ask of Python, by name."""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable
from functools import partial
from typing import Any

from autograder.errors import GraderFault, UsageError
from browser.grading import Page, pack, read_upload, run


def answer(page: Page, request: str) -> str:
    """Do what the page asks for, as JSON: `do` and its arguments. Return the answer as JSON."""
    asked = json.loads(request)
    do: dict[str, Callable[..., Any]] = {
        "run": partial(run, page),
        "read": read_upload,
        "pack": partial(pack, page),
    }
    if asked["do"] not in do:  # the lab is loaded when it is wanted
        watching = importlib.import_module("browser.watching")
        do = {
            "watch": partial(watching.watch, page),
            "show": watching.show,
            "play": partial(watching.play, page),
        }
    try:
        return json.dumps(do[asked.pop("do")](**asked))
    except (UsageError, ValueError) as problem:
        return json.dumps({"problem": str(problem)})
    except GraderFault as fault:
        return json.dumps({"problem": f"the grader failed, not your code: {fault}"})
