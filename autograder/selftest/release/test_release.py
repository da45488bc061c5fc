"""The two zips are complete, without the solution, and work once unpacked."""

import json
import os
import re
import shlex
import shutil
import signal
import stat
import subprocess
import sys
import venv
import zipfile
from contextlib import nullcontext, suppress
from functools import partial
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path
from unittest import mock

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from autograder.author import release as release_module
from autograder.author.cases import make_test_cases
from autograder.author.graded_tests import format_best_score, read_student_tests, sum_points
from autograder.author.handout import PICTURES
from autograder.author.packages import LOCK, LeftOut, read_project
from autograder.author.platforms import FOLDER, PLATFORMS, write_files
from autograder.author.release import main, read_seed, release
from autograder.author.settings import describe_settings, format_settings
from autograder.questions import QUESTION_FILES, QUESTIONS, ROOT, is_off
from autograder.selftest.support.banks import SOLUTION_FILES, change_solution
from autograder.selftest.support.commands import run_isolated
from autograder.selftest.support.waiting import WAIT_TIMEOUT_S
from autograder.settings import SETTINGS
from browser import build

WINDOWS = ROOT / "autograder" / "selftest" / "support" / "emulate_windows.py"
PROJECT = read_project()


def contents(archive: Path) -> dict[str, bytes]:
    """Return the files by their path in the folder where the commands are run."""
    top = f"{FOLDER}/" if archive.name == "student.zip" else ""
    with zipfile.ZipFile(archive) as file:
        return {name.removeprefix(top): file.read(name) for name in file.namelist()}


def test_only_gradescopes_zip_holds_secret_cases_and_its_scripts(zips):
    theirs, gradescopes = contents(zips / "student.zip"), contents(zips / "autograder.zip")
    assert not [path for path in theirs if "gradescope" in path or path == "setup.sh"]
    assert not [path for path in {*theirs, *gradescopes} if "__pycache__" in path]
    assert {"README.md", "Makefile", "LICENSE", "pyproject.toml", "handout.md"} <= set(theirs)
    assert all(theirs[p] == (ROOT / p).read_bytes() for p in theirs if p.startswith("tests/"))
    path = f"tests/cases/{QUESTIONS[0].name}.json"
    public, secret = json.loads(theirs[path]), json.loads(gradescopes[path])
    assert (secret["public"], public["public"]) == (False, True)
    assert secret["cases"].keys() == public["cases"].keys()
    made = make_test_cases("1.1", read_seed(zips / "seed.txt"), public=False)
    assert secret["cases"]["1.1"] == made["cases"]
    assert secret["cases"] != public["cases"] == json.loads((ROOT / path).read_bytes())["cases"]
    archive = zipfile.ZipFile(zips / "autograder.zip")
    for name, mode in (("setup.sh", 0o755), ("run_autograder", 0o755), ("LICENSE", 0o644)):
        info = archive.getinfo(name)
        assert (info.create_system, info.external_attr >> 16) == (3, stat.S_IFREG | mode)
        assert info.compress_type == zipfile.ZIP_DEFLATED
    for name in ("setup.sh", "run_autograder"):
        assert archive.read(name).startswith(b"#!") and b"\r" not in archive.read(name)
    dates = {one.date_time[0] for one in archive.infolist()}
    assert dates == {1980}, "the same files should give the same zip"


@pytest.mark.slow
def test_plain_pytest_finds_the_graded_tests(student_folder):
    """So editors find them, too."""
    done = run_isolated(student_folder, "-m", "pytest", "--collect-only", "-q")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("::test_") == len(read_student_tests())


def test_students_install_only_what_they_need(student_folder):
    settings = format_settings(release_module.make_student_settings())
    assert (student_folder / "assignment.toml").read_text(encoding="utf-8") == settings
    theirs = read_project(student_folder)
    ours = dict(PROJECT["project"])
    extras = ours.pop("optional-dependencies")
    assert theirs["project"].pop("optional-dependencies") == {"lab": extras["lab"]}
    assert theirs["project"] == ours
    assert theirs["tool"].keys() == {"hatch", "marimo", "pytest"}


