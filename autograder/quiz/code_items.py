"""Items about the student's own lines: which one runs, how often, and what a change would do."""

import ast
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from functools import lru_cache
from random import Random
from textwrap import dedent
from typing import Any, NamedTuple

from autograder.printable import sanitize
from autograder.quiz.item import NONE, Item, NotAsked, make_item, name_nodes
from autograder.quiz.mutations import make_replacements
from autograder.quiz.search_items import ALPHABETA, MINIMAX, describe_prunes, expect, search
from autograder.quiz.subject import SearchRecord, Subject
from autograder.quiz.tree_rules import WRONG_PRUNING, ExplicitTree, PruningRule, draw_explicit

SEVERAL = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Lambda, ast.Await)
COUNTED = (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Return)
# What a changed comparison may do, besides the mistakes of WRONG_PRUNING.
CHANGED_RULES = (*WRONG_PRUNING, PruningRule(strict=("max",)), PruningRule(strict=("min",)))
LONGEST_LINE = 72  # characters of a line that is shown
LONGEST_HEAD = 50  # of a function's head that is shown with its parameters
MAX_ROW = 3  # lines of a statement that are shown


class LineChange(NamedTuple):
    """A line with one comparison changed: its number, both texts, the whole file then."""

    number: int
    before: str
    after: str
    source: bytes


@lru_cache(maxsize=256)
def parse(source: bytes) -> ast.Module:
    return ast.parse(source)


