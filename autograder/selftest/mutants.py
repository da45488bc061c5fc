"""Mutants of the solution, each with one small mistake: `python -m autograder.selftest.mutants`.

First-order mutation testing (R. DeMillo, R. Lipton, F. Sayward, "Hints on Test Data Selection",
1978): a grader that tells every mutant from the solution is likely to see students' mistakes too.
Only what students write is changed, which is what stands in the solution's regions. A mutant either
loses points or is listed in allowed_mutants.txt with the reason why it need not.
"""

from __future__ import annotations

import argparse
import ast
import os
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from multiprocessing.pool import ThreadPool
from pathlib import Path
from typing import Any

from autograder.author.graded import graded_tests
from autograder.author.parallel import Job, Verdict, verdict_on
from autograder.author.stubs import regions
from autograder.questions import QUESTION_FILES, ROOT, is_off, question_of
from autograder.submission import Submission, read_submission

ALLOWED = Path(__file__).with_name("allowed_mutants.txt")
NOT_CODE = ("annotation", "returns", "decorator_list")
DROPPED = (ast.Assign, ast.AugAssign, ast.Expr, ast.Return, ast.If, ast.For, ast.While)
COMPARISONS: dict[type, tuple[type, ...]] = {
    ast.Lt: (ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq),
    ast.LtE: (ast.Lt, ast.Gt, ast.GtE, ast.Eq, ast.NotEq),
    ast.Gt: (ast.GtE, ast.Lt, ast.LtE, ast.Eq, ast.NotEq),
    ast.GtE: (ast.Gt, ast.Lt, ast.LtE, ast.Eq, ast.NotEq),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
OPERATORS: dict[type, tuple[type, ...]] = {
    ast.Add: (ast.Sub, ast.Mult),
    ast.Sub: (ast.Add, ast.Mult),
    ast.Mult: (ast.Add, ast.Div),
    ast.Div: (ast.Mult, ast.FloorDiv),
    ast.LShift: (ast.RShift,),
    ast.BitAnd: (ast.BitOr,),
}
PAIRS = (
    ("max", "min"),
    ("alpha", "beta"),
    ("max_value", "min_value"),
    ("v", "v2"),
    ("move", "best_move"),
    ("U", "N"),
    ("mine", "theirs"),
    ("x", "o"),
    ("X", "O"),
    ("height", "width"),
    ("row", "column"),
    ("down", "right"),
    ("node", "child"),
)
COUNTERPARTS = {"inf": "-inf", **dict(PAIRS), **{b: a for a, b in PAIRS}}
Place = ast.expr | ast.stmt | list[ast.stmt]
# Tests that take long, or look at something else: only what all others overlook is put to them.
SEARCH_TESTS = frozenset(("3.1", "3.2", "3.3", "3.4", "3.5", "3.6", "3.7", "3.14"))
GAMES = frozenset(("6.1", "6.2"))
ASKED_LAST = {
    "cutoff.py outside": SEARCH_TESTS,  # the heuristic's constants
    "cutoff.py connect_four_heuristic": SEARCH_TESTS,
    "cutoff.py lines_of_four": SEARCH_TESTS,
    "player.py": GAMES,
}


@dataclass(frozen=True)
class Mutant:
    """One question file of the solution with one change."""

    file: str
    name: str
    source: str

    @property
    def question(self) -> str:
        return question_of(self.file).number

    @property
    def asked_last(self) -> frozenset[str]:
        """The tests that are left out as long as the others may do."""
        place, _, _ = self.name.partition(":")
        return ASKED_LAST.get(place) or ASKED_LAST.get(self.file, frozenset())

    @property
    def submission(self) -> Submission:
        """The solution with this file in place of its own."""
        files = {name: (ROOT / "solution" / name).read_bytes() for name in QUESTION_FILES}
        return Submission(files={**files, self.file: self.source.encode()})


# --- what may be changed, and into what -----------------------------------------------------------


def altered(node: ast.AST, **fields: object) -> str:
    """Return the source of a node with some of its fields changed."""
    return ast.unparse(type(node)(**{**dict(ast.iter_fields(node)), **fields}))


def without(items: list[Any], i: int) -> list[Any]:
    return items[:i] + items[i + 1 :]


def swapped(items: list[Any], i: int, j: int) -> list[Any]:
    items = list(items)
    items[i], items[j] = items[j], items[i]
    return items


def changes(node: ast.AST) -> Iterator[tuple[Place, str]]:
    """Yield for one node every change: what is replaced, and the source that replaces it."""
    if isinstance(node, ast.expr | ast.AugAssign):
        for text in replacements(node):
            yield node, text
    if isinstance(node, DROPPED):
        yield node, "pass"
    if isinstance(node, ast.If | ast.While | ast.IfExp):
        yield node.test, f"not ({ast.unparse(node.test)})"
    if isinstance(node, ast.If):
        yield node.test, "True"
    if isinstance(node, ast.For | ast.While):
        yield node.body, "pass"
        yield node.body[-1], f"{ast.unparse(node.body[-1])}\nbreak"
    if isinstance(node, ast.For | ast.comprehension):
        for part in ("[::-1]", "[1:]", "[:-1]"):
            yield node.iter, f"list({ast.unparse(node.iter)}){part}"
    if isinstance(node, ast.Return) and node.value is not None:
        yield node.value, "None"
        pair = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
        yield pair[0], f"-({ast.unparse(pair[0])})"
        yield pair[-1], "None"


def replacements(node: ast.AST) -> Iterator[str]:
    """Yield what may stand in the place of one node."""
    if isinstance(node, ast.Compare):
        for i, op in enumerate(node.ops):
            for other in COMPARISONS.get(type(op), ()):
                yield altered(node, ops=[*node.ops[:i], other(), *node.ops[i + 1 :]])
    elif isinstance(node, ast.BinOp):
        for other in OPERATORS.get(type(node.op), ()):
            yield altered(node, op=other())
        yield ast.unparse(node.left)
        yield ast.unparse(node.right)
    elif isinstance(node, ast.BoolOp):
        yield altered(node, op=ast.Or() if isinstance(node.op, ast.And) else ast.And())
        yield from map(ast.unparse, node.values)
    elif isinstance(node, ast.UnaryOp):
        if ast.unparse(node.operand) not in COUNTERPARTS:
            yield ast.unparse(node.operand)
    elif isinstance(node, ast.Constant):
        yield from map(repr, other_constants(node.value))
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        if node.id in COUNTERPARTS:
            yield COUNTERPARTS[node.id]
        if node.id == "inf":
            yield "0"
    elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
        if node.attr in COUNTERPARTS:
            yield altered(node, attr=COUNTERPARTS[node.attr])
    elif isinstance(node, ast.Call):
        yield from other_calls(node)
    elif isinstance(node, ast.Tuple) and isinstance(node.ctx, ast.Load):
        for i in range(len(node.elts) - 1):
            yield altered(node, elts=swapped(node.elts, i, i + 1))
    elif isinstance(node, ast.IfExp):
        yield ast.unparse(node.body)
        yield ast.unparse(node.orelse)
    elif isinstance(node, ast.Lambda):
        yield altered(node, body=ast.UnaryOp(ast.USub(), node.body))
    elif isinstance(node, ast.AugAssign):
        for other in OPERATORS.get(type(node.op), ()):
            yield altered(node, op=other())
        yield f"{ast.unparse(node.target)} = {ast.unparse(node.value)}"


def other_constants(value: object) -> list[Any]:
    if value is None:
        return [0]
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int | float):
        return [value + 1, value - 1, 0, 1, -value]
    return [COUNTERPARTS.get(str(value), "")]


