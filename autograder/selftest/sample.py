"""How much of the project's own tests is run: a part in `make check`, everything in `make proof`.

What takes long is left to the proof; of each bank the check takes a sample, another one with each
commit, so that a mistake in a part that was not looked at today shows within days.
"""

import os
import random
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
PROOF = os.environ.get("PROOF") == "1"
only_in_proof = pytest.mark.skipif(not PROOF, reason="takes long: make proof runs it")
# Of each bank, how many entries make check takes.
SIZES = {"right": 14, "wrong": 24, "lazy": 8, "hostile": 12, "mutants": 30}

Entry = TypeVar("Entry")


def leave_to_the_proof() -> None:
    """Skip the tests that need a fixture, unless this is a proof."""
    if not PROOF:
        pytest.skip("takes long: make proof runs it")


def commit() -> str:
    """Return the name of the last commit, "" outside of git."""
    command = ["git", "rev-parse", "HEAD"]
    try:
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True).stdout.strip()
    except OSError:
        return ""


def sample(bank: str, entries: Sequence[Entry]) -> list[Entry]:
    """Return all entries of a bank in a proof, else a sample that depends on the commit alone."""
    if PROOF:
        return list(entries)
    places = random.Random(f"{bank} {commit()}").sample(range(len(entries)), SIZES[bank])
    return [entries[place] for place in sorted(places)]
