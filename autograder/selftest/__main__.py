"""Runs the project's own tests, step by step: `python -m autograder.selftest`.

Style, types and tests, of each bank a sample; with --question 2 only what is about that question
and what was changed since the last commit; with --proof all of every bank, what takes long, and
some tests under every other Python from 3.10 to 3.14 that is present (with PARTS=4 see
`sample.py`). Goes on after a failed step, so that one run shows all.
"""

import argparse
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from autograder.author.graded import best_score
from autograder.author.proof import note_proof, state
from autograder.questions import QUESTIONS, ROOT

VERSIONS = ("3.10", "3.11", "3.12", "3.13", "3.14")
AS_STUDENTS = ("autograder/selftest/correct/", "autograder/selftest/lazy/")  # is as they write
QUICK = ("test_players.py", "test_stubs.py")  # besides a grading of the solution


def run(name: str, *command: str) -> bool:
    print(f"== {name}", flush=True)
    start = time.monotonic()
    good = subprocess.run(command, cwd=ROOT).returncode == 0
    print(
        f"== {name}: {'good' if good else 'FAILED'} ({time.monotonic() - start:.0f} s)", flush=True
    )
    return good


def interpreters() -> dict[str, str]:
    """Return the other Pythons that are present and work, by version."""
    found = {}
    for version in VERSIONS:
        if version == f"{sys.version_info.major}.{sys.version_info.minor}":
            continue
        places = [shutil.which(f"python{version}"), *installed_by_pyenv(version)]
        for place in places:
            if place and works(place, version):
                found[version] = place
                break
    return found


def installed_by_pyenv(version: str) -> list[str]:
    return [str(p) for p in Path.home().glob(f".pyenv/versions/{version}.*/bin/python")]


def works(place: str, version: str) -> bool:
    command = [place, "-c", "import sys, venv; print('%d.%d' % sys.version_info[:2])"]
    done = subprocess.run(command, capture_output=True, text=True)
    return done.returncode == 0 and done.stdout.strip() == version


def said_by(*command: str) -> tuple[bool, str]:
    """Run a command, as for the whole proof; return whether it was good, and its output."""
    done = subprocess.run(
        command,
        cwd=ROOT,
        env=os.environ | {"PARTS": ""},
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    return done.returncode == 0, done.stdout


def quick_tests_under(version: str, place: str) -> tuple[bool, str]:
    """Run the quick tests under another Python, in an environment of its own; return the output."""
    venv = ROOT / ".venvs" / version
    python = str(venv / "bin" / "python")
    steps = [[python, "-m", "pytest", "-q", *(f"autograder/selftest/{name}" for name in QUICK)]]
    steps += [[python, "-m", "autograder", "test", "solution"]]
    ready = venv / "ready"
    if not ready.exists() or ready.stat().st_mtime < (ROOT / "pyproject.toml").stat().st_mtime:
        install = ["install", "--quiet", "--no-compile", "--disable-pip-version-check", ".[test]"]
        steps = [[place, "-m", "venv", str(venv)], [python, "-m", "pip", *install], *steps]
    said = ""
    for step in steps:
        good, more = said_by(*step)
        said += more
        if not good:
            return False, said
    ready.touch()
    last = said.rstrip().splitlines()[-1]
    return last == best_score(), said


def style(files: Sequence[str]) -> list[bool]:
    python = sys.executable
    return [
        run("style", python, "-m", "ruff", "check", *files),
        run("format", python, "-m", "ruff", "format", "--check", *files),
    ]


@contextmanager
def types_beside(good: list[bool], *files: str) -> Iterator[None]:
    """Check the types, of these files or all, on one core while something else is done."""
    with ThreadPoolExecutor(1) as pool:
        types = pool.submit(said_by, sys.executable, "-m", "mypy", *files)
        yield
        passed, said = types.result()
    print(f"{said}== types: {'good' if passed else 'FAILED'}", flush=True)
    good.append(passed)


def tests() -> bool:
    """Run tests, a file at a time in each of three processes.

    Many tests wait, for one core or a browser, a cluster, a disk; the banks use all cores. The
    files are taken by name, for so the largest bank comes last and leaves no core idle.
    """
    spread = ("-n", "3", "--dist", "loadfile", "--no-loadscope-reorder")
    quiet = ("-q", "-rs", "--durations=10")
    return run("tests", sys.executable, "-m", "pytest", *spread, *quiet)


def check(*files: str) -> bool:
    """Check style and types, of these files or all, and run the tests."""
    good = style(files or ["."])
    with types_beside(good, *files):
        good.append(tests())
    return all(good)


def check_question(question: str) -> bool:
    """Check what was changed, and of the tests what is about one question."""
    from autograder.selftest.sample import changed_files  # it asks which question this is about

    changed = [path.relative_to(ROOT).as_posix() for path in changed_files() if path.is_file()]
    files = [name for name in changed if name.endswith(".py") and not name.startswith(AS_STUDENTS)]
    print(f"== style and types of what was changed: {', '.join(files) or 'nothing'}", flush=True)
    return check(*files) if files else tests()


def proof() -> bool:
    from autograder.selftest.sample import PARTS, of_this_commit  # as above

    before = state()
    others = interpreters()
    missing = [v for v in VERSIONS if v not in others and not sys.version.startswith(v + ".")]
    if PARTS > 1 and others:
        chosen = sorted(others)[of_this_commit(len(others))]
        others = {chosen: others[chosen]}
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        outcomes = pool.map(quick_tests_under, others.keys(), others.values())
        good = style(["."])
        for version, (passed, said) in zip(others, outcomes):
            good.append(passed)
            if not passed:
                print(said)
            print(f"== Python {version}, quick tests: {'good' if passed else 'FAILED'}", flush=True)
    if missing:
        print(f"== SKIPPED: Python {', '.join(missing)} not present on this machine", flush=True)
    with types_beside(good):
        good.append(tests())
    if all(good) and PARTS == 1:
        note_proof(before)  # what was changed meanwhile is not proved
    return all(good)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m autograder.selftest")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--proof", action="store_true", help="everything")
    what.add_argument("--question", default="", choices=["", *(row.number for row in QUESTIONS)])
    args = parser.parse_args()
    parts = os.environ.get("PARTS") or "1"
    if not parts.isdecimal() or int(parts) < 1:
        print(f"PARTS must be a whole number, 1 or more, not {parts!r}", file=sys.stderr)
        return 2
    # Before the tests are imported, here and in processes of their own: they ask for it then.
    os.environ["PROOF"], os.environ["QUESTION"] = str(int(args.proof)), args.question
    os.environ["CHECK"] = str(int(not args.proof and not args.question))
    # Hundreds of Pythons are started: not each of them shall compile all that it imports.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    start = time.monotonic()
    question = args.question
    good = proof() if args.proof else check_question(question) if question else check()
    said = "everything is good" if good else "something FAILED, see above"
    print(f"{said} ({time.monotonic() - start:.0f} s)", flush=True)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
