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
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from autograder.questions import ROOT
from autograder.selftest.support.mutants import Mutant, change_everywhere, read_reasons

CPU_S = 60  # of processor time, after which a mutant has an endless loop; on a busy machine, too
TIMEOUT_S = 900  # after which it waits for nothing
TESTS = ROOT / "autograder" / "selftest"
GOLDEN = "cohort/test_golden_class.py"
TEXTS = "core/test_settings.py feedback/test_hidden.py"
REASONS = TESTS / "banks" / "tool_mutants.txt"
# A module, and the tests below selftest/ that should notice a change in it. A row more is enough.
TOOLS = {
    "autograder/cohort/report.py": f"{GOLDEN} cohort/test_class_report.py",
    "autograder/cohort/publish.py": f"{GOLDEN} cohort/test_class_publish.py",
    "autograder/cohort/gradebooks.py": (
        "cohort/test_class_publish.py cohort/test_class_platforms.py cohort/test_class_readers.py"
    ),
    "autograder/cohort/export.py": "cohort/test_class_export.py cohort/test_class_readers.py",
    "autograder/cohort/metadata.py": "cohort/test_class_export.py cohort/test_class_readers.py",
    "autograder/cohort/grading.py": "cohort/test_class_grading.py",
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
    "lab/experiments.py": "lab/test_lab_experiments.py",
}
PRELOADED = ("jinja2", "numpy", "pytest", "yaml")  # once, for all mutants


def make_tool_mutants(files: Iterable[str]) -> list[Mutant]:
    """Return the mutants of these modules' functions."""
    return [
        mutant
        for file in files
        for mutant in change_everywhere(
            file, (ROOT / file).read_text(encoding="utf-8"), lambda node, function: bool(function)
        )
    ]


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
    linecache.cache[place] = 0, None, mutant.source.splitlines(True), place  # for inspect.getsource
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


def main() -> int:
    """Print the survivors without a reason, and a table; return 1 if there are any."""
    parser = argparse.ArgumentParser(prog="python -m autograder.selftest.support.tool_mutants")
    parser.add_argument("modules", nargs="*", metavar="MODULE", help="default: all")
    mutants = make_tool_mutants(parser.parse_args().modules or TOOLS)
    reasons, killed, survived = read_reasons(REASONS), Counter[str](), Counter[str]()
    complaints = 0
    for mutant, alive in find_survivors(mutants):
        (survived if alive else killed)[mutant.file] += 1
        if alive and mutant.name not in reasons:
            complaints += 1
            print(f"survived: {mutant.name}", flush=True)
    for file in sorted({*killed, *survived}):
        print(f"{file}: {killed[file]} killed, {survived[file]} survived")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