def other_calls(call: ast.Call) -> Iterator[str]:
    """Two arguments swapped, the last or a named one left out, one argument for the whole."""
    for i, j in combinations(range(len(call.args)), 2):
        yield altered(call, args=swapped(call.args, i, j))
    if len(call.args) > 1:
        yield altered(call, args=call.args[:-1])
    for i in range(len(call.keywords)):
        yield altered(call, keywords=without(call.keywords, i))
    if len(call.args) <= 2:
        yield from (ast.unparse(arg) for arg in call.args if not isinstance(arg, ast.Starred))


# --- from changes to mutants ----------------------------------------------------------------------


def places(node: ast.AST, function: str) -> Iterator[tuple[ast.AST, str]]:
    """Yield all nodes of code below `node`, each with the name of its function."""
    for field, value in ast.iter_fields(node):
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and field not in NOT_CODE and not is_text(child):
                inside = (
                    f"{function}.{child.name}" if isinstance(child, ast.FunctionDef) else function
                )
                yield child, inside.strip(".")
                yield from places(child, inside)


def is_text(node: ast.AST) -> bool:
    """Is it a docstring?"""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def written(source: str) -> set[int]:
    """Return the numbers of the lines that students write."""
    return {number for region in regions(source) for number in region.lines}


def put(source: str, place: Place, text: str) -> tuple[str, str]:
    """Return the source with `text` in a place, and what stood there."""
    nodes = place if isinstance(place, list) else [place]
    first, last = nodes[0], nodes[-1]
    assert last.end_lineno is not None and last.end_col_offset is not None
    lines = source.splitlines(keepends=True)
    start = sum(map(len, lines[: first.lineno - 1])) + first.col_offset
    end = sum(map(len, lines[: last.end_lineno - 1])) + last.end_col_offset
    text = text.replace("\n", "\n" + " " * first.col_offset)
    if isinstance(first, ast.expr):
        text = f"({text})"
    return source[:start] + text + source[end:], source[start:end]


