"""The assignment as instructors may configure it: settings applied, released and tested.

The changes of CHANGES are combined so that each two of them occur together, each without the other,
and both not at all. Every combination goes through `make settings` and a release of the public
cases, and `make check` tests exactly what it tests with the shipped settings.
"""

import itertools
import os
from pathlib import Path
from typing import Any

import pytest

from autograder.questions import ROWS
from autograder.selftest.support.commands import run_python
from autograder.selftest.support.shipped_copy import copy_configured, copy_shipped
from autograder.settings import FILE, SHIPPED, Settings

RULES = "Our *own* rules, see the [code of conduct](https://university.example/honesty#ai):\n\n"
RULES += "- ü: nothing but Gradescope counts\n- there is no bonus, and no question 5"
CHANGES: dict[str, dict[str, Any]] = {
    "title": {"title": "Übung 3: Spiele & Bäume", "course": "CS 101, <autumn>"},
    "rules": {"rules": RULES},
    "C": {"C": 2.0},
    "no question 1": {"questions": {"minimax": "off"}},
    "no question 2": {"questions": {"alphabeta": "off"}},
    "no question 4": {"questions": {"mcts": "off"}},
    "question 5 graded": {"questions": {"expectiminimax": "graded"}},
    "no player": {"questions": {"player": "off"}},
    "2.8 and 4.1 hidden": {"tests": {"hidden": ["2.8", "4.1"]}},
    "question 3 later": {"tests": {"after_published": ["3"]}},
    "4.15 later": {"tests": {"after_due_date": ["4.15"]}},
    "little shown": {"tests": {"pass_fail_only": ["2.3", "5", "4.11"]}},
    "points": {"points": {"1.1": 4, "2.8": 0.5, "5.1": 3}},
    "dates": {"dates": {"due": "2027-03-05 23:59+01:00"}, "contact": "the forum"},
    "variant": {"variant": "2027-spring", "leaderboard": False},
    "students get all": {"students_get_hidden": True},
    "another platform": {"platform": {"name": "Our Autolab", "python": "3.12"}},
}
QUESTIONS = [row.number for row in ROWS]
ALONE: dict[str, dict[str, Any]] = {  # what can't be combined with most of these
    "no question 3": {"questions": {"cutoff": "off", "player": "off"}},
    "all later": {"tests": {"after_due_date": QUESTIONS}},
    "no bonus": {"questions": {"expectiminimax": "off", "player": "graded"}, "rules": RULES},
}
GRADED = 1  # the combination that is released as a whole: the solution and the stubs are graded

# Applies the settings, but makes no cases for another C, which takes a minute.
APPLY = """
from autograder.author import settings
settings.write_cases = lambda *args, **options: None
raise SystemExit(settings.main())
"""
# Builds a release of the public cases, because those of a seed take minutes.
RELEASE = """
import shutil, sys
from pathlib import Path
from autograder.author import release
from autograder.serving.case_files import FOLDER
release.write_cases = lambda seed, folder, public: shutil.copytree(FOLDER, folder, dirs_exist_ok=1)
if "untried" in sys.argv:
    release.try_zips = lambda contents: None
release.release(Path("seed.txt"), Path("dist"))
"""


def combine_changes() -> list[list[str]]:
    """Return lists of changes in which each pair occurs in all four ways.

    Each change is in four of the seven lists that follow an empty one, each in other four: so any
    two are together in one list at least (D. Kleitman, J. Spencer, "Families of k-independent
    sets", 1973).
    """
    lists: list[list[str]] = [[] for _ in range(8)]
    for name, places in zip(CHANGES, itertools.combinations(range(1, 8), 4)):
        for place in places:
            lists[place].append(name)
    return lists


def make_settings(*changes: dict[str, Any]) -> Settings:
    """Return the shipped settings with these changes, and with rules."""
    values: dict[str, Any] = {**vars(SHIPPED), "rules": "Our own rules."}
    for change in changes:
        for name, value in change.items():
            values[name] = {**values[name], **value} if isinstance(value, dict) else value
    return Settings(**values)


CONFIGURATIONS = {
    **{
        " + ".join(names) or "rules alone": make_settings(*map(CHANGES.__getitem__, names))
        for names in combine_changes()
    },
    **{name: make_settings(change) for name, change in ALONE.items()},
}


def run(project: Path, *command: str) -> str:
    env = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    done = run_python(*command, cwd=project, env=env)
    assert done.returncode == 0, f"{command}\n{done.stdout[-4000:]}\n{done.stderr[-4000:]}"
    assert "Traceback" not in done.stdout + done.stderr
    return done.stdout


def read_project(folder: Path) -> dict[str, bytes]:
    """Return the files of a copy by their path, but for what a grading leaves behind."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and not {"__pycache__", ".venv", "dist"} & set(path.parts)
        if path.suffix != ".pyc" and path.name not in ("results.html", FILE.name)
    }


@pytest.mark.slow
@pytest.mark.parametrize("index", range(len(CONFIGURATIONS)), ids=list(CONFIGURATIONS))
def test_configured_assignment_is_applied_and_released(tmp_path: Path, index: int) -> None:
    settings = list(CONFIGURATIONS.values())[index]
    project = copy_configured(tmp_path / "project", settings)
    said = run(project, "-c", APPLY)
    assert f"title: {settings.title}\n" in said
    run(project, "-c", RELEASE, *([] if index == GRADED else ["untried"]))
    (project / "seed.txt").unlink()
    tested = read_project(copy_shipped(tmp_path / "tested", project))
    shipped = read_project(copy_configured(tmp_path / "shipped", SHIPPED))
    assert [path for path in {**tested, **shipped} if tested.get(path) != shipped.get(path)] == []
