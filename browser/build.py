"""Build dist/browser: the assignment as a static site. `make browser` runs it.

The page's own modules come from npm, in the versions of `page/package-lock.json`; the Python
packages are those of this environment. Nothing is loaded from elsewhere when the site is used. The
name of its folder is a version, so that a browser never mixes two versions of the site.
"""

import base64
import json
import re
import shutil
import subprocess
import sys
from hashlib import sha256
from html import escape
from importlib import metadata
from itertools import chain
from pathlib import Path
from string import Template
from typing import Any

from autograder.author.graded_tests import read_student_tests
from autograder.author.handout import render_handout
from autograder.author.release import collect_student_files, pack_files
from autograder.author.release_check import Files, find_leaks
from autograder.feedback import svg
from autograder.questions import QUESTION_FILES, QUESTIONS, ROOT
from autograder.settings import SETTINGS
from autograder.submission import list_provided_files
from lab.boards import CATEGORIES
from lab.engines import ENGINES, OWN_PLAYER, PERFECT
from lab.positions import POSITIONS, find_fitting_depth

PAGE = ROOT / "browser" / "page"
SITE = ROOT / "dist" / "browser"
MODULES = PAGE / "node_modules"  # where npm installs
DATA = ROOT / "build" / "assignment.json"  # what the page imports
NO_NPM = "the browser version was not built: it takes npm (Node.js 20 or newer)"
PACKAGES = ("gradescope-utils", "timeout-decorator", "pytest", "iniconfig", "pluggy")
NO_NUMPY = (
    "NumPy is not part of the browser version: use state.rows here; at home and on "
    f"{SETTINGS.platform_name} board() works"
)
STUBS = {  # pytest imports Pygments to colour a terminal; NumPy's wheel comes before its stub
    "numpy": f"raise ImportError({NO_NUMPY!r})",
    "pygments/__init__": "",
    "pygments/formatters/terminal": "TerminalFormatter = None",
    "pygments/lexer": "Lexer = None",
    "pygments/lexers/diff": "DiffLexer = None",
    "pygments/lexers/python": "PythonLexer = None",
}
PYODIDE = ("pyodide.asm.wasm", "numpy-*.whl")


def project(student: Files) -> Files:
    """Return those of the student's files and our modules that Python in the page needs."""
    ours = {f"browser/{file.name}": file.read_bytes() for file in (ROOT / "browser").glob("*.py")}
    files = student | ours
    del files["browser/build.py"]
    kinds = (".py", ".json", ".ini", ".toml")
    files = {name: content for name, content in files.items() if name.endswith(kinds)}
    return {**files, "handout.html": b""}  # so that reports refer to it


def packages() -> Files:
    """Return the modules of the Python packages that grading needs."""
    found = {f"site-packages/{name}.py": STUBS[name].encode() for name in STUBS}
    for package in PACKAGES:
        for file in metadata.files(package) or ():
            there = Path(str(file.locate()))
            if there.exists() and there.suffix == ".py":
                found[f"site-packages/{file.as_posix()}"] = there.read_bytes()
    return found


def assignment(handout: str) -> dict[str, Any]:
    """Return what the page shows before Python runs.

    It has the stubs, the questions with their tests, and the choices of the lab.
    """
    places = {
        number: place for place, number in re.findall(r'<h2 id="(question-(\d+)[^"]*)"', handout)
    }
    return {
        "files": {name: (ROOT / "starter" / name).read_text("utf-8") for name in QUESTION_FILES},
        "questions": [
            {
                "number": question.number,
                "title": question.title,
                "file": question.file,
                "place": places.get(question.number, ""),
                "tests": {test.number: test.label for test in read_student_tests(question.number)},
            }
            for question in QUESTIONS
        ],
        "positions": {name: find_fitting_depth(name) for name in POSITIONS},
        "games": {one.name: one.choose_depth(one.make_game()) for one in CATEGORIES},
        "engines": {
            name: engine.uses
            for name, engine in ENGINES.items()
            if name not in (OWN_PLAYER, PERFECT)
        },
        "stones": svg.STONES,
        "platform": SETTINGS.platform_name,
    }


def api() -> str:
    """Return a page with the provided modules."""
    parts = ["# What is provided\n\nImport it from `starter.games` and `starter.players`."]
    for name in list_provided_files():
        if name not in ("__init__.py", "games/_bits.py"):
            module = (ROOT / "starter" / name).read_text(encoding="utf-8")
            parts.append(f"## `{name}`\n\n```python\n{module}```")
    return render_handout("\n\n".join(parts))


def npm(*arguments: str) -> None:
    program = shutil.which("npm") or "npm"  # on Windows it has an ending
    subprocess.run([program, *arguments], cwd=PAGE, check=True, stdout=sys.stderr)


def read_version() -> str:
    """Return the commit that is built, with a + if files have changed since; "" without git."""
    describe = ["git", "describe", "--always", "--abbrev=10", "--exclude=*", "--dirty=+"]
    try:
        return subprocess.run(describe, cwd=ROOT, capture_output=True, text=True).stdout.strip()
    except OSError:
        return ""


