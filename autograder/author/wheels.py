"""Fetch the packages that grading needs as wheels, for a place without a network.

The wheels are for Linux on x86-64 and the platform's Python, which need not be the one that runs
this. pip would evaluate the conditions of requirements for its own Python, so that is done here.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import zipfile
from email import message_from_bytes
from functools import cache
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from autograder.questions import ROOT

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

SOURCE_ONLY = ("timeout-decorator",)  # on PyPI; the wheel is built here
MACHINES = ("manylinux2014_x86_64", "manylinux_2_28_x86_64")


class NoWheels(OSError):
    """The wheels can't be fetched; the text says why."""


@cache
def fetch_wheels(python: str) -> dict[str, bytes]:
    """Return all wheels for that version of Python, by name. Raises NoWheels."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    needed = [*project["project"]["dependencies"], *project["build-system"]["requires"], "pip"]
    found: dict[str, bytes] = {}
    with tempfile.TemporaryDirectory() as folder:
        seen: set[str] = set()
        while needed:
            wanted = [one for one in map(Requirement, needed) if applies(one, python)]
            new = [one for one in wanted if canonicalize_name(one.name) not in seen]
            seen |= {canonicalize_name(one.name) for one in new}
            download(new, python, Path(folder))
            needed = []
            for wheel in sorted(Path(folder).glob("*.whl")):
                if wheel.name not in found:
                    found[wheel.name] = wheel.read_bytes()
                    needed += read_requirements(wheel)
    return found


def applies(requirement: Requirement, python: str) -> bool:
    """Does the condition of a requirement hold on Linux with that Python?"""
    place = {
        "python_version": python,
        "python_full_version": f"{python}.0",
        "sys_platform": "linux",
        "platform_system": "Linux",
        "os_name": "posix",
        "implementation_name": "cpython",
        "platform_python_implementation": "CPython",
        "platform_machine": "x86_64",
        "extra": "",
    }
    return requirement.marker is None or requirement.marker.evaluate(place)


def download(requirements: list[Requirement], python: str, folder: Path) -> None:
    """Let pip fetch these packages without what they need."""
    built = [one for one in requirements if one.name in SOURCE_ONLY]
    fetched = [one for one in requirements if one not in built]
    machines = [f"--platform={name}" for name in MACHINES]
    fetch = ["download", "--only-binary=:all:", f"--python-version={python}", *machines]
    for command, some in ((fetch, fetched), (["wheel"], built)):
        if some:
            names = [f"{one.name}{one.specifier}" for one in some]
            pip = [sys.executable, "-m", "pip", *command, "--quiet", "--no-deps"]
            where = "--dest" if command is fetch else "--wheel-dir"
            done = subprocess.run(
                [*pip, where, str(folder), *names], capture_output=True, text=True
            )
            if done.returncode:
                last = (done.stderr.strip() or "no reason given").splitlines()[-1]
                raise NoWheels(f"pip can't fetch {', '.join(names)} for Python {python}: {last}")


def read_requirements(wheel: Path) -> list[str]:
    """Return what a wheel needs, as its metadata says."""
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        return message_from_bytes(archive.read(name)).get_all("Requires-Dist") or []
