"""The questions of the assignment and their files, one row per question.

The files of question X have its name in each folder: `solution/X.py`, `starter/X.py`,
`tests/test_N_X.py`, `tests/cases/X.json`, `autograder/author/cases/X.py`; if the question needs
it, also `autograder/checks/X.py`.
`assignment.toml` says whether it is graded, a bonus or off; the files of a question that is off
stay in place.
"""

from pathlib import Path, PurePath
from typing import NamedTuple

from autograder.settings import SETTINGS, BadSettings, expect_known_keys, refuse

ROOT = Path(__file__).resolve().parent.parent  # of the project, or of an unpacked zip


class Question(NamedTuple):
    """One question.

    number:    "2"; test 2.3 belongs to question 2
    name:      of its files, without ending
    title:     a few words
    search:    the function for players, matches and the lab
    functions: the functions that the file must define, in its order
    hours:     the estimate for a student who has read the chapter
    imports:   its solution and its stub import the file of that question
    """

    number: str
    name: str
    title: str
    search: str
    functions: tuple[str, ...]
    hours: float
    imports: str = ""

    @property
    def bonus(self) -> bool:
        """Are its points a bonus, so that its file may be missing?"""
        return SETTINGS.questions[self.name] == "bonus"

    @property
    def on(self) -> bool:
        """Is it graded, written and released?"""
        return SETTINGS.questions[self.name] != "off"

    @property
    def file(self) -> str:
        return f"{self.name}.py"

    def owns(self, path: PurePath) -> bool:
        """Does the file belong to the question, by its name?"""
        return path.stem in (self.name, f"test_{self.number}_{self.name}")


BOTH_SIDES = ("max_value", "min_value")
CUTOFF_PARTS = ("cutoff_depth", "h_alphabeta_search", "connect_four_heuristic")
MCTS_PARTS = ("Node", "ucb", "select", "expand", "simulate", "backprop")
MCTS = "monte_carlo_tree_search"
ROWS = (
    Question("1", "minimax", "Minimax", "minimax_search", ("minimax_search", *BOTH_SIDES), 1),
    Question(
        "2", "alphabeta", "Alpha-beta", "alphabeta_search", ("alphabeta_search", *BOTH_SIDES), 3
    ),
    Question("3", "cutoff", "Cutoff and heuristic", "h_alphabeta_search", CUTOFF_PARTS, 3),
    Question("4", "mcts", "Monte Carlo tree search", MCTS, (*MCTS_PARTS, MCTS), 5),
    Question(
        "5",
        "expectiminimax",
        "Expectiminimax",
        "expectiminimax_search",
        ("expectiminimax_search", "expectiminimax"),
        1,
    ),
    Question("6", "player", "A player of your own", "Player", ("Player",), 6, imports="cutoff"),
)

try:
    expect_known_keys(SETTINGS.questions, tuple(row.name for row in ROWS), "[questions]")
    for row in ROWS:
        if row.imports and row.on and SETTINGS.questions[row.imports] == "off":
            raise BadSettings(f"{row.name} uses {row.imports}: switch both off, or none")
except BadSettings as problem:
    raise refuse(problem) from None
QUESTIONS = tuple(question for question in ROWS if question.on)
OFF = tuple(question for question in ROWS if not question.on)
# MAX is the player to move at the state that these are called with.
SEARCHES = tuple(question.search for question in QUESTIONS)
QUESTION_FILES = tuple(question.file for question in QUESTIONS)


def find_question(what: str) -> Question:
    """Return the question of a test ("2.3"), a number ("2"), a file or a name.

    Raises KeyError if there is none.
    """
    for question in QUESTIONS:
        if what.split(".")[0] in (question.number, question.name):
            return question
    raise KeyError(f"there is no question {what}")


def is_bonus(what: str) -> bool:
    """Does it belong to a bonus question? `what`: as for `find_question`, or unknown."""
    return any(row.bonus for row in QUESTIONS if what.split(".")[0] in (row.number, row.name))


def is_off(path: PurePath) -> bool:
    """Does the file belong to a question that is off?"""
    several = [f"{row.name}{mark}" for row in OFF for mark in "-_"]
    return any(row.owns(path) for row in OFF) or path.name.startswith(tuple(several))
