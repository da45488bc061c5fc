"""What several self-tests share."""

import hashlib
import inspect
import os
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from filelock import FileLock
from hypothesis import settings

from autograder.author import release as release_module
from autograder.author.cases import write_cases
from autograder.author.grade_batch import Job
from autograder.author.graded_tests import best_score
from autograder.checks.student import Student
from autograder.questions import OFF, QUESTIONS, ROOT, ROWS, Question, question_of
from autograder.selftest.support.students import student_of

# `make check` leaves these to its children; a make that a test starts must not know of it.
for name in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS"):
    os.environ.pop(name, None)


# The same examples in each run, so that a failure can be repeated; more of them in check-all.
settings.register_profile("check", derandomize=True, max_examples=20, deadline=None)
settings.register_profile("check-all", derandomize=True, max_examples=200, deadline=None)
settings.load_profile("check")

SEED = "1000003"  # any but the public one


def built_once(place: Path, build: Callable[[Path], None]) -> Path:
    """Return a folder that one of several test processes builds while the others wait."""
    with FileLock(place.with_suffix(".lock")):
        if not place.exists():
            draft = Path(tempfile.mkdtemp(dir=place.parent))
            build(draft)
            draft.rename(place)
    return place


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that all test processes share."""
    own = tmp_path_factory.getbasetemp()
    return own.parent if "PYTEST_XDIST_WORKER" in os.environ else own


def first_cases(seed: int, folder: Path, public: bool) -> None:
    """Make the first question's cases; the others' are the public ones."""
    shutil.copytree(ROOT / "tests" / "cases", folder, dirs_exist_ok=True)
    write_cases(seed, folder, public, QUESTIONS[:1])


@pytest.fixture(scope="session")
def zips(shared: Path) -> Path:
    """A folder with a release: student.zip, autograder.zip and the seed they were made from.

    Only the first question's cases are secret, and nobody tries the zips out.
    """

    def build(folder: Path) -> None:
        (folder / "seed.txt").write_text(SEED)
        with pytest.MonkeyPatch.context() as patch:
            endings = {"test": "score: 0/1", "grade": best_score()}
            patch.setattr(release_module, "write_cases", first_cases)
            patch.setattr(release_module, "expect_no_placeholders", lambda: None)
            patch.setattr(release_module, "tried", lambda zip, which, *rest: endings[which])
            release_module.release(folder / "seed.txt", folder)

    return built_once(shared / "release", build)


@pytest.fixture(scope="session")
def secret_cases(shared: Path) -> Callable[[str], Path]:
    """Return a function that makes a folder with a question's cases that no student has seen."""

    def folder_of(question: str) -> Path:
        def build(folder: Path) -> None:
            write_cases(int(SEED), folder, False, [question_of(question)])

        return built_once(shared / f"secret-{question}", build)

    return folder_of


@pytest.fixture
def ask(request: pytest.FixtureRequest) -> Iterator[Student]:
    """A student whose expectiminimax.py is `request.param`."""
    with student_of({"expectiminimax.py": request.param.encode()}) as student:
        student.begin(60)
        yield student


# --- tests about one question ---------------------------------------------------------------------


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--about", metavar="N", help="leave out what is about other questions only")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Skip what is about a question that is off; choose what is about one question.

    A test is about the questions that it names: in its text, as a parameter, or by the marker
    `question` where neither shows it; that marker without a name stands for all questions. With
    --about all of these are run, and of those that name no question the quick ones.
    """
    chosen = config.getoption("--about")
    left = []
    for item in items if OFF or chosen else ():
        about = {row.number for row in ROWS if any(names(text, row) for text in said_by(item))}
        for row in OFF:
            if row.number in about:
                item.add_marker(pytest.mark.skip(reason=f"question {row.number} is off"))
        slow = item.get_closest_marker("slow") is not None
        if any(not mark.args for mark in item.iter_markers("question")):
            continue
        if chosen and chosen not in about and (about or slow):
            left.append(item)
    if left:
        gone = set(left)
        items[:] = [item for item in items if item not in gone]
        config.hook.pytest_deselected(items=left)


def said_by(item: pytest.Item) -> list[str]:
    """Return the texts of a test that may name a question."""
    said = [name for mark in item.iter_markers("question") for name in mark.args]
    if isinstance(item, pytest.Function):
        source = inspect.getsource(item.function)
        said.append(source[source.index("def ") :])
        said += map(text_of, item.callspec.params.values() if hasattr(item, "callspec") else ())
    return said


def text_of(value: object) -> str:
    """Return a parameter's text; of a job, which holds all files, what is graded of it."""
    if isinstance(value, Job) and value.question:
        return question_of(value.question).name
    return str(value)


def skip_unless_on(name: str) -> None:
    """Skip a whole module that is about one question if that is off."""
    if name in [row.name for row in OFF]:
        pytest.skip(f"question {name} is off", allow_module_level=True)


def names(text: str, row: Question) -> bool:
    """Does a text name the question: a test, its file, its search, or nothing but its name?"""
    words = [rf"\b{row.number}\.\d+", rf"\b{row.name}\.py", rf"\b{row.search}\b"]
    words += [f"^{row.name}$", f"[\"']{row.name}[\"']"]
    words += {"mcts": ["MCTS"], "cutoff": ["heuristic alpha-beta"]}.get(row.name, [])
    return re.search("|".join(words), text) is not None


# --- which tests were run -------------------------------------------------------------------------

COLLECTED: set[str] = set()  # node ids


def pytest_collection_finish(session: pytest.Session) -> None:
    COLLECTED.update(item.nodeid for item in session.items)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_node_collection_finished(ids: Sequence[str]) -> None:
    COLLECTED.update(ids)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say which tests these were, in a form that two runs can be compared by."""
    names = "\n".join(sorted(COLLECTED)).encode()
    mark = hashlib.sha256(names).hexdigest()[:12]
    terminalreporter.write_line(f"{len(COLLECTED)} tests, hash of their names: {mark}")
