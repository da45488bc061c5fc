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
    tree = ast.parse(source)
    names = {"Game", "Move", "State"}

    class Qualify(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.AST:
            return ast.parse(f"g.{node.id}").body[0].value if node.id in names else node  # type: ignore[attr-defined]

    return ast.unparse(Qualify().visit(tree))


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


def pass_values_through(source: str, how: str) -> str:
    """Pass every utility and every answer of h through the function `how`."""
    source = source.replace("game.utility(state, player)", "made(game.utility(state, player))")
    source = source.replace("return h(state, player)", "return made(h(state, player))")
    return source + f"\n\nfrom fractions import Fraction\n\nimport numpy\n\nmade = {how}\n"


def float32_bounds(source: str) -> str:
    """Begin with bounds that are float32, too."""
    source = source.replace("-inf, inf", "numpy.float32(-inf), numpy.float32(inf)")
    return pass_values_through(source, "numpy.float32")


REWRITES: dict[Callable[[str], str], tuple[str, ...]] = {
    crlf_and_byte_order_mark: ("cutoff.py",),
    debug_prints: ("mcts.py",),
    tabs_and_unicode: ("alphabeta.py",),
    imports_under_another_name: ("alphabeta.py",),
    copies: ("alphabeta.py", "expectiminimax.py"),
    sides_as_enum: ("cutoff.py", "mcts.py"),
    float32_bounds: ("alphabeta.py", "cutoff.py"),
}
# By name: the function that values go through, and the files.
VALUES: dict[str, tuple[str, tuple[str, ...]]] = {
    "values_as_float32": ("numpy.float32", QUESTION_FILES),  # in MCTS U is a sum of these
    "values_as_fractions": ("Fraction", QUESTION_FILES),
    "values_in_sevenths": (
        "lambda value: sum([value / 7] * 7)",
        ("minimax.py", "cutoff.py", "mcts.py", "expectiminimax.py"),  # no bound from outside
    ),
    "values_negated_twice": ("lambda value: -1.0 * -value", QUESTION_FILES),  # 0 becomes -0.0
    "six_decimals": (
        "lambda value: round(value, 6)",
        ("minimax.py", "cutoff.py", "expectiminimax.py"),
    ),
    # Away from zero and back, which costs some digits.
    "shifted": ("lambda value: (value + 12345.6789) - 12345.6789", ("alphabeta.py", "cutoff.py")),
}


def make_rewritten_entries() -> list[Entry]:
    """Return an entry for each rule."""
    entries = []
    rules = {rule.__name__: (rule, names) for rule, names in REWRITES.items()}
    rules |= {
        name: (partial(pass_values_through, how=how), names)
        for name, (how, names) in VALUES.items()
    }
    for rule_name, (rewrite, names) in rules.items():
        parts = [
            FileChanges(name, "whole", rewrite((SOLUTION / name).read_text(encoding="utf-8")))
            for name in names
            if name in QUESTION_FILES
        ]
        entries.append(Entry(rule_name, "", {}, tuple(parts)))
    return [entry for entry in entries if entry.parts]
