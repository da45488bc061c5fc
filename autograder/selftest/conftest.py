"""What several self-tests share."""

import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from autograder.author import release as release_module
from autograder.author.cases import make_cases
from autograder.author.graded import best_score
from autograder.questions import question_of
from autograder.selftest.sample import PROOF, QUESTION
from autograder.selftest.verdicts import TALLY, tally

# `make check` leaves these to its children; a make that a test starts must not know of it.
for name in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS"):
    os.environ.pop(name, None)


SEED = "1000003"  # any but the public one; always the same, so that verdicts can be kept


def built_once(place: Path, build: Callable[[Path], None]) -> Path:
    """Return a folder that one of several test processes builds while the others wait."""
    lock = place.with_suffix(".lock")
    while not place.exists():
        try:
            lock.touch(exist_ok=False)
        except FileExistsError:
            time.sleep(0.2)
            continue
        try:
            if not place.exists():
                draft = Path(tempfile.mkdtemp(dir=place.parent))
                build(draft)
                draft.rename(place)
        finally:
            lock.unlink()
    return place


@pytest.fixture(scope="session")
def zips(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a release: student.zip, autograder.zip and the seed they were made from.

    Only what tells students their mistake by name is not in it: that takes a minute to find out.
    That each zip is tried out is left to the proof.
    """
    several = "PYTEST_XDIST_WORKER" in os.environ
    own = tmp_path_factory.getbasetemp()

    def build(folder: Path) -> None:
        (folder / "seed.txt").write_text(SEED)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(release_module, "write_cases", make_cases)
            if not PROOF:
                endings = {"test": "score: 0/1", "grade": best_score()}
                patch.setattr(release_module, "tried", lambda zip, which, *rest: endings[which])
            release_module.release(folder / "seed.txt", folder)

    return built_once((own.parent if several else own) / "release", build)


# --- one question's tests, and where verdicts came from -------------------------------------------

BANKS = ("test_correct.py", "test_wrong.py", "test_lazy.py", "test_hostile.py", "test_mutants.py")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """With Q=2 only the banks are left, of which a sample is taken, and what names question 2."""
    if not QUESTION:
        return
    name = question_of(QUESTION).name
    kept = [item for item in items if item.path.name in BANKS or name in item.nodeid]
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = kept


def pytest_sessionfinish(session: pytest.Session) -> None:
    """One of several test processes tells the first one its counts."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["tally"] = dict(TALLY)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    TALLY.update(getattr(node, "workeroutput", {}).get("tally", {}))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if TALLY:
        terminalreporter.write_line(f"verdicts: {tally()}")
