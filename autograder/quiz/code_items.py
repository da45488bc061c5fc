"""Items about the student's own lines: which one runs, how often, and what a change would do."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from random import Random
from typing import NamedTuple

from autograder.mutations import make_replacements
from autograder.quiz import alphabeta_items, minimax_items
from autograder.quiz.item import Item, NotAsked, make_choice_item, make_open_item, name_nodes
from autograder.quiz.kinds import kind
from autograder.quiz.subject import SearchRecord, Subject
from autograder.quiz.tree_rules import WRONG_PRUNING, ExplicitTree, PruningRule, draw_explicit

SEVERAL = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Lambda, ast.Await)
COUNTED = (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Return)
# What a changed comparison may do, besides the mistakes of WRONG_PRUNING.
CHANGED_RULES = (
    *WRONG_PRUNING,
    PruningRule(strict=("max",)),
    PruningRule(strict=("min",)),
)
Lines = tuple[tuple[int, str], ...]
LONGEST_LINE = 72  # characters of a line that is shown


class LineChange(NamedTuple):
    """A line with one comparison changed: its number, both texts, the whole file then."""

    number: int
    before: str
    after: str
    source: bytes


@lru_cache(maxsize=256)
def parse(source: bytes) -> ast.Module:
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError):
        raise NotAsked from None


def find_statements(subject: Subject, name: str) -> dict[int, ast.stmt]:
    """Return the statements that fill one line each, and run once whenever it runs."""
    tree = parse(subject.submission.files.get(f"{name}.py", b""))
    statements = [node for node in ast.walk(tree) if isinstance(node, ast.stmt)]
    starts = Counter(node.lineno for node in statements)
    return {
        node.lineno: node
        for node in statements
        if isinstance(node, COUNTED)
        and node.lineno == node.end_lineno
        and starts[node.lineno] == 1
        and not any(isinstance(part, SEVERAL) for part in ast.walk(node))
    }


def read_counts(record: SearchRecord) -> tuple[dict[int, int], dict[str, list[int]]]:
    """Return how often each line ran, and the lines that returned a pair, by node.

    Raises NotAsked if the student's own output left no room for them.
    """
    rows = [row.split() for row in record.printed.splitlines()]
    ran = {int(row[1]): int(row[2]) for row in rows if row[:1] == ["ran"]}
    returned: dict[str, list[int]] = {}
    for row in rows:
        if row[:1] == ["returned"] and row[1] != "-1":
            returned.setdefault(record.key(int(row[1])), []).append(int(row[2]))
    if "" not in returned:  # the last line is the root's
        raise NotAsked
    return ran, returned


def show_line(subject: Subject, name: str, number: int) -> str:
    """Return a line as it is shown. Raises NotAsked if it is too long."""
    lines = subject.read_lines(name)
    text = strip_comment(lines[number - 1]).strip() if number <= len(lines) else ""
    if not 0 < len(text) <= LONGEST_LINE or not text.isprintable():
        raise NotAsked
    return text


def show_lines(subject: Subject, name: str, chosen: Iterable[int], before: int) -> Lines:
    """Return lines with some lines of code before each, in order, indented as they are.

    Raises NotAsked if one is too long to be shown.
    """
    lines = subject.read_lines(name)
    code = [n for n in range(1, len(lines) + 1) if strip_comment(lines[n - 1])]
    shown: set[int] = set()
    for number in chosen:
        show_line(subject, name, number)
        place = code.index(number)
        shown |= set(code[max(0, place - before) : place + 1])
    texts = {n: strip_comment(lines[n - 1]) for n in sorted(shown)}
    indent = min(len(text) - len(text.lstrip()) for text in texts.values())
    return tuple((n, shorten(text[indent:])) for n, text in texts.items())


def strip_comment(line: str) -> str:
    """Return a line without its comment, unless a # may be part of a string."""
    quoted = "'" in line or '"' in line
    return (line if quoted else line.partition("#")[0]).rstrip()


def shorten(line: str) -> str:
    return line if len(line) <= LONGEST_LINE else f"{line[:LONGEST_LINE]} ..."


