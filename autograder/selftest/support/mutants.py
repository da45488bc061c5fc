"""Mutants of the solution, each with one small change: `make mutants`.

First-order mutation testing (R. DeMillo, R. Lipton, F. Sayward, "Hints on Test Data Selection",
1978): a grader that tells every mutant from the solution is likely to see students' mistakes too.
Only what students write is changed, with the operators of `autograder/quiz/mutations.py`.

mutants.txt names each mutant: below `fails 2.3` those that this test catches, below a reason those
that need not lose points. This command grades all of them, or those of one question, and updates
the file.
"""

import argparse
import ast
import os
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from multiprocessing.pool import ThreadPool
from pathlib import Path

from autograder.author.grade_batch import GradingJob, Verdict, grade_job
from autograder.author.stubs import find_written_lines
from autograder.feedback.results import sort_key
from autograder.questions import QUESTION_FILES, ROOT, find_question, is_off
from autograder.quiz.mutations import make_replacements, walk_code
from autograder.selftest.support.banks import BANKS, SOLUTION_FILES
from autograder.submission import Submission

LIST_FILE = BANKS / "mutants.txt"
REPEATED_FROM = {"cutoff.py": "alphabeta.py"}  # lines of the first that the second also has stay
ONLY_FUNCTION = {"player.py": "choose"}  # the rest is the inside of one player among many


@dataclass(frozen=True)
class Mutant:
    """One question file of the solution with one change."""

    file: str
    name: str
    source: str

    @property
    def question(self) -> str:
        return find_question(self.file).number

    @property
    def submission(self) -> Submission:
        """Return the solution with this file replaced."""
        return Submission({**SOLUTION_FILES, self.file: self.source.encode()})


def find_mutable_lines(file: str, source: str) -> set[int]:
    """Return the numbers of the lines that students write, without repeated ones."""
    other = REPEATED_FROM.get(file)
    there = (ROOT / "solution" / other).read_text(encoding="ascii").split("\n") if other else []
    repeated = {line.strip() for line in there}
    written = find_written_lines(source, file)
    return {number for number, line in written.items() if line.strip() not in repeated}


@cache
def make_mutants(file: str) -> list[Mutant]:
    """Return all mutants of one question file."""
    source = (ROOT / "solution" / file).read_text(encoding="ascii")
    numbers = find_mutable_lines(file, source)

    def is_written(node: ast.AST, function: str) -> bool:
        return getattr(node, "lineno", 0) in numbers and function in ONLY_FUNCTION.get(
            file, function
        )

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
                there, text = ast.get_source_segment(source, node) or "", ast.unparse(other)
                before, after = format_in_one_line(there), format_in_one_line(text)
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


FAILS = "fails "


@cache
def read_mutant_list() -> dict[str, str]:
    """Return for each mutant the test that it fails, or why it need not."""
    found = read_reasons(LIST_FILE)
    return {name: its for name, its in found.items() if not is_off(Path(name.split()[0]))}


def read_reasons(file: Path) -> dict[str, str]:
    """Return for each mutant in a list the line above it that is not indented."""
    found, margin = {}, ""
    for line in file.read_text(encoding="utf-8").splitlines():
        if line.startswith(" "):
            found[line.strip()] = margin
        elif line and not line.startswith("#"):
            margin = line
    return found


def write_mutant_list(outcomes: dict[str, str]) -> None:
    """Write the mutants: first by reason, then by test."""
    text = LIST_FILE.read_text(encoding="ascii")
    parts = [text[: text.index("\n\n")]]
    tests = {margin for margin in outcomes.values() if margin.startswith(FAILS)}
    reasons = dict.fromkeys(m for m in outcomes.values() if not m.startswith(FAILS))
    for margin in [*reasons, *sorted(tests, key=lambda margin: sort_key(margin[len(FAILS) :]))]:
        names = [f"    {name}" for name, its in outcomes.items() if its == margin]
        parts.append("\n".join([margin, *names]))
    LIST_FILE.write_text("\n\n".join(parts) + "\n", encoding="ascii")


def grade_mutant(mutant: Mutant) -> Verdict:
    """Grade a mutant up to a failure, first on the test that catches it."""
    job = GradingJob(mutant.submission, mutant.question)
    margin = read_mutant_list().get(mutant.name, "")
    if margin.startswith(FAILS):
        verdict = grade_job(job._replace(tests=[margin.removeprefix(FAILS)]))
        if verdict.failed or verdict.fault:
            return verdict
    return grade_job(job, stop_at_first=True)


def main() -> int:
    """Grade the mutants, update the list; return 1 if one survives unexplained."""
    parser = argparse.ArgumentParser(prog="python -m autograder.selftest.support.mutants")
    parser.add_argument("--question", default="", help="grade those of this question only")
    question = parser.parse_args().question
    every = make_all_mutants()
    mutants = [mutant for mutant in every if question in ("", mutant.question)]
    with ThreadPool(os.cpu_count()) as pool:
        verdicts = pool.map(grade_mutant, mutants, chunksize=1)
    reasons = {name: its for name, its in read_mutant_list().items() if not its.startswith(FAILS)}
    others = {one.name for one in every}.difference(one.name for one in mutants)
    outcomes = {name: its for name, its in read_mutant_list().items() if name in others}
    complaints = []
    for mutant, verdict in zip(mutants, verdicts):
        if verdict.fault:
            complaints.append(f"the grader failed: {mutant.name}: {verdict.fault}")
        elif verdict.failed:
            outcomes[mutant.name] = FAILS + verdict.failed[0]
        elif mutant.name in reasons:
            outcomes[mutant.name] = reasons[mutant.name]
        else:
            complaints.append(f"survived: {mutant.name}")
    write_mutant_list({name: outcomes[name] for name in [*reasons, *outcomes] if name in outcomes})
    caught = sum(its.startswith(FAILS) for its in outcomes.values())
    print(f"{len(outcomes)} mutants: {caught} fail a test, {len(outcomes) - caught} need not")
    if complaints:
        print("\n".join(complaints))
        print(f"{LIST_FILE.name}: write each survivor below the reason why it need not lose points")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
