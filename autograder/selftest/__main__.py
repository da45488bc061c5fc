"""Check the project: `python -m autograder.selftest`.

Style, types and tests. The default leaves out the slow tests; --all runs them too, and marks the
commit as checked if everything passed on a clean work tree. --question leaves out the tests whose
parameters do not name that question, and grades the solution on it. A failed step does not stop the
others, so that one run shows every failure.
"""

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path

from autograder.author.checked_commit import mark_checked, read_clean_commit
from autograder.questions import QUESTIONS, ROOT, find_question


def run_step(name: str, *command: str) -> bool:
    print(f"== {name}", flush=True)
    start = time.monotonic()
    good = subprocess.run(command, cwd=ROOT).returncode == 0
    seconds = time.monotonic() - start
    print(f"== {name}: {'good' if good else 'FAILED'} ({seconds:.0f} s)", flush=True)
    return good


def run_checks(*options: str) -> bool:
    """Check style and types, and run the tests that these options of pytest select."""
    python = sys.executable
    good = [
        run_step("style", python, "-m", "ruff", "check", "."),
        run_step("format", python, "-m", "ruff", "format", "--check", "."),
        run_step("imports", str(Path(python).with_name("lint-imports")), "--no-cache"),
    ]
    mypy = [python, "-m", "mypy"]
    with subprocess.Popen(
        mypy, cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as types:
        # Three processes for two cores, because many tests wait for a process or a browser.
        spread = ("-n", "3", "--dist", "worksteal", "-q", "-rs", "--durations=10")
        good.append(run_step("tests", python, "-m", "pytest", *spread, *options))
        output, _ = types.communicate()
    good.append(types.returncode == 0)
    print(f"{output}== types: {'good' if good[-1] else 'FAILED'}", flush=True)
    return all(good)


def parse_arguments() -> argparse.Namespace:
    """Read the command line of this module."""
    parser = argparse.ArgumentParser(prog="python -m autograder.selftest")
    parser.add_argument("--all", action="store_true", help="the slow tests too")
    parser.add_argument("--question", choices=[row.number for row in QUESTIONS])
    parser.add_argument("--part", metavar="I/N", help="only the I-th of N parts of the tests")
    return parser.parse_args()


def make_pytest_options(args: argparse.Namespace) -> list[str]:
    """Return the options of pytest that select the wanted tests."""
    options = ["-m", "not nightly" if args.all else "not slow and not nightly"]
    options += ["--hypothesis-profile", "check-all" if args.all else "check"]
    if args.question:
        # Select tests with a graded test, question or submission as a parameter, such as [2.3],
        # [2], [alphabeta_...] or [classes-alphabeta], and tests of what all questions generate.
        number, name = args.question, find_question(args.question).name
        parameters = f"[{number}. or [{number}] or [{name} or -{name}]"
        options += [
            "-k",
            f"{parameters} or test_codes or test_golden or test_handout or test_stubs",
        ]
    if args.part:
        part, _, parts = args.part.partition("/")
        options += ["--splits", parts, "--group", part, "--splitting-algorithm", "least_duration"]
    return options


def main() -> int:
    args = parse_arguments()
    # Hundreds of Python processes start: let them share the compiled modules.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    start, commit = time.monotonic(), read_clean_commit()
    good = run_checks(*make_pytest_options(args))
    if args.question:
        (graded,) = ROOT.glob(f"tests/test_{args.question}_*.py")
        solution = ("-m", "pytest", "-q", str(graded), "--submission", "solution")
        good = run_step("the solution", sys.executable, *solution) and good
    seconds = time.monotonic() - start
    print(f"{'everything is good' if good else 'something FAILED, see above'} ({seconds:.0f} s)")
    whole = args.all and not args.question and not args.part
    if good and whole and commit and commit == read_clean_commit():
        mark_checked(commit)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
