"""All packages that grading installs are pinned."""

import sys
from importlib.metadata import metadata

from packaging.requirements import Requirement

from autograder.author.lock import LOCK
from autograder.questions import ROOT

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


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
