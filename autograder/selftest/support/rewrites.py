"""Right submissions that rules make from the solution's files."""

import re

from autograder.author.bank import SOLUTION, Entry, FileChanges
from autograder.questions import QUESTION_FILES

Rule = tuple[str, str]  # a regular expression, and what replaces it
SIDE = '\n\nfrom enum import Enum\n\n\nclass Side(str, Enum):\n    X = "X"\n    O = "O"\n'


def through(how: str) -> list[Rule]:
    """Return rules that pass every utility and every answer of h through the function `how`."""
    value, end = r"return (game\.utility|h)\(state, player\)", "from fractions import Fraction"
    return [
        (value, r"return made(\1(state, player))"),
        (r"\Z", f"\n\n{end}\n\nimport numpy\n\nmade = {how}\n"),
    ]


REWRITES: dict[str, tuple[tuple[str, ...], list[Rule]]] = {  # of these files
    # As an editor on Windows saves.
    "crlf_and_byte_order_mark": (("cutoff.py",), [(r"\n", "\r\n"), (r"\A", "\ufeff")]),
    "debug_prints": (
        ("mcts.py",),
        [(r"(?m)^( *)(def (\w+)\([^)]*\).*:\n)", r"\1\2\1    print('DEBUG \3', list(locals()))\n")],
    ),
    "tabs_and_unicode": (
        ("alphabeta.py",),
        [
            *(("    ", "\t"), (r"\balpha\b", "α"), (r"\bbeta\b", "β")),
            (r"\A", "# Größe, 大小, μέγεθος: “naïve”, 🎲\n"),
        ],
    ),
    "imports_under_another_name": (
        ("alphabeta.py",),
        [
            ("from starter.games import Game, Move, State", "import starter.games as g"),
            (r"\b(Game|Move|State)\b", r"g.\1"),
        ],
    ),
    "copies": (
        ("alphabeta.py", "expectiminimax.py"),
        [
            (r"game\.result\(state, move\)", "game.result(copy.deepcopy(state), move)"),
            (r"\Z", "\n\nimport copy\n"),
        ],
    ),
    # Players are members of an enumeration that are also strings.
    "sides_as_enum": (
        ("cutoff.py", "mcts.py"),
        [(r"(utility|return h)\(state, player\)", r"\1(state, Side(player))"), (r"\Z", SIDE)],
    ),
    "float32_bounds": (
        ("alphabeta.py", "cutoff.py"),
        [("-inf, inf", "numpy.float32(-inf), numpy.float32(inf)"), *through("numpy.float32")],
    ),
    "values_as_float32": (QUESTION_FILES, through("numpy.float32")),  # in MCTS U is their sum
    "values_as_fractions": (QUESTION_FILES, through("Fraction")),
    "values_in_sevenths": (
        ("minimax.py", "cutoff.py", "mcts.py", "expectiminimax.py"),  # no bound from outside
        through("lambda value: sum([value / 7] * 7)"),
    ),
    "values_negated_twice": (QUESTION_FILES, through("lambda value: -1.0 * -value")),  # 0 is -0.0
    "six_decimals": (
        ("minimax.py", "cutoff.py", "expectiminimax.py"),
        through("lambda value: round(value, 6)"),
    ),
    # Away from zero and back, which costs some digits.
    "shifted": (
        ("alphabeta.py", "cutoff.py"),
        through("lambda value: (value + 12345.6789) - 12345.6789"),
    ),
}


def rewrite(file: str, rules: list[Rule]) -> FileChanges:
    """Return a file of the solution after all rules."""
    source = (SOLUTION / file).read_text(encoding="utf-8")
    for pattern, replacement in rules:
        source = re.sub(pattern, replacement, source)
    return FileChanges(file, "whole", source)


def make_rewritten_entries() -> list[Entry]:
    """Return an entry for each list of rules that changes a question's file."""
    return [
        Entry(name, {}, tuple(rewrite(file, rules) for file in files if file in QUESTION_FILES))
        for name, (files, rules) in REWRITES.items()
        if not {*QUESTION_FILES}.isdisjoint(files)
    ]
