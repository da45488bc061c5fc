"""Build the released files: dist/student.zip and dist/autograder.zip.

The students' zip contains the stubs, the graded tests with the public cases and the runner. The
autograder's, for Gradescope, contains secret cases, generated from the solution and a random seed
in release-seed.txt, a file that stays with the instructor: the same seed gives the same zip. No
line of the solution is in either.

Before the zips are written, this checks all that depends on the settings: the solution has all
points with the public and with the secret cases, the stubs have none, the students' files are as
the settings say, and no zip gives away what is secret. That the project itself works is what
`make check-all` tests, with the shipped settings.
"""

import argparse
import io
import json
import secrets
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

from autograder.author.cases import format_json, write_cases
from autograder.author.graded_tests import (
    format_best_score,
    list_missing_tests,
    read_student_tests,
    sum_points,
)
from autograder.author.handout import (
    find_outdated_passages,
    follow_settings,
    make_student_text,
    render_handout,
    render_title,
)
from autograder.author.packages import LeftOut
from autograder.author.platforms import (
    FOLDER,
    PLATFORMS,
    PUBLIC,
    below,
    get_mode,
    make_platform,
    write_files,
)
from autograder.author.release_check import Files, find_leaks, find_leftovers
from autograder.author.settings import (
    describe_settings,
    expect_known_tests,
    expect_no_placeholders,
    format_settings,
    has_term_cases,
)
from autograder.author.stubs import find_outdated_files
from autograder.feedback.report import write_atomically
from autograder.grading.grade import GRADING_FILES
from autograder.questions import QUESTION_FILES, QUESTIONS, ROOT, is_off
from autograder.serving.case_files import FOLDER as CASES
from autograder.settings import FILE, SETTINGS, WHEN_SHOWN, BadSettings, Settings
from autograder.submission import SIGNPOSTS, list_provided_files

SEED_FILE = ROOT / "release-seed.txt"
STARTER = [f"starter/{name}" for name in (*list_provided_files(), *QUESTION_FILES)]
GRADING = [*STARTER, *GRADING_FILES, "autograder/formats/*.py", "LICENSE", "pyproject.toml"]
LAB = ["lab/*.css", "lab/*.html", "lab/**/*.js", "lab/**/*.json", "lab/**/*.txt", "lab/**/*.py"]
FOR_STUDENTS = ["handout/*", "autograder/quiz/*", *LAB, *(f"starter/{name}" for name in SIGNPOSTS)]
ONLY_FOR_STUDENTS = ROOT / "autograder/author/student"  # their Makefile and README
END_FOR_STUDENTS = "# Students do not get what follows.\n"  # in pyproject.toml
PYTEST_OF_STUDENTS = '[tool.pytest.ini_options]\ntestpaths = ["tests"]\npythonpath = ["."]\n'


def read_matching_files(*patterns: str) -> Files:
    """Return matching files of this repository, by path.

    Files about a question that is off are left out, except in `autograder/`: other questions may
    use its checks.
    """
    paths = {path for pattern in patterns for path in ROOT.glob(pattern)}
    return {
        path.relative_to(ROOT).as_posix(): path.read_bytes()
        for path in paths
        if path.is_file() and (ROOT / "autograder" in path.parents or not is_off(path))
    }


def collect_student_files() -> Files:
    """Return a student's files, by path in their folder."""
    only_theirs = {
        path.name: follow_settings(path.read_text(encoding="utf-8"))
        for path in ONLY_FOR_STUDENTS.iterdir()
    }
    only_theirs["README.md"] = render_title() + only_theirs["README.md"].split("\n", 1)[1]
    handout = make_student_text((ROOT / "handout.md").read_text(encoding="utf-8"))
    cases = {
        f"tests/cases/{path.name}": path.read_bytes()
        for path in CASES.glob("*.json")
        if not is_off(path)
    }
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8").partition(END_FOR_STUDENTS)[0]
    return {
        **remove_hidden_tests(read_matching_files(*GRADING, *FOR_STUDENTS) | cases),
        **{name: text.encode() for name, text in only_theirs.items()},
        "assignment.toml": format_settings(make_student_settings()).encode(),
        "pyproject.toml": f"{project}\n{PYTEST_OF_STUDENTS}".encode(),
        "handout.md": handout.encode(),
        "handout.html": render_handout(handout).encode(),
    }


