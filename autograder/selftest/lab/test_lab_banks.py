"""The lab watches and draws the searches of the banks' submissions."""

from __future__ import annotations

import io
import signal
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from types import FrameType

import pytest

from autograder.author.bank import Entry
from autograder.questions import QUESTION_FILES, ROOT
from autograder.selftest.support.banks import (
    read_core_names,
    read_right_entries,
    read_wrong_entries,
)
from lab import engines, explain, positions, recordings, student, trees
from lab.engines import ENGINES, SearchSettings, Task

ENDS = {"minimax_ends_python"}  # would end the process in which these tests run
WRONG = [wrong for wrong in read_wrong_entries() if wrong.name in read_core_names() - ENDS]
POSITIONS = ("the textbook's figure 5.2", "a tree with chance", "tic-tac-toe, 4 squares left")
LIMIT_S = 2  # of computing for one submission's search; it takes a hundredth


class Endless(BaseException):
    """The exception that stops an endless search."""


@contextmanager
def limited() -> Iterator[None]:
    """Stop endless code. Give it another standard output, which it may close."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise Endless

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, LIMIT_S, 1)
    try:
        with redirect_stdout(io.TextIOWrapper(io.BytesIO(), encoding="utf-8")):
            yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timer here")
@pytest.mark.parametrize("entry", [*read_right_entries(), *WRONG], ids=lambda entry: entry.name)
def test_any_search_is_watched_and_drawn(entry: Entry, tmp_path: Path) -> None:
    for name in QUESTION_FILES:
        content = entry.files.get(name, (ROOT / "solution" / name).read_bytes())
        (tmp_path / name).write_bytes(content)
    with limited():
        code = student.read_code(tmp_path)
    for engine in ENGINES.values():
        if not engine.uses or f"{engine.file}.py" not in entry.files:
            continue
        for name in POSITIONS:
            text = positions.POSITIONS[name]
            settings = SearchSettings(plies=9, playouts=6, seed=1)
            task = Task(
                engine.name, *positions.read_typed_position(name, text), settings, recorded=True
            )
            if engines.explain_unsupported(engine.name, task.game):
                continue
            try:
                with limited():
                    result = engines.search(code, task)
            except (Exception, SystemExit, Endless) as problem:
                assert entry in WRONG, problem
                continue
            assert explain.make_move_rows(result, task.state, {}) or not result.moves
            count = len(result.steps)
            values = recordings.find_true_values(name, text, 9)
            for number in [*range(0, count, max(1, count // 7)), count]:
                assert explain.describe_last_step(result.steps[:number])
                for row in trees.make_rows_at_step(task, result, number, values):
                    ET.fromstring(f"<div>{row['svg']}</div>")  # tags match
                    assert entry in WRONG or 'class="mark"' not in row["svg"]
