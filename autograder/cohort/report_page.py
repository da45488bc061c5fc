"""The page of a class report. It needs nothing beside it but the students' own pages."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import mean, median
from typing import Any

from autograder.cohort.class_folder import GRADER, QUEUED, STUDENT
from autograder.cohort.class_report import Change, ClassReport
from autograder.cohort.html import count, render
from autograder.cohort.item_analysis import ALL_BUT_FEW, FEWEST, LEAST
from autograder.feedback.report import points
from autograder.feedback.results import sort_key
from autograder.questions import is_bonus, question_of

BINS = 20  # of the distribution
MAX_SLOW = 5
MAX_TESTS = 6  # that are named beside a mistake
REASONS = {
    STUDENT: "as it was submitted",
    GRADER: "the grader failed: grade it again",
    QUEUED: "not graded yet",
}
ATTEMPTS = (("1", 1, 1), ("2", 2, 2), ("3 to 5", 3, 5), ("6 to 10", 6, 10), ("more", 11, 10**9))


def page(report: ClassReport) -> str:
    """Return the whole page."""
    tests = sorted(report.items, key=lambda item: -item.seconds[1])
    rows = sorted(report.rows.values(), key=lambda row: -report.seconds(row.id))
    judged = [item for item in report.items if item.judged]
    same = (
        ("No one", [item for item in judged if item.passed == 0]),
        ("Everyone", [item for item in judged if item.passed == item.judged]),
    )
    return render(
        "report.html",
        report=report,
        facts=facts(report),
        changes_by_test=changes_by_test(report.changes),
        reasons=REASONS,
        late=[row for row in report.rows.values() if row.late],
        distribution=distribution(report),
        titles={question.number: title_of(question.number) for question in report.questions},
        same_for_all=[(people, items) for people, items in same if items],
        fewest=FEWEST,
        least=LEAST,
        all_but_few=ALL_BUT_FEW,
        most_tests=MAX_TESTS,
        attempts=attempts(report),
        attempts_by_day=[(d.attempts, "", f"{d.date}: {d.attempts} attempts") for d in report.days],
        mean_by_day=[(d.score, f"{d.score:.0f}", f"{d.date}: {d.score:.1f}") for d in report.days],
        slow_submissions=rows[:MAX_SLOW],
        slow_tests=tests[:MAX_SLOW],
        everybody=sorted(
            report.results, key=lambda one: (-report.scores[one], report.names_of(one))
        ),
    )


def facts(report: ClassReport) -> list[tuple[str, str]]:
    """Return the figures at the top, and what they are."""
    base = sorted(report.base.values())
    found = [
        (
            str(len(report.rows)),
            f"submission{'s' * (len(report.rows) != 1)} of "
            f"{count(len(report.folder.people()), 'student')}",
        ),
        (f"{mean(base):.1f}", f"points on average, of {points(report.total)}"),
        (points(median(base)), "is the median"),
        (f"{points(base[0])} to {points(base[-1])}", "lowest and highest"),
        (str(sum(score >= report.total for score in base)), f"with all {points(report.total)}"),
        (str(len(report.not_graded)), "without a score"),
    ]
    if report.has_bonus:
        found.append((f"{mean(report.bonus.values()):.1f}", "bonus points on average, besides"))
    return found


def changes_by_test(changes: Sequence[Change]) -> list[tuple[str, int, int]]:
    by_test: dict[str, list[float]] = {}
    for change in changes:
        for number, (old, new) in change.tests.items():
            by_test.setdefault(number, []).append(new - old)
    order = sorted(by_test, key=lambda number: (-len(by_test[number]), sort_key(number)))
    return [
        (number, sum(by > 0 for by in by_test[number]), sum(by < 0 for by in by_test[number]))
        for number in order
    ]


def distribution(report: ClassReport) -> list[tuple[int, str, str]]:
    width = (report.total or 1) / BINS
    inside = [0] * BINS
    for score in report.base.values():
        inside[max(0, min(BINS - 1, int(score / width)))] += 1
    return [
        (many, str(many or ""), f"{points(i * width)} to {points((i + 1) * width)} points: {many}")
        for i, many in enumerate(inside)
    ]


def title_of(number: str) -> str:
    try:
        return question_of(number).title + " (bonus)" * is_bonus(number)
    except KeyError:
        return ""


def attempts(report: ClassReport) -> list[tuple[Any, ...]]:
    """Return, by the number of attempts, how many made them, and their first and last score."""
    rows = []
    for name, least, most in ATTEMPTS:
        made = [row for row in report.rows.values() if least <= len(row.history) <= most]
        now = [report.scores[row.id] for row in made if row.id in report.scores]
        first = [row.history[0].score for row in made]
        begun = [score for score in first if score is not None]
        if now:
            began = f"{mean(begun):.1f}" if begun else "–"
            rows.append((name, len(made), began, f"{mean(now):.1f}"))
    return rows
