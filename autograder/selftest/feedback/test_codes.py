"""Every finding has a code that says which kind of mistake it is, whatever the words are."""

import re

import pytest

from autograder.checks.finding import named
from autograder.selftest.support.golden import read_expected, read_wordings

CODE = re.compile(r"[a-z]+(-[a-z]+)*(/[A-Za-z]+(-[a-z]+)*)?")
CODES = {example.code for example in read_wordings()}
CODES |= {code for row in read_expected().values() for code in row.codes.values()}


@pytest.mark.parametrize("code", sorted(CODES))
def test_a_code_is_short_and_well_formed(code: str) -> None:
    assert CODE.fullmatch(code)
    assert len(code) <= 30


def test_a_strange_exception_makes_no_strange_code() -> None:
    assert named("ValueError") == "ValueError"
    for kind in ("", "a b", "<script>", "x" * 500, "Fehler\u202e"):
        assert CODE.fullmatch(f"raised/{named(kind)}")
