"""`make quiz`: questions about the student's own search, in the terminal."""

import secrets
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

from autograder.commands import format_command
from autograder.errors import GraderFault, UsageError
from autograder.feedback.report import wrap
from autograder.feedback.results import Outcome
from autograder.feedback.terminal import (
    BOLD,
    DIM,
    GREEN,
    PLAIN,
    RED,
    CurrentTest,
    colour,
    measure_screen,
    paint,
)
from autograder.feedback.text_drawing import draw_lines
from autograder.grading.grade import grade
from autograder.grading.submit import list_unwritten
from autograder.questions import QUESTIONS
from autograder.quiz.item import FORMS, LETTERS, Item, is_code
from autograder.quiz.kinds import KINDS, NEEDED_TESTS, make_items
from autograder.quiz.subject import Subject
from autograder.submission import Submission, read_submission
from autograder.worker.sandbox import Sandbox

COUNT = 5  # items in a row
MAX_LINES = 60  # of a drawing: these trees are never folded


class NeededTests(CurrentTest):
    """An observer that runs only the tests that items need, up to their first failure."""

    stop_at_first = True

    def wants(self, number: str) -> bool:
        return super().wants(number) and number in NEEDED_TESTS


def make_subject(submission: Submission, make_sandbox: Callable[..., Any] = Sandbox) -> Subject:
    """Test a submission as far as items need it. Raises GraderFault if that fails."""
    report = grade(submission, progress=NeededTests(at_home=True), make_sandbox=make_sandbox)
    if report.fault:
        raise GraderFault(report.problem)
    if report.stopped:
        raise KeyboardInterrupt
    passes = {result.number: result.outcome is Outcome.PASSED for result in report.results}
    return Subject(submission, passes, make_sandbox)


def run_quiz(folder: Path, question: str | None, seed: str = "") -> int:
    """Ask about the files in a folder, five items at a time, until the student stops.

    question: only about this question, such as "2"

    Raises UsageError for a question that has no items.
    """
    file = find_file(question) if question else ""
    submission = read_submission(folder)
    print("looking at what your files pass", flush=True)
    with make_subject(submission) as subject:
        seed = seed or secrets.token_hex(8)
        for part in count():
            items = make_items(subject, f"{seed}/{part}", COUNT, file)
            if not part:
                say(describe_choice(items, file, submission))
            try:
                if not items or not ask_all(items):
                    break
            except EOFError:
                print()
                break
    return 0


def find_file(question: str) -> str:
    """Return the name of a question's file. Raises UsageError without items about it."""
    about = {kind.file for kind in KINDS.values()}
    files = {row.number: row.name for row in QUESTIONS if row.name in about}
    if question not in files:
        numbers = ", ".join(files)
        raise UsageError(f"there is no quiz about {question}: choose one of {numbers}")
    return files[question]


def describe_choice(items: list[Item], file: str, submission: Submission) -> str:
    """Say what the items are about, and what is needed for others."""
    about = {KINDS[item.kind].file for item in items}
    files = ", ".join(question.file for question in QUESTIONS if question.name in about)
    if file and not files:
        number = next(question.number for question in QUESTIONS if question.name == file)
        first = format_command("test", "question", number)
        if unwritten := list_unwritten(submission, f"{file}.py"):
            return f"write {', '.join(unwritten)} in {file}.py first, then: {first}"
        return f"{file}.py does not pass the tests that its questions need; first: {first}"
    if not files:
        return "your files pass too little for questions about them: these are general"
    return f"{COUNT} questions about {files}; nothing is stored or graded"


def ask_all(items: list[Item]) -> bool:
    """Ask some items; return whether the student wants more."""
    score = 0
    for number, item in enumerate(items, 1):
        show_item(item, f"{number}/{len(items)}")
        right = None
        while right is None:
            typed = input(f"your answer ({FORMS[item.form]}; q to stop): ").strip()
            if typed in ("q", "Q"):
                return False
            words, right = item.judge(typed)
            say(words, DIM if right is None else GREEN if right else RED, 2)
        score += right
    print(colour(f"\n{score} of {len(items)} right", BOLD))
    return input("Enter for more questions, q to stop: ").strip() == ""


def show_item(item: Item, number: str) -> None:
    head, *others = item.text.split("\n")
    print()
    say(f"{number}  {head}", BOLD, 5)
    for line in others:
        if is_code(line):
            print(f"     {line}")
        else:
            say(f"     {line}", BOLD, 5)
    if item.picture is not None:
        for drawn in draw_lines(item.picture, MAX_LINES, measure_screen().width - 4):
            print(f"    {paint(drawn)}")
    for letter, choice in zip(LETTERS, item.choices):
        say(f"  {letter}  {choice}", indent=5)


def say(text: str, look: str = PLAIN, indent: int = 0) -> None:
    print(colour("\n".join(wrap(text, measure_screen().width, indent)), look))
