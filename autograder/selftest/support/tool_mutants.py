"""Mutants of the project's tools, and the tests that should notice each.

    python -m autograder.selftest.support.tool_mutants [MODULE ...]

A mutant lives only in memory: a forked process gives its code to the module's functions and runs
the quick tests up to the first failure. What survives needs an assertion, or its line is not
needed, or tool_mutants.txt says why it may survive.
"""

import argparse
import faulthandler
import importlib
import inspect
import linecache
import multiprocessing
import os
import resource
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from types import FunctionType, ModuleType
from typing import Any

import pytest

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


def make_tool_mutants(files: Iterable[str]) -> list[Mutant]:
    """Return the mutants of these modules' functions."""
    mutants = []
    for file in files:
        source = (ROOT / file).read_text(encoding="utf-8")
        mutants += change_everywhere(file, source, lambda node, function: bool(function))
    return mutants


def choose_default(old: object, new: object) -> object:
    """Return a default value of a mutant, but no object of a module that is loaded again."""
    return new if isinstance(new, int | float | str | None) else old


def copy_code(old: Any, new: Any) -> None:
    """Give each function of a module, or of a class, the code of its new version."""
    for name, one in [*vars(old).items()]:
        other = vars(new).get(name)
        if one is other:
            continue  # it is imported
        if isinstance(one, type):
            copy_code(one, other)
            continue
        for holder in ("fget", "__func__"):  # of a property and of a class method
            one, other = getattr(one, holder, one), getattr(other, holder, other)
        one, other = inspect.unwrap(one), inspect.unwrap(other)
        if isinstance(one, FunctionType):
            # Free variables stay: without super() a mutant has one less.
            one.__code__ = other.__code__.replace(co_freevars=one.__code__.co_freevars)
            pairs = zip(one.__defaults__ or (), other.__defaults__ or ())
            one.__defaults__ = tuple(choose_default(*pair) for pair in pairs)
            named = one.__kwdefaults__ or {}
            named.update(
                {key: choose_default(named[key], other.__kwdefaults__[key]) for key in named}
            )


class MutantRunner:
    """A pytest plugin that runs the collected tests for each mutant of a module.

    Each run is a forked process. The first one, without a change, finds which tests are fast.
    """

    def __init__(self, mutants: Sequence[Mutant]) -> None:
        self.mutants, self.file = mutants, mutants[0].file
        self.alive: list[bool] = []

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        seconds = self.time_tests("", session.items)
        assert all(seconds), "a test fails without a change"
        items = sorted(session.items, key=dict(zip(session.items, seconds)).__getitem__)
        self.alive = [all(self.time_tests(mutant.source, items)) for mutant in self.mutants]
        return True

    def time_tests(self, source: str, items: Sequence[pytest.Item]) -> Sequence[float]:
        """Return the seconds of each test up to the first that fails; 0 for that and the rest."""
        seconds = multiprocessing.RawArray("d", len(items))
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            child = os.fork()
            if not child:
                try:
                    os.environ["PYTEST_DEBUG_TEMPROOT"] = folder
                    self.run_tests(source, items, seconds)
                finally:
                    os._exit(1)
            os.waitpid(child, 0)
        return seconds

    def run_tests(self, source: str, items: Sequence[pytest.Item], seconds: Any) -> None:
        """Run tests in this process up to the first that fails."""
        resource.setrlimit(resource.RLIMIT_CPU, (CPU_S, CPU_S))
        null = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(null, stream)
        faulthandler.dump_traceback_later(TIMEOUT_S, exit=True, file=null)
        if source:
            self.change_module(source)
        for number, (item, following) in enumerate(zip(items, [*items[1:], None])):
            start = time.perf_counter()
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if item.session.testsfailed:
                break
            seconds[number] = time.perf_counter() - start

    def change_module(self, source: str) -> None:
        """Give the module's functions the code of another source."""
        module = importlib.import_module(self.file.removesuffix(".py").replace("/", "."))
        place = str(ROOT / self.file)
        new = ModuleType(module.__name__)
        new.__file__ = place
        exec(compile(source, place, "exec"), vars(new))
        copy_code(module, new)
        linecache.cache[place] = 0, None, source.splitlines(True), place  # tests may copy it


def run_mutants(mutants: Sequence[Mutant]) -> list[bool]:
    """Return which mutants of a module survive. Its tests are collected once, in this process."""
    sys.stdout, sys.stderr = sys.__stdout__, sys.__stderr__  # not those of the pytest around it
    os.environ.pop("PYTEST_XDIST_WORKER", None)  # or all modules share one folder
    for name in [*sys.modules]:  # as in a new process, for the pytest in this one
        if name.partition(".")[0] in ("autograder", "browser", "lab"):
            del sys.modules[name]
    runner = MutantRunner(mutants)
    tests = [str(TESTS / name) for name in TOOLS[runner.file].split()]
    options = ("-qq", "-m", "not slow and not nightly", "-p", "no:cacheprovider", "--capture=sys")
    status = pytest.main([*options, *tests], plugins=[runner])
    assert len(runner.alive) == len(mutants), f"{runner.file}: pytest ends with {status}"
    return runner.alive


def find_survivors(mutants: Iterable[Mutant]) -> Iterator[tuple[Mutant, bool]]:
    groups = defaultdict[str, list[Mutant]](list)
    for mutant in mutants:
        groups[mutant.file].append(mutant)
    with multiprocessing.get_context("fork").Pool(maxtasksperchild=1) as pool:
        for group, alive in zip(groups.values(), pool.imap(run_mutants, groups.values())):
            yield from zip(group, alive)


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
