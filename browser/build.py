"""Build dist/browser: the assignment as a static site. `make browser` runs it.

The page's own modules come from npm, in the versions of `page/package-lock.json`; the Python
packages are those of this environment. Nothing is loaded from elsewhere when the site is used.
"""

from __future__ import annotations

import ast
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Any

from autograder.author.graded_tests import read_student_tests
from autograder.author.handout_page import render_handout
from autograder.author.release import FOLDER, collect_student_files, pack_files
from autograder.author.release_check import Files, find_leaks
from autograder.feedback import svg, svg_positions
from autograder.questions import QUESTION_FILES, QUESTIONS, ROOT
from autograder.serving.case_files import Cases
from autograder.submission import list_provided_files
from lab.boards import CATEGORIES
from lab.engines import ENGINES, OWN_PLAYER, PERFECT
from lab.positions import POSITIONS, find_fitting_depth

PAGE = ROOT / "browser" / "page"
SITE = ROOT / "dist" / "browser"
NODE = ROOT / "build" / "browser"  # where npm installs
NO_NPM = "the browser version was not built: it takes npm (Node.js 20 or newer)"
IN_PAGE = ("__init__.py", "answers.py", "grading.py", "watching.py")  # modules of this package
PACKAGES = ("gradescope-utils", "timeout-decorator", "pytest", "iniconfig", "pluggy")
# pytest imports Pygments to colour a terminal; a page has none.
PYGMENTS = {
    "__init__": "",
    "formatters/terminal": "TerminalFormatter = None",
    "lexer": "Lexer = None",
    "lexers/diff": "DiffLexer = None",
    "lexers/python": "PythonLexer = None",
}
METADATA = ("METADATA", "entry_points.txt")
PYODIDE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
SPACE = "\n\n"
LAB = {  # each file of the page, and the files of the lab that make it up
    "board.js": ("board.js",),
    "playback.js": ("playback.js",),
    "tree.js": ("vendor/d3.js", "tree.js"),
    "d3.LICENSE.txt": ("vendor/d3.LICENSE.txt",),
}
COPIED = ("index.html", "page.css", "worker.js")


def project() -> Files:
    """Return the student's files and our modules that Python in the page needs."""
    files = {
        name.removeprefix(f"{FOLDER}/"): content
        for name, content in collect_student_files().items()
    }
    files |= {f"browser/{name}": (ROOT / "browser" / name).read_bytes() for name in IN_PAGE}
    kinds = (".py", ".json", ".ini", ".toml")
    return {name: content for name, content in files.items() if name.endswith(kinds)}


def packages() -> Files:
    """Return the modules of the Python packages that grading needs."""
    found = {f"site-packages/pygments/{name}.py": PYGMENTS[name].encode() for name in PYGMENTS}
    for package in PACKAGES:
        for file in metadata.files(package) or ():
            there = Path(str(file.locate()))
            if there.exists() and (there.suffix == ".py" or there.name in METADATA):
                found[f"site-packages/{file.as_posix()}"] = there.read_bytes()
    return found


def assignment() -> dict[str, Any]:
    """Return what the page shows before Python runs.

    It has the stubs, the questions with their tests, and the choices of the lab.
    """
    return {
        "files": {
            name: (ROOT / "starter" / name).read_text(encoding="utf-8") for name in QUESTION_FILES
        },
        "questions": [
            {
                "number": question.number,
                "title": question.title,
                "file": question.file,
                "tests": [
                    {
                        "number": test.number,
                        "label": test.label,
                        "cases": len(Cases().load(test.number)),
                    }
                    for test in read_student_tests(question.number)
                ],
            }
            for question in QUESTIONS
        ],
        "positions": {name: find_fitting_depth(name) for name in POSITIONS},
        "games": {
            category.name: category.choose_depth(category.make_game()) for category in CATEGORIES
        },
        "engines": {
            name: engine.uses
            for name, engine in ENGINES.items()
            if name not in (OWN_PLAYER, PERFECT)
        },
        "stones": {mark: stone(0, 0) for mark, stone in svg_positions.STONES.items()},
    }