def make_student_settings() -> Settings:
    """Return the students' settings: of the tests that are hidden, those that they do not get.

    If a question has no other tests, it is named instead of them.
    """
    lists: dict[str, list[str]] = {when: [] for when in WHEN_SHOWN}
    for question in QUESTIONS:
        hidden = list_missing_tests(question.number)
        named = hidden if read_student_tests(question.number) else [question.number]
        for name, number in zip(named, hidden):
            lists[SETTINGS.visibility(number)].append(name)
    return replace(SETTINGS, tests=SETTINGS.tests | lists, extensions={})


def remove_hidden_tests(files: Files) -> Files:
    """Return the files without the tests and cases that students do not get."""
    left_out = list_missing_tests()
    marks = [f'@number("{number}")' for number in left_out]
    cut = dict(files)
    for question in QUESTIONS:
        tests = f"tests/test_{question.number}_{question.name}.py"
        cases = f"tests/cases/{question.name}.json"
        parts = files[tests].decode().split("\n\n\n")  # each function is one
        left = [part for part in parts if not any(mark in part for mark in marks)]
        cut[tests] = "\n\n\n".join(left).encode()
        content = json.loads(files[cases])
        for part in ("kinds", "cases", "mistakes"):
            content[part] = {k: v for k, v in content.get(part, {}).items() if k not in left_out}
        cut[cases] = f"{format_json(content)}\n".encode()
    return cut


def collect_autograder_files(seed: int) -> Files:
    """Return Gradescope's files, by path in the zip, with the cases of `seed`."""
    files = read_matching_files(*GRADING, "requirements.lock")
    for name in ("run_autograder", "setup.sh"):
        files[name] = (ROOT / "autograder/gradescope" / name).read_bytes()
    files[FILE.name] = format_settings(replace(SETTINGS, extensions={})).encode()
    with tempfile.TemporaryDirectory() as folder:
        write_cases(seed, Path(folder), public=False)
        for path in Path(folder).iterdir():
            files[f"tests/cases/{path.name}"] = path.read_bytes()
    return files


