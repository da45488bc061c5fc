"""Make the folder of each platform in dist/, as docs/platforms.md describes them.

Their own files are in platforms/, with marks such as @TITLE@ for what depends on the assignment.
The students' files and the autograder's are those of the two zips.
"""

import io
import json
import tarfile
import uuid
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from autograder.author.graded_tests import GradedTest, read_graded_tests
from autograder.author.packages import NoWheels, fetch_wheels
from autograder.feedback.results import Report, Result
from autograder.formats.autolab import name_problem
from autograder.formats.points import WholePoints
from autograder.formats.submitty import HIDDEN
from autograder.questions import QUESTIONS, find_question
from autograder.settings import SETTINGS

TEMPLATES = Path(__file__).parent / "platforms"
Files = dict[str, bytes]
# Of the autograder's files, only Gradescope needs these.
ONLY_GRADESCOPE = ("setup.sh", "run_autograder", "autograder/gradescope/")
# Of the students' files, grading needs these.
GRADING = ("assignment.toml", "autograder/", "LICENSE", "pyproject.toml", "starter/", "tests/")
LEEWAY_S = 120  # seconds for what is around a grading
TOO_LONG_S = 540  # PrairieLearn stops after 600


@dataclass(frozen=True)
class Material:
    """What a platform's folder is made from.

    student:     the students' files, by path below their folder
    autograder:  Gradescope's files, with secret cases
    student_zip: the students' zip
    name:        the folder of the students' zip, which names the assignment elsewhere, too
    """

    student: Files
    autograder: Files
    student_zip: bytes
    name: str

    def read_templates(self, folder: str) -> Files:
        """Return the files of a folder in platforms/, with the marks replaced."""
        found = {}
        for path in (TEMPLATES / folder).rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts:
                inner = path.relative_to(TEMPLATES / folder).as_posix()
                text = self.fill_in(path.read_text(encoding="utf-8"))
                found[self.fill_in(inner)] = text.encode()
        return found

    def fill_in(self, text: str) -> str:
        """Replace the marks in a text by what depends on the assignment."""
        lab = self.name.replace("-", "")
        for mark, value in {
            "TITLE": json.dumps(SETTINGS.title, ensure_ascii=False)[1:-1],
            "NAME": self.name,
            "LAB": lab,
            "MODULE": lab.capitalize(),
            "PYTHON": SETTINGS.python,
            "UUID": str(uuid.uuid5(uuid.NAMESPACE_OID, f"{self.name} {SETTINGS.course}")),
            "TIMEOUT": str(SETTINGS.deadline_s + LEEWAY_S),
            "PROBLEMS": list_problems(),
            **describe_submitty_cases(),
        }.items():
            text = text.replace(f"@{mark}@", value)
        return text


def get_public_grader(material: Material) -> Files:
    """Return a grader that everybody may read: that of the students, with public cases."""
    return {path: file for path, file in material.student.items() if path.startswith(GRADING)}


def get_secret_grader(material: Material) -> Files:
    """Return the grader with secret cases."""
    files = material.autograder.items()
    return {path: file for path, file in files if not path.startswith(ONLY_GRADESCOPE)}


def get_secret_folder(material: Material) -> Files:
    return below("grader", get_secret_grader(material))


def get_student_zip(material: Material) -> Files:
    return {"student.zip": material.student_zip}


def make_repository(material: Material) -> Files:
    """Return the repository that students begin with on GitHub."""
    github = [material.read_templates(name) for name in ("github-actions", "devcontainer")]
    return {**material.student, **github[0], **github[1]}


def make_environment(material: Material) -> Files:
    """Return what installs the packages without a network, and a Dockerfile that does."""
    wheels = below("wheels", fetch_wheels(SETTINGS.python))
    project = {name: material.autograder[name] for name in ("pyproject.toml", "LICENSE")}
    return {**material.read_templates("environment"), **wheels, **project}


def make_lab(material: Material) -> Files:
    """Return Autolab's lab, which holds the grader and its environment as another tar."""
    files = material.read_templates("lab")
    packed = {
        "grade.sh": files.pop("grade.sh"),
        **get_secret_folder(material),
        **below("environment", make_environment(material)),
    }
    handout = {"handout.html": material.student["handout.html"], **get_student_zip(material)}
    lab = {**files, "autograde.tar": pack_tar(packed), **handout}
    return below(material.fill_in("@LAB@"), lab)


QUESTION = "questions/@NAME@"
# Beside a platform's own files, what its folder holds at which path; a tar is one file.
PLATFORMS: dict[str, dict[str, Callable[[Material], Files]]] = {
    "classroom50": {"bundle/grader": get_public_grader, "template": make_repository},
    "github-actions": {},
    "devcontainer": {},
    "junit": {},
    "prairielearn": {
        f"{QUESTION}/tests/grader": get_secret_grader,
        f"{QUESTION}/clientFilesQuestion": get_student_zip,
        "image": make_environment,
    },
    "autolab": {"@LAB@.tar": make_lab},
    "submitty": {"config/test_input/grader.tar": get_secret_folder, "image": make_environment},
    "vpl": {"grader.tar": get_secret_folder, "image": make_environment},
}
PUBLIC = ("classroom50", "github-actions", "devcontainer", "junit")  # nothing in them is secret


def make_platforms(
    material: Material, names: Iterable[str]
) -> tuple[dict[str, Files], dict[str, str]]:
    """Return the files of these platforms by path in dist/NAME, and why others have none."""
    found, problems = {}, {}
    for name in names:
        files = material.read_templates(name)
        if name == "prairielearn" and SETTINGS.deadline_s > TOO_LONG_S:
            problems[name] = f"it stops after 600 s: set deadline_s to {TOO_LONG_S} at most"
            continue
        try:
            for path, part in PLATFORMS[name].items():
                place, content = material.fill_in(path), part(material)
                packed = {place: pack_tar(content)} if place.endswith(".tar") else None
                files |= packed or below(place, content)
            found[name] = files
        except NoWheels as problem:  # without a network the others can be released
            problems[name] = str(problem)
    return found, problems


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
    lines, groups = [], group_tests()
    for row in QUESTIONS:
        points = sum(test.points for test in groups.get(row.number, []))
        lines += [
            f"- name: {name_problem(row)}",
            f'  description: "{row.title}"',
            f"  max_score: {float(points)}",
            f"  optional: {str(row.bonus).lower()}",
        ]
    return "\n".join(lines)


def describe_submitty_cases() -> dict[str, str]:
    """Return the test case of each question as JSON, and the sums of their whole points."""
    every = [Result(test.number, test.label, test.points) for test in read_graded_tests()]
    whole = WholePoints(Report(results=every))
    cases, points = [], {True: 0, False: 0}
    for group, tests in group_tests().items():
        row = find_question(group.removesuffix(HIDDEN))
        most = sum(whole.convert(test.points) for test in tests)
        points[row.bonus] += most
        check = {
            "method": "custom_validator",
            "command": f"python3 validate.py {group}",
            "actual_file": "STDOUT.txt",
            "show_actual": "never",
        }
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
