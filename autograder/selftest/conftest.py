"""Fixtures and hooks that the self-tests share."""

import json
import os
import shutil
import tempfile
from collections.abc import Callable, Collection, Iterator
from pathlib import Path

import pytest
from filelock import FileLock
from hypothesis import settings

from autograder.author import release as release_module
from autograder.author.cases import format_json, make_test_cases
from autograder.commands import TYPED
from autograder.questions import ROOT, find_question
from autograder.settings import FILE, SETTINGS, SHIPPED
from autograder.submission import Submission
from autograder.worker.sandbox import Sandbox

# `make check` passes these to its children; a make that a test starts must not see them.
for name in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS"):
    os.environ.pop(name, None)
os.environ[TYPED] = "make"  # as most users; a test says so if it is about another
os.environ.setdefault("HOME", tempfile.gettempdir())  # altair wants one, which some users lack

# The same examples in each run, so that a failure can be repeated; more of them in check-all.
settings.register_profile("check", derandomize=True, max_examples=20, deadline=None)
settings.register_profile("check-all", derandomize=True, max_examples=200, deadline=None)
settings.load_profile("check")

SEED = "1000003"  # any but the public one


def pytest_configure() -> None:
    """Refuse to test the project with other settings: `make check` copies and resets it."""
    if SETTINGS != SHIPPED:
        pytest.exit(f"{FILE.name} is not as shipped: run these tests by `make check`", 4)


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


def write_new_cases(
    seed: int, folder: Path, public: bool, numbers: tuple[str, ...] = ("1.1",)
) -> None:
    """Make new cases for these tests; copy the public cases of the others."""
    shutil.copytree(ROOT / "tests" / "cases", folder, dirs_exist_ok=True)
    for number in numbers:
        file = folder / f"{find_question(number).name}.json"
        content = json.loads(file.read_bytes())
        content["public"] = public
        for part, data in make_test_cases(number, seed, public).items():
            content[part][number] = data
        file.write_text(format_json(content) + "\n", encoding="utf-8")


def build_release(folder: Path, platforms: Collection[str] = ()) -> None:
    """Build a release in which only the first test's cases are secret; the zips are not tried."""
    (folder / "seed.txt").write_text(SEED)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(release_module, "write_cases", write_new_cases)
        patch.setattr(release_module, "expect_no_placeholders", lambda: None)
        patch.setattr(release_module, "try_zips", lambda zips: None)
        release_module.release(folder / "seed.txt", folder, platforms)


@pytest.fixture(scope="session")
def zips(shared_folder: Path) -> Path:
    """Return a folder with a release: student.zip, autograder.zip and their seed."""
    return build_once(shared_folder / "release", build_release)


@pytest.fixture(scope="session", autouse=True)
def keep_results_of_the_user(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Write elsewhere the page that `make test` and `make submit` leave in the project."""
    folder = tmp_path_factory.mktemp("results")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("autograder.command_line.PAGE", folder / "results.html")
        yield


@pytest.fixture
def student_folder(zips: Path, tmp_path: Path) -> Path:
    """Unpack student.zip in an empty folder; return the one folder that it makes."""
    shutil.unpack_archive(zips / "student.zip", tmp_path / "work")
    (folder,) = (tmp_path / "work").iterdir()
    return folder


@pytest.fixture
def separate_user() -> None:
    """Skip the test where workers can't run as a separate user."""
    sandbox = Sandbox(Submission())
    sandbox.prepare()
    sandbox.remove()
    if sandbox.user is None:
        pytest.skip("workers run as a separate user only for root, with files that all may read")
