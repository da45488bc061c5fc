"""Check what a release would give away, against the settings: no leftovers, and no secrets."""

import re
from pathlib import PurePath

from autograder.author.graded_tests import list_missing_tests, sum_points
from autograder.author.stubs import find_written_lines
from autograder.questions import OFF, QUESTION_FILES, QUESTIONS, ROOT
from autograder.settings import SETTINGS

Files = dict[str, bytes]
SHORTEST_LINE = 11  # characters; shorter lines, such as `score = 0`, reveal nothing
# Folders and files that stay with the instructor, by a part of their path.
SECRET = {"solution", "author", "cohort", "selftest", "release-seed.txt"}
BONUS = re.compile(r"(?<!plus a )\bbonus\b", re.IGNORECASE)  # UCB adds one for few visits


def find_solution_lines() -> set[str]:
    """Return lines between the solution marks that are not in the starter."""
    starter = "\n".join(path.read_text("utf-8") for path in (ROOT / "starter").rglob("*.py"))
    return {
        line.strip()
        for name in QUESTION_FILES
        for line in find_written_lines((ROOT / "solution" / name).read_text("utf-8"), name).values()
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
    """Return messages where the students' files, by path, differ from the settings."""
    texts = {path: content.decode("utf-8", "replace") for path, content in files.items()}
    handout = texts["handout.md"]
    expected = {
        "title": f"# {SETTINGS.title}\n",
        "course": SETTINGS.course,
        "platform": SETTINGS.platform_name,
        "rules": SETTINGS.rules,
    }
    found = [
        f"handout.md does not name the {what}" for what in expected if expected[what] not in handout
    ]
    handout = texts["handout.md"] = handout.replace(SETTINGS.rules, "")  # they may name anything
    for row in OFF:
        found += [
            f"{path} is about {row.name}, which is off"
            for path in texts
            if row.owns(PurePath(path)) and not path.startswith("autograder/")
        ]
        words = rf"\b{row.name}\.py|\bstarter\.{row.name}\b"
        words += rf"|\b[Qq]uestions? ([\d, ]|and|or)*{row.number}\b"
        words += "|MCTS" * (row.name == "mcts")
        found += [
            f'handout.md says "{said[0]}", but {row.name} is off'
            for said in re.finditer(words, handout)
        ]
    if not SETTINGS.leaderboard and "leaderboard" in handout:
        found.append("handout.md names the leaderboard")
    graded = [f"starter/{row.file}" for row in QUESTIONS if not row.bonus]
    graded += [f"tests/test_{row.number}_{row.name}.py" for row in QUESTIONS if not row.bonus]
    graded += [] if sum_points(bonus=True) else ["handout.md"]
    found += [
        f"{path} speaks of a bonus, but what it is about is graded"
        for path in graded
        if BONUS.search(texts[path])
    ]
    return found + [
        f"{path} holds test {number}, which is hidden"
        for number in list_missing_tests()
        for path, text in texts.items()
        if path.startswith("tests/") and re.search(rf'^(@number\(| *)"{number}"[):]', text, re.M)
    ]