def list_functions(subject: Subject, name: str) -> dict[int, str]:
    """Return the name of the innermost function around each line."""
    found: dict[int, str] = {}
    for node in ast.walk(parse(subject.submission.files.get(f"{name}.py", b""))):
        if isinstance(node, ast.FunctionDef) and node.end_lineno:
            found |= dict.fromkeys(range(node.lineno, node.end_lineno + 1), node.name)
    return found


@kind("minimax-line-count", "your own lines", minimax_items.NEEDS)
def ask_count(subject: Subject, rng: Random) -> Item:
    """Ask how often a line runs in a search."""
    tree = draw_explicit(rng, 3) if rng.random() < 0.5 else draw_explicit(rng, 2, most=4)
    record = subject.count_lines(minimax_items.SEARCH, tree)
    ran, _ = read_counts(record)
    if record.value != tree.values[""]:
        raise NotAsked
    whole = find_statements(subject, "minimax")
    lines = [line for line, count in ran.items() if line in whole and count > 1]
    if not lines:
        raise NotAsked
    line = rng.choice(lines)
    function = list_functions(subject, "minimax")[line]
    nodes = {
        "at every node": len(tree.states),
        "once for every leaf": len(tree.leaves),
        "once for every inner node": len(tree.inner) + 1,
        "once for every node below the root": len(tree.states) - 1,
        "only once": 1,
        "once for every move at the root": len(tree.children[""]),
    }
    return make_open_item(
        "number",
        str(ran[line]),
        [(str(count), f"it ran {words}") for words, count in nodes.items()],
        kind="minimax-line-count",
        text=f"minimax_search searches this tree. How often does line {line}, in {function}, run?",
        why=f"It ran {ran[line]} times in your search of this tree, which has {len(tree.states)} "
        f"nodes, {len(tree.leaves)} of them leaves.",
        picture=tree.draw(),
        file="minimax.py",
        lines=show_lines(subject, "minimax", [line], before=2),
        facts={"tree": tree.tree, "to_move": tree.to_move, "line": line},
    )


@kind("alphabeta-return-line", "your own lines", alphabeta_items.NEEDS)
def ask_return(subject: Subject, rng: Random) -> Item:
    """Ask which line returned the value of a node."""
    tree = draw_explicit(rng, 3, span=6)
    record = subject.count_lines(alphabeta_items.SEARCH, tree)
    _, returned = read_counts(record)
    if record.value != tree.values[""]:
        raise NotAsked
    source = parse(subject.submission.files["alphabeta.py"])
    places = [node.lineno for node in ast.walk(source) if isinstance(node, ast.Return)]
    by_line: dict[int, list[str]] = {}
    for node, lines in returned.items():
        if node and len(lines) == 1 and lines[0] in places:
            by_line.setdefault(lines[0], []).append(node)
    by_kind: dict[str, set[int]] = {}
    for line, nodes in by_line.items():
        for node in nodes:
            by_kind.setdefault(describe_node(tree, node), set()).add(line)
    if any(len(lines) > 1 for lines in by_kind.values()):
        raise NotAsked  # the lines do not follow from the rules
    if len(set(places)) < 4 or len(by_line) < 2:
        raise NotAsked
    line = rng.choice(sorted(by_line))
    node = rng.choice(by_line[line])
    unused = sorted(set(places) - set(by_line))
    others = [*sorted(set(by_line) - {line}), *rng.sample(unused, len(unused))][:3]
    functions = list_functions(subject, "alphabeta")

    def name(line: int) -> str:
        return f"line {line}, in {functions.get(line, 'no function')}"

    wrong = [(name(one), say_kinds(by_kind, one, node)) for one in others]
    return make_choice_item(
        rng,
        name(line),
        wrong,
        kind="alphabeta-return-line",
        text=f"alphabeta_search searches this tree. Which line of your file returned the value of "
        f"node {node}?",
        why=f"{node} is {describe_node(tree, node)}: {name(line)}, returns then.",
        picture=tree.draw(),
        file="alphabeta.py",
        lines=show_lines(subject, "alphabeta", [line, *others], before=1),
        facts={"tree": tree.tree, "to_move": tree.to_move, "node": node},
    )


