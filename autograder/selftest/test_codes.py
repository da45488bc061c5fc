"""Every finding has a code that says which kind of mistake it is, whatever the words are."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from autograder.questions import ROOT
from autograder.wrong import NotWritten, TooSlow, Wrong, named

SOURCES = [
    *sorted(ROOT.glob("autograder/judge/*.py")),
    ROOT / "autograder" / "student.py",
    ROOT / "autograder" / "troubles.py",
    ROOT / "autograder" / "wrong.py",
    *sorted(ROOT.glob("tests/test_*.py")),
]
FINDINGS = {Wrong.__name__, NotWritten.__name__, TooSlow.__name__}
CODE = re.compile(r"[a-z]+(-[a-z]+)*(/[A-Za-z]+(-[a-z]+)*)?")
ANY = "any"  # stands where a code's variant is computed


class Finding(NamedTuple):
    """One code in the source, with its message as it is written there."""

    code: str
    message: str
    place: str


def codes_in(node: ast.expr) -> Iterator[str]:
    """Yield what an expression may be; nothing for a name, which is looked up elsewhere."""
    if isinstance(node, ast.Constant):
        yield str(node.value)
    elif isinstance(node, ast.IfExp):
        yield from codes_in(node.body)
        yield from codes_in(node.orelse)
    elif isinstance(node, ast.JoinedStr):
        parts = (part.value if isinstance(part, ast.Constant) else ANY for part in node.values)
        yield "".join(map(str, parts))


def findings_in(path: Path) -> Iterator[Finding]:
    """Yield the findings that a file makes; where a function is handed the code, at its calls."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    nodes = list(ast.walk(tree))
    makers = {
        node.name
        for node in nodes
        if isinstance(node, ast.FunctionDef) and [arg.arg for arg in node.args.args][:1] == ["code"]
    }
    for node in nodes:
        if isinstance(node, ast.Assign):
            if ast.unparse(node.targets[0]).split(".")[-1] == "code":
                yield from (Finding(code, "", path.name) for code in codes_in(node.value))
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in FINDINGS | makers:
            message = node.args[1]
            # A name stands for another message in every place.
            place = f"{path.name}, line {node.lineno}"
            told = place if isinstance(message, ast.Name) else ast.unparse(message)
            yield from (Finding(code, told, place) for code in codes_in(node.args[0]))


FOUND = [finding for path in SOURCES for finding in findings_in(path)]


def test_there_are_codes_to_be_looked_at() -> None:
    assert len({finding.code for finding in FOUND}) >= 60


def test_a_code_is_short_and_well_formed() -> None:
    for finding in FOUND:
        assert CODE.fullmatch(finding.code), finding
        assert len(finding.code) <= 30, finding


def test_one_code_is_one_message() -> None:
    """Only where the variant is computed may there be several, as there are several mistakes."""
    messages = defaultdict(set)
    for finding in FOUND:
        if finding.message and ANY not in finding.code:
            messages[finding.code].add(finding.message)
    assert {code: told for code, told in messages.items() if len(told) > 1} == {}


def test_a_strange_exception_makes_no_strange_code() -> None:
    assert named("ValueError") == "ValueError"
    for kind in ("", "a b", "<script>", "x" * 500, "Fehler\u202e"):
        assert CODE.fullmatch(f"raised/{named(kind)}")
