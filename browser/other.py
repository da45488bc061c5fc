"""Run student code in the second interpreter, for tests that need another process.

There sets have another order, and a player's objects live apart from the grader's.
"""

from __future__ import annotations

import json

from autograder.submission import Submission
from browser.grading import Page, PageLauncher, PageTransport

TRANSPORTS: list[PageTransport] = []  # the one that answers


def answer(page: Page, line: str) -> str:
    """Perform a request of the first interpreter; return what came of it as JSON."""
    asked = json.loads(line)
    if asked["is_new"]:
        files = {name: text.encode("latin-1") for name, text in asked["files"].items()}
        TRANSPORTS[:] = [PageLauncher(page, Submission(files)).start()]
    (transport,) = TRANSPORTS
    return json.dumps(transport.perform(asked["request"], None, asked["seconds"]))
