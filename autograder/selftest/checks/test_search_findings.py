"""A graded test pays for codes that findings about a search can have."""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatchcase
from typing import Any

import pytest

from autograder.checks import search_findings
from autograder.checks.finding import Finding
from autograder.checks.search_run import SearchRun
from autograder.feedback.messages import table
from autograder.grading.grade import grade
from autograder.questions import ROOT, question_of
from autograder.selftest.support.golden import read_wordings


def test_misspelt_code_is_refused() -> None:
    run: Any = None
    with pytest.raises(ValueError, match="no finding about a search has a code like 'mised-cut/"):
        next(search_findings.findings(run, ("mised-cut/min",)))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["minimax", "alphabeta", "cutoff", "expectiminimax"])
def test_tests_pay_for_codes_that_exist(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    asked = set[str]()
    findings = search_findings.findings

    def noted(run: SearchRun, pays: tuple[str, ...]) -> Iterator[Finding]:
        asked.update(pays)
        return findings(run, pays)

    monkeypatch.setattr(search_findings, "findings", noted)
    grade(ROOT / "solution", question=question_of(name).number)
    codes = {*table().sections(), *(example.code for example in read_wordings())}
    assert asked
    for pattern in asked:
        assert any(fnmatchcase(code, pattern) for code in codes), pattern
