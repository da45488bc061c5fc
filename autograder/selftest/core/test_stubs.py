"""The stubs in starter/ are made from the solution, and hold none of its code."""

import pytest

from autograder.author.stubs import find_outdated_files, find_written_lines, make_files, make_stub
from autograder.settings import SETTINGS


def test_the_stubs_in_starter_are_those_of_the_solution():
    assert find_outdated_files() == [], "run `make settings`"


def test_a_stub_keeps_signature_and_docstring_and_raises():
    source = (
        '"""Doc."""\n\n\ndef f(x: int) -> int:\n    """Double x."""\n'
        "    ### BEGIN SOLUTION twice x\n    return 2 * x\n    ### END SOLUTION\n"
    )
    text = make_stub(source, "q.py")
    assert 'def f(x: int) -> int:\n    """Double x."""\n    # TODO: twice x\n' in text
    assert 'raise NotImplementedError("write f in q.py")' in text
    assert "2 * x" not in text
    assert find_written_lines(source, "q.py") == {7: "    return 2 * x"}


@pytest.mark.parametrize("marks", ["BEGIN", "END", "BEGIN BEGIN END"])
def test_misplaced_marks_are_refused(marks):
    source = "".join(f"### {mark} SOLUTION hint\n" for mark in marks.split())
    with pytest.raises(
        ValueError, match=r"q\.py: each `### BEGIN SOLUTION hint` needs one `### END"
    ):
        make_stub(source, "q.py")


def test_the_constant_of_the_settings_is_the_default_in_solution_and_stub(monkeypatch):
    monkeypatch.setitem(vars(SETTINGS), "C", 2.5)
    made = make_files()
    for path in ("solution/mcts.py", "starter/mcts.py"):
        assert made[path].count("C: float = 2.5") == 3
    assert find_outdated_files() == ["solution/mcts.py", "starter/mcts.py"]
