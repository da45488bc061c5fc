"""Which files of the project a module needs, read off the import statements in its source."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from autograder.questions import ROOT


def imported_by(paths: Iterable[Path]) -> set[Path]:
    """Return these files and all modules of the project that they import, at once or in the end."""
    left = list(paths)
    found: set[Path] = set()
    while left:
        path = left.pop()
        if path not in found:
            found.add(path)
            left += directly_imported(path)
    return found


@cache
def directly_imported(path: Path) -> frozenset[Path]:
    """Return the modules of the project that stand in the import statements of a file."""
    modules = []
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            modules += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            parents = path.relative_to(ROOT).parts[: -node.level] if node.level else ()
            module = ".".join([*parents, *([node.module] if node.module else [])])
            modules += [module, *(f"{module}.{alias.name}" for alias in node.names)]
    return frozenset(path for module in modules for path in files_of(module))


def files_of(module: str) -> Iterator[Path]:
    """Yield the file of a module and those of the packages it lies in, as far as they are ours."""
    place = ROOT
    for part in module.split("."):
        place = place / part
        for path in (place.with_suffix(".py"), place / "__init__.py"):
            if path.is_file():
                yield path
