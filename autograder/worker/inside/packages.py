"""Limit imports of student code to the standard library, NumPy and its folder."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType

from autograder.worker.inside.confine import PACKAGES


class NumPyFinder:
    """An import finder for NumPy only, in the folders of installed packages."""

    def __init__(self, folders: list[str]) -> None:
        self.folders = folders

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        return PathFinder.find_spec(name, self.folders) if name == "numpy" else None


def hide_packages() -> None:
    """Remove installed packages except NumPy from Python's path.

    So they are missing on every machine, also where they are installed.
    """
    installed = [place for place in sys.path if os.path.basename(place) in PACKAGES]
    sys.path[:] = [place for place in sys.path if place not in installed]
    sys.meta_path.append(NumPyFinder(installed))