def find_statements(source: bytes) -> set[int]:
    """Return the lines that hold one statement, which runs once whenever the line does."""
    statements = [node for node in ast.walk(parse(source)) if isinstance(node, ast.stmt)]
    starts = Counter(node.lineno for node in statements)
    return {
        node.lineno
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
    returned: dict[str, list[int]] = defaultdict(list)
    for row in rows:
        if row[:1] == ["returned"] and row[1] != "-1":
            returned[record.key(int(row[1]))].append(int(row[2]))
    expect("" in returned)  # the last line is the root's
    return ran, returned


class Row(NamedTuple):
    """A statement's own lines of code, or its head: the first line, the last, and the text."""

    first: int
    last: int
    text: str


def list_rows(subject: Subject, name: str) -> list[Row]:
    """Return the code of a file, a row for each statement; of a function's head one line."""
    lines, found = subject.read_lines(name), dict[int, Row]()
    hidden = set[int]()
    for node in ast.walk(parse(subject.submission.files[f"{name}.py"])):
        if not isinstance(node, ast.stmt):
            continue
        first, last = node.lineno, node.end_lineno or node.lineno
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            hidden |= {*range(first, last + 1)}
        elif body := getattr(node, "body", None):
            last = max(first, body[0].lineno - 1)
        text = "\n".join(lines[first - 1 : min(last, first + MAX_ROW - 1)])
        if isinstance(node, ast.FunctionDef) and ("\n" in text or len(text) > LONGEST_HEAD):
            text = f"{' ' * node.col_offset}def {node.name}(...):"
        found.setdefault(first, Row(first, last, text))
    rows: list[Row] = []
    for number, line in enumerate(lines, 1):
        code = line.strip() and line.strip()[0] != "#" and number not in hidden
        if code and (not rows or number > rows[-1].last):
            rows.append(found.get(number) or Row(number, number, line))
    return rows


def show_lines(subject: Subject, name: str, numbers: Iterable[int], before: int) -> dict[str, Any]:
    """Return lines of a file as an item shows them, each with some statements before it."""
    rows = list_rows(subject, name)
    places = [i for n in numbers for i, row in enumerate(rows) if row.first <= n <= row.last]
    shown = sorted({i for place in places for i in range(max(0, place - before), place + 1)})
    texts = iter(dedent("\n".join(rows[i].text for i in shown)).split("\n"))
    lines: list[tuple[int, str]] = []
    for i in shown:
        if lines and i - 1 not in shown:
            lines.append((0, "..."))
        count = rows[i].text.count("\n") + 1
        lines += [(rows[i].first + part, shorten(next(texts))) for part in range(count)]
    return {"file": f"{name}.py", "lines": tuple(lines)}


def shorten(line: str) -> str:
    line = sanitize(line.rstrip())
    return line if len(line) <= LONGEST_LINE else f"{line[:LONGEST_LINE]} ..."


def list_functions(source: bytes) -> dict[int, str]:
    """Return the name of the innermost function around each line."""
    found: dict[int, str] = {}
    for node in ast.walk(parse(source)):
        if isinstance(node, ast.FunctionDef) and node.end_lineno:
            found |= dict.fromkeys(range(node.lineno, node.end_lineno + 1), node.name)
    return found


def ask_count(subject: Subject, rng: Random) -> Item:
    """Ask how often a line runs in a search."""
    tree = draw_explicit(rng, 3) if rng.random() < 0.5 else draw_explicit(rng, 2, most=4)
    record = subject.count_lines(MINIMAX, tree)
    ran, _ = read_counts(record)
    expect(record.value == tree.values[""])
    source = subject.submission.files["minimax.py"]
    lines = sorted(line for line in find_statements(source) if ran.get(line, 0) > 1)
    expect(bool(lines))
    line = rng.choice(lines)
    nodes = {
        "at every node": len(tree.states),
        "once for every leaf": len(tree.leaves),
        "once for every inner node": len(tree.inner) + 1,
        "once for every node below the root": len(tree.states) - 1,
        "only once": 1,
        "once for every move at the root": len(tree.children[""]),
    }
    return make_item(
        rng,
        "number",
        str(ran[line]),
        [(count, f"it ran {words}") for words, count in nodes.items()],
        text=f"minimax_search searches this tree. How often does line {line}, in "
        f"{list_functions(source)[line]}, run?",
        why=f"It ran {ran[line]} times in your search of this tree, which has {len(tree.states)} "
        f"nodes, {len(tree.leaves)} of them leaves.",
        **show_lines(subject, "minimax", [line], before=2),
        **tree.show(line=line),
    )


def ask_return(subject: Subject, rng: Random) -> Item:
    """Ask which line returned the value of a node."""
    tree = draw_explicit(rng, 3, span=6)
    record = subject.count_lines(ALPHABETA, tree)
    _, returned = read_counts(record)
    expect(record.value == tree.values[""])
    source = subject.submission.files["alphabeta.py"]
    places = {node.lineno for node in ast.walk(parse(source)) if isinstance(node, ast.Return)}
    nodes, kinds = defaultdict(list), defaultdict(set)  # by line
    for node, lines in returned.items():
        if node and len(lines) == 1 and lines[0] in places:
            nodes[lines[0]].append(node)
            kinds[lines[0]].add(describe_node(tree, node))
    # Otherwise the lines do not follow from the rules.
    expect(sum(map(len, kinds.values())) == len(set().union(*kinds.values())))
    expect(len(places) > 3 and len(nodes) > 1)
    line = rng.choice(sorted(nodes))
    node = rng.choice(nodes[line])
    unused = sorted(places - set(nodes))
    others = [*sorted(set(nodes) - {line}), *rng.sample(unused, len(unused))][:3]
    functions = list_functions(source)

    def name(line: int) -> str:
        return f"line {line}, in {functions.get(line, 'no function')}"

    wrong = [
        (name(other), f"{node} were {min(kinds[other])}" if len(kinds[other]) == 1 else "")
        for other in others
    ]
    return make_item(
        rng,
        "choice",
        name(line),
        wrong,
        text=f"alphabeta_search searches this tree. Which line of your file returned the value of "
        f"node {node}?",
        why=f"{node} is {describe_node(tree, node)}: {name(line)}, returns then.",
        **show_lines(subject, "alphabeta", [line, *others], before=1),
        **tree.show(node=node),
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


def ask_changed_line(subject: Subject, rng: Random) -> Item:
    """Ask which leaves would be searched, too, if a comparison were another."""
    tree = draw_explicit(rng, 3, span=2)
    record = search(subject, tree)
    changes = list(list_changes(subject))
    expect(bool(changes))
    change = rng.choice(changes)
    pruned = set(tree.list_pruned())
    rules = {rule: set(tree.list_pruned(rule)) for rule in CHANGED_RULES}
    expect(any(pruned - left for left in rules.values()))  # this tree can show something
    changed = subject.search(ALPHABETA, tree, {"alphabeta.py": change.source})
    left = set(tree.leaves) - set(changed.leaves)
    expect(left in rules.values() and left < pruned and changed.value == record.value)
    wrong = [(name_nodes(pruned - rules[rule]), words) for rule, words in WRONG_PRUNING.items()]
    return make_item(
        rng,
        "leaves",
        name_nodes(pruned - left),
        [*wrong, (NONE, "the comparison made no difference")],
        text=f"Line {change.number} of your alphabeta.py is\n    {change.before}\nIf it read\n"
        f"    {change.after}\nwhich leaves of this tree, pruned now, would then be searched?",
        why=f"Now {name_nodes(pruned)} {'is' if len(pruned) == 1 else 'are'} pruned "
        f"({describe_prunes(tree)}); with the changed line only {name_nodes(left)}.",
        **tree.show(source=change.source.decode()),
    )


def list_changes(subject: Subject) -> Iterator[LineChange]:
    """Yield the changes of one comparison with alpha or beta that fit on a line."""
    source = subject.submission.files["alphabeta.py"]
    try:
        lines = source.decode("utf-8-sig").replace("\r\n", "\n").split("\n")
    except UnicodeDecodeError:
        raise NotAsked from None
    for node in ast.walk(parse(source)):
        names = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
        if not isinstance(node, ast.Compare) or node.lineno != node.end_lineno:
            continue
        whole = lines[node.lineno - 1].encode()
        for other in make_replacements(node) if names & {"alpha", "beta"} else ():
            new = ast.unparse(other).encode()
            after = (whole[: node.col_offset] + new + whole[node.end_col_offset :]).decode()
            before, shown = (sanitize(line.strip()) for line in (whole.decode(), after))
            if isinstance(other, ast.Compare) and max(len(before), len(shown)) <= LONGEST_LINE:
                copy = [*lines[: node.lineno - 1], after, *lines[node.lineno :]]
                yield LineChange(node.lineno, before, shown, "\n".join(copy).encode())
