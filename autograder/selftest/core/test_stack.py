"""The location of student code that is reported at a time limit."""

from __future__ import annotations

from types import SimpleNamespace

from autograder.worker.inside.stack import FOLDER, location_of


def test_instruction_without_a_line_is_located_at_its_function() -> None:
    code = SimpleNamespace(
        co_filename=f"{FOLDER}/minimax.py",
        co_name="min_value",
        co_varnames=(),
        co_argcount=0,
        co_firstlineno=5,
    )
    frame = SimpleNamespace(f_code=code, f_lineno=None, f_locals={}, f_back=None)
    assert location_of(frame)["line"][:2] == ["minimax.py", 5]