@pytest.fixture
def quick(monkeypatch, tmp_path):
    """Skip the slow parts of a release; return the folder to which it is written."""
    monkeypatch.setattr(release_module, "expect_no_placeholders", lambda: None)
    monkeypatch.setattr(release_module, "collect_autograder_files", lambda seed: {})
    monkeypatch.setattr(release_module, "make_platform", lambda *arguments: {})
    monkeypatch.setattr(release_module, "find_leftovers", lambda files: [])
    monkeypatch.setattr(release_module, "try_zips", lambda contents: None)
    return tmp_path / "dist"


def test_a_release_is_written_whole(quick, monkeypatch, capsys):
    theirs = {"b.txt": b"b"}
    made = mock.Mock(side_effect=[{"a.txt": b"a"}, LeftOut("no network"), {"run.sh": b"b"}])
    monkeypatch.setattr(release_module, "make_platform", made)
    monkeypatch.setattr(release_module, "collect_student_files", lambda: theirs)
    write_files(quick, {"vpl/old": b""})
    platforms = ["junit", "autolab", "vpl"]
    mask = os.umask(0o22)
    counts = release(quick.parent / "seed.txt", quick, platforms)
    os.umask(mask)
    assert counts == {"student.zip": 1, "autograder.zip": 0, "junit": 1, "vpl": 1}
    assert capsys.readouterr().err == "dist/autolab is left out: no network\n"
    student_zip = (quick / "student.zip").read_bytes()
    assert contents(quick / "student.zip") == theirs
    assert made.mock_calls == [mock.call(name, theirs, {}, student_zip) for name in platforms]
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in quick.iterdir()}
    assert modes == {"student.zip": 0o644, "autograder.zip": 0o600, "junit": 0o755, "vpl": 0o700}
    assert [path.name for path in (quick / "vpl").iterdir()] == ["run.sh"]


@pytest.mark.parametrize(
    ("made", "status"), [({"student.zip": 7, "vpl": 2}, 0), ({"student.zip": 7}, 2)]
)
def test_command_says_what_it_released(monkeypatch, capsys, made, status):
    monkeypatch.setitem(SETTINGS.points, "1.1", 4.0)
    build_release = mock.Mock(return_value=made)
    monkeypatch.setattr(release_module, "release", build_release)
    for name, platforms in (("", [*PLATFORMS]), ("vpl", ["vpl"]), ("gradescope", [])):
        monkeypatch.setattr(sys, "argv", ["release", "--platform", name] if name else ["release"])
        assert main() == (status if name == "vpl" else 0)
        assert build_release.call_args.args == (release_module.SEED_FILE, ROOT / "dist", platforms)
        said = capsys.readouterr().out.splitlines()
        listed = [f"dist/{name}  ({count} files)" for name, count in made.items()]
        ending = release_module.NEXT.format(seed="release-seed.txt", points=f"{sum_points():g}")
        assert said == [*describe_settings().splitlines(), *listed, *ending.splitlines()]


LEAK = {"a.py": b"\tnode.N += 1\n"}
OURS = ["solution/mcts.py", "a/author/b.py", "cohort/b.py", "selftest/b.py", "release-seed.txt"]
LEAKED = "would hold a line of the solution: a.py, line 1: node.N += 1"
OUTDATED = "some files are not what solution and settings give"


