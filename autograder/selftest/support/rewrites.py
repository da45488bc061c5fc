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


def relative_imports(source: str) -> str:
    """Imports the provided modules and another question file relatively."""
    return source.replace("from starter.", "from .") + "\n\nfrom . import alphabeta, players\n"


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


def demonstration(source: str) -> str:
    """A demonstration under `if __name__ == "__main__"`, which waits for the keyboard."""
    return (
        source
        + '\n\nif __name__ == "__main__":\n    while input("again? ") == "yes":\n        1 / 0\n'
    )


def ten_times_slower(source: str) -> str:
    """Every function that tests call takes ten times the processor time that it needs."""
    names = re.findall(r"^def (?!ucb)(\w+)\(", source, flags=re.M)
    return source + (
        "\n\nimport time\n\nBUSY = []  # one function calls another: the outermost is slow\n\n\n"
        "def slowly(function):\n"
        "    def slow(*args, **kwargs):\n"
        "        if BUSY:\n"
        "            return function(*args, **kwargs)\n"
        "        BUSY.append(function)\n"
        "        start = time.process_time()\n"
        "        try:\n"
        "            return function(*args, **kwargs)\n"
        "        finally:\n"
        "            end = time.process_time() + 9 * (time.process_time() - start)\n"
        "            while time.process_time() < end:\n"
        "                pass\n"
        "            BUSY.clear()\n\n"
        "    return slow\n\n\n" + "".join(f"{name} = slowly({name})\n" for name in names)
    )


def copies(source: str) -> str:
    """Copies every state deeply before it is touched."""
    source = source.replace("game.result(state, move)", "game.result(copy.deepcopy(state), move)")
    return source + "\n\nimport copy\n"


def remembering(source: str, key: str) -> str:
    """min_value keeps all values that it has found, by `key`."""
    return source + (
        "\n\nimport pickle\n\nKNOWN = {}\nfresh = min_value\n\n\n"
        "def min_value(game, state, player):\n"
        f"    key = {key}\n"
        "    if key not in KNOWN:\n"
        "        KNOWN[key] = fresh(game, state, player)\n"
        "    return KNOWN[key]\n"
    )


def memory_by_text(source: str) -> str:
    """Remembers values by the game and by what str shows of the state."""
    return remembering(source, "game, str(state), player")


def pickled_memory(source: str) -> str:
    """Remembers values by the game and the pickled state."""
    return remembering(source, "game, pickle.dumps((state, player))")


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


def heuristic(source: str, body: str) -> str:
    """The heuristic with something around it; `look` is the solution's."""
    return source + (
        "\n\nimport numpy\n\nlook = connect_four_heuristic\n\n\n"
        f"def connect_four_heuristic(state, player):\n    {body}\n"
    )


def squares_one_by_one(source: str) -> str:
    """The heuristic asks for all rows again at every square."""
    stones = "[state.rows[r][c] for r in range(6) for c in range(7) for _ in range(8)]"
    return heuristic(source, f"return look(state, player) if {stones} else 0")


def zero_dimensional(source: str) -> str:
    """The heuristic returns NumPy arrays without dimensions."""
    return heuristic(source, "return numpy.array(look(state, player))")


def rounding(source: str, how: str) -> str:
    """Every number from outside is put through `how`, for better or worse."""
    for call in ("game.utility(state, player)", "h(state, player)"):
        source = source.replace(f"return {call}, None", f"return rounded({call}), None")
    return source + f"\n\nimport fractions, numpy, struct\n\n\ndef rounded(x):\n    return {how}\n"


def float32_bounds(source: str) -> str:
    """The bounds are float32 from the beginning, too."""
    source = source.replace("-inf, inf", "numpy.float32(-inf), numpy.float32(inf)")
    return rounding(source, "numpy.float32(x)")


def six_decimals(source: str) -> str:
    """Rounded to six decimals."""
    return rounding(source, "round(x, 6)")


def shifted(source: str) -> str:
    """Moved away from zero and back, which costs some digits."""
    return rounding(source, "(x + 12345.6789) - 12345.6789")


def console_set_up(source: str) -> str:
    """Tells the console its encoding first, in the new way and an old one, as on Windows."""
    return source + (
        "\n\nimport io\nimport sys\n\n"
        'sys.stdout.reconfigure(encoding="utf-8")\n'
        'sys.stdout = io.TextIOWrapper(sys.stdout.buffer, encoding="utf-8")\n'
        'print("Schöne Grüße")\n'
    )


REWRITES: dict[Callable[[str], str], tuple[str, ...]] = {
    crlf_and_byte_order_mark: ("cutoff.py",),
    debug_prints: ("mcts.py",),
    tabs_and_unicode: ("alphabeta.py",),
    relative_imports: ("cutoff.py",),
    imports_under_another_name: ("alphabeta.py",),
    demonstration: ("alphabeta.py", "expectiminimax.py"),
    ten_times_slower: ("alphabeta.py", "cutoff.py", "expectiminimax.py"),  # test_time: all limits
    copies: ("alphabeta.py", "expectiminimax.py"),
    memory_by_text: ("minimax.py",),
    pickled_memory: ("minimax.py",),
    sides_as_enum: ("cutoff.py", "mcts.py"),
    squares_one_by_one: ("cutoff.py",),
    values_as_float32: QUESTION_FILES,
    values_as_fractions: QUESTION_FILES,
    # No bound comes from outside.
    values_in_sevenths: ("minimax.py", "cutoff.py", "mcts.py", "expectiminimax.py"),
    values_negated_twice: QUESTION_FILES,
    zero_dimensional: ("cutoff.py",),
    console_set_up: ("alphabeta.py", "mcts.py"),
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
