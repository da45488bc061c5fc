"""The lab shows whatever the banks' submissions do: their searches are watched and drawn, step by
step."""

from __future__ import annotations

import io
import signal
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from types import FrameType

import pytest

from autograder.author.bank import Entry
from autograder.questions import QUESTION_FILES, QUESTIONS, ROOT
from autograder.selftest.support.banks import core, read_right, read_wrong

pytest.importorskip("altair", reason='no altair here: pip install ".[lab]"')


from lab import engines, explain, positions, recordings, student, trees
from lab.engines import ENGINES, SearchResult, Settings, Task
from starter.games import ConnectFour, Game, Pig, State

RIGHT = read_right()
ENDS = {"minimax_ends_python"}  # would end the process in which these tests run
WRONG = [wrong for wrong in read_wrong() if wrong.name in core() - ENDS]
PLAYED = [name for name, engine in ENGINES.items() if engine.uses]
FIGURE = "the textbook's figure 5.2"
PATIENCE = 2  # seconds of computing for one search; it takes a hundredth


class Endless(BaseException):
    """Raised in a search that does not end."""


@contextmanager
def held() -> Iterator[None]:
    """Stop what does not end; what is done to the output is done to another one."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise Endless

    if not hasattr(signal, "setitimer"):
        pytest.skip("no timer here")
    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, PATIENCE, 1)
    try:
        with redirect_stdout(io.TextIOWrapper(io.BytesIO())):
            yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def tried_positions() -> Iterator[tuple[Game, State, int]]:
    """Positions of every sort, each with a depth that is quickly searched."""
    for name in (FIGURE, "a tree with chance", "tic-tac-toe, 4 squares left"):
        yield (*positions.typed_position(name, positions.POSITIONS[name]), 9)
    pig = Pig()
    yield pig, pig.initial, 2
    four = ConnectFour()
    yield four, four.initial, 2


def written(files: Mapping[str, bytes], folder: Path) -> student.Student:
    """The functions of a submission, as the lab reads them; the rest is the solution's."""
    for name in QUESTION_FILES:
        content = files.get(name, (ROOT / "solution" / name).read_bytes())
        (folder / name).write_bytes(content)
    return student.read(folder)


def watched(code: student.Student, task: Task) -> SearchResult:
    """Search with the steps recorded. Raises what the submission's search raises."""
    return engines.search(code, task._replace(recorded=True))


def draw_all(task: Task, result: SearchResult) -> None:
    """Say and draw what the search found, some of its steps and its end."""
    assert explain.ranking(result, task.state, {}) or not result.moves
    assert result.moves == [] or explain.choice(result)
    count = len(result.steps)
    for number in [*range(0, count, max(1, count // 7)), count]:
        assert explain.describe(result.steps[:number], task.game, task.state)
        for row in trees.rows_after(task, result.steps, number, {}):
            # Tags match, and what students wrote is escaped.
            ET.fromstring(f"<div>{row['svg']}</div>")


def tasks(files: Mapping[str, bytes]) -> list[Task]:
    """What the searches in these files can be asked."""
    changed = {question.name for question in QUESTIONS if question.file in files}
    return [
        Task(name, game, state, Settings(plies=plies, playouts=6, seed=1))
        for name in PLAYED
        if ENGINES[name].file in changed
        for game, state, plies in tried_positions()
        if not engines.unsupported_reason(name, game)
    ]


@pytest.mark.slow
@pytest.mark.parametrize("entry", RIGHT, ids=lambda entry: entry.name)
def test_every_right_search_is_watched_and_drawn(entry: Entry, tmp_path: Path) -> None:
    with held():
        code = written(entry.files, tmp_path)
    for task in tasks(entry.files):
        with held():
            result = watched(code, task)
        draw_all(task, result)
        for name in (FIGURE, "tic-tac-toe, 4 squares left"):
            if positions.typed_position(name, positions.POSITIONS[name]) == task[1:3]:
                values = recordings.true_values(name, positions.POSITIONS[name], 9)
                rows = trees.rows_after(task, result.steps, len(result.steps), values)
                assert not [row for row in rows if 'class="mark"' in row["svg"]]


@pytest.mark.slow
@pytest.mark.parametrize("wrong", WRONG, ids=lambda wrong: wrong.name)
def test_whatever_a_wrong_search_does_can_be_drawn(wrong: Entry, tmp_path: Path) -> None:
    with held():
        code = written(wrong.files, tmp_path)
    for task in tasks(wrong.files):
        try:
            with held():
                result = watched(code, task)
        except (Exception, SystemExit, Endless) as problem:
            if not isinstance(problem, Endless):
                assert student.explain(problem, tmp_path)
            continue
        draw_all(task, result)
