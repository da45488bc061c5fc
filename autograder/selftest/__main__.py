"""Check the project: `python -m autograder.selftest`.

Style, types and tests. The default leaves out the slow tests; --all runs them too. --question
leaves out the tests whose parameters do not name that question, and grades the solution on it. A
failed step does not stop the others, so that one run shows every failure.

The tests are about the project with its shipped settings. With other settings in `assignment.toml`
they run in a copy of the project to which the shipped ones are applied; what depends on the
settings is checked by `make release`.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from autograder.questions import ROOT, ROWS
from autograder.selftest.support.shipped_copy import copy_shipped
from autograder.settings import FILE, SETTINGS, SHIPPED

PAGE = ROOT / "browser" / "page"


def run_step(name: str, *command: str, folder: Path = ROOT) -> bool:
    print(f"== {name}", flush=True)
    start = time.monotonic()
    good = subprocess.run(command, cwd=folder).returncode == 0
    seconds = time.monotonic() - start
    print(f"== {name}: {'good' if good else 'FAILED'} ({seconds:.0f} s)", flush=True)
    return good


def run_checks(folder: Path, *options: str) -> bool:
    """Check style and types, and run the tests of `folder` that pytest's options select."""
    python, npm = sys.executable, shutil.which("npm")
    if npm is None:
        print("== scripts: not checked, because there is no npm")
    good = [
        run_step("style", python, "-m", "ruff", "check", "."),
        run_step("format", python, "-m", "ruff", "format", "--check", "."),
        run_step("imports", str(Path(python).with_name("lint-imports")), "--no-cache"),
        npm is None
        or run_step("scripts", npm, "--prefix=browser/page", "run", "--silent", "check"),
    ]
    mypy = [python, "-m", "mypy"]
    with subprocess.Popen(
        mypy, cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as types:
        # Three processes for two cores, because many tests wait for a process or a browser.
        spread = ("-n", "3", "--dist", "worksteal", "-q", "-rs", "--durations=10")
        good.append(run_step("tests", python, "-m", "pytest", *spread, *options, folder=folder))
        output, _ = types.communicate()
    good.append(types.returncode == 0)
    print(f"{output}== types: {'good' if good[-1] else 'FAILED'}", flush=True)
    return all(good)


def make_pytest_options(args: argparse.Namespace) -> list[str]:
    """Return the options of pytest that select the wanted tests."""
    options = ["-m", "not nightly" if args.all else "not slow and not nightly"]
    options += ["--hypothesis-profile", "check-all" if args.all else "check"]
    if args.question:
        # Select tests with a graded test, question or submission as a parameter, such as [2.3],
        # [2-1-2.3], [2], [alphabeta_...] or [classes-alphabeta], and tests of all questions.
        number = args.question
        (name,) = (row.name for row in ROWS if row.number == number)
        of_it = (f"[{number}.", f"-{number}.", f"[{number}]", f"[{name}", f"-{name}")
        of_all = ("test_needs", "test_golden", "test_handout", "test_stubs", "test_all_limits")
        of_lists = ("test_every_graded", "test_entries_fail", "test_each_mutant", "test_each_quest")
        options += ["-k", " or ".join((*of_it, *of_all, *of_lists))]
    if args.part:
        part, _, parts = args.part.partition("/")
        options += ["--splits", parts, "--group", part, "--splitting-algorithm", "least_duration"]
    return options


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m autograder.selftest")
    parser.add_argument("--all", action="store_true", help="the slow tests too")
    parser.add_argument("--question", choices=[row.number for row in ROWS])
    parser.add_argument("--part", metavar="I/N", help="only the I-th of N parts of the tests")
    args = parser.parse_args()
    # Hundreds of Python processes start: let them share the compiled modules.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONUTF8"] = "1"  # the files of the tests are UTF-8, in any locale
    start = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="shipped-") as place:
        folder = ROOT
        if SETTINGS != SHIPPED:
            print(f"{FILE.name} has other settings: the tests run on the shipped ones, in a copy")
            folder = copy_shipped(Path(place, "project"))
        good = run_checks(folder, *make_pytest_options(args))
        if args.question:
            (graded,) = folder.glob(f"tests/test_{args.question}_*.py")
            command = ("-m", "pytest", "-q", str(graded), "--submission", "solution")
            good = run_step("the solution", sys.executable, *command, folder=folder) and good
    seconds = time.monotonic() - start
    print(f"{'everything is good' if good else 'something FAILED, see above'} ({seconds:.0f} s)")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
