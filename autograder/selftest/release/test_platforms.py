"""Each platform's folder, laid out, started and judged as the platform's documents say.

What is not there: a real site, and a container image; its environment is installed by the script
that builds the image. No network is reachable where the platform has none.
"""

import io
import json
import os
import platform
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest
import yaml

from autograder.author.graded_tests import read_graded_tests, sum_points
from autograder.author.platforms import FOLDER, LAB, PLATFORMS, write_files
from autograder.author.release import pack_files
from autograder.author.release_check import find_leaks
from autograder.questions import QUESTION_FILES, QUESTIONS, ROOT
from autograder.selftest.conftest import SEED, build_once, build_release
from autograder.selftest.support.banks import SOLUTION_FILES, STUBS
from autograder.selftest.support.contracts import CONTRACTS
from autograder.selftest.support.waiting import WAIT_TIMEOUT_S
from autograder.settings import SETTINGS

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        (sys.platform, platform.machine()) != ("linux", "x86_64"),
        reason="the wheels are for Linux on x86-64",
    ),
]

VERSION = "{}.{}".format(*sys.version_info[:2])
# A Python that every user may run, if there is one of this version; ours may be root's.
COMMON = [f"/usr/bin/python{VERSION}", f"/usr/local/bin/python{VERSION}"]
PYTHON = next((name for name in COMMON if Path(name).exists()), sys.executable)
ORDINARY = 65534 if os.geteuid() == 0 and PYTHON in COMMON else None
FIRST = QUESTIONS[0]  # the others are stubs, for the sake of time
SOLVED = SOLUTION_FILES[FIRST.file]
POINTS = sum(test.points for test in read_graded_tests(FIRST.number))
SUBMISSIONS: dict[str, dict[str, bytes]] = {
    "right": {**STUBS, FIRST.file: SOLVED},
    "empty": {},
    "endless": {**STUBS, FIRST.file: SOLVED + b"\nwhile True:\n    pass\n"},
}


@pytest.fixture(scope="module")
def dist(shared_folder: Path) -> Path:
    """Return a release for this Python, in which only the first question's cases are secret."""

    def build(folder: Path) -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setitem(SETTINGS.platform, "python", VERSION)
            build_release(folder, PLATFORMS)

    folder = build_once(shared_folder / "dist", build)
    if not (folder / "autolab").exists():
        pytest.skip("no network: there are no wheels")
    return folder


def run(
    *command: str | Path, cwd: Path, offline: bool = True, ordinary: bool = False, **env: str
) -> subprocess.CompletedProcess[str]:
    """Run a command without Python's and pytest's variables, and root's offline ones offline.

    ordinary: as a user without rights, who owns `cwd`
    """
    words: list[str] = []
    if offline and os.geteuid() == 0 and shutil.which("unshare"):
        words += ["unshare", "--net"]
    if ordinary and ORDINARY is not None:
        words += ["setpriv", f"--reuid={ORDINARY}", f"--regid={ORDINARY}", "--clear-groups"]
        for path in (cwd, *cwd.rglob("*")):
            os.chown(path, ORDINARY, ORDINARY)
    around = {k: v for k, v in os.environ.items() if not k.startswith(("PYTEST", "PYTHON"))}
    return subprocess.run(
        [*words, *map(str, command)],
        cwd=cwd,
        env={**around, "HOME": str(cwd), **env},
        capture_output=True,
        text=True,
        timeout=2 * WAIT_TIMEOUT_S,
    )


@pytest.fixture(scope="module")
def environment(dist: Path) -> Iterator[str]:
    """Install the environment of an image, without a network; yield its Python."""
    script = dist / "prairielearn" / "image" / "install.sh"
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        place = Path(folder, "environment")
        done = run("sh", script, place, cwd=Path(folder), PYTHON=PYTHON)
        assert done.returncode == 0, done.stderr
        yield str(place / "bin" / "python")


@pytest.fixture
def place() -> Iterator[Path]:
    """Yield an empty folder that every user may enter."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        yield Path(folder)


def check_out(dist: Path, place: Path, files: dict[str, bytes]) -> Path:
    """Return a student's copy of the template with these question files only."""
    checkout = place / "checkout"
    shutil.copytree(dist / "classroom50" / "template", checkout)
    for name in QUESTION_FILES:
        (checkout / "starter" / name).unlink()
    write_files(checkout / "starter", files)
    return checkout


