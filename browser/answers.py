"""Answer the requests that the page sends to Python."""

import importlib
import json
from typing import Any

from autograder.errors import GraderFault, UsageError
from browser.grading import Page


def answer(page: Page, request: str) -> str:
    """Call the function of this package named by `do`, such as "grading.run", with the rest.

    The request and the answer are JSON.
    """
    arguments = json.loads(request)
    name, _, function = arguments.pop("do").partition(".")
    module: Any = importlib.import_module(f"browser.{name}")  # the lab's takes time to load
    try:
        return json.dumps(getattr(module, function)(page, **arguments))
    except (UsageError, ValueError) as problem:
        return json.dumps({"problem": str(problem)})
    except GraderFault as fault:
        return json.dumps({"problem": f"the grader failed, not your code: {fault}"})
