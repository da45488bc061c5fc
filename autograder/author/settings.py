"""Apply `assignment.toml`: `python -m autograder.author.settings`.

Write the files that depend on the settings, and print a summary.
"""

import hashlib
import json
import re
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from autograder.author import handout, stubs
from autograder.author.cases import PUBLIC_SEED, write_cases
from autograder.author.graded_tests import (
    list_missing_tests,
    read_graded_tests,
    sum_points,
    sum_question_points,
)
from autograder.questions import QUESTIONS, ROWS, Question
from autograder.serving.case_files import SHIPPED_CASES, TERM_CASES
from autograder.settings import (
    FILE,
    LISTS,
    PLACEHOLDER,
    SETTINGS,
    SHIPPED,
    TABLES,
    TEXTS,
    BadSettings,
    Settings,
    refuse,
)

MADE_FOR = "made_for.txt"  # in the folder of the term's cases, once they are whole: their settings


def expect_known_tests() -> None:
    """Raise BadSettings if a list names an unknown test or question."""
    tests = {test.number for test in read_graded_tests(rows=ROWS)}
    known = tests | {row.number for row in ROWS}
    for name in LISTS:
        for number in SETTINGS.tests[name]:
            if number not in known:
                raise BadSettings(f"{name} names {number}, but there is no such test or question")
    for number in SETTINGS.points:
        if number not in tests:
            raise BadSettings(f"[points] names {number}, but there is no such test")


def expect_no_placeholders() -> None:
    """Raise BadSettings if the instructor still has to fill in something."""
    for name in TEXTS:
        if PLACEHOLDER in getattr(SETTINGS, name):
            raise BadSettings(f'{name} still says "{PLACEHOLDER} ...": write your own')


def format_settings(settings: Settings) -> str:
    """Return settings as a file of the same form, without comments."""
    head = {name: getattr(settings, name) for name in (*TEXTS, "C", "leaderboard")}
    tables = {"": head} | {f"[{name}]\n": getattr(settings, name) for name in TABLES}
    tables["[tests]\n"] = {**settings.tests, "students_get_hidden": settings.students_get_hidden}
    return "\n".join(
        name + "".join(f"{format_key(key)} = {format_toml(table[key])}\n" for key in table)
        for name, table in tables.items()
    )


def format_key(key: str) -> str:
    """Return a key of TOML, in quotes if it is not a bare one."""
    return key if re.fullmatch("[A-Za-z0-9_-]+", key) else format_toml(key)


def format_toml(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False).replace("\x7f", r"\u007F")


def make_term_cases() -> None:
    """Make the public cases that the settings ask for, unless they are the shipped ones."""
    questions = find_questions_with_term_cases()
    if not questions:
        shutil.rmtree(TERM_CASES, ignore_errors=True)
    elif not has_term_cases():
        print("making public cases for these settings: a few minutes", flush=True)
        hashed = hashlib.sha256(SETTINGS.variant.encode()).digest()
        seed = int.from_bytes(hashed[:8], "big") if SETTINGS.variant else PUBLIC_SEED
        with tempfile.TemporaryDirectory(prefix=".term_cases", dir=TERM_CASES.parent) as place:
            new = shutil.copytree(SHIPPED_CASES, Path(place, "new"))
            write_cases(seed, new, public=True, questions=questions)
            (new / MADE_FOR).write_text(describe_term_cases(), encoding="utf-8")
            if TERM_CASES.exists():
                TERM_CASES.rename(Path(place, "old"))
            new.rename(TERM_CASES)


def find_questions_with_term_cases() -> list[Question]:
    """Return the questions whose public cases are not the shipped ones."""
    return [
        row
        for row in QUESTIONS
        if SETTINGS.variant or (row.name == "mcts" and SETTINGS.C != SHIPPED.C)
    ]


def has_term_cases() -> bool:
    """Are the public cases those that the settings ask for?"""
    made_for = TERM_CASES / MADE_FOR
    if not find_questions_with_term_cases():
        return not TERM_CASES.exists()
    return made_for.is_file() and made_for.read_text(encoding="utf-8") == describe_term_cases()


def describe_term_cases() -> str:
    """Return what the term's public cases depend on, as a text."""
    shipped = hashlib.sha256()
    for path in sorted(SHIPPED_CASES.glob("*.json")):
        shipped.update(path.read_bytes())
    off = ", ".join(row.name for row in ROWS if not row.on and SETTINGS.variant)
    lines = [f"C = {SETTINGS.C}", f"variant = {SETTINGS.variant}", f"without = {off}"]
    return "\n".join([*lines, f"shipped cases = {shipped.hexdigest()}\n"])


def describe_settings() -> str:
    """Return what follows from the settings, as lines to print."""
    bonus = f" + {sum_points(bonus=True):g} bonus" if sum_points(bonus=True) else ""
    on = [f"{row.number} {row.name} {sum_question_points(row.number):g}" for row in QUESTIONS]
    term = [row.name for row in find_questions_with_term_cases()]
    due, late = (when or "none" for when in SETTINGS.dates.values())
    lines = (
        f"{FILE.name}:",
        f"title: {SETTINGS.title}",
        f"points: {sum_points():g}{bonus}",
        f"points of the questions: {', '.join(on)}",
        f"with other public cases: {', '.join(term) or 'none'}",
        f"due: {due}; late until: {late}; extensions: {len(SETTINGS.extensions)}",
        f"not in the students' zip: {handout.name_tests(list_missing_tests()) or 'none'}",
    )
    return "\n  ".join(lines)


def main() -> int:
    try:
        expect_known_tests()
    except BadSettings as problem:
        raise refuse(problem) from None
    failed = stubs.main()
    try:
        if not failed:
            make_term_cases()
    except ValueError as problem:
        print(f"the public cases can't be made: {problem}", file=sys.stderr)
        failed = 2
    failed = failed or handout.main()
    print(describe_settings())
    return failed


if __name__ == "__main__":
    sys.exit(main())
