"""Make the folder of each platform in dist/, as docs/platforms.md describes them.

Their own files are in platforms/, with marks such as @TITLE@ for what depends on the assignment.
The students' files and the autograder's are those of the two zips.
"""

import io
import json
import re
import tarfile
import unicodedata
import uuid
from pathlib import Path

from autograder.author.graded_tests import GradedTest, read_graded_tests
from autograder.author.packages import LeftOut, fetch_wheels
from autograder.author.release_check import Files
from autograder.feedback.results import Report, Result
from autograder.formats.points import WholePoints
from autograder.formats.submitty import HIDDEN
from autograder.questions import QUESTIONS, find_question
from autograder.settings import SETTINGS

PUBLIC = ("classroom50", "github-actions", "devcontainer", "junit")  # nothing in them is secret
PLATFORMS = (*PUBLIC, "prairielearn", "autolab", "submitty", "vpl")
TEMPLATES = Path(__file__).parent / "platforms"
LEEWAY_S = 120  # seconds for what is around a grading
TOO_LONG_S = 540  # PrairieLearn stops after 600


def name_folder(title: str) -> str:
    """Return the name of a folder for a title: its words in plain letters."""
    plain = unicodedata.normalize("NFKD", title.lower()).encode("ascii", "ignore").decode()
    return "-".join(re.findall("[a-z0-9]+", plain)) or "assignment"


FOLDER = name_folder(SETTINGS.title)  # that the students' zip unpacks to
LAB = FOLDER.replace("-", "")


def make_platform(platform: str, student: Files, autograder: Files, student_zip: bytes) -> Files:
    """Return the files of a platform, by path in its folder of dist/. Raises LeftOut.

    student:    the students' files, by path below their folder
    autograder: Gradescope's files, with secret cases
    """
    files = read_templates(platform)
    if platform == "classroom50":
        github = read_templates("github-actions") | read_templates("devcontainer")
        files |= below("bundle/grader", student) | below("template", student | github)
    elif platform == "prairielearn":
        if SETTINGS.deadline_s > TOO_LONG_S:
            raise LeftOut(f"it stops after 600 s: set deadline_s to {TOO_LONG_S} at most")
        question = f"questions/{FOLDER}"
        files |= below(f"{question}/tests/grader", autograder)
        files[f"{question}/clientFilesQuestion/student.zip"] = student_zip
        files |= below("image", make_environment(autograder))
    elif platform == "autolab":
        packed = {"grade.sh": files.pop("grade.sh"), **below("grader", autograder)}
        packed |= below("environment", make_environment(autograder))
        files |= {"autograde.tar": pack_tar(packed), "student.zip": student_zip}
        files["handout.html"] = student["handout.html"]
        files = {f"{LAB}.tar": pack_tar(below(LAB, files))}
    elif platform in ("submitty", "vpl"):
        tar = "config/test_input/grader.tar" if platform == "submitty" else "grader.tar"
        files[tar] = pack_tar(below("grader", autograder))
        files |= below("image", make_environment(autograder))
    return files


def read_templates(folder: str) -> Files:
    """Return the files of a folder in platforms/, with the marks replaced."""
    return {
        fill_in(path.relative_to(TEMPLATES / folder).as_posix()): fill_in(
            path.read_text(encoding="utf-8")
        ).encode()
        for path in (TEMPLATES / folder).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def fill_in(text: str) -> str:
    """Replace the marks in a text by what depends on the assignment."""
    for mark, value in {
        "TITLE": json.dumps(SETTINGS.title, ensure_ascii=False)[1:-1],
        "NAME": FOLDER,
        "LAB": LAB,
        "MODULE": LAB.capitalize(),
        "PYTHON": SETTINGS.python,
        "UUID": str(uuid.uuid5(uuid.NAMESPACE_OID, f"{FOLDER} {SETTINGS.course}")),
        "TIMEOUT": str(SETTINGS.deadline_s + LEEWAY_S),
        "PROBLEMS": list_problems(),
        **describe_submitty_cases(),
    }.items():
        text = text.replace(f"@{mark}@", value)
    return text


def make_environment(autograder: Files) -> Files:
    """Return what installs the packages without a network, and a Dockerfile that does."""
    project = {name: autograder[name] for name in ("pyproject.toml", "LICENSE")}
    wheels = below("wheels", fetch_wheels(SETTINGS.python))
    return {**read_templates("environment"), **wheels, **project}


def write_files(folder: Path, files: Files) -> None:
    """Write files below a folder in place of what is there; scripts can be run."""
    for path, content in files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
        file.chmod(get_mode(path))


def get_mode(path: str) -> int:
    return 0o755 if path.endswith((".sh", "run_autograder")) else 0o644


def below(folder: str, files: Files) -> Files:
    return {f"{folder}/{path}": content for path, content in files.items()}


def pack_tar(files: Files) -> bytes:
    """Return the files as a tar that depends only on them."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for path, content in sorted(files.items()):
            info = tarfile.TarInfo(path)
            info.size, info.mode = len(content), get_mode(path)
            archive.addfile(info, io.BytesIO(content))
    return packed.getvalue()


def group_tests() -> dict[str, list[GradedTest]]:
    """Return the graded tests of each question, and of its hidden tests if it has some."""
    groups: dict[str, list[GradedTest]] = {}
    for test in read_graded_tests():
        hidden = SETTINGS.visibility(test.number) != "visible"
        groups.setdefault(test.number.split(".")[0] + HIDDEN * hidden, []).append(test)
    return groups


def list_problems() -> str:
    """Return the problems of Autolab's lab: the points of the tests that are shown."""
    groups = group_tests()
    problems = (
        {
            "name": f"Question {row.number}",
            "description": row.title,
            "max_score": float(sum(test.points for test in groups.get(row.number, []))),
            "optional": row.bonus,
        }
        for row in QUESTIONS
    )
    return "\n".join(f"- {json.dumps(problem)}" for problem in problems)


def describe_submitty_cases() -> dict[str, str]:
    """Return the test case of each question as JSON, and the sums of their whole points."""
    every = [Result(test.number, test.label, test.points) for test in read_graded_tests()]
    whole = WholePoints(Report(results=every))
    cases, points = [], {True: 0, False: 0}
    for group, tests in group_tests().items():
        row = find_question(group.removesuffix(HIDDEN))
        most = sum(whole.convert(test.points) for test in tests)
        points[row.bonus] += most
        check = {"method": "custom_validator", "command": f"python3 validate.py {group}"}
        check |= {"actual_file": "STDOUT.txt", "show_actual": "never"}
        case = {
            "title": f"Question {group}: {row.title}",
            "command": "true",
            "points": most,
            "extra_credit": row.bonus,
            "hidden": group.endswith(HIDDEN),
            "validation": [check],
        }
        cases.append(f"    {json.dumps(case)}")
    sums = {"AUTO_POINTS": str(points[False]), "EXTRA_CREDIT_POINTS": str(points[True])}
    return {"CASES": ",\n".join(cases), **sums}
