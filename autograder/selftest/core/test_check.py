"""Test the command that checks the project: `make check`."""

import subprocess
import sys

import pytest

from autograder.questions import QUESTIONS, ROOT
from autograder.selftest.__main__ import options_of_pytest, parse_arguments

NO_TESTS = 5  # pytest's exit status where nothing is selected; 4 is for unknown options


@pytest.mark.parametrize("arguments", [[], ["--all"], ["--question", QUESTIONS[-1].number]])
def test_pytest_takes_the_options_of_each_check(arguments: list[str]) -> None:
    options = options_of_pytest(parse_arguments(arguments))
    command = [sys.executable, "-m", "pytest", "--ignore-glob=*", *options]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == NO_TESTS, done.stdout + done.stderr
