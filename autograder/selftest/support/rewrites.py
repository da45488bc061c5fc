"""Right submissions that rules make from the solution's files."""

import ast
import re
from collections.abc import Callable
from functools import partial

from autograder.author.bank import SOLUTION, Entry, FileChanges
from autograder.questions import QUESTION_FILES


def crlf_and_byte_order_mark(source: str) -> str:
    """Save as an editor on Windows does: CRLF line ends, a byte order mark in front."""
    return "\ufeff" + source.replace("\n", "\r\n")


def debug_prints(source: str) -> str:
    """Add a debug print at the beginning of every function."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            (line,) = ast.parse(f"print('DEBUG', {node.name!r}, list(locals()))").body
            node.body.insert(1 if ast.get_docstring(node) else 0, line)
    return ast.unparse(tree)


def tabs_and_unicode(source: str) -> str:
    """Use tabs for indentation, Greek letters as names, comments in many scripts."""
    source = re.sub(r"^(    )+", lambda indent: "\t" * (len(indent[0]) // 4), source, flags=re.M)
    source = re.sub(r"\balpha\b", "α", re.sub(r"\bbeta\b", "β", source))
    return "# Größe, 大小, μέγεθος: “naïve”, 🎲\n" + source


def imports_under_another_name(source: str) -> str:
    """Import starter.games as g, and no name from it."""
    source = source.replace(
        "from starter.games import Game, Move, State", "import starter.games as g"
    )
    return re.sub(r"\b(Game|Move|State)\b", r"g.\1", source)


def copies(source: str) -> str:
    """Copy every state deeply before a move."""
    source = source.replace("game.result(state, move)", "game.result(copy.deepcopy(state), move)")
    return source + "\n\nimport copy\n"


def sides_as_enum(source: str) -> str:
    """Pass players as members of an enumeration that are also strings."""
    source = source.replace("utility(state, player)", "utility(state, Side(player))")
    source = source.replace("return h(state, player)", "return h(state, Side(player))")
    return source + (
        '\n\nfrom enum import Enum\n\n\nclass Side(str, Enum):\n    X = "X"\n    O = "O"\n'
    )


def pass_values_through(how: str, source: str) -> str:
    """Pass every utility and every answer of h through the function `how`."""
    source = source.replace("game.utility(state, player)", "made(game.utility(state, player))")
    source = source.replace("return h(state, player)", "return made(h(state, player))")
    return source + f"\n\nfrom fractions import Fraction\n\nimport numpy\n\nmade = {how}\n"


def float32_bounds(source: str) -> str:
    """Begin with bounds that are float32, too."""
    source = source.replace("-inf, inf", "numpy.float32(-inf), numpy.float32(inf)")
    return pass_values_through("numpy.float32", source)


def through(how: str) -> Callable[[str], str]:
    return partial(pass_values_through, how)


REWRITES: dict[str, tuple[Callable[[str], str], tuple[str, ...]]] = {  # and their files
    "crlf_and_byte_order_mark": (crlf_and_byte_order_mark, ("cutoff.py",)),
    "debug_prints": (debug_prints, ("mcts.py",)),
    "tabs_and_unicode": (tabs_and_unicode, ("alphabeta.py",)),
    "imports_under_another_name": (imports_under_another_name, ("alphabeta.py",)),
    "copies": (copies, ("alphabeta.py", "expectiminimax.py")),
    "sides_as_enum": (sides_as_enum, ("cutoff.py", "mcts.py")),
    "float32_bounds": (float32_bounds, ("alphabeta.py", "cutoff.py")),
    "values_as_float32": (through("numpy.float32"), QUESTION_FILES),  # in MCTS U is their sum
    "values_as_fractions": (through("Fraction"), QUESTION_FILES),
    "values_in_sevenths": (
        through("lambda value: sum([value / 7] * 7)"),
        ("minimax.py", "cutoff.py", "mcts.py", "expectiminimax.py"),  # no bound from outside
    ),
    "values_negated_twice": (through("lambda value: -1.0 * -value"), QUESTION_FILES),  # 0 is -0.0
    "six_decimals": (
        through("lambda value: round(value, 6)"),
        ("minimax.py", "cutoff.py", "expectiminimax.py"),
    ),
    # Away from zero and back, which costs some digits.
    "shifted": (
        through("lambda value: (value + 12345.6789) - 12345.6789"),
        ("alphabeta.py", "cutoff.py"),
    ),
}


def make_rewritten_entries() -> list[Entry]:
    """Return an entry for each rule that changes a question's file."""
    entries = []
    for name, (rewrite, files) in REWRITES.items():
        sources = {file: SOLUTION / file for file in files if file in QUESTION_FILES}
        parts = [
            FileChanges(file, "whole", rewrite(path.read_text(encoding="utf-8")))
            for file, path in sources.items()
        ]
        entries += [Entry(name, "", {}, tuple(parts))] if parts else []
    return entries
