"""Answer the requests that the page sends to Python."""

from __future__ import annotations

import importlib
import json
from typing import Any

from autograder.errors import GraderFault, UsageError
from browser import grading
from browser.grading import Page


def answer(page: Page, request: str) -> str:
    """Call the function named by `do` with the rest of the request.

    The request and the answer are JSON.
    """
    arguments = json.loads(request)
    name = arguments.pop("do")
    module: Any = grading
    if name not in ("run", "read", "pack"):  # the lab takes time to load
        module = importlib.import_module("browser.watching")
    try:
        return json.dumps(getattr(module, name)(page, **arguments))
    except (UsageError, ValueError) as problem:
        return json.dumps({"problem": str(problem)})
    except GraderFault as fault:
        return json.dumps({"problem": f"the grader failed, not your code: {fault}"})
