"""Changes in the project's tools are noticed by their tests."""

import os
import sys
import zlib

import pytest

from autograder.questions import ROOT
from autograder.selftest.support.mutants import Mutant, read_reasons
from autograder.selftest.support.tool_mutants import (
    GOALS,
    REASONS,
    TESTS,
    TOOLS,
    count_survivors,
    find_survivors,
    make_tool_mutants,
)

SAMPLE = 150  # of the mutants, the same ones each time; the nightly workflow runs all


def test_every_tool_and_its_tests_exist():
    for module, tests in TOOLS.items():
        assert (ROOT / module).is_file() and os.path.dirname(module) in GOALS
        assert all((TESTS / name).is_file() for name in tests.split())


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a POSIX system")
def test_most_changes_of_tools_are_noticed(capfd):
    """A module that is not changed survives. The table is shown in any case."""
    same = [Mutant(file, file, (ROOT / file).read_text(encoding="utf-8")) for file in TOOLS]
    assert all(alive for _, alive in find_survivors(same))
    # Chosen by their names, so that a change of a module leaves most of the sample as it is.
    mutants = sorted(make_tool_mutants(TOOLS), key=lambda one: zlib.crc32(one.name.encode()))
    assert read_reasons(REASONS).keys() <= {mutant.name for mutant in mutants}
    table, good = count_survivors(mutants[:SAMPLE])
    with capfd.disabled():
        print(f"\n{table}", file=sys.stderr)
    assert good, table