def pack_files(files: Files) -> bytes:
    """Return the files as a zip that depends only on them."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in sorted(files.items()):
            info = zipfile.ZipInfo(path)  # dated 1980
            info.create_system = 3  # Unix, so that the executable bit counts
            info.external_attr = (0o100000 | get_mode(path)) << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, content)
    return packed.getvalue()


def try_files(files: Files, *arguments: str) -> str:
    """Write the files of a zip, run `python -m autograder` there, and return its last line."""
    with tempfile.TemporaryDirectory() as folder:
        write_files(Path(folder), files)
        command = [sys.executable, "-m", "autograder", *arguments]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    return (done.stdout.strip() or done.stderr.strip() or "nothing").splitlines()[-1]


def try_zips(contents: dict[str, Files]) -> None:
    """Raise ValueError unless the solution has all points in both zips, and the stubs have none.

    A student's zip in which all tests are hidden has none to try.
    """
    solution = str(ROOT / "solution")
    tried = [("autograder.zip", format_best_score(), "grade", solution)]
    if read_student_tests():
        tried.append(("student.zip", format_best_score(at_home=True), "test", solution))
    for name, best, *arguments in tried:
        line = try_files(contents[name], *arguments)
        if line != best:
            raise ValueError(f"{name}: the solution should score all, but there is: {line}")
    line = try_files(contents["student.zip"], "test")
    if not line.startswith(("score: 0/", "all tests are hidden ")):
        raise ValueError(f"student.zip: the stubs should score nothing, but there is: {line}")


def read_seed(path: Path) -> int:
    """Return the release's seed; choose and store one if there is none yet.

    Raises ValueError if the file is invalid.
    """
    if not path.exists():
        write_atomically(path, f"{secrets.randbits(128)}\n", private=True)
    text = path.read_text(encoding="utf-8", errors="replace").strip()
    if not text.isdecimal():
        raise ValueError(f"{path} should hold one whole number: delete it, and a new one is chosen")
    return int(text)


def release(seed_file: Path, folder: Path, platforms: Collection[str] = ()) -> dict[str, int]:
    """Build both zips and a folder for each platform; return the number of files in each.

    Raises ValueError, and writes nothing, if the settings are incomplete or not applied, if a line
    of the solution would be released, or if a zip does not work.
    """
    expect_known_tests()
    expect_no_placeholders()
    text = (ROOT / "handout.md").read_text(encoding="utf-8")
    if old := [
        *find_outdated_files(),
        *(() if has_term_cases() else ("tests/term_cases",)),
        *(f"handout.md, {name}" for name in find_outdated_passages(text)),
    ]:
        raise ValueError(
            f"some files are not what solution and settings give ({'; '.join(old)}): "
            "run `make settings`"
        )
    print("making the secret cases, building the zips and trying them: several minutes", flush=True)
    student, autograder = collect_student_files(), collect_autograder_files(read_seed(seed_file))
    if wrong := find_leftovers(student):
        raise ValueError(f"student.zip is not as the settings say: {'; '.join(wrong)}")
    zips = {
        "student.zip": pack_files(below(FOLDER, student)),
        "autograder.zip": pack_files(autograder),
    }
    contents = {"student.zip": student, "autograder.zip": autograder}
    folders = {}
    for name in platforms:
        try:
            folders[name] = make_platform(name, student, autograder, zips["student.zip"])
        except LeftOut as problem:  # without a network the others can be released
            print(f"dist/{name} is left out: {problem}", file=sys.stderr)
    for name, files in (contents | folders).items():
        if leaked := find_leaks(files):
            raise ValueError(f"{name} would hold {leaked[0]}")
    try_zips(contents)
    folder.mkdir(exist_ok=True)
    for name, content in zips.items():
        write_atomically(folder / name, content, private=name == "autograder.zip")
    for name in platforms:
        shutil.rmtree(folder / name, ignore_errors=True)
    for name, files in folders.items():
        (folder / name).mkdir(mode=0o755 if name in PUBLIC else 0o700)
        write_files(folder / name, files)
    return {name: len(files) for name, files in (contents | folders).items()}


NEXT = """
Tried out: the solution scores all with the secret cases, the stubs score nothing.
Next: docs/instructor.md, "Upload", with {points} points; docs/platforms.md for other platforms.
Keep {seed}: the same seed gives the same cases, for a regrade. Show it to nobody.
For cases that nobody has seen, delete it and run this again."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m autograder.author.release")
    parser.add_argument("--platform", choices=("gradescope", *PLATFORMS), help="only this one")
    args = parser.parse_args()
    platforms = [name for name in PLATFORMS if args.platform in (None, name)]
    try:
        counts = release(SEED_FILE, ROOT / "dist", platforms)
    except (ValueError, OSError) as problem:
        where = f"{FILE.name}: " if isinstance(problem, BadSettings) else ""
        print(f"no release: {where}{problem}", file=sys.stderr)
        return 2
    print(describe_settings())
    for name, count in counts.items():
        print(f"dist/{name}  ({count} files)")
    print(NEXT.format(seed=SEED_FILE.name, points=f"{sum_points():g}"))
    return 2 if args.platform and not counts.keys() >= set(platforms) else 0


if __name__ == "__main__":
    sys.exit(main())