@pytest.mark.parametrize(
    ("function", "returned", "said"),
    [
        ("find_outdated_files", ["a.py", "b.py"], f"{OUTDATED} (a.py; b.py): run `make settings`"),
        ("has_term_cases", False, f"{OUTDATED} (tests/term_cases): run `make"),
        ("find_leftovers", ["a", "b"], "student.zip is not as the settings say: a; b"),
        ("try_zips", ValueError("no points"), "no points"),
        ("find_outdated_passages", ["rules"], f"{OUTDATED} (handout.md, rules): run `make"),
        ("collect_student_files", LEAK, f"student.zip {LEAKED}"),
        ("collect_autograder_files", LEAK, f"autograder.zip {LEAKED}"),
        ("make_platform", LEAK, f"vpl {LEAKED}"),
        *(("collect_student_files", {path: b""}, f"would hold the file {path}") for path in OURS),
        ("expect_known_tests", ValueError("no such test"), "no such test"),
        ("expect_no_placeholders", ValueError("fill in"), "fill in"),
    ],
)
def test_what_is_outdated_incomplete_or_secret_is_not_released(
    quick, monkeypatch, capsys, function, returned, said
):
    effect = {"side_effect" if isinstance(returned, Exception) else "return_value": returned}
    monkeypatch.setattr(release_module, function, mock.Mock(**effect))
    with pytest.raises(ValueError, match=re.escape(said)):
        release(quick.parent / "seed.txt", quick, ["vpl"])
    assert not quick.exists()
    at_once = OUTDATED in said or function.startswith("expect")
    begun = "making the secret cases, building the zips and trying them: several minutes\n"
    assert capsys.readouterr().out == ("" if at_once else begun)


def test_a_site_that_is_not_built_leaves_the_older_one(tmp_path, monkeypatch, capsys):
    write_files(site := tmp_path / "site", {"index.html": b"older"})
    changed = {"SITE": site, "build": partial(build.build, site), "DATA": tmp_path / "data"}
    changed |= {"read_licences": lambda: ""}
    for handout, npm, options, says in (
        (b"", "npm", [], "not built: Command 'npm' returned non-zero exit status 1.; {} as it was"),
        (LEAK["a.py"], "npm", [], "not built: the site would hold a line of the solution: a li"),
        (b"", None, [], f"{build.NO_NPM}; {{}} an older one"),
        (b"", None, ["--optional"], f"{build.NO_NPM}; {{}} an older one"),
    ):
        no_bundle = mock.Mock(side_effect=[None, subprocess.CalledProcessError(1, "npm")])
        monkeypatch.setattr(sys, "argv", ["build", *options])
        monkeypatch.setattr("shutil.which", {"npm": npm}.get)
        changed["collect_student_files"] = lambda text=handout: {"handout.html": text}
        with mock.patch.multiple(build, npm=no_bundle, **changed):
            assert build.main() == (0 if options else 2)
        assert says.format("dist/browser is") in capsys.readouterr().err
        assert [path.name for path in site.iterdir()] == ["index.html"]


ALL = format_best_score()


@pytest.mark.parametrize(
    ("endings", "says"),
    [
        (("score: 98/100", ALL, "score: 0/9"), "autograder.zip: the solution should"),
        ((ALL, "ModuleNotFoundError: ...", "score: 0/9"), "student.zip: the solution should"),
        ((ALL, ALL, "score: 1/100"), "student.zip: the stubs should"),
        ((ALL, ALL, "score: 0/100"), ""),
        ((ALL, ALL, "all tests are hidden from everybody"), ""),
    ],
)
def test_zip_with_unexpected_points_is_not_released(monkeypatch, endings, says):
    tried = mock.Mock(side_effect=endings)
    monkeypatch.setattr(release_module, "try_files", tried)
    student, ours, solution = {"a": b""}, {"b": b""}, str(ROOT / "solution")
    with pytest.raises(ValueError, match=says) if says else nullcontext():
        release_module.try_zips({"student.zip": student, "autograder.zip": ours})
    calls = [(ours, "grade", solution), (student, "test", solution), (student, "test")]
    assert [call.args for call in tried.mock_calls] == calls[: len(tried.mock_calls)]


def test_the_last_line_of_a_zip_is_read():
    for source, line in (
        (b"import sys\nprint('first')\nprint(*sys.argv[1:])\n", "grade x"),
        (b"import sys\nsys.exit('no')\n", "no"),
        (b"", "nothing"),
    ):
        assert release_module.try_files({"autograder/__main__.py": source}, "grade", "x") == line


