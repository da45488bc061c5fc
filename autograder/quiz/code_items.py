"""Items about the student's own lines: which one runs, how often, and what a change would do."""

import ast
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from random import Random
from textwrap import dedent

from autograder.printable import sanitize
from autograder.quiz.item import NONE, Item, NotAsked, expect, list_mistakes, name_nodes
from autograder.quiz.mutations import make_replacements
from autograder.quiz.search_items import ALPHABETA, MINIMAX, describe_prunes, search
from autograder.quiz.subject import Subject
from autograder.quiz.tree_rules import WRONG_PRUNING, ExplicitTree, PruningRule, draw_explicit

SEVERAL = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Lambda)
COUNTED = (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Return)
# What a changed comparison may do, besides the mistakes of WRONG_PRUNING.
CHANGED_RULES = (*WRONG_PRUNING, PruningRule(max=1), PruningRule(min=1))
LONGEST_LINE = 72  # characters of a line that is shown

# It is text, because the browser version has no sources. At the end of a search it prints how often
# each line ran, and the node and the line of each pair that was returned.
COUNTER = """

def _count_lines(_search):
    import json, sys

    def counted(game, state, *arguments, **options):
        ran, returned = {}, []
        served = type(state)

        def step(frame, event, value):
            if frame.f_code.co_filename != __file__:
                return None
            line = frame.f_lineno
            if event == "line":
                ran[line] = ran.get(line, 0) + 1
            elif event == "return" and isinstance(value, tuple) and len(value) == 2:
                states = [one for one in frame.f_locals.values() if type(one) is served]
                returned.append((states[0].number if states else -1, line))
            return step

        sys.settrace(step)
        try:
            return _search(game, state, *arguments, **options)
        finally:
            sys.settrace(None)
            print("\\ncounted", json.dumps([ran, returned]))

    return counted
"""


def find_statements(source: bytes) -> set[int]:
    """Return the lines that hold one statement, which runs once whenever the line does."""
    statements = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.stmt)]
    starts = Counter(node.lineno for node in statements)
    return {
        node.lineno
        for node in statements
        if isinstance(node, COUNTED)
        and node.lineno == node.end_lineno
        and starts[node.lineno] == 1
        and not any(isinstance(part, SEVERAL) for part in ast.walk(node))
    }


def count_lines(
    subject: Subject, function: str, tree: ExplicitTree
) -> tuple[dict[int, int], dict[str, list[int]]]:
    """Return how often each line runs in a search, and the lines that return a pair, by node.

    Raises NotAsked if the value is wrong, or the student's own output left no room for them.
    """
    file, name = function.split(".")
    counted = f"{COUNTER}\n{name} = _count_lines({name})\n".encode()
    source = subject.submission.files[f"{file}.py"]
    record = subject.search(function, tree, {f"{file}.py": source + counted})
    expect(record.value == tree.values[""])
    printed = re.search(r"^counted (.*\]\]\])$", record.printed, re.M)
    if printed is None:
        raise NotAsked
    ran, pairs = json.loads(printed[1])
    returned: dict[str, list[int]] = defaultdict(list)
    for node, line in pairs:
        if node != -1:
            returned[record.key(node)].append(line)
    return {int(line): count for line, count in ran.items()}, returned


def show_lines(subject: Subject, name: str, numbers: Iterable[int], before: int) -> str:
    """Return lines of a file as a question shows them, each below some lines of code."""
    lines = subject.read_lines(name)
    code = [n for n, line in enumerate(lines, 1) if line.strip() and line.strip()[0] != "#"]
    places = [code.index(number) for number in numbers]
    shown = sorted({i for place in places for i in range(max(0, place - before), place + 1)})
    texts = dedent("\n".join(lines[code[i] - 1].expandtabs(4) for i in shown)).split("\n")
    rows = [f"\n{name}.py:"]
    for i, text in zip(shown, texts):
        if i != shown[0] and i - 1 not in shown:
            rows.append(f"{'':9}...")
        line = sanitize(text.rstrip())
        more = " ..." if len(line) > LONGEST_LINE else ""
        rows.append(f"    {code[i]:>3}  {line[:LONGEST_LINE]}{more}")
    return "\n".join(rows)


