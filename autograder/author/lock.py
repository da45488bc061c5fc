"""Pin what the autograder's zip installs besides pyproject.toml's pins: `make lock`.

Gradescope installs these packages when it builds the image. pyproject.toml pins those that the
project names; this writes the newest versions of those that they need in turn, and of what builds
them, so that an image built next year is the same.
"""

import json
import subprocess
import sys
import tempfile
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
OF_OLDEST = {"python_version": OLDEST}
PYTHONS = [OLDEST, "3.11", "3.12", "3.13", "3.14"]
BUILDS_OLD_PACKAGES = "setuptools"  # timeout-decorator is published as source only
HEADER = "# Written by `make lock`: what grading installs besides the pins of pyproject.toml.\n"


def is_needed(requirement: Requirement) -> bool:
    """Is it needed on Linux, with one of the Pythons, without an extra?"""
    linux = {"sys_platform": "linux", "platform_system": "Linux", "os_name": "posix", "extra": ""}
    versions = ({"python_version": one, "python_full_version": f"{one}.0"} for one in PYTHONS)
    marker = requirement.marker
    return marker is None or any(marker.evaluate({**linux, **one}) for one in versions)


def resolve(requirements: list[Requirement]) -> list[dict[str, Any]]:
    """Return the metadata of the newest versions for the oldest Python, from pip's report."""
    names = [f"{one.name}{one.specifier}" for one in requirements]
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--dry-run", "--no-deps"]
        command += ["--ignore-installed", "--python-version", OLDEST, "--target", folder]
        done = subprocess.run([*command, "--report", "-", *names], capture_output=True, text=True)
    if done.returncode:
        raise ValueError(f"pip ends with {done.returncode}: {done.stderr.strip()[-300:]}")
    return [one["metadata"] for one in json.loads(done.stdout)["install"]]


def find_pins() -> dict[str, str]:
    """Return the version of each package that is needed in turn, by its name."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    direct = list(map(Requirement, project["project"]["dependencies"]))
    builders = [*project["build-system"]["requires"], BUILDS_OLD_PACKAGES]
    pinned = {one.name.lower() for one in direct}
    found: dict[str, str] = {}
    left = list(map(Requirement, builders))
    left += [one for one in direct if one.marker is None or one.marker.evaluate(OF_OLDEST)]
    while left:
        needs: dict[str, Requirement] = {}
        for metadata in resolve(left):
            found[metadata["name"].lower()] = metadata["version"]
            for text in metadata.get("requires_dist", ()):
                if is_needed(one := Requirement(text)):
                    needs.setdefault(one.name.lower(), one)
        left = [one for name, one in needs.items() if name not in {*found, *pinned}]
    return {name: version for name, version in sorted(found.items()) if name not in pinned}


def main() -> int:
    try:
        pins = find_pins()
    except ValueError as problem:
        print(f"nothing was written: {problem}", file=sys.stderr)
        return 2
    write_atomically(LOCK, HEADER + "".join(f"{name}=={pins[name]}\n" for name in pins))
    print(f"written: {LOCK.name}, {len(pins)} packages")
    return 0


if __name__ == "__main__":
    sys.exit(main())
