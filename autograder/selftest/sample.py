"""How much of the project's own tests is run: a part in `make check`, everything in `make proof`.

What takes long is left to the proof; of each bank, and of the tests that take seconds, the check
takes a sample, another one with each commit, so that a mistake in a part that was not looked at
today shows within days. What was changed since the last commit is always in it. With Q=2 it is
about question 2 only. A proof in parts goes on where the check ends, and takes one part, likewise,
of each bank, of the files whose tests the check leaves out, and of the other Pythons.
"""

import os
import random
import subprocess
import zlib
from collections.abc import Callable, Collection, Sequence
from functools import cache
from pathlib import Path
from typing import TypeVar

import pytest

from autograder.questions import ROOT

PROOF = os.environ.get("PROOF") == "1"
PARTS = int(os.environ.get("PARTS") or 1)  # a proof takes one part of so many
QUESTION = os.environ.get("QUESTION", "")
CHECK = os.environ.get("CHECK") == "1"  # of all questions
only_in_proof = pytest.mark.only_in_proof
by_turns = pytest.mark.by_turns
# Of each bank, how many entries make check takes, and how many of one question.
SIZES = {"right": 1, "wrong": 2, "lazy": 1, "hostile": 2, "mutants": 3, "messages": 6}
SIZES |= {"watched right": 3, "watched wrong": 6}
OF_QUESTION = {"right": 2, "wrong": 5, "lazy": 1, "hostile": 1, "mutants": 5, "messages": 9}
OF_QUESTION |= {"watched right": 2, "watched wrong": 3}

Entry = TypeVar("Entry")
SAMPLES: dict[str, list[str]] = {}  # of each bank, the entries in this run's sample


def said_by_git(*command: str) -> str:
    """Return what git says of this repository, "" outside of one."""
    try:
        return subprocess.run(["git", *command], cwd=ROOT, capture_output=True, text=True).stdout
    except OSError:
        return ""


@cache
def last_commit() -> str:
    return said_by_git("rev-parse", "HEAD").strip()


def of_this_commit(parts: int) -> int:
    """Return the number of the part, of so many, that is looked at after this commit."""
    return zlib.crc32(last_commit().encode()) % parts


def in_part(name: str, parts: int) -> bool:
    """Is what bears this name in the part, of so many, that is looked at after this commit?"""
    return zlib.crc32(name.encode()) % parts == of_this_commit(parts)


def in_this_part(name: str) -> bool:
    """Is what bears this name in the part of the proof that this run is? The whole one has all."""
    return in_part(name, PARTS)


def its_turn(item: pytest.Item) -> bool:
    """Is this one of the tests that `by_turns` marks in this check?"""
    return in_part(item.nodeid, 8) or item.path in changed_files()


@cache
def changed_files() -> frozenset[Path]:
    """Return the files that were changed, made or removed since the last commit."""
    names = said_by_git("diff", "--name-only", "HEAD").splitlines()
    names += said_by_git("ls-files", "--others", "--exclude-standard").splitlines()
    return frozenset(ROOT / name for name in names)


def sample(
    bank: str, entries: Sequence[Entry], about: Callable[[Entry], tuple[str, Collection[str]]]
) -> list[Entry]:
    """Return all entries of a bank in a proof, or one part, else a sample; both depend on the
    commit alone.

    about: tells an entry's name and its questions
    """
    if PROOF:
        return [one for one in entries if in_this_part(about(one)[0])]
    changed = {part for path in changed_files() for part in (path.stem, path.parent.name)}
    others, taken = [], []
    for place, (name, questions) in enumerate(map(about, entries)):
        if QUESTION and QUESTION not in questions:
            continue
        if name in changed:
            taken.append(place)
        else:
            others.append(place)
    size = min((OF_QUESTION if QUESTION else SIZES)[bank], len(others))
    chance = random.Random(f"{bank} {last_commit()}")
    sampled = [entries[place] for place in sorted([*taken, *chance.sample(others, size)])]
    SAMPLES[f"bank of {bank}"] = [
        f"{name} ({', '.join(questions)})" for name, questions in map(about, sampled)
    ]
    return sampled
