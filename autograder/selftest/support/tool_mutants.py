"""Mutants of the project's tools, and the tests that should notice each.

    python -m autograder.selftest.support.tool_mutants [--sample 300] [MODULE ...]

A mutant lives only in memory: a forked process imports it in place of the module and runs its quick
tests up to the first failure. What survives needs an assertion, or its line is not needed, or
tool_mutants.txt says why it may survive.
"""

import argparse
import ast
import importlib.abc
import importlib.util
import os
import random
import resource
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from importlib.machinery import ModuleSpec
from types import CodeType, ModuleType
from typing import NamedTuple

from autograder.questions import ROOT
from autograder.quiz.mutations import make_replacements, walk_code

CPU_S = 60  # of processor time, after which a mutant has an endless loop; on a busy machine, too
TIMEOUT_S = 900  # after which it waits for nothing
TESTS = ROOT / "autograder" / "selftest"
GOLDEN = "cohort/test_golden_class.py"
REASONS = TESTS / "banks" / "tool_mutants.txt"
SEED = 1  # of the sample
# A module, and the tests below selftest/ that should notice a change in it. A row more is enough.
TOOLS = {
    "autograder/cohort/report.py": f"{GOLDEN} cohort/test_class_report.py",
    "autograder/cohort/publish.py": (
        f"{GOLDEN} cohort/test_class_publish.py cohort/test_class_platforms.py"
    ),
    "autograder/cohort/export.py": "cohort/test_class_export.py cohort/test_class_readers.py",
    "autograder/cohort/metadata.py": "cohort/test_class_export.py cohort/test_class_readers.py",
    "autograder/cohort/grading.py": "cohort/test_class_grading.py",
    "autograder/cohort/class_folder.py": "cohort/test_class_grading.py cohort/test_class_export.py",
    "autograder/cohort/suspicious_pairs.py": f"{GOLDEN} cohort/test_class_similar.py",
    "autograder/cohort/similar.py": f"{GOLDEN} cohort/test_class_similar.py",
    "autograder/cohort/tournament.py": f"{GOLDEN} cohort/test_class_tournament.py",
    "autograder/author/release.py": "release/test_release.py feedback/test_hidden.py",
    "autograder/author/settings.py": "core/test_settings.py",
    "autograder/author/handout.py": "feedback/test_handout.py",
    "autograder/author/stubs.py": "core/test_stubs.py",
    "browser/grading.py": "release/test_page_grading.py",
    "lab/experiments/contests.py": "lab/test_lab_experiments.py",
    "lab/experiments/look_ahead.py": "lab/test_lab_experiments.py",
}
PRELOADED = ("jinja2", "numpy", "pytest", "yaml")  # once, for all mutants


class ToolMutant(NamedTuple):
    """A module of a tool with one change."""

    file: str
    name: str
    source: str


def make_mutants(file: str) -> list[ToolMutant]:
    """Return all mutants of a module; only functions are changed."""
    text = (ROOT / file).read_text(encoding="utf-8")
    tree, names, seen = ast.parse(text), Counter[str](), set[str]()
    found = []
    for holder, key, function in walk_code(tree):
        node = holder[key]
        if not function:
            continue
        for other in make_replacements(node):
            holder[key] = other
            source = ast.unparse(tree)
            holder[key] = node
            if source not in seen:
                seen.add(source)
                name = f"{file} {function}: {shorten(node)} -> {shorten(other)}"
                names[name] += 1
                again = f" (no. {names[name]})" if names[name] > 1 else ""
                found.append(ToolMutant(file, name + again, source))
    return found


def shorten(node: ast.AST) -> str:
    return " ".join(ast.unparse(node).split())[:60]


def choose_mutants(files: Sequence[str], sample: int | None = None) -> list[ToolMutant]:
    """Return the mutants of these modules, or the same sample of them each time."""
    mutants = [mutant for file in files for mutant in make_mutants(file)]
    if sample is None or sample >= len(mutants):
        return mutants
    return random.Random(SEED).sample(mutants, sample)


class MutantLoader(importlib.abc.MetaPathFinder, importlib.abc.InspectLoader):
    """Import a mutant in place of its module."""

    def __init__(self, mutant: ToolMutant) -> None:
        self.mutant = mutant
        self.name = mutant.file.removesuffix(".py").replace("/", ".")

    def find_spec(self, name: str, path: object, target: object = None) -> ModuleSpec | None:
        if name != self.name:
            return None
        place = str(ROOT / self.mutant.file)
        return importlib.util.spec_from_file_location(name, place, loader=self)

    def get_source(self, name: str) -> str:
        return self.mutant.source

    def get_code(self, name: str) -> CodeType:
        return compile(self.mutant.source, str(ROOT / self.mutant.file), "exec")

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return None


def survives(mutant: ToolMutant) -> None:
    """Run the tests of a mutant in this process, and end it: 0 if they notice nothing."""
    import pytest

    os.setpgid(0, 0)
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_S, CPU_S))
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(null, stream)
    # Modules that are imported already would hide the mutant.
    for name in [
        name for name in sys.modules if name.startswith(("autograder.", "browser.", "lab."))
    ]:
        del sys.modules[name]
    sys.meta_path.insert(0, MutantLoader(mutant))
    tests = [str(TESTS / name) for name in TOOLS[mutant.file].split()]
    options = ("-x", "-q", "-m", "not slow and not nightly", "-p", "no:cacheprovider")
    os._exit(int(pytest.main([*options, *tests])))


def find_survivors(mutants: Sequence[ToolMutant], jobs: int) -> Iterator[tuple[ToolMutant, bool]]:
    """Yield each mutant, and whether it survives its tests."""
    for name in PRELOADED:
        importlib.import_module(name)
    waiting, running = list(reversed(mutants)), dict[int, tuple[ToolMutant, float]]()
    while waiting or running:
        while waiting and len(running) < jobs:
            mutant = waiting.pop()
            child = os.fork()
            if not child:
                survives(mutant)
            running[child] = mutant, time.monotonic() + TIMEOUT_S
        for child, (mutant, end) in list(running.items()):
            ended, status = os.waitpid(child, os.WNOHANG)
            if not ended and time.monotonic() > end:  # that is noticed, too
                os.killpg(child, signal.SIGKILL)
                ended, status = os.waitpid(child, 0)
            if ended:
                del running[child]
                yield mutant, status == 0
        time.sleep(0.02)


def read_reasons() -> dict[str, str]:
    """Return the reason why each listed mutant may survive."""
    found, reason = {}, ""
    for line in REASONS.read_text(encoding="utf-8").splitlines():
        if line.startswith(" "):
            found[line.strip()] = reason
        elif line and not line.startswith("#"):
            reason = line
    return found


def main() -> int:
    """Print the survivors without a reason, and a table; return 1 if there are any."""
    parser = argparse.ArgumentParser(prog="python -m autograder.selftest.support.tool_mutants")
    parser.add_argument("modules", nargs="*", metavar="MODULE", help="default: all")
    parser.add_argument("--sample", type=int, help="this many of them, always the same")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    args = parser.parse_args()
    mutants = choose_mutants(args.modules or list(TOOLS), args.sample)
    reasons, killed, survived = read_reasons(), Counter[str](), Counter[str]()
    complaints = 0
    for mutant, alive in find_survivors(mutants, args.jobs):
        (survived if alive else killed)[mutant.file] += 1
        if alive and mutant.name not in reasons:
            complaints += 1
            print(f"survived: {mutant.name}", flush=True)
    for file in sorted({*killed, *survived}):
        print(f"{file}: {killed[file]} killed, {survived[file]} survived")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
