"""The questions of the assignment, one row for each: the one list of them and their files.

What belongs to a question lies under its name in each place: `solution/X.py`, `starter/X.py`,
`tests/test_N_X.py`, `tests/cases/X.json`, `autograder/checks/X.py`, `autograder/author/cases/X.py`;
what its worker does besides calling functions in `autograder/worker/inside/X.py`. Whether it is
graded, a bonus or off stands in `assignment.toml`; the files of one that is off stay in place.
"""

from __future__ import annotations

from pathlib import Path, PurePath
from typing import NamedTuple

from autograder.settings import SETTINGS, BadSettings, refuse

ROOT = Path(__file__).resolve().parent.parent  # of the project, or of what was unpacked


class Question(NamedTuple):
    """One question.

    number:    as tests and students call it; test N.M belongs to question N
    name:      of its files, without ending
    title:     in a few words
    search:    the function that players, matches and the lab call
    functions: all that must be in the file for it to be used, in the order of the file
    hours:     our estimate for a student who has read the chapter
    beyond_calls: its worker does more than call functions: see `autograder/worker/inside/X.py`
    imports:   its solution and its stub import the file of that question
    """

    number: str
    name: str
    title: str
    search: str
    functions: tuple[str, ...]
    hours: float
    beyond_calls: bool = False
    imports: str = ""

    @property
    def bonus(self) -> bool:
        """Do its points come on top of the others', and may its file be missing?"""
        return SETTINGS.questions[self.name] == "bonus"

    @property
    def on(self) -> bool:
        """Is it part of what is graded, written and released?"""
        return SETTINGS.questions[self.name] != "off"

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
        1,
    ),
    Question(
        "2",
        "alphabeta",
        "Alpha-beta",
        "alphabeta_search",
        ("alphabeta_search", "max_value", "min_value"),
        3,
    ),
    Question(
        "3",
        "cutoff",
        "Cutoff and heuristic",
        "h_alphabeta_search",
        ("cutoff_depth", "h_alphabeta_search", "connect_four_heuristic"),
        3,
        beyond_calls=True,
    ),
    Question(
        "4",
        "mcts",
        "Monte Carlo tree search",
        "monte_carlo_tree_search",
        ("Node", "ucb", "select", "expand", "simulate", "backprop", "monte_carlo_tree_search"),
        5,
        beyond_calls=True,
    ),
    Question(
        "5",
        "expectiminimax",
        "Expectiminimax",
        "expectiminimax_search",
        ("expectiminimax_search", "expectiminimax"),
        1,
    ),
    Question(
        "6",
        "player",
        "A player of your own",
        "Player",
        ("Player",),
        6,
        beyond_calls=True,
        imports="cutoff",
    ),
)


def expect_fitting(chosen: dict[str, str]) -> None:
    """Raises BadSettings unless each question has a role, and can do without those that are off."""
    names = [row.name for row in ROWS]
    if sorted(chosen) != sorted(names):
        raise BadSettings(f"[questions] should name {', '.join(names)}, each once")
    for row in ROWS:
        if row.imports and chosen[row.name] != "off" and chosen[row.imports] == "off":
            raise BadSettings(f"{row.name} uses {row.imports}: switch both off, or none")


try:
    expect_fitting(SETTINGS.questions)
except BadSettings as problem:
    raise refuse(problem) from None
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
