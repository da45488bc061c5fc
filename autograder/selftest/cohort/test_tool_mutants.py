"""Changes in the project's tools are noticed by their tests."""

import os
import sys

import pytest

import autograder.cohort.suspicious_pairs  # noqa: F401 - as other tests in this process may
from autograder.questions import ROOT
from autograder.selftest.support.mutants import Mutant, read_reasons
from autograder.selftest.support.tool_mutants import (
    REASONS,
    TESTS,
    TOOLS,
    choose_mutants,
    find_survivors,
)

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a POSIX system")
SIMILAR = "autograder/cohort/suspicious_pairs.py"
SAMPLE = 300
MIN_KILLED = 0.7  # of the sample; the command lists what survives


def test_every_tool_and_its_tests_exist():
    for module, tests in TOOLS.items():
        assert (ROOT / module).is_file()
        assert all((TESTS / name).is_file() for name in tests.split())
    assert {name.split()[0] for name in read_reasons(REASONS)} <= TOOLS.keys()


@pytest.mark.slow
@needs_fork
def test_a_changed_module_is_noticed_and_an_unchanged_one_is_not():
    source = (ROOT / SIMILAR).read_text(encoding="utf-8")
    weights = "log(1 + count / many) / log(1 + count / 2)"
    assert source.count(weights) == 1
    mutants = [
        Mutant(SIMILAR, "unchanged", source),
        Mutant(SIMILAR, "all weigh the same", source.replace(weights, "1.0")),
    ]
    found = {mutant.name: alive for mutant, alive in find_survivors(mutants, 1)}
    assert found == {"unchanged": True, "all weigh the same": False}


@pytest.mark.nightly
@needs_fork
def test_most_changes_of_tools_are_noticed():
    reasons, mutants = read_reasons(REASONS), choose_mutants(list(TOOLS), SAMPLE)
    survivors = [
        mutant.name
        for mutant, alive in find_survivors(mutants, os.cpu_count() or 1)
        if alive and mutant.name not in reasons
    ]
    print("\n".join(survivors), file=sys.stderr)
    assert len(survivors) <= (1 - MIN_KILLED) * len(mutants)
