"""Anything that comes from the student's side is read without a crash."""

import contextlib
import io
import os
import tempfile
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.checks.ask.finding import clean_text
from autograder.packaging import LARGEST_FILE, BadSubmission
from autograder.printable import sanitize
from autograder.questions import QUESTION_FILES
from autograder.submission import read_submission

NAME = st.sampled_from(
    [*QUESTION_FILES, "starter", "games", "top", ".", "..", "\x1b[2J", "a\nb", "é", "x" * 200]
)
PATH = st.lists(NAME, min_size=1, max_size=4).map("/".join)


def read(path: Path) -> None:
    """Expect that a submission is read or refused in one printable line."""
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


@pytest.mark.slow
@given(
    st.lists(st.tuples(PATH, st.binary(max_size=30)), max_size=6),
    st.sampled_from(
        [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA]
    ),
    st.lists(st.tuples(st.floats(0, 1), st.integers(0, 255)), max_size=5),
)
def test_damaged_zip_is_read_or_refused(entries, method, damage):
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


@pytest.mark.slow
@given(st.lists(st.tuples(PATH, st.sampled_from(["file", "folder", "link", "fifo", "large"]))))
def test_any_folder_is_read_or_refused(entries):
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


@pytest.mark.parametrize(
    "unseen", "\u2800\u3164\u115f\u1160\uffa0\u034f\ufe0f\u180b\u200b\u200d\u202e\u2066"
)
def test_invisible_characters_are_made_visible(unseen):
    """A name padded with such characters would look like a line of the grader."""
    line = unseen * 90 + "score: 100/100"
    for shown in (sanitize(line), clean_text(line), clean_text({"odd": line})):
        assert unseen not in shown
    assert sanitize(line).startswith("\ufffd" * 90)


def test_marks_do_not_pile_up():
    assert sanitize("x" + "\u0335" * 50) == "x" + "\u0335" * 3 + "\ufffd" * 47
    assert sanitize("\u0335: 3/3") == "\ufffd: 3/3", "nothing is struck out that is not its own"
    assert sanitize("e\u0301te\u0301") == "e\u0301te\u0301"
