"""Right submissions that are made by rule from the solution's files."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable

from autograder.author.bank import SOLUTION, Entry, Part
from autograder.questions import QUESTION_FILES


def crlf_and_byte_order_mark(source: str) -> str:
    """Saved by an editor on Windows: CRLF at the ends of lines, a byte order mark in front."""
    return "\ufeff" + source.replace("\n", "\r\n")


def debug_prints(source: str) -> str:
    """A debug print left at the beginning of every function."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            (line,) = ast.parse(f"print('DEBUG', {node.name!r}, list(locals()))").body
            node.body.insert(1 if ast.get_docstring(node) else 0, line)
    return ast.unparse(tree)


def tabs_and_unicode(source: str) -> str:
    """Tabs for indentation, Greek letters for names, comments in many scripts."""
    source = re.sub(r"^(    )+", lambda indent: "\t" * (len(indent[0]) // 4), source, flags=re.M)
    source = re.sub(r"\balpha\b", "α", re.sub(r"\bbeta\b", "β", source))
    return "# Größe, 大小, μέγεθος: “naïve”, 🎲\n" + source


def imports_under_another_name(source: str) -> str:
    """import starter.games as g, and no name of it alone."""
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
    """Copies every state deeply before it is touched."""
    source = source.replace("game.result(state, move)", "game.result(copy.deepcopy(state), move)")
    return source + "\n\nimport copy\n"


def sides_as_enum(source: str) -> str:
    """The players are members of an enumeration that are also strings."""
    source = source.replace("utility(state, player)", "utility(state, Side(player))")
    source = source.replace("return h(state, player)", "return h(state, Side(player))")
    return source + (
        '\n\nfrom enum import Enum\n\n\nclass Side(str, Enum):\n    X = "X"\n    O = "O"\n'
    )


def rounded(source: str, how: str) -> str:
    """Every utility and every answer of h goes through the function `how` on its way in."""
    source = source.replace("game.utility(state, player)", "made(game.utility(state, player))")
    source = source.replace("return h(state, player)", "return made(h(state, player))")
    return source + f"\n\nfrom fractions import Fraction\n\nimport numpy\n\nmade = {how}\n"


def values_as_float32(source: str) -> str:
    """Values in single precision; in MCTS U is a sum of such."""
    return rounded(source, "numpy.float32")


def values_as_fractions(source: str) -> str:
    """Values are fractions."""
    return rounded(source, "Fraction")


def values_in_sevenths(source: str) -> str:
    """Values are divided by seven and added up again from their sevenths."""
    return rounded(source, "lambda value: sum([value / 7] * 7)")


def values_negated_twice(source: str) -> str:
    """Values have lost and regained their sign, so that 0 is -0.0."""
    return rounded(source, "lambda value: -1.0 * -value")


def float32_bounds(source: str) -> str:
    """The bounds are float32 from the beginning, too."""
    source = source.replace("-inf, inf", "numpy.float32(-inf), numpy.float32(inf)")
    return rounded(source, "numpy.float32")


def six_decimals(source: str) -> str:
    """Rounded to six decimals."""
    return rounded(source, "lambda value: round(value, 6)")


def shifted(source: str) -> str:
    """Moved away from zero and back, which costs some digits."""
    return rounded(source, "lambda value: (value + 12345.6789) - 12345.6789")


REWRITES: dict[Callable[[str], str], tuple[str, ...]] = {
    crlf_and_byte_order_mark: ("cutoff.py",),
    debug_prints: ("mcts.py",),
    tabs_and_unicode: ("alphabeta.py",),
    imports_under_another_name: ("alphabeta.py",),
    copies: ("alphabeta.py", "expectiminimax.py"),
    sides_as_enum: ("cutoff.py", "mcts.py"),
    values_as_float32: QUESTION_FILES,
    values_as_fractions: QUESTION_FILES,
    # No bound comes from outside.
    values_in_sevenths: ("minimax.py", "cutoff.py", "mcts.py", "expectiminimax.py"),
    values_negated_twice: QUESTION_FILES,
    float32_bounds: ("alphabeta.py", "cutoff.py"),
    six_decimals: ("minimax.py", "cutoff.py", "expectiminimax.py"),
    shifted: ("alphabeta.py", "cutoff.py"),
}


def rewritten() -> list[Entry]:
    """Return an entry for each rule; its description is the rule's docstring."""
    found = []
    for rewrite, names in REWRITES.items():
        parts = [
            Part(name, "whole", rewrite((SOLUTION / name).read_text(encoding="utf-8")))
            for name in names
            if name in QUESTION_FILES
        ]
        found.append(Entry(rewrite.__name__, str(rewrite.__doc__), {}, tuple(parts)))
    return [entry for entry in found if entry.parts]
