"""Searches of the lab, for its tests."""

from __future__ import annotations

from pathlib import Path

from autograder.questions import ROOT
from autograder.selftest.support.waiting import PATIENCE
from lab import engines, positions
from lab.engines import Settings, Task
from lab.jobs import Job


def change(folder: Path, file: str, right: str, instead: str) -> None:
    """Let a student's file be the solution's with one change."""
    source = (ROOT / "solution" / file).read_text()
    assert right in source
    (folder / file).write_text(source.replace(right, instead, 1))


def searched(name: str, position: str, how: Settings) -> tuple[Task, Job]:
    """Search a position as a page does, to the end."""
    game, state = positions.typed_position(position, positions.POSITIONS[position])
    task = Task(name, game, state, how, recorded=True)
    job = Job(engines.search, task)
    assert job.wait(PATIENCE)
    return task, job
