"""Make a class of submissions from the banks, by a seed, and copies as students disguise them.

Each student's files are one of a bank's each, written again with habits of the student's own:
names, comments, the order of functions, and small ways to say the same. Nothing is changed in what
a file computes, nor in the functions that are provided.
"""

from __future__ import annotations

import ast
import random
from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple

from autograder.author.bank import Entry, read_bank
from autograder.cohort.suspicious_pairs import Comparison, read
from autograder.questions import QUESTION_FILES, ROOT
from autograder.selftest.support.banks import BANKS, read_shortcuts, read_wrong

# No textbook has a player, so that all of the banks' would be copies of a few.
WRITTEN = tuple(name for name in QUESTION_FILES if name != "player.py")
TEXTBOOK = "textbook"  # what many write: the solution, perhaps with one mistake
WORDS = (
    "best result current node option choice score outcome answer item temp top low high limit "
    "bound path step count total mine other side turn board cell line piece table entry found "
    "candidate chosen pick nearest first last left right start end level height width weight gain"
)
REMARKS = (
    "# check all moves",
    "# TODO clean this up",
    "# the base case",
    "# see the lecture, slide 12",
    "# we need this because the other player answers",
    "# update",
    "# done?",
)


Files = dict[str, bytes]


class Student(NamedTuple):
    """One submission, and for each of its files which entry it came from."""

    files: Files
    origins: dict[str, str]


def independent(one: Student, other: Student) -> bool:
    """Have they nothing but the textbook in common?"""
    pairs = ((one.origins[name], other.origins[name]) for name in WRITTEN)
    return not any(first == second != TEXTBOOK for first, second in pairs)


def independent_entries() -> list[Entry]:
    return [*read_bank(BANKS / "right"), *read_shortcuts()]


@cache
def bank() -> dict[str, dict[str, list[tuple[str, str]]]]:
    """Return the entries (origin, source) of each file, by whether they are the textbook's."""
    found: dict[str, dict[str, list[tuple[str, str]]]] = {}
    for name in WRITTEN:
        wrong = [
            (TEXTBOOK, entry.files[name].decode())
            for entry in read_wrong()
            if name in entry.files and is_python(entry.files[name].decode())
        ]
        solution = (ROOT / "solution" / name).read_text(encoding="utf-8")
        own = [
            (entry.name, entry.files[name].decode())
            for entry in independent_entries()
            if name in entry.files
        ]
        found[name] = {"textbook": [(TEXTBOOK, solution)] * len(wrong) + wrong, "own": own}
    return found


def is_python(source: str) -> bool:
    try:
        ast.parse(source)
    except SyntaxError:
        return False
    return True


def students(count: int, seed: int = 0) -> Iterator[Student]:
    """Yield a class; half of the files go back to the textbook."""
    for number in range(count):
        rng = random.Random(f"{seed} {number}")
        files, origins = {}, {}
        habits = Habits(rng)
        for name in WRITTEN:
            kind = rng.choice(("textbook", "own"))
            origins[name], source = rng.choice(bank()[name][kind])
            files[name] = rewritten(source, name, habits.visit, rng)
        yield Student(files, origins)


def copy(student: Student, seed: int) -> Student:
    """Return a copy of a student's submission."""
    return Student(disguised(student.files, seed), student.origins)


def disguised(files: Files, seed: int) -> Files:
    """Return the same files with other names and comments, functions in another order."""
    rng = random.Random(f"copy {seed}")
    return {
        name: rewritten(source.decode(), name, lambda tree: tree, rng)
        for name, source in files.items()
    }


@cache
def provided(name: str) -> frozenset[str]:
    """Return the functions that students receive complete, as far as they leave them so."""
    tree = ast.parse((ROOT / "starter" / name).read_text(encoding="utf-8"))
    return frozenset(ast.dump(node) for node in tree.body)


