"""Fixtures and hooks that the self-tests share."""

import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from filelock import FileLock
from hypothesis import settings

from autograder.author import release as release_module
from autograder.author.cases import write_cases
from autograder.author.graded_tests import format_best_score
from autograder.checks.ask.student import Student
from autograder.questions import OFF, QUESTIONS, ROOT, find_question
from autograder.selftest.support.students import start_student
from autograder.submission import Submission
from autograder.worker.sandbox import Sandbox

# `make check` passes these to its children; a make that a test starts must not see them.
for name in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS"):
    os.environ.pop(name, None)


# The same examples in each run, so that a failure can be repeated; more of them in check-all.
settings.register_profile("check", derandomize=True, max_examples=20, deadline=None)
settings.register_profile("check-all", derandomize=True, max_examples=200, deadline=None)
settings.load_profile("check")

HERE = Path(__file__).resolve().parent
SEED = "1000003"  # any but the public one


def build_once(place: Path, build: Callable[[Path], None]) -> Path:
    """Return a folder that one test process builds while the others wait."""
    with FileLock(place.with_suffix(".lock")):
        if not place.exists():
            draft = Path(tempfile.mkdtemp(dir=place.parent))
            build(draft)
            draft.rename(place)
    return place


@pytest.fixture(scope="session")
def shared_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder that all test processes share."""
    own = tmp_path_factory.getbasetemp()
    return own.parent if "PYTEST_XDIST_WORKER" in os.environ else own


def write_first_cases(seed: int, folder: Path, public: bool) -> None:
    """Make new cases for the first question; copy the public cases of the others."""
    shutil.copytree(ROOT / "tests" / "cases", folder, dirs_exist_ok=True)
    write_cases(seed, folder, public, QUESTIONS[:1])


@pytest.fixture(scope="session")
def zips(shared_folder: Path) -> Path:
    """Return a folder with a release: student.zip, autograder.zip and their seed.

    Only the first question's cases are secret, and the zips are not tried out.
    """

    def build(folder: Path) -> None:
        (folder / "seed.txt").write_text(SEED)
        with pytest.MonkeyPatch.context() as patch:
            endings = {"test": "score: 0/1", "grade": format_best_score()}
            patch.setattr(release_module, "write_cases", write_first_cases)
            patch.setattr(release_module, "expect_no_placeholders", lambda: None)
            patch.setattr(release_module, "try_zip", lambda zip, which, *rest: endings[which])
            release_module.release(folder / "seed.txt", folder)

    return build_once(shared_folder / "release", build)


@pytest.fixture
def student_folder(zips: Path, tmp_path: Path) -> Path:
    """Unpack student.zip in an empty folder; return the one folder that it makes."""
    shutil.unpack_archive(zips / "student.zip", tmp_path / "work")
    (folder,) = (tmp_path / "work").iterdir()
    return folder


@pytest.fixture(scope="session")
def make_secret_cases(shared_folder: Path) -> Callable[[str], Path]:
    """Return a function that makes a folder with secret cases of a question."""

    def make_folder(question: str) -> Path:
        def build(folder: Path) -> None:
            write_cases(int(SEED), folder, False, [find_question(question)])

        return build_once(shared_folder / f"secret-{question}", build)

    return make_folder


@pytest.fixture
def separate_user() -> None:
    """Skip the test where workers can't run as a separate user."""
    sandbox = Sandbox(Submission())
    sandbox.prepare()
    sandbox.remove()
    if sandbox.user is None:
        pytest.skip("workers run as a separate user only for root, with files that all may read")


@pytest.fixture
def student(request: pytest.FixtureRequest) -> Iterator[Student]:
    """Yield a student whose expectiminimax.py is `request.param`."""
    with start_student({"expectiminimax.py": request.param.encode()}) as student:
        student.begin(60)
        yield student


# --- questions that are off ----------------------------------------------------------------------

# Most tests use these as examples. With one of them off, only the files below are run, which hold
# for any settings; with another question off, all tests but those that need it.
EXAMPLES = {"minimax", "alphabeta", "cutoff"}
FOR_ANY_SETTINGS = (
    *("core/test_cases.py", "core/test_settings.py", "core/test_stubs.py", "core/test_submit.py"),
    *("core/test_bonus.py", "feedback/test_page.py", "feedback/test_handout.py"),
    *("release/test_release.py", "lab/test_lab.py", "lab/test_lab_watch.py"),
)


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    name = collection_path.relative_to(HERE).as_posix()
    without = not EXAMPLES.isdisjoint(row.name for row in OFF)
    return True if without and collection_path.is_file() and name not in FOR_ANY_SETTINGS else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip tests of a question that is off, by parameter: [4.1], [4] or [mcts_...]."""
    for item in items:
        parameters = item.name.partition("[")[2]
        for row in OFF:
            if parameters.startswith((f"{row.number}.", f"{row.number}]", row.name)):
                item.add_marker(pytest.mark.skip(reason=f"question {row.number} is off"))


# --- which tests were run -------------------------------------------------------------------------

COLLECTED: set[str] = set()  # node ids


def pytest_collection_finish(session: pytest.Session) -> None:
    COLLECTED.update(item.nodeid for item in session.items)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_node_collection_finished(ids: Sequence[str]) -> None:
    COLLECTED.update(ids)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print a hash of the names of the tests, so that two runs can be compared."""
    names = "\n".join(sorted(COLLECTED)).encode()
    mark = hashlib.sha256(names).hexdigest()[:12]
    terminalreporter.write_line(f"{len(COLLECTED)} tests, hash of their names: {mark}")