def read_licences() -> str:
    texts = {"d3": (ROOT / "lab" / "vendor" / "d3.LICENSE.txt").read_text(encoding="utf-8")}
    for file in sorted(MODULES.glob("**/LICENSE*")):
        name = file.parent.relative_to(MODULES).as_posix()
        if not re.search("esbuild|typescript|prettier", name):
            texts[name] = file.read_text(encoding="utf-8")
    for package in PACKAGES:
        places = [Path(str(file.locate())) for file in metadata.files(package) or ()]
        found = [place for place in places if place.name.startswith("LICEN")]
        texts[package] = found[0].read_text(encoding="utf-8") if found else "MIT License"
    sources = (PAGE / "licences.txt").read_text(encoding="utf-8")
    return sources + "".join(f"\n\n=== {name} ===\n\n{text}" for name, text in texts.items())


def build(folder: Path = SITE) -> None:
    """Build the site; an older one in the folder stays until the new one is whole.

    Raises CalledProcessError if npm fails, and ValueError if a file has a line of the solution.
    """
    npm("install")  # as page/.npmrc says
    student = collect_student_files()
    handout = student["handout.html"]
    style = svg.STYLE + (ROOT / "lab" / "lab.css").read_text(encoding="utf-8")
    manifest: dict[str, Any] = {"name": SETTINGS.title, "start_url": "../", "scope": "../"}
    manifest["icons"] = [{"src": "icon.svg", "sizes": "any", "type": "image/svg+xml"}]
    manifest["display"] = "standalone"
    texts = {
        "lab.css": style.encode(),
        "d3.js": (ROOT / "lab" / "vendor" / "d3.js").read_bytes(),
        "api.html": api().encode(),
        "handout.html": handout,
        "licences.txt": read_licences().encode(),
        "manifest.json": json.dumps(manifest).encode(),
        **{name: (PAGE / name).read_bytes() for name in ("icon.svg", "page.css")},
    }
    inside = project(student)
    about = assignment(handout.decode())
    if leaked := find_leaks({**inside, **texts, "assignment": json.dumps(about).encode()}):
        raise ValueError(f"the site would hold a line of the solution: {leaked[0]}")
    DATA.parent.mkdir(exist_ok=True)
    sources = DATA.with_name("python.zip")
    sources.write_bytes(pack_files({**inside, **packages()}))

    draft = folder.with_name(f"{folder.name}.new")
    shutil.rmtree(draft, ignore_errors=True)
    files = draft / "files"
    files.mkdir(parents=True)
    bundle = ("run", "--silent", "bundle", "--", f"--outdir={files}")
    npm(*bundle, "worker.ts")
    npm("exec", "--", "node", "compile.mjs", str(sources.parent), str(files))
    for source in chain.from_iterable(map((MODULES / "pyodide").glob, PYODIDE)):
        shutil.copy(source, files)
    about["parts"] = {part.name: part.stat().st_size for part in files.iterdir()}
    DATA.write_text(json.dumps(about), encoding="utf-8")
    npm(*bundle, "page.ts")
    for name, content in texts.items():
        (files / name).write_bytes(content)
    digest = sha256(b"".join(file.read_bytes() for file in sorted(files.iterdir())))
    files = files.rename(draft / f"files-{digest.hexdigest()[:10]}")

    (frame,) = re.findall(r"<script>(.*?)</script>", (PAGE / "frame.html").read_text("utf-8"), re.S)
    hashed = "sha256-" + base64.b64encode(sha256(frame.encode()).digest()).decode()
    others = (file for file in files.iterdir() if file.suffix != ".whl")  # it is seldom needed
    values = {
        "title": escape(SETTINGS.title),
        "course": f"{escape(SETTINGS.course)}. " if SETTINGS.course else "",
        "platform": escape(SETTINGS.platform_name),
        "folder": files.name,
        "version": read_version() or files.name,
        "frame": hashed,
        "files": '", "'.join(sorted(f"{files.name}/{file.name}" for file in others)),
    }
    for name in ("index.html", "sw.js"):
        text = Template((PAGE / name).read_text(encoding="utf-8")).substitute(values)
        (draft / name).write_text(text, encoding="utf-8")
    shutil.rmtree(folder, ignore_errors=True)
    draft.rename(folder)


def main() -> int:
    """Build dist/browser; `--optional` accepts a machine without npm."""
    if shutil.which("npm") is None:
        print(NO_NPM + "; dist/browser is an older one" * SITE.exists(), file=sys.stderr)
        return 0 if "--optional" in sys.argv else 2
    try:
        build()
    except (subprocess.CalledProcessError, ValueError, OSError) as problem:
        older = "; dist/browser is as it was" * SITE.exists()
        print(f"the browser version was not built: {problem}{older}", file=sys.stderr)
        return 2
    size = sum(file.stat().st_size for file in SITE.rglob("*") if file.is_file())
    print(f"dist/browser is built, {size / 1e6:.1f} MB: put the folder on any course page")
    return 0


if __name__ == "__main__":
    sys.exit(main())