def on_classroom50(dist: Path, place: Path, python: str, files: dict[str, bytes]) -> float | None:
    """Its runner unpacks the bundle and starts autograder.py in the student's checkout."""
    packed = place / "bundle.tar.gz"
    with tarfile.open(packed, "w:gz") as archive:
        archive.add(dist / "classroom50" / "bundle", arcname=".")
    assert packed.stat().st_size < 10 * 1024 * 1024
    bundle, checkout = place / "runtime" / "bundle", check_out(dist, place, files)
    shutil.unpack_archive(packed, bundle)
    env: dict[str, Any] = {
        "CLASSROOM": "cs",
        "ASSIGNMENT": "search",
        "OWNER": "ann",
        "SUBMISSION_TAG": "submit/2026-09-01T14-32-05Z-a1b2c3d",
        "COMMIT_URL": "https://github.com/x/y/commit/abc",
        "RELEASE_URL": "https://github.com/x/y/releases/tag/z",
        "REVIEW_URL": "",
        "RUNNER_TEMP": str(place),
    }
    done = run(sys.executable, bundle / "autograder.py", cwd=checkout, offline=False, **env)
    assert done.returncode == 0, done.stderr
    found = CONTRACTS["classroom50"]((checkout / "result.json").read_text())
    assert (found["classroom"], found["assignment"], found["owner"]) == ("cs", "search", "ann")
    assert found["datetime"] == "2026-09-01T14:32:05Z" and found["review"] == env["COMMIT_URL"]
    CONTRACTS["markdown"]((checkout / "release-body.md").read_text())
    return float(found["score"])


def on_prairielearn(dist: Path, place: Path, python: str, files: dict[str, bytes]) -> float | None:
    """The container has /grade with tests, data and student; the entry point runs as root."""
    question = dist / "prairielearn" / "questions" / FOLDER
    options = json.loads((question / "info.json").read_text())["externalGradingOptions"]
    assert options["timeout"] <= 600 and options["enableNetworking"] is False
    shutil.copytree(question / "tests", place / "tests")
    write_files(place, {"data/data.json": b"{}", "student/submission.zip": pack_files(files)})
    entry = place / options["entrypoint"].removeprefix("/grade/")
    entry.chmod(0o755)
    done = run(entry, place, cwd=place, GRADER_PYTHON=python)
    assert done.returncode == 0, done.stderr
    found = CONTRACTS["prairielearn"]((place / "results" / "results.json").read_text())
    if found["gradable"] is False:
        assert "submission" in found["format_errors"][0]
        return None
    return float(found["score"]) * (sum_points() + sum_points(bonus=True))


def on_autolab(dist: Path, place: Path, python: str, files: dict[str, bytes]) -> float | None:
    """An empty folder with the tar, the Makefile and the hand-in; make, as an ordinary user."""
    folder = place / LAB
    shutil.unpack_archive(dist / "autolab" / f"{LAB}.tar", place)
    lab = yaml.safe_load((folder / f"{LAB}.yml").read_text(encoding="utf-8"))
    shutil.copy(folder / "autograde.tar", place)
    shutil.copy(folder / "autograde-Makefile", place / "Makefile")
    shutil.rmtree(folder)
    (place / lab["general"]["handin_filename"]).write_bytes(pack_files(files))
    done = run("make", cwd=place, ordinary=True, PYTHON=PYTHON, GRADER_PYTHON="/nowhere")
    assert done.returncode == 0, done.stdout + done.stderr
    scores = CONTRACTS["autolab"](done.stdout)["scores"]
    assert list(scores) == [problem["name"] for problem in lab["problems"]]
    assert all(scores[one["name"]] <= one["max_score"] for one in lab["problems"])
    return float(sum(scores.values()))


def on_submitty(dist: Path, place: Path, python: str, files: dict[str, bytes]) -> float | None:
    """The commands of all cases are run, each in its folder, then all validators above."""
    folder = dist / "submitty" / "config"
    cases = json.loads((folder / "config.json").read_text())["testcases"]
    shutil.copytree(folder / "custom_validation_code", place, dirs_exist_ok=True)
    for number, case in enumerate(cases, 1):
        here = place / f"test{number:02}"
        shutil.copytree(folder / "test_input", here)
        (here / "submission.zip").write_bytes(pack_files(files))
        done = run("sh", "-c", case["command"], cwd=here, ordinary=True, GRADER_PYTHON=python)
        (here / "STDOUT.txt").write_text(done.stdout)
    points = 0
    for case in cases[1:]:
        assert isinstance(case["points"], int)
        (check,) = case["validation"]
        done = run("sh", "-c", check["command"], cwd=place)
        assert done.returncode == 0, done.stderr
        text = (place / "validation_results.json").read_text()
        (found,) = CONTRACTS["submitty"](json.dumps({"": json.loads(text)})).values()
        assert found["status"] == "success", found
        points += int(found["data"]["score"] * case["points"])
    return float(points)


def on_vpl(dist: Path, place: Path, python: str, files: dict[str, bytes]) -> float | None:
    """The execution files lie beside the submitted ones; what it makes is run afterwards."""
    for name in ("grader.tar", "vpl_evaluate.sh"):
        shutil.copy(dist / "vpl" / name, place)
    write_files(place, files)
    done = run("bash", "vpl_evaluate.sh", cwd=place, ordinary=True, GRADER_PYTHON=python)
    assert done.returncode == 0, done.stderr
    done = run("./vpl_execution", cwd=place)
    return float(CONTRACTS["vpl"](done.stdout))


