"""Mutants of the project's tools, and the tests that should notice each.

    python -m autograder.selftest.support.tool_mutants [MODULE ...]

A mutant lives only in memory: a forked process imports it in place of the module and runs its quick
tests up to the first failure. What survives needs an assertion, or its line is not needed, or
tool_mutants.txt says why it may survive.
"""

import argparse
import faulthandler
import importlib
import importlib.util
import linecache
import multiprocessing
import os
import resource
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence

from autograder.questions import ROOT
from autograder.selftest.support.mutants import Mutant, change_everywhere, read_reasons

CPU_S = 30  # of processor time, after which a mutant has an endless loop; on a busy machine, too
TIMEOUT_S = 900  # after which it waits for nothing
TESTS = ROOT / "autograder" / "selftest"
GOLDEN = "cohort/test_golden_class.py"
READERS = "cohort/test_class_platforms.py cohort/test_class_readers.py"
TEXTS = "core/test_settings.py feedback/test_hidden.py"
REASONS = TESTS / "banks" / "tool_mutants.txt"
# A module, and the tests below selftest/ that should notice a change in it. A row more is enough.
TOOLS = {
    "autograder/cohort/report.py": f"{GOLDEN} cohort/test_class_report.py",
    "autograder/cohort/publish.py": f"{GOLDEN} cohort/test_class_publish.py",
    "autograder/cohort/gradebooks.py": f"cohort/test_class_publish.py {READERS}",
    "autograder/cohort/export.py": f"cohort/test_class_export.py {READERS}",
    "autograder/cohort/metadata.py": f"cohort/test_class_export.py {READERS}",
    "autograder/cohort/grading.py": "cohort/test_class_grading.py cohort/test_class_publish.py",
    "autograder/cohort/class_folder.py": (
        "cohort/test_class_grading.py cohort/test_class_export.py cohort/test_class_publish.py"
    ),
    "autograder/cohort/suspicious_pairs.py": f"{GOLDEN} cohort/test_class_similar.py",
    "autograder/cohort/similar.py": f"{GOLDEN} cohort/test_class_similar.py",
    "autograder/cohort/tournament.py": f"{GOLDEN} cohort/test_class_tournament.py",
    "autograder/author/release.py": f"{TEXTS} release/test_release.py",
    "autograder/author/settings.py": "core/test_settings.py",
    "autograder/author/handout.py": f"{TEXTS} feedback/test_handout.py",
    "autograder/author/stubs.py": "core/test_stubs.py core/test_settings.py",
    "browser/grading.py": "release/test_page_grading.py",
    "browser/watching.py": "release/test_page_grading.py",
    "lab/experiments.py": "lab/test_lab_experiments.py",
}
# Of the mutants in a folder without a reason, the share that tests have to notice.
GOALS = {"autograder/cohort": 0.95, "autograder/author": 0.95, "browser": 0.95, "lab": 0.85}
PRELOADED = ("jinja2", "numpy", "pytest", "yaml")  # once, for all mutants


def make_tool_mutants(files: Iterable[str]) -> list[Mutant]:
    """Return the mutants of these modules' functions."""
    mutants = []
    for file in files:
        source = (ROOT / file).read_text(encoding="utf-8")
        mutants += change_everywhere(file, source, lambda node, function: bool(function))
    return mutants


def passes_its_tests(mutant: Mutant) -> bool:
    """Run the tests of a mutant in a separate process."""
    child = os.fork()
    if not child:
        try:
            run_tests(mutant)
        finally:
            os._exit(1)
    return os.waitpid(child, 0)[1] == 0


def run_tests(mutant: Mutant) -> None:
    """Run the tests of a mutant in this process, and end it: with 0 if they notice nothing."""
    import pytest

    resource.setrlimit(resource.RLIMIT_CPU, (CPU_S, CPU_S))
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(null, stream)
    sys.stdout, sys.stderr = sys.__stdout__, sys.__stderr__  # not those of the pytest around it
    faulthandler.dump_traceback_later(TIMEOUT_S, exit=True, file=null)
    os.environ.pop("PYTEST_XDIST_WORKER", None)  # or all mutants share one folder
    # Modules that are imported already would hide the mutant.
    for name in [*sys.modules]:
        if name.partition(".")[0] in ("autograder", "browser", "lab"):
            del sys.modules[name]
    package, _, name = mutant.file.removesuffix(".py").replace("/", ".").rpartition(".")
    place = str(ROOT / mutant.file)
    spec = importlib.util.spec_from_file_location(f"{package}.{name}", place)
    assert spec
    module = importlib.util.module_from_spec(spec)
    linecache.cache[place] = 0, None, mutant.source.splitlines(True), place
    sys.modules[spec.name] = module
    exec(compile(mutant.source, place, "exec"), vars(module))
    setattr(importlib.import_module(package), name, module)
    tests = [str(TESTS / name) for name in TOOLS[mutant.file].split()]
    options = ("-x", "-q", "-m", "not slow and not nightly", "-p", "no:cacheprovider")
    os._exit(int(pytest.main([*options, *tests])))


def find_survivors(mutants: Sequence[Mutant]) -> Iterator[tuple[Mutant, bool]]:
    """Yield each mutant, and whether it survives its tests."""
    for name in PRELOADED:
        importlib.import_module(name)
    with multiprocessing.get_context("fork").Pool() as pool:
        yield from zip(mutants, pool.imap(passes_its_tests, mutants))


def count_survivors(mutants: Sequence[Mutant]) -> tuple[str, bool]:
    """Print the survivors without a reason; return a table, and whether each goal is reached."""
    reasons, found = read_reasons(REASONS), defaultdict[str, Counter[str]](Counter)
    for mutant, alive in find_survivors(mutants):
        outcome = "killed" if not alive else "reason" if mutant.name in reasons else "survived"
        found[mutant.file][outcome] += 1
        found[os.path.dirname(mutant.file)][outcome] += 1
        if outcome == "survived":
            print(f"survived: {mutant.name}", flush=True)
    lines, good = [], True
    for place, count in sorted(found.items()):
        goal = GOALS.get(place, 0)
        share = 1 - count["survived"] / max(1, count["killed"] + count["survived"])
        good = good and share >= goal
        lines.append(f"{place}: {share:.1%} {dict(count)}" + f", goal {goal:.0%}" * bool(goal))
    return "\n".join(lines), good


def main() -> int:
    """Print the survivors without a reason, and a table; return 1 if a goal is not reached."""
    parser = argparse.ArgumentParser(prog="python -m autograder.selftest.support.tool_mutants")
    parser.add_argument("modules", nargs="*", metavar="MODULE", help="default: all")
    table, good = count_survivors(make_tool_mutants(parser.parse_args().modules or TOOLS))
    print(table)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
