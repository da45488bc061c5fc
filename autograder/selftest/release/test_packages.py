"""The pinned packages can be installed with each Python the project supports."""

import sys
from importlib.metadata import metadata, version

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

from autograder.author.lock import LOCK
from autograder.questions import ROOT

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
SUPPORTED = SpecifierSet(PROJECT["requires-python"])
PYTHONS = [f"3.{minor}" for minor in range(50) if SUPPORTED.contains(f"3.{minor}")]
NOT_HERE = {"bench"}  # extras that the tests do without
PINS = [
    requirement
    for lines in (
        PROJECT["dependencies"],
        *(of for extra, of in PROJECT["optional-dependencies"].items() if extra not in NOT_HERE),
    )
    for requirement in map(Requirement, lines)
    if requirement.name != PROJECT["name"]
    and (not requirement.marker or requirement.marker.evaluate())
]


def read_names(package: str) -> set[str]:
    """Return the names of what an installed package needs on this machine, without extras."""
    found = map(Requirement, metadata(package).get_all("Requires-Dist") or ())
    return {
        one.name.lower()
        for one in found
        if one.marker is None or one.marker.evaluate({"extra": ""})
    }


def test_lock_pins_what_grading_needs_in_turn() -> None:
    lines = LOCK.read_text(encoding="utf-8").splitlines()[1:]
    locked = {name: version for name, _, version in (line.partition("==") for line in lines)}
    assert all(locked.values())
    needed = {one.name for one in map(Requirement, PROJECT["dependencies"])}
    here = {name for name in needed if not (name == "tomli" and sys.version_info >= (3, 11))}
    for _ in range(3):
        here |= {name for package in here for name in read_names(package)}
    assert here - needed <= locked.keys(), "run make lock"
    assert {"hatchling", "setuptools"} <= locked.keys()


@pytest.mark.parametrize("pin", PINS, ids=str)
def test_package_admits_every_python(pin: Requirement) -> None:
    assert pin.specifier.contains(version(pin.name))
    admitted = SpecifierSet(",".join(metadata(pin.name).get_all("Requires-Python") or ()))
    for python in PYTHONS:
        if not pin.marker or pin.marker.evaluate({"python_version": python}):
            assert admitted.contains(f"{python}.99"), python