def rewritten(
    source: str, name: str, habits: Callable[[ast.AST], ast.AST], rng: random.Random
) -> bytes:
    """Write a file again: by habits, then with other names, comments and order of functions."""
    body: list[ast.stmt] = []
    for node in ast.parse(source).body:
        if ast.dump(node) not in provided(name):
            changed = habits(node)
            assert isinstance(changed, ast.stmt)
            node = Names(changed, rng).visit(changed)
        body.append(node)
    text = ast.unparse(ast.fix_missing_locations(ast.Module(shuffled(body, rng), [])))
    lines = []
    for line in text.splitlines():
        inside = line.startswith(" ") and line.endswith(":") and not line.lstrip().startswith('"')
        lines.append(f"{line}  {rng.choice(REMARKS)}" if inside and rng.random() < 0.3 else line)
    return ("\n".join(lines) + "\n").encode()


def shuffled(body: list[ast.stmt], rng: random.Random) -> list[ast.stmt]:
    """Exchange neighbouring functions, unless one is needed to define the next."""
    body = list(body)
    for i in range(len(body) - 1):
        pair = body[i : i + 2]
        if all(isinstance(node, ast.FunctionDef) for node in pair) and rng.random() < 0.7:
            name = pair[0].name  # type: ignore[attr-defined]
            arguments = ast.dump(pair[1].args)  # type: ignore[attr-defined]
            decorators = "".join(map(ast.dump, pair[1].decorator_list))  # type: ignore[attr-defined]
            if repr(name) not in arguments + decorators:
                body[i : i + 2] = reversed(pair)
    return body


