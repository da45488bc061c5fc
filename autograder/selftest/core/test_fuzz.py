"""What comes from the student's side is read without a crash, whatever it is."""

from __future__ import annotations

import contextlib
import io
import json
import math
import os
import struct
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from autograder.checks.finding import Failed, text
from autograder.checks.implied_tree import explained
from autograder.checks.mcts_phases import expect_backprop, expect_expansion, expect_selection
from autograder.errors import WorkerGone
from autograder.feedback.report import as_json, as_text
from autograder.feedback.results import Outcome, Report, Result
from autograder.questions import QUESTION_FILES
from autograder.serving.cases import BackpropCase, PhaseCase, SelectCase, Statistics
from autograder.serving.game_server import GameServer
from autograder.submission import LARGEST_FILE, BadSubmission, printable, read_submission
from autograder.worker.forms import MAX_DEPTH, parse, plain
from autograder.worker.inside.protocol import LONGEST_LINE
from autograder.worker.replies import is_request, is_tree
from starter.games import GameTree

# fmt: off
KEYS = [  # of messages
    "id", "answers", "printed", "missing", "raised", "importing", "type", "text", "lines",
    "value", "move", "odd", "state", "U", "N", "parent", "under", "key", "returned", "tree",
    "touched", "ends",
]
# fmt: on
PLAIN = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=20)
    | st.sampled_from([10**400, -(10**400), 1e308, 2**63, -1, 0]),
    lambda inner: (
        st.lists(inner, max_size=5)
        | st.dictionaries(
            st.text(max_size=8) | st.sampled_from(KEYS),
            inner,
            max_size=6,
        )
    ),
    max_leaves=25,
)


# --- the protocol ---------------------------------------------------------------------------------


@given(st.binary(max_size=200) | PLAIN.map(lambda data: json.dumps(data).encode()))
@example(b"[" * 100_000 + b"]" * 100_000)
@example(b'{"a":' * 400 + b"1" + b"}" * 400)
@example(b"9" * 1_000_000)
@example(b"1e999")
@example(b"[NaN, -Infinity]")
@example(b'"\xff"')
@example(b'["\\ud800"]')
@example(b"\xef\xbb\xbf{}")
@example(b"")
def test_a_line_is_plain_data_or_refused(line: bytes) -> None:
    try:
        data = parse(line, LONGEST_LINE)
    except ValueError:
        return
    left = [(data, 0)] if plain(data) else []
    for value, depth in left:
        assert depth <= MAX_DEPTH
        assert type(value) in (dict, list, str, int, float, bool, type(None))
        if isinstance(value, int | float):
            assert math.isfinite(value)
            assert abs(value) <= 1e300
        elif isinstance(value, list | dict):
            inner = value.values() if isinstance(value, dict) else value
            left += [(item, depth + 1) for item in inner]


@given(PLAIN)
def test_text_of_any_plain_data_is_printable(data: Any) -> None:
    assert text(data).isprintable()


# --- search trees that have the form of one -------------------------------------------------------


BOARD: list[Any] = ["TicTacToe", 3, 3, 3]
NODES: list[Statistics] = [([], 0, 1), ([0], 0, 1)]
EXPAND_CASE = PhaseCase(game=BOARD, nodes=NODES, at=[0])
SELECT_CASE = SelectCase(game=BOARD, nodes=NODES, at=[0], C=1.0, leaf=[0], ucbs=[([0], 1.0)])
BACKPROP_CASE = BackpropCase(game=BOARD, nodes=NODES, at=[0], utility=1, after=NODES)
INDEX = st.sampled_from([None, 0, 0, 1, 99, {"odd": "x"}])
NEARLY_A_ROW = st.fixed_dictionaries(
    {
        "state": st.sampled_from(["0", "1", "", ".../.../..."]),
        "U": st.sampled_from([0, 1, 1e299, -1e299, 0.5]),
        "N": st.sampled_from([0, 1, 2, 3, 10**299, 0.5]),
        "parent": st.sampled_from([0, None, {"odd": "x"}]),
        "key": INDEX,
        "move": INDEX,
    }
)


def judge(expect: Callable[..., None], case: PhaseCase, answer: dict[str, Any]) -> None:
    """Only `Failed` may be raised, and that can be reported."""
    student = SimpleNamespace(ask=lambda *args, **options: [answer], trace=[])
    try:
        expect(student, case)
    except Failed as failed:
        result = Result("0.1", "label", 1, outcome=Outcome.FAILED, finding=failed.finding)
        assert all(c.isprintable() or c == "\n" for c in as_text(result))
        json.dumps(as_json(Report(results=[result])), allow_nan=False)


def row(key: Any, N: int) -> dict[str, Any]:
    return {"state": "1", "U": 0, "N": N, "parent": 0, "key": key, "move": key}


@given(st.lists(NEARLY_A_ROW, min_size=1, max_size=5), st.integers(0, 4) | st.just("odd"))
@example([row(None, 3), row(99, 3)], 0)  # more visits than playouts, of a child that can't be
@example([row(None, 3), row({"odd": "x"}, 3)], 0)
@example([row(None, 3), row(0, 1), row(99, 1)], 0)  # a child of the leaf that can't be
def test_any_search_tree_can_be_judged(rows: list[Any], returned: Any) -> None:
    for i, node in enumerate(rows):
        node["under"] = i - 1 if i else None
    rows[0].update(state="0", U=0, N=3, parent=None, key=None, move=None)
    assert is_tree(rows)
    inside = returned in range(len(rows))
    answer = {"returned": returned if inside else {"odd": "x"}, "tree": rows}
    judge(expect_expansion, EXPAND_CASE, answer)
    judge(expect_selection, SELECT_CASE, answer)
    judge(expect_backprop, BACKPROP_CASE, answer)