def on_github(dist: Path, place: Path, python: str, files: dict[str, bytes]) -> float | None:
    """The steps of the workflow, in a checkout of the template."""
    checkout, summary = check_out(dist, place, files), place / "summary"
    workflow = yaml.safe_load((checkout / ".github" / "workflows" / "tests.yml").read_text())
    steps = {
        step["name"]: step["run"] for step in workflow["jobs"]["tests"]["steps"] if "run" in step
    }
    env = {
        **workflow["env"],
        "GITHUB_STEP_SUMMARY": str(summary),
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
    }
    done = {
        name: run("bash", "-e", "-c", step, cwd=checkout, offline=False, **env)
        for name, step in steps.items()
    }
    assert [done[name].returncode for name in ("install", "summary")] == [0, 0], done
    assert done["grade"].returncode == 1  # red: other questions are stubs
    CONTRACTS["markdown"](summary.read_text())
    suites = CONTRACTS["junit"]((checkout / "junit.xml").read_text())
    found = [one.attrib["value"] for one in suites.iter("property")]
    return sum(float(value.split("/")[0]) for value in found)


SIMULATED = [on_classroom50, on_prairielearn, on_autolab, on_submitty, on_vpl, on_github]
# Endless code is ended by the grader, in the same way everywhere.
CHECKED = [*((grade, "right") for grade in SIMULATED), (on_submitty, "endless")]
OTHERS = [pair for pair in product(SIMULATED, SUBMISSIONS) if pair not in CHECKED]


@pytest.mark.parametrize(
    ("grade", "kind"),
    [*CHECKED, *(pytest.param(*pair, marks=pytest.mark.nightly) for pair in OTHERS)],
)
def test_submission_is_graded_as_the_platform_does(dist, place, environment, grade, kind):
    points = grade(dist, place, environment, SUBMISSIONS[kind])
    if kind == "right":
        assert points == pytest.approx(POINTS)
    elif (grade, kind) == (on_prairielearn, "empty"):  # no attempt is charged
        assert points is None
    else:
        assert points == 0


def unpack(path: str, content: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield a file, and what is in it if it is an archive."""
    yield path, content
    if path.endswith(".zip"):
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            for name in archive.namelist():
                yield from unpack(f"{path}/{name}", archive.read(name))
    elif path.endswith(".tar"):
        with tarfile.open(fileobj=io.BytesIO(content)) as tar:
            for member in tar:
                if file := tar.extractfile(member):
                    yield from unpack(f"{path}/{member.name}", file.read())


# Only these hold secret cases; no platform shows them to students.
SECRET = (
    "autograder.zip/tests/cases/",
    f"prairielearn/questions/{FOLDER}/tests/grader/tests/cases/",
    f"autolab/{LAB}.tar/{LAB}/autograde.tar/grader/tests/cases/",
    "submitty/config/test_input/grader.tar/grader/tests/cases/",
    "vpl/grader.tar/grader/tests/cases/",
)


def test_nothing_that_students_can_read_is_secret(dist: Path) -> None:
    files = {
        inner: content
        for path in dist.rglob("*")
        if path.is_file() and path.name != "seed.txt"
        for inner, content in unpack(path.relative_to(dist).as_posix(), path.read_bytes())
        if ".whl" not in inner
    }
    place = f"tests/cases/{FIRST.name}.json"
    cases, public = (
        files[name].splitlines()
        for name in (f"autograder.zip/{place}", f"student.zip/{FOLDER}/{place}")
    )
    secret = {line.strip(b",") for line in {*cases} - {*public} if len(line) > 80}
    assert len(secret) > 5
    for path, content in files.items():
        assert SEED.encode() not in content, path
        if not path.startswith(SECRET) and not path.endswith((".tar", ".zip")):
            assert not {line.strip(b" ,") for line in content.splitlines()} & secret, path
    for place in SECRET:
        assert any(path.startswith(place) for path in files), place
    assert find_leaks(files) == []


def test_document_names_every_platform() -> None:
    text = (ROOT / "docs" / "platforms.md").read_text(encoding="utf-8")
    for name in PLATFORMS:
        assert f"`{name}/" in text, name


def test_folders_are_complete(dist: Path) -> None:
    assert {path.name for path in dist.iterdir() if path.is_dir()} == set(PLATFORMS)
    for path in dist.rglob("*"):
        if path.is_file() and path.suffix in (".sh", ".json", ".yml", ".html", ".py", ""):
            assert b"@TITLE@" not in path.read_bytes() and b"@PYTHON@" not in path.read_bytes()
    question = dist / "prairielearn" / "questions" / FOLDER
    assert (question / "clientFilesQuestion" / "student.zip").is_file()
    devcontainer = dist / "devcontainer" / ".devcontainer" / "devcontainer.json"
    assert "postCreateCommand" in json.loads(devcontainer.read_text())
    content: Any = yaml.safe_load((dist / "junit" / ".gitlab-ci.yml").read_text())
    assert content["tests"]["artifacts"]["reports"] == {"junit": "junit.xml"}
