"""Mutants of the solution, each with one small change.

First-order mutation testing (R. DeMillo, R. Lipton, F. Sayward, "Hints on Test Data Selection",
1978): a grader that tells every mutant from the solution is likely to see students' mistakes too.
Only what students write is changed, with the operators of `autograder/quiz/mutations.py`.

mutants.txt names those that need not lose points, below the reason.
"""

import ast
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from autograder.author.grade_batch import GradingJob
from autograder.author.stubs import find_written_lines
from autograder.questions import QUESTION_FILES, find_question
from autograder.quiz.mutations import make_replacements, walk_code
from autograder.selftest.support.banks import BANKS, SOLUTION_FILES, SOLUTION_TEXTS
from autograder.submission import Submission

LIST_FILE = BANKS / "mutants.txt"


@dataclass(frozen=True)
class Mutant:
    """One question file of the solution with one change."""

    file: str
    name: str
    source: str

    @property
    def job(self) -> GradingJob:
        submission = Submission({**SOLUTION_FILES, self.file: self.source.encode()})
        return GradingJob(submission, find_question(self.file).number)


def make_mutants(file: str) -> list[Mutant]:
    """Return all mutants of what students write in one question file.

    Neither what cutoff.py repeats from alphabeta.py, nor the inside of one player among many.
    """
    source = SOLUTION_TEXTS[file]
    other = SOLUTION_TEXTS["alphabeta.py"] if file == "cutoff.py" else ""
    repeated = {line.strip() for line in other.split("\n")}
    lines = find_written_lines(source, file)
    written = {number for number, line in lines.items() if line.strip() not in repeated}

    def is_written(node: ast.AST, function: str) -> bool:
        is_inside = file == "player.py" and function not in ("", "choose")
        return getattr(node, "lineno", 0) in written and not is_inside

    return change_everywhere(file, source, is_written)


def change_everywhere(
    file: str, source: str, may_change: Callable[[ast.AST, str], bool]
) -> list[Mutant]:
    """Return the mutants of a file, each with one change of a node, in a function."""
    tree, names = ast.parse(source), Counter[str]()
    seen = {ast.unparse(tree)}
    mutants = []
    for holder, key, function in walk_code(tree):
        node = holder[key]
        if not may_change(node, function):
            continue
        negated = key == "test" and isinstance(node, ast.Call)
        for other in [*make_replacements(node), *[ast.UnaryOp(ast.Not(), node)] * negated]:
            holder[key] = other
            changed = ast.unparse(tree)
            holder[key] = node
            if changed not in seen:
                seen.add(changed)
                there = ast.get_source_segment(source, node) or ""
                before, after = map(format_in_one_line, (there, ast.unparse(other)))
                name = f"{file} {function or 'outside'}: {before} -> {after}"
                names[name] += 1
                name += f" (no. {names[name]})" if names[name] > 1 else ""
                mutants.append(Mutant(file, name, changed))
    return mutants


def format_in_one_line(source: str) -> str:
    """Return code in one line: of several lines, only the first and the last."""
    lines = source.splitlines()
    return lines[0] if len(lines) == 1 else f"{lines[0]} ... {lines[-1].strip()}"


def make_all_mutants() -> list[Mutant]:
    return [mutant for file in QUESTION_FILES for mutant in make_mutants(file)]


def read_reasons(file: Path) -> dict[str, str]:
    """Return for each mutant in a list the line above it that is not indented."""
    found, margin = {}, ""
    for line in file.read_text(encoding="utf-8").splitlines():
        if line.startswith(" "):
            found[line.strip()] = margin
        elif line and not line.startswith("#"):
            margin = line
    return found