def test_seed_is_chosen_once_and_checked(zips, tmp_path, capsys, monkeypatch):
    assert read_seed(tmp_path / "new.txt") == read_seed(tmp_path / "new.txt")
    assert read_seed(tmp_path / "new.txt") != read_seed(tmp_path / "newer.txt")
    for secret in (tmp_path / "new.txt", zips / "autograder.zip"):
        assert stat.S_IMODE(secret.stat().st_mode) == 0o600, "only its owner can read it"
    file = tmp_path / "seed.txt"
    file.write_text("twelve\n")
    monkeypatch.setattr(release_module, "SEED_FILE", file)
    monkeypatch.setattr(release_module, "expect_no_placeholders", lambda: None)
    monkeypatch.setattr(sys, "argv", ["release"])
    assert main() == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"no release: {file} should hold one whole number")


@pytest.mark.slow
def test_a_secret_case_can_be_run_at_home(zips, student_folder, tmp_path):
    shutil.unpack_archive(zips / "autograder.zip", tmp_path / "gradescope")
    shutil.copytree(student_folder / "starter", tmp_path / "submission")
    wrong = change_solution("minimax.py", "if v2 < v:", "if v2 > v:")
    for folder in (tmp_path / "submission", student_folder / "starter"):
        (folder / "minimax.py").write_text(wrong)
    there = run_isolated(
        tmp_path / "gradescope", "-m", "autograder", "test", "-q1.2", "../submission"
    )
    (case,) = re.findall(r"make test CASE=(1\.2/~\S+)", there.stdout)
    at_home = run_isolated(student_folder, "-m", "autograder", "test", "--case", case)
    assert "FAIL" in at_home.stdout and case in at_home.stdout


def test_the_handouts_page_is_one_file(zips):
    page = contents(zips / "student.zip")["handout.html"].decode()
    assert not re.findall(r"""(?:src|srcset|href)=["'](?!#|data:)""", page)
    shown = [path for path in PICTURES.iterdir() if not is_off(path)]
    assert "<table>" in page and page.count("data:image/svg") == len(shown)
    assert '<pre tabindex="0">' in page and "<pre>" not in page, "it scrolls by keyboard"
    places = set(re.findall(r' id="([^"]+)"', page))
    assert set() < set(re.findall(r'href="#([^"]+)"', page)) <= places


def one_line(done: subprocess.CompletedProcess[str]) -> str:
    (line,) = done.stderr.splitlines()
    return line


@pytest.mark.slow
def test_wrong_start_folder_is_reported_in_one_line(student_folder):
    for name in QUESTION_FILES:
        done = run_isolated(student_folder, f"starter/{name}")
        assert one_line(done) == f"to test {name}, in the folder that holds starter/: make test"
        assert done.returncode == 0
    assert run_isolated(student_folder / "starter", "-c", "import minimax").stderr == ""
    done = run_isolated(student_folder / "starter", "-m", "autograder", "test")
    assert one_line(done) == "the tests are run in the folder above: cd .."
    done = run_isolated(student_folder.parent, f"{student_folder.name}/autograder", "test", "-q1.1")
    assert done.stdout.splitlines()[-1] == "score: 0/3"
    if shutil.which("make"):
        done = subprocess.run(
            ["make"], cwd=student_folder / "starter", capture_output=True, text=True
        )
        assert "make test" in done.stdout


def test_incomplete_python_is_refused_with_a_better_one_named(student_folder):
    (student_folder / ".venv" / "bin").mkdir(parents=True)
    done = run_isolated(student_folder, "-S", "-m", "autograder", "test", "-q", "1")
    line = one_line(done)
    assert "has no gradescope_utils; the project's is" in line
    assert line.endswith(f"{Path('.venv', 'bin', 'python')} -m autograder test -q 1")
    assert done.returncode == 2
    module = student_folder / "autograder"
    done = run_isolated(student_folder.parent, "-S", module, "grade", "my folder")
    python = student_folder / ".venv" / "bin" / "python"
    assert one_line(done).endswith(shlex.join(map(str, [python, module, "grade", "my folder"])))
    venv.create(student_folder / ".venv", symlinks=True)  # nothing is installed there
    command = [python, "-m", "autograder", "test"]
    done = subprocess.run(command, cwd=student_folder, capture_output=True, text=True)
    assert one_line(done).endswith(f"type {Path('.venv', 'bin', 'python')} -m pip install .")
    assert done.returncode == 2


