"""The questions of the assignment, one row for each: the one list of them and their files.

What belongs to a question lies under its name in each place: `solution/X.py`, `starter/X.py`,
`tests/test_N_X.py`, `tests/cases/X.json`, `autograder/checks/X.py`, `autograder/author/cases/X.py`;
what its worker does besides calling functions in `autograder/worker/inside/X.py`. `on=False` in a
row switches a bonus question off; all its files stay where they are.
"""

from __future__ import annotations

from pathlib import Path, PurePath
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent  # of the project, or of what was unpacked


class Question(NamedTuple):
    """One question.

    number:    as tests and students call it; test N.M belongs to question N
    name:      of its files, without ending
    title:     in a few words
    search:    the function that players, matches and the lab call
    functions: all that must be in the file for it to be used, in the order of the file
    beyond_calls: its worker does more than call functions: see `autograder/worker/inside/X.py`
    bonus:     its points come on top of the others', and its file may be missing
    on:        False leaves it out of everything that is graded, written and released
    """

    number: str
    name: str
    title: str
    search: str
    functions: tuple[str, ...]
    beyond_calls: bool = False
    bonus: bool = False
    on: bool = True

    @property
    def file(self) -> str:
        """The name of the file that is submitted."""
        return f"{self.name}.py"

    def owns(self, path: PurePath) -> bool:
        """Does the file belong to the question, by its name?"""
        return path.stem in (self.name, f"test_{self.number}_{self.name}")


ROWS = (
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
    Question(
        "5",
        "expectiminimax",
        "Expectiminimax",
        "expectiminimax_search",
        ("expectiminimax_search", "expectiminimax"),
        bonus=True,
    ),
    Question(
        "6",
        "player",
        "A player of your own",
        "Player",
        ("Player",),
        beyond_calls=True,
        bonus=True,
    ),
)
QUESTIONS = tuple(question for question in ROWS if question.on)
OFF = tuple(question for question in ROWS if not question.on)
# MAX is who is to move at the state that these are called with.
SEARCHES = tuple(question.search for question in QUESTIONS)
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


def is_bonus(what: str) -> bool:
    """Is that a bonus question, or of one? `what` as for `question_of`; what is unknown is none."""
    return any(row.bonus for row in QUESTIONS if what.split(".")[0] in (row.number, row.name))


def is_off(path: PurePath) -> bool:
    """Does the file belong to a question that is switched off, alone or as one of several?"""
    several = [f"{row.name}{mark}" for row in OFF for mark in "-_"]
    return any(row.owns(path) for row in OFF) or path.name.startswith(tuple(several))
