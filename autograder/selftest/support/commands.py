"""Run commands of the project, in this process or in another one."""

import io
import os
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any
from unittest import mock

from autograder import command_line
from autograder.questions import ROOT


def run_python(
    *args: str | Path, cwd: Path = ROOT, **options: Any
) -> subprocess.CompletedProcess[str]:
    """Run Python with these arguments; return its status and output."""
    command = [sys.executable, *map(str, args)]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, **options)


def run_isolated(
    folder: Path, *args: str | Path, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run Python in a folder, with nothing of this repository in reach."""
    inherited = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return run_python(*args, cwd=folder, env=inherited | environment)


def run_cli(*args: str | Path) -> subprocess.CompletedProcess[str]:
    """Do what `python -m autograder ARGS` does, in this process: it is faster."""
    words = ["autograder", *map(str, args)]
    out, err = io.StringIO(), io.StringIO()
    with (
        mock.patch.object(sys, "argv", words),
        mock.patch.dict(os.environ, COLUMNS="120"),
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        try:
            status = command_line.main()
        except SystemExit as end:  # argparse's
            status = int(end.code or 0)
    return subprocess.CompletedProcess(words, status, out.getvalue(), err.getvalue())