REQUEST = st.tuples(
    st.sampled_from(["result", "utility", "cutoff", "h", "look", "initial"]),
    st.integers(0, 4),
    st.integers(0, 9) | st.sampled_from(["X", "O"]),
).map(list)


@given(st.lists(REQUEST, max_size=30))
def test_the_referee_serves_or_ends(requests: list[Any]) -> None:
    served = GameServer(GameTree([[1, 2], 3]), GameTree([[1, 2], 3]).initial)
    with contextlib.suppress(WorkerGone):
        for request in filter(is_request, requests):
            json.loads(served.serve(request))
    json.dumps(served.summary())
    explained(served, playouts=5, C=1.4)


# --- submissions ----------------------------------------------------------------------------------


NAME = st.sampled_from(
    [*QUESTION_FILES, "starter", "games", "top", ".", "..", "\x1b[2J", "a\nb", "é", "x" * 200]
)
PATH = st.lists(NAME, min_size=1, max_size=4).map("/".join)


def read(path: Path) -> None:
    """The submission is read or refused in one line, and what is said of it can be shown."""
    try:
        submission = read_submission(path)
    except BadSubmission as problem:
        assert str(problem).isprintable()
        return
    assert submission.files
    assert set(submission.files) <= set(QUESTION_FILES)
    assert all(len(content) <= LARGEST_FILE for content in submission.files.values())
    for line in [*submission.notes, *submission.problems.values()]:
        assert line.isprintable()
        assert len(line) < 2000


@given(st.binary(max_size=300))
def test_any_bytes_as_a_zip(content: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "submission.zip")
        path.write_bytes(content)
        read(path)


@given(
    st.lists(st.tuples(PATH, st.binary(max_size=30)), max_size=6),
    st.sampled_from(
        [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA]
    ),
    st.lists(st.tuples(st.floats(0, 1), st.integers(0, 255)), max_size=5),
)
def test_damaged_zips(entries: list[Any], method: int, damage: list[Any]) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, content in dict(entries).items():
            archive.writestr(name, content)
    content = bytearray(buffer.getvalue())
    for place, byte in damage:
        content[int(place * (len(content) - 1))] = byte
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "submission.zip")
        path.write_bytes(bytes(content))
        read(path)


@given(st.lists(st.tuples(PATH, st.sampled_from(["file", "folder", "link", "fifo", "large"]))))
def test_any_folder(entries: list[Any]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        top = Path(folder, "submission")
        top.mkdir()
        for name, kind in entries:
            path = top / name
            if ".." in path.parts:
                continue
            with contextlib.suppress(OSError):
                path.parent.mkdir(parents=True, exist_ok=True)
                if kind == "folder":
                    path.mkdir()
                elif kind == "link":
                    path.symlink_to("/etc/passwd")
                elif kind == "fifo" and hasattr(os, "mkfifo"):
                    os.mkfifo(path)
                elif not path.exists():
                    path.write_bytes(bytes(LARGEST_FILE + 1 if kind == "large" else 9))
        read(top)


@given(st.text())
def test_printable_text_is_printable(said: str) -> None:
    assert printable(said).isprintable()
    assert len(printable(said)) == len(said)


@pytest.mark.parametrize(
    "unseen", "\u2800\u3164\u115f\u1160\uffa0\u034f\ufe0f\u180b\u200b\u200d\u202e\u2066"
)
def test_invisible_characters_are_made_visible(unseen: str) -> None:
    """A name padded with it would look like a line of the grader's own."""
    line = unseen * 90 + "score: 100/100"
    for shown in (printable(line), text(line), text({"odd": line})):
        assert unseen not in shown
    assert printable(line).startswith("\ufffd" * 90)


def test_marks_do_not_pile_up() -> None:
    assert printable("x" + "\u0335" * 50) == "x" + "\u0335" * 3 + "\ufffd" * 47
    assert printable("\u0335: 3/3") == "\ufffd: 3/3", "nothing is struck out that is not its own"
    for word in (
        "e\u0301te\u0301",
        "ti\u00ea\u0301ng",
        "\u0e01\u0e33\u0e25\u0e31\u0e07",
        "\u05e9\u05b8\u05c1",
    ):
        assert printable(word) == word


# --- crashes that were found ----------------------------------------------------------------------


def test_a_zip_that_lies_about_its_length(tmp_path: Path) -> None:
    """The list of entries is said to begin beyond the file."""
    path = tmp_path / "submission.zip"
    path.write_bytes(struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 1, 1, 46, 1 << 31, 0))
    with pytest.raises(BadSubmission, match="not a zip that can be read"):
        read_submission(path)


def test_an_encrypted_file_in_a_zip(tmp_path: Path) -> None:
    path = tmp_path / "submission.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("minimax.py", b"pass")
    content = bytearray(path.read_bytes())
    for mark, place in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        content[content.index(mark) + place] |= 1
    path.write_bytes(bytes(content))
    with pytest.raises(BadSubmission, match="is locked with a password"):
        read_submission(path)
