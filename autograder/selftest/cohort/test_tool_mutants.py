"""Changes in the project's tools are noticed by their tests."""

import os
import random
import sys

import pytest

from autograder.questions import ROOT
from autograder.selftest.support.mutants import Mutant, read_reasons
from autograder.selftest.support.tool_mutants import (
    REASONS,
    TESTS,
    TOOLS,
    find_survivors,
    make_tool_mutants,
)

SAMPLE = 300  # of the mutants, the same ones each time
MIN_KILLED = 0.9  # of the sample; the command lists what survives


def test_every_tool_and_its_tests_exist():
    for module, tests in TOOLS.items():
        assert (ROOT / module).is_file()
        assert all((TESTS / name).is_file() for name in tests.split())
    assert {name.split()[0] for name in read_reasons(REASONS)} <= TOOLS.keys()


@pytest.mark.nightly
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a POSIX system")
def test_most_changes_of_tools_are_noticed():
    """A module that is not changed survives."""
    reasons = read_reasons(REASONS)
    sample = random.Random(1).sample(make_tool_mutants(TOOLS), SAMPLE)
    same = [Mutant(file, file, (ROOT / file).read_text(encoding="utf-8")) for file in TOOLS]
    found = {one.name: alive for one, alive in find_survivors([*same, *sample])}
    assert all(found.pop(file) for file in TOOLS)
    survivors = [name for name, alive in found.items() if alive and name not in reasons]
    print("\n".join(survivors), file=sys.stderr)
    assert len(survivors) <= (1 - MIN_KILLED) * len(sample)
