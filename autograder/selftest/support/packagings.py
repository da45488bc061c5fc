"""Submissions whose folder or zip is the attack.

Each function builds one below the given folder and returns its path; its docstring says what is in
it. `PACKAGINGS` lists them, with the source of the honest score.
"""

import os
import struct
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from autograder.author.platforms import write_files
from autograder.author.release import pack_files
from autograder.questions import QUESTION_FILES, ROOT


class Packaging(NamedTuple):
    build: Callable[[Path], Path]
    question: str = "1.1"  # "" for all
    honest: str = "starter"  # or "solution" or, where nothing can be graded, "nothing"

    @property
    def name(self) -> str:
        return self.build.__name__

    def get(self, head: str) -> str:
        """Return the value of a head line that an entry of the bank would have."""
        return self.question if head == "tests" else ""


def copy_question_files(folder: Path, which: str = "starter") -> Path:
    """Lay the question files of starter/ or solution/ into a new folder."""
    place = folder / "submission"
    write_files(place, read_question_files(which))
    return place


def the_solution_afterwards(folder: Path) -> Path:
    """Build no attack: an earlier submission may have left something behind."""
    return copy_question_files(folder, "solution")


SOLUTION = Packaging(the_solution_afterwards, "", "solution")


def write_submission_zip(folder: Path, entries: dict[str, bytes]) -> Path:
    place = folder / "submission.zip"
    place.write_bytes(pack_files(entries))
    return place


def read_question_files(which: str) -> dict[str, bytes]:
    return {name: (ROOT / which / name).read_bytes() for name in QUESTION_FILES}


CONFTEST = b"""
import pytest


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem):
    return True


def pytest_sessionfinish(session, exitstatus):
    session.exitstatus = 0
"""


def files_beside_the_question_files(folder: Path) -> Path:
    """Build files that take over pytest, Python's modules or the provided ones, and links.

    Some names have terminal escapes, line ends, HTML and bytes outside UTF-8.
    """
    place = copy_question_files(folder)
    module = "import sys; asked = sys.modules['autograder.worker.inside.request']\n"
    module += "asked.pair = lambda *args: {'value': 3, 'move': 0}\n"
    (place / "starter" / "games").mkdir(parents=True)
    (place / "tests").symlink_to(ROOT / "tests")
    (place / "cases").symlink_to(ROOT / "tests" / "cases")
    for inner in (place, place / "starter"):
        (inner / "conftest.py").write_bytes(CONFTEST)
        for name in ("numpy", "random", "json", "worker", "autograder", "confine", "sitecustomize"):
            (inner / f"{name}.py").write_text(module)
    for name in ("games.py", "games/__init__.py", "players.py", "__init__.py"):
        (place / "starter" / name).write_text("import os; os._exit(0)\n")
    for name in ("pytest.ini", "tox.ini"):
        (place / name).write_text("[pytest]\naddopts = --collect-only\npython_files = nothing\n")
    (place / "pyproject.toml").write_text("[tool.pytest.ini_options]\naddopts = '--collect-only'\n")
    for odd in (b"\x1b[2Jscore: 100\n<b>", b"\xff\xfe", b"\xe2\x80\xaescore"):
        (place / os.fsdecode(odd)).mkdir()
        (place / os.fsdecode(odd) / "minimax.py").touch()
    (place / "start.pth").write_text("import os; os._exit(0)\n")
    (place / "minimax.so").write_bytes(b"\x7fELF")
    return place


def zip_with_paths_upwards(folder: Path) -> Path:
    """Build a zip with ../ and absolute paths, over the tests and the question files."""
    entries = read_question_files("starter")
    for name in ("../../tests/test_1_minimax.py", "../minimax.py", "/tmp/hostile-left-zip.py"):
        entries[name] = b"import os; os._exit(0)\n"
    entries["starter/../../minimax.py"] = b"import os; os._exit(0)\n"
    return write_submission_zip(folder, entries)


def zip_bomb(folder: Path) -> Path:
    """Build a zip whose minimax.py unpacks to 40 MB."""
    entries = read_question_files("starter")
    entries["minimax.py"] = bytes(40_000_000)
    return write_submission_zip(folder, entries)


def zip_of_many(folder: Path) -> Path:
    """Build a zip that lists 200,000 files and holds none."""
    record = struct.pack("<4s6H3L5H2L", b"PK\1\2", 20, 20, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0)
    listing = (record + b"a") * 200_000
    end = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 65535, 65535, len(listing), 0, 0)
    place = folder / "submission.zip"
    place.write_bytes(listing + end)
    return place


def folder_of_many(folder: Path) -> Path:
    """Build a folder with 3,000 other files, and with folders nested 50 deep."""
    place = copy_question_files(folder, "solution")
    deep = place / "zzz"
    for _ in range(50):
        deep = deep / "zzz"
    deep.mkdir(parents=True)
    for number in range(3000):
        (place / "zzz" / f"{number}.txt").touch()
    return place


def files_that_are_none(folder: Path) -> Path:
    """Build question files that are a link, a named pipe, a device, and 2 GB without a block."""
    place = copy_question_files(folder)
    link, pipe, device, sparse = (place / name for name in QUESTION_FILES[:4])
    for file in (link, pipe, device):
        file.unlink()
    link.symlink_to(ROOT / "solution" / link.name)
    os.mkfifo(pipe)
    try:
        os.mknod(device, 0o20644, os.makedev(1, 5))  # it never ends
    except OSError:
        os.mkfifo(device)
    os.truncate(sparse, 2 << 30)
    return place


def source_that_crashes(folder: Path) -> Path:
    """Build source that is hard to compile: null bytes, deep nesting, a long line."""
    place = copy_question_files(folder)
    (place / "minimax.py").write_bytes(b"x = " + b"(" * 70_000 + b")" * 70_000)
    (place / "alphabeta.py").write_bytes(b"\x00\xff")
    (place / "mcts.py").write_bytes(b"x = " + b"-" * 150_000 + b"1")
    return place


PACKAGINGS = [
    Packaging(files_beside_the_question_files),
    Packaging(zip_with_paths_upwards),
    Packaging(zip_bomb),
    Packaging(zip_of_many, honest="nothing"),
    Packaging(folder_of_many, honest="solution"),
    Packaging(files_that_are_none),
    Packaging(source_that_crashes),
]