def list_functions(source: bytes) -> dict[int, str]:
    """Return the name of the innermost function around each line."""
    found: dict[int, str] = {}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef) and node.end_lineno:
            found |= dict.fromkeys(range(node.lineno, node.end_lineno + 1), node.name)
    return found


def ask_count(subject: Subject, rng: Random) -> Item:
    """Ask how often a line runs in a search."""
    tree = draw_explicit(rng, 3) if rng.random() < 0.5 else draw_explicit(rng, 2, most=4)
    ran, _ = count_lines(subject, MINIMAX, tree)
    source = subject.submission.files["minimax.py"]
    lines = sorted(line for line in find_statements(source) if ran.get(line, 0) > 1)
    expect(bool(lines))
    line = rng.choice(lines)
    wrong = [
        (len(tree.states), "it ran at every node"),
        (len(tree.leaves), "it ran once for every leaf"),
        (len(tree.inner) + 1, "it ran once for every inner node"),
        (len(tree.states) - 1, "it ran once for every node below the root"),
        (1, "it ran only once"),
        (len(tree.children[""]), "it ran once for every move at the root"),
    ]
    return Item(
        "number",
        str(ran[line]),
        list_mistakes(wrong),
        text=f"minimax_search searches this tree. How often does line {line}, in "
        f"{list_functions(source)[line]}, run?{show_lines(subject, 'minimax', [line], before=2)}",
        why=f"It ran {ran[line]} times in your search of this tree, which has {len(tree.states)} "
        f"nodes, {len(tree.leaves)} of them leaves.",
        **tree.show(line=line),
    )


def ask_return(subject: Subject, rng: Random) -> Item:
    """Ask which line returned the value of a node."""
    tree = draw_explicit(rng, 3, span=6)
    _, returned = count_lines(subject, ALPHABETA, tree)
    source = subject.submission.files["alphabeta.py"]
    places = {node.lineno for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Return)}
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
    return Item(
        "choice",
        name(line),
        list_mistakes(wrong),
        text=f"alphabeta_search searches this tree. Which line of your file returned the value of "
        f"node {node}?{show_lines(subject, 'alphabeta', [line, *others], before=1)}",
        why=f"{node} is {describe_node(tree, node)}: {name(line)}, returns then.",
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
    number, before, after, source = rng.choice(changes)
    pruned = set(tree.list_pruned())
    rules = {rule: set(tree.list_pruned(rule)) for rule in CHANGED_RULES}
    expect(any(pruned - left for left in rules.values()))  # this tree can show something
    changed = subject.search(ALPHABETA, tree, {"alphabeta.py": source})
    left = set(tree.leaves) - set(changed.leaves)
    expect(left in rules.values() and left < pruned and changed.value == record.value)
    wrong = [(name_nodes(pruned - rules[rule]), words) for rule, words in WRONG_PRUNING.items()]
    return Item(
        "leaves",
        name_nodes(pruned - left),
        list_mistakes([*wrong, (NONE, "the comparison made no difference")]),
        text=f"Line {number} of your alphabeta.py is\n    {before}\nIf it read\n"
        f"    {after}\nwhich leaves of this tree, pruned now, would then be searched?",
        why=f"Now {name_nodes(pruned)} {'is' if len(pruned) == 1 else 'are'} pruned "
        f"({describe_prunes(tree)}); with the changed line only {name_nodes(left)}.",
        **tree.show(source=source.decode()),
    )


def list_changes(subject: Subject) -> Iterator[tuple[int, str, str, bytes]]:
    """Yield the changes of one comparison with alpha or beta that fit on a line.

    Each is the number of the line, its text before and after, and the whole file then.
    """
    lines = subject.read_lines("alphabeta")
    for node in ast.walk(ast.parse("\n".join(lines))):
        names = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
        if not isinstance(node, ast.Compare) or node.lineno != node.end_lineno:
            continue
        number, line = node.lineno, lines[node.lineno - 1]
        old = ast.get_source_segment("\n".join(lines), node) or ""
        for other in make_replacements(node) if names & {"alpha", "beta"} else ():
            after = line.replace(old, ast.unparse(other), 1)
            before, shown = sanitize(line.strip()), sanitize(after.strip())
            if isinstance(other, ast.Compare) and max(len(before), len(shown)) <= LONGEST_LINE:
                source = "\n".join([*lines[: number - 1], after, *lines[number:]])
                yield number, before, shown, source.encode()