@pytest.mark.slow
def test_ctrl_c_ends_in_one_word(student_folder):
    write_files(student_folder / "starter", SOLUTION_FILES)
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a background job ignores it
    with subprocess.Popen(
        [sys.executable, "-m", "autograder", "test", "-q", "1"],
        cwd=student_folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as test:
        assert test.stdout is not None
        assert test.stdout.readline().startswith("  1.1  ")
        test.send_signal(signal.SIGINT)
        _, said = test.communicate(timeout=WAIT_TIMEOUT_S)
    assert (said.split(), test.returncode) == (["stopped"], 130)


def test_the_students_makefile_offers_only_what_there_is(student_folder):
    if shutil.which("make") is None:
        pytest.skip("no make on this machine")
    done = subprocess.run(["make"], cwd=student_folder, capture_output=True, text=True)
    read, begin, *_ = done.stdout.splitlines()
    assert "handout.html" in read and "starter/; make test says what to do next" in begin
    offered = re.findall(r"^make (\w+)", done.stdout, re.M)
    assert [*dict.fromkeys(offered)] == ["help", "test", "try", "quiz", "submit", "play", "lab"]


@pytest.fixture
def on_windows(student_folder):
    """Return the student's folder, without the modules that only POSIX has."""
    worker = student_folder / "autograder" / "worker" / "inside" / "worker.py"
    shim = WINDOWS.read_text()
    (student_folder / "emulate_windows.py").write_text(shim)
    head, mark, rest = worker.read_text().partition("\nimport importlib\n")
    assert mark
    worker.write_text(f"{head}\n{shim}\n{mark}{rest}")
    return student_folder


def run_on_windows(folder: Path, *arguments: str) -> list[str]:
    start = "import emulate_windows, runpy; runpy.run_module('autograder', run_name='__main__')"
    environment = {"SYSTEMROOT": "C:\\Windows", "PYTHONIOENCODING": "cp1252"}
    done = run_isolated(folder, "-c", start, "test", *arguments, **environment)
    assert done.stderr == ""
    return done.stdout.splitlines()


@pytest.mark.slow
def test_solution_scores_everything_on_windows(on_windows):
    write_files(on_windows / "starter", SOLUTION_FILES)
    assert run_on_windows(on_windows)[-1] == format_best_score()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("while True:\n    pass\n", "s, over ten times its need"),
        ("raise ValueError('\\N{SNOWMAN} no')\n", "ValueError: ? no"),
    ],
    ids=["endless", "not in the console's encoding"],
)
def test_failure_is_reported_on_windows(on_windows, source, says):
    (on_windows / "starter" / "minimax.py").write_text(source)
    lines = run_on_windows(on_windows, "-q", "1.1")
    assert says in " ".join(" ".join(lines).split())
    assert lines[-1].startswith("score: 0/")


def test_lock_pins_what_grading_needs_in_turn() -> None:
    lines = LOCK.read_text(encoding="utf-8").splitlines()[1:]
    locked = {name: version for name, _, version in (line.partition("==") for line in lines)}
    assert all(locked.values()) and {"hatchling", "setuptools"} <= locked.keys()
    pinned = {*locked, *(Requirement(one).name for one in PROJECT["project"]["dependencies"])}
    for package in pinned:
        with suppress(PackageNotFoundError):  # on this machine
            for needed in map(Requirement, requires(package) or ()):
                if needed.marker is None or needed.marker.evaluate({"extra": ""}):
                    assert canonicalize_name(needed.name) in pinned, "run make lock"


def test_any_other_content_gives_the_site_another_version(tmp_path):
    found = []
    for licences, module in ("ab", "xb", "ax"):
        changed = {"read_licences": mock.Mock(return_value=licences), "DATA": tmp_path / "data"}
        changed["packages"] = mock.Mock(return_value={"a.py": module.encode()})
        changed["npm"] = lambda *run: (
            "compile.mjs" in run and shutil.copy(Path(run[-2]) / "python.zip", run[-1])
        )
        with mock.patch.multiple(build, **changed):
            build.build(tmp_path / "site")
        found += [path.name for path in (tmp_path / "site").glob("files-*")]
    assert len({*found}) == len(found) == 3
