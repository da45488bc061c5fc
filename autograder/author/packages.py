"""Pin the packages that grading needs: `make lock`. Fetch them for a place without a network.

Gradescope installs them when it builds the image. pyproject.toml pins those that the project names;
requirements.lock has the newest versions of those that they need in turn, and of what builds them,
so that an image built next year is the same.

The wheels are for Linux on x86-64 and the platform's Python, which need not be the one that runs
this: pip would evaluate the conditions of requirements for its own Python, so that is done here.
The versions are those of pyproject.toml and requirements.lock.
"""

import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement

from autograder.feedback.report import write_atomically
from autograder.questions import ROOT

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

LOCK = ROOT / "requirements.lock"
OLDEST = "3.10"  # the Python of Gradescope's image
HEADER = "# Written by `make lock`: what grading installs besides the pins of pyproject.toml.\n"
BUILDS_OLD_PACKAGES = "setuptools"  # timeout-decorator is published as source only
SOURCE_ONLY = ("timeout-decorator",)  # on PyPI; the wheel is built here
MACHINES = ("manylinux2014_x86_64", "manylinux_2_28_x86_64")


class LeftOut(OSError):
    """A platform's folder can't be made; the text says why."""


def read_project(folder: Path = ROOT) -> dict[str, Any]:
    text = (folder / "pyproject.toml").read_text(encoding="utf-8")
    project: dict[str, Any] = tomllib.loads(text)
    return project


@cache
def fetch_wheels(python: str) -> dict[str, bytes]:
    """Return all wheels for that version of Python, by name. Raises LeftOut."""
    direct = map(Requirement, read_project()["project"]["dependencies"])
    here = {"python_version": python, "python_full_version": f"{python}.0"}
    needed = [one for one in direct if one.marker is None or one.marker.evaluate(here)]
    locked = [line for line in LOCK.read_text(encoding="utf-8").splitlines() if line[:1] != "#"]
    needed += [one for one in map(Requirement, locked) if one.name != BUILDS_OLD_PACKAGES]
    names = {one.name: f"{one.name}{one.specifier}" for one in needed} | {"pip": "pip"}
    built = [names.pop(name) for name in SOURCE_ONLY]
    machines = [f"--platform={name}" for name in MACHINES]
    for_python = ["--only-binary=:all:", f"--python-version={python}", *machines]
    with tempfile.TemporaryDirectory() as folder:
        run_pip("download", *for_python, "--dest", folder, *names.values())
        run_pip("wheel", "--wheel-dir", folder, *built)
        return {path.name: path.read_bytes() for path in Path(folder).glob("*.whl")}


def run_pip(command: str, *arguments: str) -> None:
    """Let pip fetch or build packages without what they need. Raises LeftOut."""
    pip = [sys.executable, "-m", "pip", command, "--quiet", "--no-deps", *arguments]
    done = subprocess.run(pip, capture_output=True, text=True)
    if done.returncode:
        last = (done.stderr.strip() or "no reason given").splitlines()[-1]
        raise LeftOut(f"pip {command} fails: {last}")


def main() -> int:
    project = read_project()
    direct = project["project"]["dependencies"]
    wanted = [*direct, *project["build-system"]["requires"], BUILDS_OLD_PACKAGES]
    command = [sys.executable, "-m", "uv", "pip", "compile", "-", "--quiet"]
    command += ["--no-header", "--no-annotate", "--python-platform=linux"]
    command += [f"--python-version={OLDEST}"]
    command += [f"--no-emit-package={Requirement(one).name}" for one in direct]
    done = subprocess.run(command, input="\n".join(wanted), capture_output=True, text=True)
    if done.returncode:
        print(f"nothing was written: {done.stderr.strip()[-300:]}", file=sys.stderr)
        return 2
    write_atomically(LOCK, HEADER + done.stdout)
    print(f"written: {LOCK.name}, {len(done.stdout.splitlines())} packages")
    return 0


if __name__ == "__main__":
    sys.exit(main())