def describe_node(tree: ExplicitTree, node: str) -> str:
    """Say whether a node is a leaf, and if not, whether its bounds met."""
    below = [child for child in tree.children[node] if not tree.is_pruned(child)]
    if not below:
        return "a leaf"
    values, (alpha, beta) = [tree.values[child] for child in below], tree.window(node)
    if tree.side(node) == "max":
        return f"a MAX node where v {'>=' if max(values) >= beta else 'stays below'} beta"
    return f"a MIN node where v {'<=' if min(values) <= alpha else 'stays above'} alpha"


def say_kinds(by_kind: dict[str, set[int]], line: int, node: str) -> str:
    """Say for which nodes a line returns, if for one kind only."""
    kinds = [words for words, lines in by_kind.items() if line in lines]
    return f"{node} were {kinds[0]}" if len(kinds) == 1 else ""


@kind("alphabeta-line-change", "your own lines", alphabeta_items.NEEDS)
def ask_changed_line(subject: Subject, rng: Random) -> Item:
    """Ask which leaves would be searched, too, if a comparison were another."""
    tree = draw_explicit(rng, 3, span=2)
    record = alphabeta_items.search(subject, tree)
    changes = list(list_changes(subject.submission.files["alphabeta.py"]))
    if not changes:
        raise NotAsked
    change = rng.choice(changes)
    before = show_line(subject, "alphabeta", change.number)
    rules = {rule: set(tree.list_pruned(rule)) for rule in CHANGED_RULES}
    pruned = set(tree.list_pruned())
    if all(pruned <= left for left in rules.values()):
        raise NotAsked  # nothing that this tree could show
    changed = subject.search(alphabeta_items.SEARCH, tree, {"alphabeta.py": change.source})
    left = set(tree.leaves) - set(changed.leaves)
    if left not in rules.values() or not left < pruned or changed.value != record.value:
        raise NotAsked
    mistakes = [(name_nodes(pruned - rules[rule]), words) for rule, words in WRONG_PRUNING.items()]
    return make_open_item(
        "nodes",
        name_nodes(pruned - left),
        [*mistakes, (name_nodes(()), "the comparison made no difference")],
        kind="alphabeta-line-change",
        text=f"Line {change.number} of your alphabeta.py is\n    {before}\nIf it read\n"
        f"    {change.after}\nwhich leaves of this tree would alphabeta_search search that it does "
        "not search now?",
        why=f"Now {name_nodes(pruned)} {'is' if len(pruned) == 1 else 'are'} pruned "
        f"({alphabeta_items.describe_prunes(tree)}); with the changed line only "
        f"{name_nodes(left)}.",
        picture=tree.draw(),
        facts={"tree": tree.tree, "to_move": tree.to_move, "source": change.source.decode()},
    )


def list_changes(source: bytes) -> Iterator[LineChange]:
    """Yield the changes of one comparison with alpha or beta, in lines of one statement."""
    try:
        text = source.decode("utf-8-sig")
    except UnicodeDecodeError:
        return
    lines = text.replace("\r\n", "\n").split("\n")
    for node in ast.walk(parse(source)):
        if not isinstance(node, ast.Compare) or node.lineno != node.end_lineno:
            continue
        names = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
        if not names & {"alpha", "beta"}:
            continue
        line = lines[node.lineno - 1]
        whole = line.encode()
        for other in make_replacements(node):
            new = ast.unparse(other).encode()
            after = whole[: node.col_offset] + new + whole[node.end_col_offset :]
            copy = [*lines[: node.lineno - 1], after.decode(), *lines[node.lineno :]]
            shown = strip_comment(after.decode()).strip()
            if isinstance(other, ast.Compare) and len(shown) <= LONGEST_LINE:
                yield LineChange(node.lineno, line.strip(), shown, "\n".join(copy).encode())
