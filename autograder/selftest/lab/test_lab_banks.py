"""The lab watches and draws the searches of right submissions, however they are written."""

import io
import xml.etree.ElementTree as ET
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from autograder.author.bank import Entry
from autograder.selftest.support.banks import SOLUTION_FILES, read_right_entries
from lab import engines, explain, positions, recordings, student, trees
from lab.engines import ENGINES, SearchSettings, Task

POSITIONS = {  # and the plies of a search; of the last one no true value is known
    "the textbook's figure 5.2": 9,
    "a tree with chance": 9,
    "tic-tac-toe, 4 squares left": 9,
    "Connect Four, block or lose": 3,
}


@pytest.mark.slow
@pytest.mark.parametrize("entry", read_right_entries(), ids=lambda entry: entry.name)
def test_any_search_is_watched_and_drawn(entry: Entry, tmp_path: Path) -> None:
    for name, content in {**SOLUTION_FILES, **entry.files}.items():
        (tmp_path / name).write_bytes(content)
    with redirect_stdout(io.TextIOWrapper(io.BytesIO(), encoding="utf-8")):
        code = student.read_code(tmp_path)
    for engine in ENGINES.values():
        for name in POSITIONS if engine.uses and f"{engine.file}.py" in entry.files else ():
            text = positions.POSITIONS[name]
            settings = SearchSettings(POSITIONS[name], playouts=6, seed=1)
            game, state = positions.read_typed_position(name, text)
            task = Task(engine.name, game, state, settings, recorded=True)
            if engines.explain_unsupported(engine.name, game):
                continue
            with redirect_stdout(io.TextIOWrapper(io.BytesIO(), encoding="utf-8")):  # some close it
                result = engines.search(code, task)
            count = len(result.steps)
            assert explain.make_move_rows(result, state, {}) or not result.moves
            values = recordings.find_true_values(name, text, settings.plies)
            for number in [*range(0, count, max(1, count // 7)), count]:
                assert explain.describe_last_step(result.steps[:number])
                for row in trees.make_rows_at_step(task, result, number, values):
                    ET.fromstring(f"<div>{row['svg']}</div>")  # tags match
                    assert 'class="mark"' not in row["svg"]
