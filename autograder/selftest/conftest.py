"""What several self-tests share."""

import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock

from autograder.author import release as release_module
from autograder.author.cases import make_cases, make_cases_of
from autograder.author.graded import best_score
from autograder.questions import QUESTIONS, ROOT, question_of
from autograder.sandbox import Sandbox
from autograder.selftest.sample import (
    CHECK,
    PARTS,
    PROOF,
    QUESTION,
    SAMPLES,
    in_this_part,
    its_turn,
)
from autograder.selftest.verdicts import TALLY, tally
from autograder.student import Student
from autograder.submission import Submission

# `make check` leaves these to its children; a make that a test starts must not know of it.
for name in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS"):
    os.environ.pop(name, None)


SEED = "1000003"  # any but the public one; always the same, so that verdicts can be kept


def built_once(place: Path, build: Callable[[Path], None]) -> Path:
    """Return a folder that one of several test processes builds while the others wait."""
    with FileLock(place.with_suffix(".lock")):
        if not place.exists():
            draft = Path(tempfile.mkdtemp(dir=place.parent))
            build(draft)
            draft.rename(place)
    return place


def first_cases(seed: int, folder: Path, public: bool) -> None:
    """Make the first question's cases; the others' are the public ones."""
    shutil.copytree(ROOT / "tests" / "cases", folder, dirs_exist_ok=True)
    make_cases_of(QUESTIONS[0], seed, folder, public)


@pytest.fixture(scope="session")
def zips(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a release: student.zip, autograder.zip and the seed they were made from.

    Only what tells students their mistake by name is not in it: that takes a minute to find out.
    Secret cases of all questions, and that each zip is tried out, are left to the proof.
    """
    several = "PYTEST_XDIST_WORKER" in os.environ
    own = tmp_path_factory.getbasetemp()

    def build(folder: Path) -> None:
        (folder / "seed.txt").write_text(SEED)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(release_module, "write_cases", make_cases if PROOF else first_cases)
            if not PROOF:
                endings = {"test": "score: 0/1", "grade": best_score()}
                patch.setattr(release_module, "tried", lambda zip, which, *rest: endings[which])
            release_module.release(folder / "seed.txt", folder)

    return built_once((own.parent if several else own) / "release", build)


@pytest.fixture
def ask(request: pytest.FixtureRequest) -> Iterator[Student]:
    """Whoever has written `request.param` as expectiminimax.py."""
    submission = Submission({"expectiminimax.py": request.param.encode()})
    sandbox = Sandbox(submission)
    student = Student(submission, sandbox)
    student.begin(60)
    yield student
    student.end()
    sandbox.remove()


# --- which tests are run, and where verdicts came from --------------------------------------------

BANKS = (
    "test_correct.py",
    "test_wrong.py",
    "test_lazy.py",
    "test_hostile.py",
    "test_mutants.py",
    "test_lab_banks.py",
    "::test_message_",
)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """The check has some of the tests that take seconds. With Q=2 only the banks are left, of which
    a sample is taken, and what names question 2.

    A proof in parts has the banks, and some files of what the check has left to it.
    """
    kept, others = list[pytest.Item](), list[pytest.Item]()
    for item in items:
        named = any(part in item.nodeid for part in BANKS)
        left = item.get_closest_marker("only_in_proof") is not None
        takes_turns = item.get_closest_marker("by_turns") is not None
        if QUESTION:
            wanted = named or question_of(QUESTION).name in item.nodeid
        elif PARTS > 1:
            left_out = left or (takes_turns and not its_turn(item))
            wanted = named or (left_out and in_this_part(item.path.stem))
        else:
            wanted = not (CHECK and takes_turns) or its_turn(item)
        (kept if wanted else others).append(item)
        if left and not PROOF:
            item.add_marker(pytest.mark.skip(reason="takes long: make proof runs it"))
    if CHECK:
        taken = [item for item in kept if item.get_closest_marker("by_turns")]
        turns = Counter(item.name.partition("[")[0] for item in taken)
        SAMPLES["tests that take seconds"] = [f"{name} ({n})" for name, n in turns.items()]
    config.hook.pytest_deselected(items=others)
    items[:] = kept


def pytest_sessionfinish(session: pytest.Session) -> None:
    """One of several test processes tells the first one its counts, and the sample that it drew."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput |= {"tally": dict(TALLY), "taken": SAMPLES}


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    told = getattr(node, "workeroutput", {})
    TALLY.update(told.get("tally", {}))
    SAMPLES.update(told.get("taken", {}))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for bank, names in SAMPLES.items():
        terminalreporter.write_line(f"of the {bank}: {'; '.join(names)}")
    if TALLY:
        terminalreporter.write_line(f"verdicts: {tally()}")
