"""The note that the project is proved as it stands: the proof leaves it, a release asks for it."""

from __future__ import annotations

import hashlib

from autograder.questions import ROOT

KEPT = ROOT / ".verdicts"  # what the self-tests know from earlier runs
NOTE = KEPT / "proved"
# What a release is made of, and what proves it.
PARTS: tuple[str, ...] = ("autograder", "handout", "lab", "solution", "starter", "tests")
PARTS += ("LICENSE", "Makefile", "handout.md", "pyproject.toml")


def state() -> str:
    """Return a mark of all files of the project that a release or its proof depends on."""
    paths = (path for part in PARTS for path in (ROOT / part, *(ROOT / part).rglob("*")))
    mark = hashlib.sha256()
    for path in sorted(path for path in paths if path.is_file()):
        if "__pycache__" not in path.parts:
            mark.update(f"{path.relative_to(ROOT).as_posix()}\n".encode())
            mark.update(hashlib.sha256(path.read_bytes()).digest())
    return mark.hexdigest()


def note_proof(proved: str) -> None:
    """Note that the project has passed its proof in the state of that mark."""
    KEPT.mkdir(exist_ok=True)
    NOTE.write_text(proved, encoding="ascii")


def is_proved() -> bool:
    """Has the project passed its proof exactly as it stands?"""
    return NOTE.is_file() and NOTE.read_text(encoding="ascii") == state()
