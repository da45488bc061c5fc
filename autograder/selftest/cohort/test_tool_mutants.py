"""Changes in the project's tools are noticed by their tests."""

import os
import sys
import zlib

import pytest

from autograder.selftest.support.mutants import read_reasons
from autograder.selftest.support.tool_mutants import (
    REASONS,
    TOOLS,
    count_survivors,
    make_tool_mutants,
)

SAMPLE = 300  # of the mutants, the same ones each time; the nightly workflow runs all


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a POSIX system")
def test_most_changes_of_tools_are_noticed(capfd):
    """The table is shown in any case."""
    # Chosen by their names, so that a change of a module leaves most of the sample as it is.
    mutants = sorted(make_tool_mutants(TOOLS), key=lambda one: zlib.crc32(one.name.encode()))
    assert read_reasons(REASONS).keys() <= {mutant.name for mutant in mutants}
    table, good = count_survivors(mutants[:SAMPLE])
    with capfd.disabled():
        print(f"\n{table}", file=sys.stderr)
    assert good, table
