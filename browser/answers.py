"""Answer the requests that the page sends to Python."""

from __future__ import annotations

import importlib
import json
from typing import Any

from autograder.errors import GraderFault, UsageError
from browser import grading
from browser.grading import Page

# The module of each request. The lab's modules take time to load.
MODULES = {
    **dict.fromkeys(("run", "read", "pack"), "browser.grading"),
    **dict.fromkeys(("check", "compare", "console"), "browser.editing"),
    **dict.fromkeys(("quiz", "judge"), "browser.quizzing"),
    **dict.fromkeys(("watch", "watch_case", "show", "play"), "browser.watching"),
}


def answer(page: Page, request: str) -> str:
    """Call the function named by `do` with the rest of the request.

    The request and the answer are JSON.
    """
    arguments = json.loads(request)
    name = arguments.pop("do")
    module: Any = importlib.import_module(MODULES[name])
    try:
        return json.dumps(getattr(module, name)(page, **arguments))
    except (UsageError, ValueError) as problem:
        return json.dumps({"problem": str(problem)})
    except GraderFault as fault:
        return json.dumps({"problem": f"the grader failed, not your code: {fault}"})


def needs_other(request: str) -> bool:
    """Does the request need the second interpreter?"""
    return grading.needs_other(**json.loads(request))
