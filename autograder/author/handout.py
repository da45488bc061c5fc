"""Keeps what is generated in the handout up to date: `python -m autograder.author.handout`.

Generated are the pictures in `handout/`, and in `handout.md` the tables of points and a transcript
of a failing test, each between `<!-- generated: name -->` and `<!-- end -->`. The README has such
passages too: see `autograder/selftest/readme.py`.
"""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from autograder.author.graded import graded_tests, points, total
from autograder.author.pictures import pictures
from autograder.questions import OFF, QUESTION_FILES, QUESTIONS, ROOT
from autograder.report import on_top, write_whole

HANDOUT = ROOT / "handout.md"
PICTURES = ROOT / "handout"
OF_A_QUESTION = "<!-- only with question {0} -->\n.*?<!-- end of question {0} -->\n"
GENERATED = re.compile(r"(<!-- generated: ([\w. ]+) -->\n).*?(<!-- end -->)", re.DOTALL)


def table(question: str) -> str:
    """The table of a question's tests, from their decorators and docstrings."""
    head = f"| Test | What it looks at | Points:&nbsp;{points(question):g} |"
    tests = graded_tests(question)
    rows = [f"| {test.number} | {test.label} | {test.points:g} |" for test in tests]
    return "\n".join([head, "|---|---|---:|", *rows]) + "\n"


def overview() -> str:
    """The table of the questions, with what students write, from the stubs, and the points."""
    rows = ["| Question | File in `starter/` | You write | Points |", "|---|---|---|---:|"]
    for question in QUESTIONS:
        number, title = question.number, question.title
        link = f"[{number} {title}](#question-{number}-{title.lower().replace(' ', '-')})"
        written = ", ".join(to_write(question.file))
        worth = f"{points(number):g}{' bonus' if question.bonus else ''}"
        rows.append(f"| {link} | `{question.file}` | {written} | {worth} |")
    rows.append(f"| | | | **{total():g}**{on_top(total(bonus=True))} |")
    return "\n".join(rows) + "\n"


def to_write(file: str) -> list[str]:
    """The functions of a stub that students complete."""
    found = []
    for node in ast.walk(ast.parse((ROOT / "starter" / file).read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef) and isinstance(node.body[-1], ast.Raise):
            whole = len(node.body) == 2  # but for the docstring
            found.append(f"`{node.name}`" if whole else f"the end of `{node.name}`")
    return found


def transcript(asked: str = "2") -> str:
    """What `make test Q=...` says to a student who forgot to prune at min nodes.

    Raises ValueError when it can't say that.
    """
    with tempfile.TemporaryDirectory() as folder:
        no_cut_at_min(Path(folder))
        done = subprocess.run(
            [sys.executable, "-m", "autograder", "test", "--question", asked, folder],
            cwd=ROOT,
            env={**os.environ, "NO_COLOR": "1", "COLUMNS": "80", "LINES": "40"},
            capture_output=True,
            text=True,
        )
    if done.returncode:
        raise ValueError(f"`make test Q={asked}` fails: is `make cases` due?\n{done.stdout}")
    return f"```text\n$ make test Q={asked}\n{done.stdout}```\n"


def no_cut_at_min(folder: Path) -> None:
    """Write the solution without the cut-off at min nodes."""
    for name in QUESTION_FILES:
        shutil.copy(ROOT / "solution" / name, folder)
    file = folder / "alphabeta.py"
    source = file.read_text(encoding="utf-8")
    wrong = re.sub(r" +if v <= alpha:\n +return .*\n", "", source)
    assert wrong != source, "the cut-off at min nodes was not found in the solution"
    file.write_text(wrong, encoding="utf-8")


def passage(name: str) -> str:
    """The generated passage of the handout with this name."""
    if name.startswith("points "):
        return table(name.removeprefix("points "))
    return {"questions": overview, "transcript": transcript}[name]()


def refreshed(text: str, made: Callable[[str], str] = passage) -> str:
    """The text with everything generated made anew."""
    return GENERATED.sub(lambda old: f"{old[1]}\n{made(old[2])}\n{old[3]}", text)


def without_what_is_off(text: str) -> str:
    """The text without the parts about questions that are switched off."""
    for question in OFF:
        text = re.sub(OF_A_QUESTION.format(question.number), "", text, flags=re.DOTALL)
    return text


def main() -> int:
    text = HANDOUT.read_text(encoding="utf-8")
    lacking = [q.number for q in QUESTIONS if f"<!-- generated: points {q.number} -->" not in text]
    try:
        if lacking:
            raise ValueError(f"handout.md has no table of points of question {lacking[0]}")
        new = refreshed(text)
    except ValueError as problem:
        print(f"nothing was written: {problem}", file=sys.stderr)
        return 2
    write_whole(HANDOUT, new)
    PICTURES.mkdir(exist_ok=True)
    for name, drawn in pictures().items():
        write_whole(PICTURES / name, drawn)
    print("written: handout.md, handout/")
    return 0


if __name__ == "__main__":
    sys.exit(main())
