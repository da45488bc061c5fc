"""The assignment as instructors may configure it: applied, graded and released.

Each configuration runs the project's own tests that depend on what it changes. The solution is
graded where it changes what is graded; elsewhere its points are those of the first configuration.
"""

import dataclasses
import os
import re
import shutil
import zipfile
from pathlib import Path
from typing import NamedTuple

import pytest

from autograder.author.settings import format_settings
from autograder.feedback.report import format_score_line
from autograder.grading.pytest_plugin import WEIGHT
from autograder.questions import ROOT, ROWS
from autograder.selftest.conftest import FOR_ANY_SETTINGS
from autograder.selftest.support.commands import run_python
from autograder.settings import LISTS, ROLES, Settings

GRADED = "1234"  # the other questions are a bonus
ALL = {row.name: "graded" if row.number in GRADED else "bonus" for row in ROWS}
NO_BONUS = {name: "off" if role == "bonus" else role for name, role in ALL.items()}
EVERYTHING = Settings(
    title="Adversarial search",
    course="",
    rules="Our own rules.",
    C=1.4,
    questions=ALL,
    tests={name: [] for name in LISTS},
    students_get_hidden=False,
    platform={"deadline_s": 480},
)
HERE = "autograder/selftest"


class Configuration(NamedTuple):
    """A configuration, and how it is checked.

    graded: the solution is graded with both zips, and the stubs, as a release does
    tests: the project's own tests that depend on this configuration
    """

    settings: Settings
    graded: bool
    tests: tuple[str, ...]


def configured(**changes: object) -> Settings:
    return dataclasses.replace(EVERYTHING, **changes)  # type: ignore[arg-type]


CONFIGURATIONS = {
    "all": Configuration(EVERYTHING, False, ()),
    "no question 4, no bonus": Configuration(
        configured(questions=NO_BONUS | {"mcts": "off"}),
        True,
        FOR_ANY_SETTINGS,
    ),
    "no question 1": Configuration(
        configured(questions=ALL | {"minimax": "off"}), False, ("feedback/test_handout.py",)
    ),
    "no question 2": Configuration(
        configured(questions=ALL | {"alphabeta": "off"}), True, ("feedback/test_handout.py",)
    ),
    "no question 3, no player": Configuration(
        configured(questions=ALL | {"cutoff": "off", "player": "off"}),
        False,
        ("feedback/test_handout.py", "core/test_stubs.py", "core/test_submit.py"),
    ),
    "another course, C and tests": Configuration(
        configured(
            title="Games & search",
            course="CS 101, autumn",
            C=2**0.5,
            tests=EVERYTHING.tests
            | {"after_due_date": ["4.11"], "hidden": ["1.2"], "pass_fail_only": ["2", "3"]},
        ),
        True,
        ("core/test_stubs.py", "feedback/test_handout.py", "release/test_release.py"),
    ),
}

# Applies the settings. It makes no new public cases for another C, which take a minute: the
# existing cases name their own C.
APPLY = """
from autograder.author import settings
settings.write_cases = lambda *args, **options: None
raise SystemExit(settings.main())
"""
# Builds a release of the public cases, because those of a seed take minutes; with "untried" as a
# second argument the zips are not tried out.
RELEASE = """
import shutil, sys
from pathlib import Path
from autograder.author import release
from autograder.serving.case_files import FOLDER
def write_cases(seed, folder, public):
    shutil.copytree(FOLDER, folder, dirs_exist_ok=True)
release.write_cases = write_cases
if "untried" in sys.argv:
    endings = {"test": "score: 0/1", "grade": release.format_best_score()}
    release.try_zip = lambda zip, which, *rest: endings[which]
release.release(Path("seed.txt"), Path("dist"))
print(release.format_best_score())
"""


def run(project: Path, *command: str) -> str:
    env = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    done = run_python(*command, cwd=project, env=env)
    assert done.returncode == 0, f"{command}\n{done.stdout[-4000:]}\n{done.stderr[-4000:]}"
    assert "Traceback" not in done.stdout + done.stderr
    return done.stdout


def best_score(settings: Settings) -> str:
    """Return the solution's score, from the weights of the graded tests."""
    points = dict.fromkeys(ROLES, 0.0)
    for row in ROWS:
        source = (ROOT / "tests" / f"test_{row.number}_{row.name}.py").read_text(encoding="utf-8")
        points[settings.questions[row.name]] += sum(map(float, WEIGHT.findall(source)))
    return format_score_line(points["graded"], points["graded"], points["bonus"])


@pytest.mark.slow
@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_configured_assignment_is_applied_and_released(tmp_path: Path, name: str) -> None:
    settings, graded, tests = CONFIGURATIONS[name]
    project = tmp_path / "project"
    shutil.copytree(ROOT, project, ignore=shutil.ignore_patterns(".*", "__pycache__", "dist"))
    (project / "assignment.toml").write_text(format_settings(settings), encoding="utf-8")
    said = run(project, "-c", APPLY)
    run(project, "-m", "autograder.selftest.support.readme")
    assert f"title:                    {settings.title}" in said
    tried = [] if graded else ["untried"]
    assert run(project, "-c", RELEASE, *tried).splitlines()[-1] == best_score(settings)
    expect_no_leftovers(project / "dist", settings)
    if tests:
        run(
            project,
            *("-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "not slow and not nightly"),
            *("-k", "not generated_documents"),  # `make settings` leaves README.md and docs/
            *(f"{HERE}/{file}" for file in tests),
        )


def expect_no_leftovers(dist: Path, settings: Settings) -> None:
    """Expect the students' zip to follow the settings, without what is off."""
    with zipfile.ZipFile(dist / "student.zip") as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    (top,) = {name.split("/")[0] for name in files}
    assert top == "-".join(re.findall("[a-z0-9]+", settings.title.lower()))
    handout = files[f"{top}/handout.md"].decode()
    for text in (handout, files[f"{top}/README.md"].decode()):
        assert f"\n# {settings.title}\n" in f"\n{text}"
        assert settings.course in text
    assert settings.rules in handout and "instructor:" not in handout
    off = [row for row in ROWS if settings.questions[row.name] == "off"]
    for row in off:
        assert not [name for name in files if row.owns(Path(name)) and "autograder/" not in name]
        for word in (
            row.file,
            f"starter.{row.name}",
            rf"[Qq]uestions? ([\d, ]|and|or)*{row.number}",
        ):
            assert not re.search(rf"\b{word}\b", handout), word
    assert ("MCTS" in handout) == (settings.questions["mcts"] != "off")
    assert ("bonus" in handout) == ("bonus" in settings.questions.values())
    stub = files.get(f"{top}/starter/mcts.py", b"").decode()
    assert not stub or f"C: float = {settings.C}" in stub
    hidden = [number for name in LISTS[:3] for number in settings.tests[name]]
    for number in hidden:
        assert not [name for name, file in files.items() if f'"{number}"'.encode() in file]
    if hidden or settings.tests["pass_fail_only"]:
        assert "you do not have them" in handout or "you see only whether it passes" in handout
