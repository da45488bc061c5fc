"""Keeps what is generated in the handout up to date: `python -m autograder.author.handout`.

Generated are the pictures in `handout/`, and in `handout.md` the tables of points and a transcript
of a failing test, each between `<!-- generated: name -->` and `<!-- end -->`.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from autograder.author.graded import graded_tests, points
from autograder.author.pictures import pictures
from autograder.questions import QUESTION_FILES
from autograder.report import write_whole

ROOT = Path(__file__).resolve().parent.parent.parent
HANDOUT = ROOT / "handout.md"
PICTURES = ROOT / "handout"
GENERATED = re.compile(r"(<!-- generated: ([\w ]+) -->\n).*?(<!-- end -->)", re.DOTALL)


def table(question: str) -> str:
    """The table of a question's tests, from their decorators and docstrings."""
    lines = [f"| Test | What it looks at | Points:&nbsp;{points(question)} |", "|---|---|---:|"]
    for number, test in graded_tests(question).items():
        label = (test.__doc__ or "").splitlines()[0]
        lines.append(f"| {number} | {label} | {test.__weight__} |")  # type: ignore[attr-defined]
    return "\n".join(lines) + "\n"


def transcript() -> str:
    """What `make test Q=2` says to a student who forgot to prune at min nodes."""
    with tempfile.TemporaryDirectory() as folder:
        for name in QUESTION_FILES:
            shutil.copy(ROOT / "solution" / name, folder)
        file = Path(folder, "alphabeta.py")
        source = file.read_text(encoding="utf-8")
        wrong = re.sub(r" +if v <= alpha:\n +return .*\n", "", source)
        assert wrong != source, "the cut-off at min nodes was not found in the solution"
        file.write_text(wrong, encoding="utf-8")
        output = subprocess.run(
            [sys.executable, "-m", "autograder", "test", "--question", "2", folder],
            cwd=ROOT,
            env={**os.environ, "NO_COLOR": "1"},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
    # How well student code could be confined differs from machine to machine.
    lines = [
        line for line in output.splitlines() if not line.startswith("student code ran without")
    ]
    return "\n".join(["```text", "$ make test Q=2", *lines, "```"]) + "\n"


def refreshed(text: str) -> str:
    """The handout with everything generated made anew."""

    def generate(part: re.Match) -> str:
        begin, name, end = part.groups()
        made = transcript() if name == "transcript" else table(name.removeprefix("points "))
        return f"{begin}\n{made}\n{end}"

    return GENERATED.sub(generate, text)


def main() -> int:
    write_whole(HANDOUT, refreshed(HANDOUT.read_text(encoding="utf-8")))
    PICTURES.mkdir(exist_ok=True)
    for name, text in pictures().items():
        write_whole(PICTURES / name, text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