class Names(ast.NodeTransformer):
    """Gives the variables of one function other names; a parameter keeps its own."""

    def __init__(self, function: ast.AST, rng: random.Random) -> None:
        self.new: dict[str, str] = {}
        if not isinstance(function, ast.FunctionDef):
            return
        nodes = list(ast.walk(function))
        taken = {node.id for node in nodes if isinstance(node, ast.Name)}
        taken |= {node.arg for node in nodes if isinstance(node, ast.arg)}
        fixed = {node.arg for node in nodes if isinstance(node, ast.arg)}
        for node in nodes:
            if isinstance(node, ast.Global | ast.Nonlocal):
                fixed |= set(node.names)
        stored = {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        free = [word for word in WORDS.split() if word not in taken]
        rng.shuffle(free)
        for name in sorted(stored - fixed):
            if name != "_" and free:
                self.new[name] = free.pop()

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.copy_location(ast.Name(self.new.get(node.id, node.id), node.ctx), node)


MIRRORED = {ast.Lt: ast.Gt, ast.Gt: ast.Lt, ast.LtE: ast.GtE, ast.GtE: ast.LtE}


class Habits(ast.NodeTransformer):
    """Says the same in another way, as far as one student has the habit of it."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.has = {
            name: rng.random() < 0.4
            for name in (
                "mirrored",
                "long sums",
                "named moves",
                "named results",
                "else",
                "untyped",
                "float inf",
                "ternary",
                "asserts",
                "true loops",
            )
        }

    def does(self, habit: str) -> bool:
        return self.has[habit] and self.rng.random() < 0.8

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        kind = type(node.ops[0])
        if len(node.ops) == 1 and kind in MIRRORED and self.does("mirrored"):
            return ast.Compare(node.comparators[0], [MIRRORED[kind]()], [node.left])
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.target, ast.Name) and self.does("long sums"):
            value = ast.BinOp(ast.Name(node.target.id, ast.Load()), node.op, node.value)
            return ast.Assign([node.target], value, lineno=0)
        return node

    def visit_For(self, node: ast.For) -> ast.AST | list[ast.stmt]:
        self.generic_visit(node)
        if isinstance(node.iter, ast.Call) and self.does("named moves"):
            named = ast.Assign([ast.Name("moves", ast.Store())], node.iter, lineno=0)
            node.iter = ast.Name("moves", ast.Load())
            return [named, node]
        return node

    def visit_While(self, node: ast.While) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.test, ast.Constant) and not node.orelse and self.does("true loops"):
            stop = ast.If(ast.UnaryOp(ast.Not(), node.test), [ast.Break()], [])
            return ast.While(ast.Constant(True), [stop, *node.body], [])
        return node

    def visit_Return(self, node: ast.Return) -> ast.AST | list[ast.stmt]:
        self.generic_visit(node)
        plain = node.value is None or isinstance(node.value, ast.Name | ast.Constant)
        if not plain and node.value is not None and self.does("named results"):
            named = ast.Assign([ast.Name("answer", ast.Store())], node.value, lineno=0)
            return [named, ast.Return(ast.Name("answer", ast.Load()))]
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self.generic_visit(node)
        if self.does("untyped"):
            node.returns = None
            for argument in ast.walk(node.args):
                if isinstance(argument, ast.arg):
                    argument.annotation = None
        if self.does("asserts") and node.args.args:
            checked = ast.Name(node.args.args[-1].arg, ast.Load())
            test = ast.Compare(checked, [ast.IsNot()], [ast.Constant(...)])
            node.body.insert(1 if ast.get_docstring(node) else 0, ast.Assert(test, None))
        node.body = list(self.with_else(node.body))
        return node

    def with_else(self, body: list[ast.stmt]) -> Iterator[ast.stmt]:
        """Yield the statements; what follows an `if` that returns goes under its `else`."""
        for place, node in enumerate(body):
            if isinstance(node, ast.If) and not node.orelse and place + 1 < len(body):
                returns = isinstance(node.body[-1], ast.Return)
                if returns and self.does("else"):
                    node.orelse = body[place + 1 :]
                    yield node
                    return
            yield node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        two = isinstance(node.func, ast.Name) and node.func.id in ("max", "min")
        if two and len(node.args) == 2 and not node.keywords and self.does("ternary"):
            a, b = node.args
            if isinstance(a, ast.Name) and isinstance(b, ast.Name):
                larger = ast.Gt() if node.func.id == "max" else ast.Lt()  # type: ignore[attr-defined]
                return ast.IfExp(ast.Compare(a, [larger], [b]), a, b)
        return node

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if node.id == "inf" and isinstance(node.ctx, ast.Load) and self.does("float inf"):
            return ast.Call(ast.Name("float", ast.Load()), [ast.Constant("inf")], [])
        return node


# --- what is found of copies ----------------------------------------------------------------------


def planted(count: int, copies: int, seed: int) -> tuple[float, float]:
    """Return which share of planted copies is found, and of independent pairs over the line."""
    group = list(students(count, seed))
    originals = random.Random(seed).sample(range(count), copies)
    everybody = group + [copy(group[one], one) for one in originals]
    prints = [read(one.files) for one in everybody]
    found = {(pair.first, pair.second) for pair in Comparison(prints).pairs(len(prints))}
    recall = sum((one, count + i) in found for i, one in enumerate(originals)) / copies
    apart = [
        (one, other)
        for other in range(count)
        for one in range(other)
        if independent(group[one], group[other])
    ]
    return recall, sum(pair in found for pair in apart) / len(apart)


def planted_in_banks() -> tuple[float, float]:
    """Return the same for the right submissions and the shortcuts as they stand in their banks.

    Some of them are variants of each other, and count as independent here.
    """
    group = [entry.files for entry in independent_entries()]
    prints, count = [read(files) for files in group], len(group)
    false = len(Comparison(prints).pairs(count)) / (count * (count - 1) / 2)
    found = 0
    for begin in range(0, count, 8):  # a few copies at a time, as in a class
        originals = range(begin, min(count, begin + 8))
        copies = [read(disguised(group[one], one)) for one in originals]
        pairs = {pair[:2] for pair in Comparison(prints + copies).pairs(count + len(copies))}
        found += sum((one, count + i) in pairs for i, one in enumerate(originals))
    return found / count, false
