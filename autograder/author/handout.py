"""Keeps what is generated in the handout up to date: `python -m autograder.author.handout`.

Generated are the pictures in `handout/`, and in `handout.md` the tables of points and a transcript
of a failing test, each between `<!-- generated: name -->` and `<!-- end -->`.
"""

from __future__ import annotations

import importlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from autograder.author.pictures import pictures
from autograder.questions import QUESTION_FILES
from autograder.report import write_whole
from autograder.results import sort_key

ROOT = Path(__file__).resolve().parent.parent.parent
HANDOUT = ROOT / "handout.md"
PICTURES = ROOT / "handout"
GENERATED = re.compile(r"(<!-- generated: ([\w ]+) -->\n).*?(<!-- end -->)", re.DOTALL)


def points(question: str) -> str:
    """The table of a question's tests, from their decorators and docstrings."""
    (path,) = (ROOT / "tests").glob(f"test_{question}_*.py")
    module = importlib.import_module(f"tests.{path.stem}")
    tests = [test for test in vars(module).values() if hasattr(test, "__weight__")]
    tests.sort(key=lambda test: sort_key(test.__number__))
    rows = [f"| {t.__number__} | {t.__doc__.splitlines()[0]} | {t.__weight__} |" for t in tests]
    total = sum(test.__weight__ for test in tests)
    head = [f"| Test | What it looks at | Points:&nbsp;{total} |", "|---|---|---:|"]
    return "\n".join([*head, *rows]) + "\n"


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
        made = transcript() if name == "transcript" else points(name.removeprefix("points "))
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
