"""Update the generated passages of README and docs: `make handout`."""

import contextlib
import io
import sys
import tempfile
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

from autograder.__main__ import PYTHON
from autograder.author.graded_tests import format_best_score, read_graded_tests, sum_points
from autograder.author.handout import refresh, render_transcript
from autograder.cohort.grading import grade_class
from autograder.feedback.report import PAPER, format_bonus, format_row, write_atomically
from autograder.feedback.results import Outcome, Result
from autograder.questions import QUESTIONS, ROOT
from autograder.selftest.support.banks import (
    read_hostile_entries,
    read_right_entries,
    read_shortcut_entries,
    read_wrong_entries,
)
from autograder.selftest.support.class_factory import LARGE_CLASS, write_class
from autograder.selftest.support.graded_class import use_fake_pool, use_fixed_pseudonyms
from autograder.selftest.support.mutants import LIST_FILE, make_all_mutants, read_reasons

DOCUMENTS = [ROOT / name for name in ("README.md", "docs/figures.md", "docs/instructor.md")]
MAX_ROWS = 5  # of the first question's tests, and of the last one's


def render_grading() -> str:
    """Return the beginning and the end of what `make grade` prints."""
    first, *_, last = (
        [
            format_row(Result(test.number, test.label, test.points, outcome=Outcome.PASSED))
            for test in read_graded_tests(question.number)
        ]
        for question in QUESTIONS
    )
    lines = ["grading solution", *first[:MAX_ROWS], "  ...", *last[-MAX_ROWS:], format_best_score()]
    return "\n".join(["```text", "$ make grade", *lines, "```"]) + "\n"


def render_figures() -> str:
    """Return a table of what the self-tests have shown."""
    wrong, mutants, tests = read_wrong_entries(), make_all_mutants(), read_graded_tests()
    worded = sum(bool(entry.says) for entry in wrong)
    reasons = read_reasons(LIST_FILE)
    listed = [reasons[mutant.name] for mutant in mutants if mutant.name in reasons]
    equivalent = sum(line.startswith("equivalent") for line in listed)
    return f"""\
| what | figure | shown by |
|---|---|---|
| graded tests, and their points | {len(tests)}, {sum_points():g}\
{format_bonus(sum_points(bonus=True))} |  |
| right submissions, written differently | {len(read_right_entries())}: all full marks | \
`make check-all` for a fifth of their files, `pytest -m nightly` |
| wrong submissions, one mistake each | {len(wrong)}: each loses the points of that mistake; \
{worded} have words for it | `make check-all`, `make matrix` |
| shortcuts, which do without the algorithm | {len(read_shortcut_entries())}: each scores what is \
right in it | `make check-all` |
| hostile submissions | {len(read_hostile_entries())}: none gains a point | `make check-all` |
| mutants of the solution | {len(mutants)}: {len(mutants) - len(listed)} lose points, \
{len(listed)} need not ({equivalent} equivalent, {len(listed) - equivalent} allowed by the \
contract), each listed with its reason | `make check-all` |
| chance that a right submission fails a randomised test | at most 1e-6 each, at the rates of wins \
measured each night | `pytest -m nightly` |
"""


def render_class_grading() -> str:
    """Return what `class grade` prints for a generated class, with a fake pool.

    Raises ValueError if it does not succeed.
    """
    output = io.StringIO()
    with (
        tempfile.TemporaryDirectory() as folder,
        use_fake_pool(),
        use_fixed_pseudonyms(),
        contextlib.redirect_stdout(output),
    ):
        write_class(Path(folder, "class.zip"), LARGE_CLASS)
        status = grade_class(Path(folder, "class.zip"), Path(folder, "graded"))
    if status:
        raise ValueError(f"`class grade` ends with {status}: {output.getvalue()}")
    lines = output.getvalue().replace(f"{folder}/", "").splitlines()
    wrapped = [textwrap.fill(line, PAPER.width, subsequent_indent="    ") for line in lines]
    command = f"$ {PYTHON} -m autograder class grade class.zip --out graded"
    return "\n".join(["```text", command, *wrapped, "```"]) + "\n"


PASSAGES: dict[str, Callable[[], Any]] = {
    "grading": render_grading,
    "transcript": lambda: render_transcript("2.3"),
    "figures": render_figures,
    "class grade": render_class_grading,
}


def main() -> int:
    try:
        new = {path: refresh(path.read_text(encoding="utf-8"), PASSAGES) for path in DOCUMENTS}
    except ValueError as problem:
        print(f"nothing was written: {problem}", file=sys.stderr)
        return 2
    for path, text in new.items():
        write_atomically(path, text)
    print(f"written: {', '.join(path.relative_to(ROOT).as_posix() for path in DOCUMENTS)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
