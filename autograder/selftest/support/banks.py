"""The banks of submissions."""

import datetime
from collections.abc import Sequence
from pathlib import Path

from autograder.author.bank import SOLUTION, Entry, read_bank, read_entry, read_known_mistakes
from autograder.questions import QUESTION_FILES, ROOT
from autograder.selftest.support.packagings import PACKAGINGS, Packaging
from autograder.selftest.support.rewrites import make_rewritten_entries

BANKS = Path(__file__).resolve().parent.parent / "banks"
SOLUTION_FILES = {name: (SOLUTION / name).read_bytes() for name in QUESTION_FILES}
STUBS = {name: (ROOT / "starter" / name).read_bytes() for name in QUESTION_FILES}
SOLUTION_TEXTS = {name: content.decode() for name, content in SOLUTION_FILES.items()}


def change_solution(file: str, right: str, instead: str) -> str:
    """Return a question file of the solution with one change."""
    assert right in SOLUTION_TEXTS[file]
    return SOLUTION_TEXTS[file].replace(right, instead, 1)


def read_wrong_entries() -> list[Entry]:
    """Return the wrong submissions, the known mistakes among them."""
    entries = read_known_mistakes() + read_bank(BANKS / "wrong")
    return sorted(entries, key=lambda entry: (entry.question, entry.name))


def read_wrong_entry(name: str) -> Entry:
    return next(entry for entry in read_wrong_entries() if entry.name == name)


def read_right_entries() -> list[Entry]:
    return read_bank(BANKS / "right") + make_rewritten_entries()


def read_right_entry(name: str) -> Entry:
    return read_entry(BANKS / "right" / f"{name}.txt")


def read_shortcut_entries() -> list[Entry]:
    return read_bank(BANKS / "shortcuts")


def read_hostile_entries() -> list[Entry | Packaging]:
    return [*read_bank(BANKS / "hostile"), *PACKAGINGS]


def choose_tonight(entries: Sequence[Entry], count: int) -> list[Entry]:
    """Return that many of the entries: other ones each night, all after some nights."""
    first = datetime.date.today().toordinal() * count
    return [entries[(first + place) % len(entries)] for place in range(count)]