@cache
def mutants_of(file: str) -> list[Mutant]:
    """Return all mutants of one question file."""
    source = (ROOT / "solution" / file).read_text(encoding="ascii")
    names: Counter[str] = Counter()
    found = []
    for part in ast.parse(source).body:
        for function, there, text, changed in variants(source, part):
            name = f"{file} {function or 'outside'}: {in_a_line(there)} -> {in_a_line(text)}"
            names[name] += 1
            name += f" (no. {names[name]})" if names[name] > 1 else ""
            found.append(Mutant(file, name, changed))
    return found


def variants(source: str, part: ast.stmt) -> Iterator[tuple[str, str, str, str]]:
    """Yield each change of what students write in one part of a module, if it means another thing.

    That is: the function it is in, what stands there, what comes instead, the changed source. Only
    the part itself is parsed anew, for that takes long.
    """
    lines = source.splitlines(keepends=True)
    students = written(source)
    before = len("".join(lines[: part.lineno - 1]))
    after = len("".join(lines[part.end_lineno :]))
    seen = {meaning(source[before : len(source) - after])}
    for node, function in places(ast.Module([part], []), ""):
        for place, text in changes(node):
            first = place[0] if isinstance(place, list) else place
            if first.lineno not in students:
                continue
            changed, there = put(source, place, text)
            meant = meaning(changed[before : len(changed) - after])
            if meant not in seen:
                seen.add(meant)
                yield function, there, text, changed


def meaning(source: str) -> str:
    """What two pieces of code have in common that differ in nothing but how they are written."""
    return ast.dump(ast.parse(source))


def in_a_line(source: str) -> str:
    """The source of some code, the inner lines of a longer one left out."""
    lines = source.splitlines()
    return lines[0] if len(lines) == 1 else f"{lines[0]} ... {lines[-1].strip()}"


def all_mutants() -> list[Mutant]:
    return [mutant for file in QUESTION_FILES for mutant in mutants_of(file)]


@cache
def allowed_mutants() -> dict[str, str]:
    """Return the reason for each listed mutant, by name."""
    reasons: dict[str, str] = {}
    reason = ""
    for line in ALLOWED.read_text(encoding="ascii").splitlines():
        if line.startswith(" "):
            reasons |= {} if is_off(Path(line.split()[0])) else {line.strip(): reason}
        elif line and not line.startswith("#"):
            reason = line
    return reasons


# --- grading them ---------------------------------------------------------------------------------


def judge(mutant: Mutant) -> Verdict:
    """Grade a mutant on its own question up to the first failure.

    That says something only where the solution itself loses no points.
    """
    job = Job(mutant.submission, mutant.question)
    if mutant.asked_last:
        numbers = {test.number for test in graded_tests(mutant.question)}
        verdict = verdict_on(job._replace(tests=numbers - mutant.asked_last), stop_at_first=True)
        if verdict.failed or verdict.fault:
            return verdict
    return verdict_on(job, stop_at_first=True)


def expect_full_points() -> None:
    """Raises ValueError if the solution loses points."""
    verdict = verdict_on(Job(read_submission(ROOT / "solution"), None))
    if verdict.fault or verdict.failed:
        raise ValueError(f"the solution itself fails: {verdict.fault or verdict}")


def complaint(mutant: Mutant, verdict: Verdict) -> str:
    """Say how a verdict differs from what the list expects; return nothing if it does not."""
    allowed = mutant.name in allowed_mutants()
    if verdict.fault:
        return f"the grader failed: {mutant.name}: {verdict.fault}"
    if not verdict.failed and not allowed:
        return f"survived: {mutant.name}"
    if verdict.failed and allowed:
        return f"stale, it fails {verdict.failed[0]}: {mutant.name}"
    return ""


def unknown_names(mutants: list[Mutant]) -> list[str]:
    """Return the listed mutants that do not exist."""
    names = {mutant.name for mutant in mutants}
    return [f"stale, no such mutant: {name}" for name in allowed_mutants() if name not in names]


def main() -> int:
    """Grade all mutants; return 1 if any is neither caught nor listed, or is listed wrongly."""
    argparse.ArgumentParser(prog="python -m autograder.selftest.mutants").parse_args()
    mutants = all_mutants()
    expect_full_points()
    with ThreadPool(os.cpu_count()) as pool:
        verdicts = pool.map(judge, mutants, chunksize=1)
    for file in QUESTION_FILES:
        own = [verdict for mutant, verdict in zip(mutants, verdicts) if mutant.file == file]
        caught = sum(bool(verdict.failed) for verdict in own)
        print(
            f"{file:13} {len(own):4} mutants  {caught:4} caught  {len(own) - caught:4} not caught"
        )
    wrong = [*filter(None, map(complaint, mutants, verdicts)), *unknown_names(mutants)]
    print("\n".join(wrong) or "every mutant is caught, or listed with a reason")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