def api() -> str:
    """Return a page with the signatures and docstrings of the provided modules."""
    parts = ["# What is provided\n\nImport it from `starter.games` and `starter.players`."]
    for name in list_provided_files():
        module = ast.parse((ROOT / "starter" / name).read_text(encoding="utf-8"))
        if offered := list(map(ast.unparse, public(module.body))):
            parts.append(f"## {name}\n\n```python\n{SPACE.join(offered)}\n```")
    return render_handout("\n\n".join(parts))


def public(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the public classes and functions.

    Of the code of a function only the docstring is left.
    """
    for node in body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and not node.name.startswith("_"):
            doc = node.body[:1] if ast.get_docstring(node) else []
            inside = list(public(node.body)) if isinstance(node, ast.ClassDef) else []
            fields = [part for part in node.body if isinstance(part, ast.AnnAssign)]
            node.body = [*doc, *(fields if inside else []), *inside] or [
                ast.Expr(ast.Constant(...))
            ]
            yield node


def bundle(outfile: Path) -> None:
    """Install the page's npm packages if necessary, and bundle them with our code."""
    lock = (PAGE / "package-lock.json").read_bytes()
    stamp = NODE / "installed"
    NODE.mkdir(parents=True, exist_ok=True)
    for file in PAGE.iterdir():
        shutil.copy(file, NODE)
    if not stamp.exists() or stamp.read_bytes() != lock:
        npm("ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")
        stamp.write_bytes(lock)
    options = ["--bundle", "--minify", "--format=esm", f"--outfile={outfile}"]
    npm("exec", "--", "esbuild", "page.js", "--log-level=warning", *options)


def npm(*arguments: str) -> None:
    program = shutil.which("npm")
    assert program is not None
    subprocess.run([program, *arguments], cwd=NODE, check=True, stdout=sys.stderr)


def build(folder: Path = SITE) -> None:
    """Build the site.

    Raises CalledProcessError if npm fails, and ValueError if a file has a line of the solution.
    """
    style = svg.STYLE + (ROOT / "lab" / "lab.css").read_text(encoding="utf-8")
    texts = {
        "lab/lab.css": style.encode(),
        **{
            f"lab/{name}": b"".join((ROOT / "lab" / part).read_bytes() for part in parts)
            for name, parts in LAB.items()
        },
        "assignment.json": json.dumps(assignment()).encode(),
        "api.html": api().encode(),
        "handout.html": collect_student_files()[f"{FOLDER}/handout.html"],
        **{name: (PAGE / name).read_bytes() for name in COPIED},
    }
    inside = project()
    if leaked := find_leaks({**texts, **inside}):
        raise ValueError(f"the site would hold a line of the solution: {leaked[0]}")
    shutil.rmtree(folder, ignore_errors=True)
    for part in ("pyodide", "lab"):
        (folder / part).mkdir(parents=True)
    bundle(folder / "page.js")
    for name in PYODIDE:
        shutil.copyfile(NODE / "node_modules" / "pyodide" / name, folder / "pyodide" / name)
    lock = json.loads((NODE / "node_modules" / "pyodide" / "pyodide-lock.json").read_bytes())
    lock["packages"] = {}  # none is loaded
    texts["pyodide/pyodide-lock.json"] = json.dumps(lock).encode()
    for name, content in {**texts, "python.zip": pack_files({**inside, **packages()})}.items():
        (folder / name).write_bytes(content)
    npm("exec", "--", "node", "compile.mjs", str(folder / "python.zip"))


def main() -> int:
    if shutil.which("npm") is None:
        print(NO_NPM)
        return 0
    try:
        build()
    except (subprocess.CalledProcessError, ValueError) as problem:
        print(f"the browser version was not built: {problem}", file=sys.stderr)
        return 2
    size = sum(file.stat().st_size for file in SITE.rglob("*") if file.is_file())
    print(f"dist/browser is built, {size / 1e6:.1f} MB: put the folder on any course page")
    return 0


if __name__ == "__main__":
    sys.exit(main())
