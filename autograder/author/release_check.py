"""Check what a release would give away, against the settings: no leftovers, and no secrets."""

import re
from pathlib import PurePath

from autograder.author.graded_tests import read_graded_tests, read_student_tests, sum_points
from autograder.author.stubs import find_region_lines
from autograder.questions import OFF, QUESTION_FILES, QUESTIONS, ROOT
from autograder.settings import PLACEHOLDER, SETTINGS

Files = dict[str, bytes]
SHORTEST_LINE = 11  # characters; shorter lines, such as `score = 0`, reveal nothing
# Folders and files that stay with the instructor, by a part of their path.
SECRET = {"solution", "author", "cohort", "selftest", "release-seed.txt"}
BONUS = re.compile(r"(?<!plus a )\bbonus\b", re.IGNORECASE)  # UCB adds one for few visits
SHORT_NAMES = {"mcts": ("MCTS",)}


def find_solution_lines() -> set[str]:
    """Return lines between the solution marks that are not in the starter."""
    starter = "\n".join(path.read_text("utf-8") for path in (ROOT / "starter").rglob("*.py"))
    return {
        line.strip()
        for name in QUESTION_FILES
        for line in find_region_lines((ROOT / "solution" / name).read_text(encoding="utf-8"))
        if len(line.strip()) >= SHORTEST_LINE and line.strip() not in starter
    }


def find_leaks(files: Files) -> list[str]:
    """Return messages about the instructor's files, and about lines of the solution."""
    secret = find_solution_lines()
    found = [f"the file {path}" for path in files if SECRET & set(PurePath(path).parts)]
    return found + [
        f"a line of the solution: {path}, line {number}: {line.strip()}"
        for path, content in sorted(files.items())
        for number, line in enumerate(content.decode("utf-8", "replace").splitlines(), 1)
        if line.strip() in secret
    ]


def find_leftovers(files: Files) -> list[str]:
    """Return messages about the students' files where they differ from the settings.

    files: by path in the students' folder
    """
    texts = {path: content.decode("utf-8", "replace") for path, content in files.items()}
    return [
        *find_missing_texts(texts),
        *find_questions_off(texts),
        *find_wrong_bonus(texts),
        *find_hidden_tests(texts),
    ]


def find_missing_texts(texts: dict[str, str]) -> list[str]:
    """Return messages about the title, the course, the rules and C."""
    handout = texts["handout.md"]
    found = [
        f"{path} does not begin with the title"
        for path in ("handout.md", "README.md")
        if f"# {SETTINGS.title}\n" not in texts[path][: len(SETTINGS.title) + 100]
    ]
    if SETTINGS.course not in handout:
        found.append("handout.md does not name the course")
    if SETTINGS.platform_name not in handout:
        found.append("handout.md does not name the platform")
    if SETTINGS.rules not in handout or PLACEHOLDER in handout:
        found.append("handout.md does not hold the rules")
    stub = texts.get("starter/mcts.py")
    if stub and set(re.findall(r"\bC: float = ([\d.]+)", stub)) != {str(SETTINGS.C)}:
        found.append(f"the default C is not {SETTINGS.C:g} everywhere in starter/mcts.py")
    return found


def find_questions_off(texts: dict[str, str]) -> list[str]:
    """Return messages about files and texts of questions that are off."""
    handout = texts["handout.md"]
    found = []
    for row in OFF:
        found += [
            f"{path} is about {row.name}, which is off"
            for path in texts
            if row.owns(PurePath(path)) and not path.startswith("autograder/")
        ]
        words = (
            rf"\b{re.escape(row.file)}",
            rf"\bstarter\.{row.name}\b",
            rf"\b[Qq]uestions? ([\d, ]|and|or)*{row.number}\b",
            *SHORT_NAMES.get(row.name, ()),
        )
        found += [
            f'handout.md says "{said[0]}", but {row.name} is off'
            for word in words
            if (said := re.search(word, handout))
        ]
    return found


def find_wrong_bonus(texts: dict[str, str]) -> list[str]:
    """Return messages about files of graded questions that call them a bonus."""
    plain = [f"starter/{row.file}" for row in QUESTIONS if not row.bonus]
    if not sum_points(bonus=True):
        plain.append("handout.md")
    return [
        f"{path} speaks of a bonus, but what it is about is graded"
        for path in plain
        if BONUS.search(texts[path])
    ]


def find_hidden_tests(texts: dict[str, str]) -> list[str]:
    """Return messages about tests in the students' files that are hidden from them."""
    theirs = {test.number for test in read_student_tests()}
    hidden = [test for test in read_graded_tests() if test.number not in theirs]
    return [
        f"{path} holds test {test.number}, which is hidden"
        for test in hidden
        for path, text in texts.items()
        if path.startswith("tests/") and f'"{test.number}"' in text
    ]
