"""Findings for tests of messages, reports and pages."""

from typing import Any

from autograder.checks.ask.finding import Failed, Finding
from autograder.feedback.messages import fill_in, put_into_words, read_table


def make_finding(message: str = "what is wrong", **more: Any) -> Finding:
    """Return a finding with that message."""
    return Finding("not-loaded/not-python", {"problem": message}, **more)


def make_stub_finding(what: str = "write min_value in minimax.py") -> Finding:
    """Return the finding about a function that is not written yet."""
    return Finding("not-written", {"what": what}, stop=True)


def format_hint(name: str, **facts: Any) -> str:
    """Return a hint in the words of messages.ini, with these facts."""
    return fill_in(read_table()["hints"][name], facts)


def format_hints(failed: Failed) -> tuple[str, ...]:
    """Return the hints of a failure in words."""
    return put_into_words(failed.finding).hints
