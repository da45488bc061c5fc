"""The pinned packages can be installed with each Python the project supports."""

from __future__ import annotations

import sys
from importlib.metadata import metadata, version

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

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


@pytest.mark.parametrize("pin", PINS, ids=str)
def test_package_admits_every_python(pin: Requirement) -> None:
    assert pin.specifier.contains(version(pin.name))
    admitted = SpecifierSet(",".join(metadata(pin.name).get_all("Requires-Python") or ()))
    for python in PYTHONS:
        if not pin.marker or pin.marker.evaluate({"python_version": python}):
            assert admitted.contains(f"{python}.99"), python
