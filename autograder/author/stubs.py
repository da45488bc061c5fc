"""Generates the stubs in `starter/` from the question files in `solution/`.

A region of a function from `### BEGIN SOLUTION hint` to `### END SOLUTION` becomes a TODO comment
with the hint and a NotImplementedError; a region outside functions, for what only the solution
needs, is left out. Everything else stays as it is.
"""

from __future__ import annotations

import re
import sys
import textwrap
from pathlib import Path

from autograder.questions import QUESTION_FILES
from autograder.report import write_whole

ROOT = Path(__file__).resolve().parent.parent.parent
BEGIN, END = "### BEGIN SOLUTION", "### END SOLUTION"


def stub(source: str, name: str) -> str:
    """Return the stub of a question file. Raises ValueError if a mark is missing or misplaced."""
    lines: list[str] = []
    function = ""
    inside = False
    for line in source.splitlines():
        mark = line.strip()
        defined = re.match(r"def (\w+)", line)
        if defined and not inside:
            function = defined.group(1)
        if mark.startswith(BEGIN):
            if inside:
                raise ValueError(f"{name}: a solution region begins inside another")
            inside = True
            indent = line[: len(line) - len(line.lstrip())]
            if indent:
                todo = f"# TODO: {mark.removeprefix(BEGIN).strip()}"
                lines += textwrap.wrap(
                    todo, 100 - len(indent), initial_indent=indent, subsequent_indent=indent + "# "
                )
                lines.append(f'{indent}raise NotImplementedError("write {function} in {name}")')
            elif lines and not lines[-1]:
                lines.pop()  # the blank line before goes with it
        elif mark == END:
            if not inside:
                raise ValueError(f"{name}: a solution region ends that never began")
            inside = False
        elif not inside:
            lines.append(line)
    if inside:
        raise ValueError(f"{name}: a solution region does not end")
    return "\n".join(lines).rstrip() + "\n"


def stubs() -> dict[str, str]:
    """Return all stubs by file name."""
    return {
        name: stub((ROOT / "solution" / name).read_text(encoding="utf-8"), name)
        for name in QUESTION_FILES
    }


def drifted() -> list[str]:
    """Return the stubs in starter/ that are not what the solution gives."""
    return [
        name
        for name, text in stubs().items()
        if not (path := ROOT / "starter" / name).is_file()
        or path.read_text(encoding="utf-8") != text
    ]


def main() -> int:
    try:
        made = stubs()
    except (ValueError, OSError) as problem:
        print(f"no stubs were written: {problem}", file=sys.stderr)
        return 2
    for name, text in made.items():
        write_whole(ROOT / "starter" / name, text)
        print(f"starter/{name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
