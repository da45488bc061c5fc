"""Generate the stubs in `starter/` from the question files in `solution/`.

A region of a function from `### BEGIN SOLUTION hint` to `### END SOLUTION` becomes a TODO comment
with the hint and a NotImplementedError. A region outside functions, for code that only the solution
needs, is left out. Everything else is unchanged, except relative imports. In both, the default of a
parameter `C`, and whether the question is a bonus, come from `assignment.toml`.
"""

import re
import sys
import textwrap
from typing import NamedTuple

from autograder.feedback.report import write_atomically
from autograder.questions import QUESTIONS, ROOT
from autograder.settings import SETTINGS

DEFAULT_C = re.compile(r"\b(C: float = )[\d.e+-]+")
TITLE = re.compile(r'\A("""Question \d+)(?:, a bonus)?:')
BEGIN, END = "### BEGIN SOLUTION", "### END SOLUTION"


class Region(NamedTuple):
    """A region between two marks: its line numbers, from 1, and the hint."""

    lines: range
    hint: str


def find_regions(source: str, name: str = "the source") -> list[Region]:
    """Return the solution's regions in order. Raises ValueError for a wrong mark."""
    found: list[Region] = []
    begun, hint = 0, ""
    for number, line in enumerate(source.splitlines(), 1):
        mark = line.strip()
        if mark.startswith(BEGIN):
            if begun:
                raise ValueError(f"{name}: a solution region begins inside another")
            begun, hint = number, mark.removeprefix(BEGIN).strip()
        elif mark == END:
            if not begun:
                raise ValueError(f"{name}: a solution region ends that never began")
            found.append(Region(range(begun + 1, number), hint))
            begun = 0
    if begun:
        raise ValueError(f"{name}: a solution region does not end")
    return found


def find_region_lines(source: str) -> list[str]:
    """Return the lines of all regions, which students write. Raises ValueError."""
    lines = source.splitlines()
    return [lines[number - 1] for region in find_regions(source) for number in region.lines]


def make_stub(source: str, name: str) -> str:
    """Return the stub of a question file. Raises ValueError for a wrong mark."""
    lines = source.splitlines()
    output: list[str] = []
    done = 0
    for region in find_regions(source, name):
        mark = lines[region.lines.start - 2]
        output += lines[done : region.lines.start - 2]
        done = region.lines.stop
        indent = mark[: len(mark) - len(mark.lstrip())]
        if indent:
            function = re.findall(r"^ *def (\w+)", "\n".join(output), re.M)[-1]
            output += textwrap.wrap(
                f"# TODO: {region.hint}",
                100 - len(indent),
                initial_indent=indent,
                subsequent_indent=indent + "# ",
            )
            output.append(f'{indent}raise NotImplementedError("write {function} in {name}")')
        elif output and not output[-1]:
            output.pop()  # with the blank line before it
    return make_imports_absolute("\n".join(output + lines[done:]).rstrip() + "\n")


def make_imports_absolute(source: str) -> str:
    """Return the source with `from starter.cutoff` in place of `from .cutoff`.

    The solution has to import its own module; a student may run the file by itself.
    """
    blocks = re.search(r"((?:^from starter\..*\n)+)\n((?:^from \..*\n)+)", source, re.M)
    if not blocks:
        return source
    imports = blocks[1] + blocks[2].replace("from .", "from starter.")
    return source.replace(blocks[0], "".join(sorted(imports.splitlines(keepends=True))))


def make_files() -> dict[str, str]:
    """Return the solution for the settings, and its stubs, by path."""
    files = {}
    for question in QUESTIONS:
        name = question.file
        source = (ROOT / "solution" / name).read_text(encoding="utf-8")
        source = DEFAULT_C.sub(rf"\g<1>{SETTINGS.C}", source)
        source = TITLE.sub(rf"\g<1>{', a bonus' if question.bonus else ''}:", source)
        files[f"solution/{name}"] = source
        files[f"starter/{name}"] = make_stub(source, name)
    return files


def find_outdated_files() -> list[str]:
    """Return the generated files that are out of date."""
    return [
        path
        for path, text in make_files().items()
        if not (ROOT / path).is_file() or (ROOT / path).read_text(encoding="utf-8") != text
    ]


def main() -> int:
    try:
        files = make_files()
    except (ValueError, OSError) as problem:
        print(f"no stubs were written: {problem}", file=sys.stderr)
        return 2
    for path in find_outdated_files():
        write_atomically(ROOT / path, files[path])
        print(f"written: {path}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
