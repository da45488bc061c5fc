"""Findings for tests of messages, reports and pages."""

from autograder.checks.ask.finding import Finding


def make_finding() -> Finding:
    """Return a finding whose message is "what is wrong"."""
    return Finding("not-loaded/not-python", {"problem": "what is wrong"})


def make_stub_finding(what: str = "write min_value in minimax.py") -> Finding:
    """Return the finding about a function that is not written yet."""
    return Finding("not-written", {"what": what}, stop=True)
