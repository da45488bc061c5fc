"""Generate the stubs in `starter/` from the question files in `solution/`.

A region of a function from `### BEGIN SOLUTION hint` to `### END SOLUTION` becomes a TODO comment
with the hint and a NotImplementedError. A region outside functions, for code that only the solution
needs, is left out. Everything else is unchanged, except relative imports. In both, the default of a
parameter `C`, and whether the question is a bonus, come from `assignment.toml`.
"""

import re
import sys
import textwrap

from autograder.feedback.report import write_atomically
from autograder.questions import QUESTIONS, ROOT
from autograder.settings import SETTINGS

DEFAULT_C = re.compile(r"\b(C: float = )[\d.e+-]+")
TITLE = re.compile(r'\A("""Question \d+)(?:, a bonus)?:')
# With a blank line before, the indent, the hint and the lines between the marks.
REGION = re.compile(
    r"(^\n)?^( *)### BEGIN SOLUTION (.*)\n((?:(?! *###).*\n)*) *### END SOLUTION\n", re.MULTILINE
)
OWN_IMPORT = re.compile(r"((?:^from starter\..*\n)+)\n^from \.(.*\n)", re.MULTILINE)


def find_regions(source: str, name: str) -> list[re.Match[str]]:
    """Return the solution's regions in order. Raises ValueError for a wrong mark."""
    regions = list(REGION.finditer(source))
    if len(re.findall("### (?:BEGIN|END) SOLUTION", source)) != 2 * len(regions):
        raise ValueError(f"{name}: each `### BEGIN SOLUTION hint` needs one `### END SOLUTION`")
    return regions


def find_written_lines(source: str, name: str) -> dict[int, str]:
    """Return the lines that students write, by their number. Raises ValueError."""
    found: dict[int, str] = {}
    for region in find_regions(source, name):
        first = source.count("\n", 0, region.start(4)) + 1
        found |= enumerate(region[4].splitlines(), first)
    return found


def make_stub(source: str, name: str) -> str:
    """Return the stub of a question file. Raises ValueError for a wrong mark."""
    find_regions(source, name)

    def replace_region(region: re.Match[str]) -> str:
        blank, indent, hint, _ = region.groups("")
        if not indent:
            return ""
        function = re.findall(r"^ *def (\w+)", source[: region.start()], re.MULTILINE)[-1]
        todo = textwrap.fill(f"# TODO: {hint}", 100 - len(indent), subsequent_indent="# ")
        stub = f'{todo}\nraise NotImplementedError("write {function} in {name}")\n'
        return blank + textwrap.indent(stub, indent)

    stub = REGION.sub(replace_region, source).rstrip() + "\n"
    # The solution imports its own module; a student may run the file by itself.
    return OWN_IMPORT.sub(r"from starter.\2\1", stub)


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
