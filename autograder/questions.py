"""The questions of the assignment, one row for each: the one list of them and their files.

What belongs to a question lies under its name in each place: `solution/X.py`, `starter/X.py`,
`tests/test_N_X.py`, `tests/cases/X.json`, `autograder/judge/X.py`, `autograder/author/cases/X.py`;
what its worker does besides calling functions in `autograder/inside/X.py`.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent  # of the project, or of what was unpacked


class Question(NamedTuple):
    """One question.

    number:    as tests and students call it; test N.M belongs to question N
    name:      of its files, without ending
    title:     in a few words
    search:    the function that players, matches and the lab call
    functions: all that must be in the file for it to be used, in the order of the file
    beyond_calls: its worker does more than call functions: see `autograder/inside/X.py`
    """

    number: str
    name: str
    title: str
    search: str
    functions: tuple[str, ...]
    beyond_calls: bool = False

    @property
    def file(self) -> str:
        """The name of the file that is submitted."""
        return f"{self.name}.py"


QUESTIONS = (
    Question(
        "1",
        "minimax",
        "Minimax",
        "minimax_search",
        ("minimax_search", "max_value", "min_value"),
    ),
    Question(
        "2",
        "alphabeta",
        "Alpha-beta",
        "alphabeta_search",
        ("alphabeta_search", "max_value", "min_value"),
    ),
    Question(
        "3",
        "cutoff",
        "Cutoff and heuristic",
        "h_alphabeta_search",
        ("cutoff_depth", "h_alphabeta_search", "connect_four_heuristic"),
        beyond_calls=True,
    ),
    Question(
        "4",
        "mcts",
        "Monte Carlo tree search",
        "monte_carlo_tree_search",
        ("Node", "ucb", "select", "expand", "simulate", "backprop", "monte_carlo_tree_search"),
        beyond_calls=True,
    ),
)
QUESTION_FILES = tuple(question.file for question in QUESTIONS)


def question_of(what: str) -> Question:
    """Return the question of a test ("2.3"), a number ("2"), a file or a name.

    Raises KeyError if there is none.
    """
    wanted = what.split(".")[0]
    for question in QUESTIONS:
        if wanted in (question.number, question.name):
            return question
    raise KeyError(f"there is no question {what}")
