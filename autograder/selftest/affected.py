"""Says which self-tests hold what was just changed, and runs them: `make affected`.

A self-test holds a module that it imports, at once or in the end, and the data that these modules
read. What bears a question's name is held by that question's tests, as `make check Q=2` runs them.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Collection
from functools import cache
from pathlib import Path

from autograder.questions import QUESTIONS, ROOT, Question
from autograder.selftest.__main__ import run
from autograder.selftest.imports import imported_by
from autograder.selftest.sample import changed_files

HERE = Path(__file__).resolve().parent
# By module, the data that it reads.
DATA = {
    "autograder/author/solved/__init__.py": ("autograder/author/solved/*.txt",),
    "autograder/author/preferences/__init__.py": ("autograder/author/preferences/*.txt",),
    "autograder/author/handout.py": ("handout.md", "handout/*"),
    "autograder/author/release.py": ("autograder/author/student/*", "autograder/gradescope/*"),
    "autograder/author/stubs.py": ("solution/*.py", "starter/*.py"),
    "autograder/author/wrong_bank.py": ("autograder/author/wrong/*",),
    "autograder/grade.py": ("autograder/*.ini", "autograder/inside/*.py", "tests/cases/*.json"),
    "autograder/selftest/expectations.py": ("autograder/selftest/wordings.txt",),
    "autograder/selftest/hostile/__main__.py": ("autograder/selftest/hostile/attacks/*",),
    "autograder/selftest/lazy_bank.py": ("autograder/selftest/lazy/*/*",),
    "autograder/selftest/mutants.py": ("autograder/selftest/allowed_mutants.txt", "solution/*.py"),
    "autograder/classes/cluster.py": ("autograder/classes/dask.yaml",),
    "autograder/classes/tournament.py": ("autograder/classes/anchors/*.py",),
    "autograder/selftest/readme.py": ("README.md", "docs/*.md", "**/figures.json"),
    "autograder/selftest/test_faults.py": ("autograder/selftest/results.schema.json",),
    "autograder/selftest/test_gradescope.py": ("autograder/selftest/results.schema.json",),
    "autograder/selftest/test_correct.py": ("autograder/selftest/correct/*/*",),
    "autograder/selftest/test_handout.py": ("handout.md", "handout/*"),
    "lab/app.py": ("lab/*.css",),
    "lab/widgets.py": ("lab/*.js",),
}
# Of these, what a self-test starts as a command is imported too.
COMMANDS = ("autograder", "lab", "bench")


def started_by(test: Path) -> set[Path]:
    """Return the main modules of what a self-test starts, and what builds its zips."""
    text = test.read_text(encoding="utf-8")
    mains = {ROOT / name / "__main__.py" for name in COMMANDS if f'"-m", "{name}"' in text}
    if test.name.startswith("test_lab"):  # the page, and the processes that work for it
        mains |= {ROOT / "lab" / name for name in ("__main__.py", "app.py", "worker.py")}
    return mains | {path for path in [HERE / "conftest.py"] if "zips" in text}


def question_named_by(path: Path) -> Question | None:
    """Return the question that a file of the project belongs to by its name."""
    own = [row for row in QUESTIONS if row.owns(path)]
    elsewhere = path.is_relative_to(HERE) or path.is_relative_to(ROOT / "lab")
    return own[0] if own and not elsewhere else None


@cache
def held_by(test: Path) -> frozenset[Path]:
    """Return all files that a self-test holds."""
    modules = imported_by([test, *started_by(test)])
    held = set(modules)
    for module in modules:
        for pattern in DATA.get(module.relative_to(ROOT).as_posix(), ()):
            held |= {path for path in ROOT.glob(pattern) if not question_named_by(path)}
    return frozenset(held)


def affected(changed: Collection[Path]) -> tuple[dict[Path, list[Path]], list[Question]]:
    """Return the self-tests that hold what was changed, each with what it is, and the questions."""
    questions = {row for path in changed if (row := question_named_by(path))}
    shared = {path for path in changed if not question_named_by(path)}
    tests = {test: sorted(held_by(test) & shared) for test in sorted(HERE.glob("test_*.py"))}
    return {test: held for test, held in tests.items() if held}, sorted(questions)


def main() -> int:
    changed = changed_files()
    tests, questions = affected(changed)
    for test, held in tests.items():
        names = ", ".join(path.relative_to(ROOT).as_posix() for path in held)
        print(f"{test.name} holds {names}")
    for row in questions:
        print(f"the tests of question {row.number} hold what is called {row.name}")
    seen = {path for held in tests.values() for path in held}
    for path in sorted(changed - seen):
        if not question_named_by(path):
            print(f"no self-test holds {path.relative_to(ROOT).as_posix()}")
    pytest = [sys.executable, "-m", "pytest", "-q", "-n", "2", "--dist", "loadfile"]
    good = []
    if tests:
        good.append(run("tests", *pytest, *map(str, tests)))
    for row in questions:
        os.environ["QUESTION"] = row.number
        good.append(run(f"question {row.number}", *pytest))
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
