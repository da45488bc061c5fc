"""Add the results of known mistakes to the cases, to name a student's mistake.

Each submission in known_mistakes/ is graded on the new cases, and a hash of all observations in a
test is stored with them. A submission with the same hash is reported as having made this mistake.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from pathlib import Path

from autograder.author.bank import Entry, read_known_mistakes
from autograder.author.grade_batch import Job, verdicts_on
from autograder.feedback.diagnosis import Marks, mark_of
from autograder.feedback.report import write_whole
from autograder.questions import ROOT, Question, question_of
from autograder.serving.cases import KINDS
from autograder.submission import read_submission


def add_mistakes(folder: Path, questions: Sequence[Question]) -> None:
    """Add the known mistakes to these questions' cases in `folder`."""
    numbers = {question.number for question in questions}
    bank = [wrong for wrong in read_known_mistakes() if wrong.question in numbers]
    marks = marks_of(bank, folder, questions)
    for question in questions:
        path = folder / f"{question.name}.json"
        content = json.loads(path.read_text(encoding="utf-8"))
        own = {i: wrong.says for i, wrong in enumerate(bank) if wrong.question == question.number}
        places = {i: place for place, i in enumerate(own)}
        by_mark = {
            number: {mark: [places[i] for i in who] for mark, who in marks[number].items()}
            for number in content["cases"]
            if number in marks
        }
        content |= {"mistakes": by_mark, "says": list(own.values())}
        write_whole(path, json.dumps(content, separators=(",", ":")) + "\n")


def marks_of(bank: Sequence[Entry], folder: Path, questions: Sequence[Question]) -> Marks:
    """Return each mistake's marks in the diagnosable tests, if the solution's differ."""
    solution = read_submission(ROOT / "solution")
    with tempfile.TemporaryDirectory() as unmarked:
        diagnosable = write_unmarked(folder, Path(unmarked), questions)
        jobs = [Job(wrong.submission, wrong.question, diagnosable) for wrong in bank]
        tested = {question_of(number).number for number in diagnosable}
        jobs += [Job(solution, number, diagnosable) for number in sorted(tested)]
        verdicts = verdicts_on(jobs, folder=Path(unmarked))
    right = {
        number: mark_of(traces)
        for verdict in verdicts[len(bank) :]
        for number, traces in verdict.traces.items()
    }
    marks: Marks = {number: {} for number in diagnosable}
    for i, wrong in enumerate(bank):
        verdict = verdicts[i]
        if verdict.fault:
            raise RuntimeError(f"{wrong.name} could not be graded: {verdict.fault}")
        for number in verdict.traces:
            mark = mark_of(verdict.traces[number])
            if mark and mark != right[number]:
                marks[number].setdefault(mark, []).append(i)
    return marks


def write_unmarked(folder: Path, unmarked: Path, questions: Sequence[Question]) -> set[str]:
    """Write the cases without known mistakes; return the diagnosable tests' numbers."""
    diagnosable: set[str] = set()
    for question in questions:
        content = json.loads((folder / f"{question.name}.json").read_text(encoding="utf-8"))
        numbers = {n for n, kind in content["kinds"].items() if KINDS[kind].diagnosable}
        content |= {"mistakes": {number: {} for number in numbers}, "says": []}
        write_whole(unmarked / f"{question.name}.json", json.dumps(content))
        diagnosable |= numbers
    return diagnosable
