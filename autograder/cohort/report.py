"""`class report`: the results of a class as a page, a table and plain data."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from statistics import correlation, mean, median
from typing import Any

from markupsafe import Markup

from autograder.cohort.class_folder import (
    GRADER,
    QUEUED,
    STUDENT,
    ClassFolder,
    Person,
    describe_conflict,
    find_pseudonym,
)
from autograder.cohort.class_questions import read_summary
from autograder.cohort.grading import read_consistent_results, say_if_older
from autograder.cohort.rendering import make_csv, render
from autograder.cohort.topics import Results, group_by_topic, group_failures
from autograder.errors import UsageError
from autograder.feedback.messages import find_parts
from autograder.feedback.report import write_atomically
from autograder.feedback.results import sort_key
from autograder.printable import sanitize
from autograder.questions import ROWS, is_bonus

MIN_JUDGED = 30  # submissions that a discrimination needs
MAX_SHARE = 0.97  # of them that pass the test, or that fail it
BINS = 20  # of the distribution
MAX_DENOMINATOR = 10**6  # of points
ID = re.compile(r'(?<=<section) id="[^"]*"')
PLACEHOLDER = re.compile(r"\{[^{}]*\}")
REASONS = {  # why there is no result, the most urgent first
    GRADER: "the grader failed: grade it again",
    STUDENT: "because of the submission",
    QUEUED: "not graded yet",
}


def write_report(directory: Path, names: bool = False, before: Path | None = None) -> int:
    """Write report.html, report.csv and report.json; return the exit status.

    names:  show names instead of pseudonyms, in files that only their owner can read
    before: an older grading of the same class, for comparison

    Raises UsageError if a folder holds no class, or if nothing of it is graded.
    """
    older = ClassReport(ClassFolder(before)) if before else None
    data = ClassReport(ClassFolder(directory), names, older)
    for ending, content in (
        ("html", render_page(data)),
        ("csv", make_csv(make_report_rows(data))),
        ("json", json.dumps(make_report_data(data), indent=1)),
    ):
        write_atomically(directory / f"report.{ending}", content, private=names)
    for line in describe_report(data):
        print(sanitize(line))
    say_if_older(data.folder, data.results.values())
    return 0


class ClassReport:
    """The data of a class report.

    rows, statuses, results: of each submission, by its id; `results` only if it is graded
    scores: its points with the bonus; base: without it; bonus: the bonus alone
    points, sums: by test, and by question
    total:  the maximum of points, without a bonus
    tests, questions, mistakes, changes: as report.json has them; mistakes are the known ones, by
            diagnosis, and all findings, by code
    missing: how many people of the older grading, graded there, are not in this one
    """

    def __init__(
        self, folder: ClassFolder, names: bool = False, before: ClassReport | None = None
    ) -> None:
        """Collect the data. Uses pseudonyms unless `names` is true.

        before: an older grading of the same class, for comparison

        Raises UsageError if there is nothing to report, or nothing to compare.
        """
        self.folder, self.names, self.before = folder, names, before
        self.key = folder.read_key() if names else {}
        self.rows = {row.id: row for row in folder.rows}
        self.statuses = folder.read_statuses()
        self.results = read_consistent_results(folder, self.statuses)
        self.scores = {id: add_points([one["score"]]) for id, one in self.results.items()}
        self.points = {
            id: {test["number"]: float(test["score"]) for test in one["tests"]}
            for id, one in self.results.items()
        }
        self.tests = summarise_tests(self.results)
        self.topics = group_by_topic(self.results, self.scores)
        max_points = {test["number"]: test["most"] for test in self.tests}
        self.sums = {id: sum_by_question(points) for id, points in self.points.items()}
        self.questions = summarise_questions(sum_by_question(max_points), self.sums.values())
        self.total = sum_by_kind(max_points, bonus=False)
        self.base = [sum_by_kind(one, bonus=False) for one in self.points.values()]
        self.bonus = {id: sum_by_kind(one, bonus=True) for id, one in self.points.items()}
        self.mean, self.median = mean(self.base), median(self.base)
        self.mean_bonus = mean(self.bonus.values())
        known, found = (group_by_message(self.results, kind) for kind in ("diagnosis", "code"))
        self.mistakes = known, found
        self.quiz = read_summary(folder, self.list_question_shares())
        self.changes, self.missing = self.compare(before) if before else ([], 0)

    def list_question_shares(self) -> dict[str, dict[str, float]]:
        """Return the share of each question's points that each person has, by pseudonym."""
        return {
            one: {
                question["number"]: points / question["most"]
                for question, points in zip(self.questions, self.list_question_points(id))
                if question["most"]
            }
            for id in self.results
            for one in self.rows[id].people
        }

    @property
    def not_graded(self) -> list[str]:
        """The ids of submissions without a result, the grader's failures first."""
        order = list(REASONS)
        found = {id: one for id, one in self.statuses.items() if id not in self.results}
        return sorted(found, key=lambda id: (order.index(found[id].state), found[id].problem))

    def compare(self, before: ClassReport) -> tuple[list[dict[str, Any]], int]:
        """Return the differences from an older grading, lost scores and large changes first.

        A score is None where there is none. The second value is `missing`.
        """
        changes: list[dict[str, Any]] = []
        same = find_counterparts(self.folder, before.folder)
        if not same:
            there, here = before.folder.path, self.folder.path
            raise UsageError(f"{there} holds another class: nobody of {here} is in it")
        for one, other in dict.fromkeys(same.values()):
            now, then = self.points.get(one, {}), before.points.get(other, {})
            new, old = self.scores.get(one), before.scores.get(other)
            numbers = sorted({*now, *then}, key=sort_key) if None not in (new, old) else []
            both = {number: (then.get(number, 0.0), now.get(number, 0.0)) for number in numbers}
            tests = {
                number: (was, is_now) for number, (was, is_now) in both.items() if was != is_now
            }
            if new != old or tests:
                changes.append({"submission": one, "old": old, "new": new, "tests": tests})
        changes.sort(key=lambda one: -abs((one["new"] or 0) - (one["old"] or 0)))
        changes.sort(key=lambda one: one["new"] is not None)
        graded = {one for id in before.results for one in before.rows[id].people}
        return changes, len(graded - same.keys())

    def name_person(self, pseudonym: str) -> str:
        person = self.key.get(pseudonym, Person())
        return sanitize(person.name or person.email or person.sid or pseudonym)

    def name_people(self, id: str) -> str:
        """Return the names or pseudonyms of a submission's people."""
        return " + ".join(map(self.name_person, self.rows[id].people))

    def draw_example(self, topic: dict[str, Any]) -> Markup:
        """Return the section about a topic's example from that student's page."""
        id, number = topic["example"]
        stored = self.folder.read_result(self.rows[id].content, ".report") or {"results": []}
        sections = [one["section"] for one in stored["results"] if one["number"] == number]
        return Markup(ID.sub("", "".join(sections)))  # a test may be the example of two topics

    def sort_by_name(self, submissions: Iterable[str]) -> list[str]:
        return sorted(submissions, key=self.name_people)

    def list_question_points(self, id: str) -> list[float]:
        return [self.sums[id][question["number"]] for question in self.questions]


def find_counterparts(new: ClassFolder, old: ClassFolder) -> dict[str, tuple[str, str]]:
    """Return the newer and the older submission of each person of the older grading.

    People are found by the two keys, or by the same pseudonym in copies of one class.
    """
    key, known = new.read_key(), old.read_key()
    has_names = bool(known)
    before = {one: row.id for row in old.rows for one in row.people}
    found: dict[str, tuple[str, str]] = {}
    for row in new.rows:
        for one in row.people:
            other = find_pseudonym(known, key[one]) if one in key and has_names else one
            if other in before:
                found[other] = row.id, before[other]
                known.pop(other, None)
    return found


def add_points(points: Iterable[float]) -> float:
    """Add up points as the decimals or fractions that they are: ten times 0.1 is 1."""
    return float(sum(Fraction(one).limit_denominator(MAX_DENOMINATOR) for one in points))


def sum_by_question(tests: Mapping[str, float]) -> defaultdict[str, float]:
    """Add up the points of tests for each question."""
    points: dict[str, list[float]] = defaultdict(list)
    for number, earned in tests.items():
        points[number.split(".")[0]].append(earned)
    return defaultdict(float, {number: add_points(ones) for number, ones in points.items()})


def sum_by_kind(tests: Mapping[str, float], bonus: bool) -> float:
    """Add up the points of bonus tests, or of the others."""
    return add_points(points for number, points in tests.items() if is_bonus(number) == bonus)


def summarise_tests(results: Results) -> list[dict[str, Any]]:
    """Return for each test the number of judged submissions, and of passing ones."""
    found: dict[str, list[tuple[dict[str, Any], float]]] = defaultdict(list)
    for result in results.values():
        total = add_points(test["score"] for test in result["tests"])
        for test in result["tests"]:
            found[test["number"]].append((test, add_points([total, -test["score"]])))
    figures = []
    for number in sorted(found, key=sort_key):
        tests, others = zip(*found[number])
        passed = [float(test["status"] == "passed") for test in tests]
        figures.append(
            {
                "number": number,
                "label": tests[-1]["name"],
                "most": tests[-1]["max_score"],
                "judged": len(tests),
                "passed": int(sum(passed)),
                "share": mean(passed),
                "discrimination": compute_discrimination(passed, others),
            }
        )
    return figures


def compute_discrimination(passed: Sequence[float], others: Sequence[float]) -> float | None:
    """Return the correlation of passing a test (1, else 0) with the points in all others.

    It is None where too few submissions, or nearly all of them or none, pass.
    """
    if len(passed) < MIN_JUDGED or not 1 - MAX_SHARE <= mean(passed) <= MAX_SHARE:
        return None
    return round(correlation(passed, others), 2) if len(set(others)) > 1 else None


def summarise_questions(
    max_points: Mapping[str, float], earned: Collection[Mapping[str, float]]
) -> list[dict[str, Any]]:
    """Return for each question its points, the mean, and how many earned all points.

    max_points, earned: each question's maximum, and the points of each submission in it
    """
    figures = []
    for number, maximum in max_points.items():
        sums = [one[number] for one in earned]
        full = sum(one >= maximum for one in sums)
        figures.append({"number": number, "most": maximum, "mean": mean(sums), "full": full})
    return figures


def group_by_message(results: Results, kind: str) -> list[dict[str, Any]]:
    """Group failures by their "diagnosis" or "code"; return frequent ones first.

    Each has its text (`says`), the code of a finding, its tests and its submissions.
    """
    groups: list[dict[str, Any]] = []
    for text, failures, group in group_failures(results, lambda test: test["extra_data"][kind]):
        says = read_message(text) if kind == "code" else text
        groups.append({"says": says, "code": failures[0][1]["extra_data"]["code"], **group})
    return sorted(groups, key=lambda one: (-len(one["submissions"]), one["says"]))


def read_message(code: str) -> str:
    """Return a finding's message, with … for facts, which differ by submission."""
    try:
        message = find_parts(code)["message"]
    except KeyError:  # a code of another version
        return code
    return PLACEHOLDER.sub("…", message.replace("\n", " "))


def describe_report(report: ClassReport) -> Iterator[str]:
    """Yield the lines that are printed about a report."""
    bonus = f"; a bonus of {report.mean_bonus:.1f} on average comes on top"
    yield (
        f"{len(report.results)} of {len(report.rows)} submissions have a score: {report.mean:.1f} "
        f"of {report.total:g} on average, median {report.median:g}"
        f"{bonus if report.mean_bonus else ''}"
    )
    if late := sum(bool(row.late) for row in report.rows.values()):
        yield f"submitted late: {late}; the report marks it, and no points are taken"
    if report.before is not None:
        where = report.before.folder.path
        lost = sum(change["new"] is None for change in report.changes)
        ended = f", {lost} of them without a score now" if lost else ""
        yield f"changed since {where}: {len(report.changes)}{ended}"
        if report.missing:
            yield f"graded in {where} and not in this class: {report.missing}"
    for what, several in report.folder.find_conflicts():
        yield describe_conflict(what, list(map(report.name_person, several)))
    yield f"the report: {report.folder.path / 'report.html'}; .csv and .json beside it"


def make_report_rows(report: ClassReport) -> Iterator[list[object]]:
    """Yield the headings, then a row for each person of each submission."""
    tests = [test["number"] for test in report.tests]
    heads = [*(f"question {question['number']}" for question in report.questions), *tests]
    columns = ["pseudonym", *(Person._fields[:3] if report.names else ())]
    yield [*columns, "submission", "state", "score", *heads, "late"]
    for row in report.rows.values():
        cells: list[object] = [""] * (1 + len(heads))
        if row.id in report.results:
            cells = [report.scores[row.id], *report.list_question_points(row.id)]
            cells += [report.points[row.id].get(test, "") for test in tests]
        for one in row.people:
            name = report.key.get(one, Person()).fields if report.names else ()
            yield [one, *name, row.id, report.statuses[row.id].state, *cells, row.late]


def make_report_data(report: ClassReport) -> dict[str, Any]:
    """Return everything that the page shows as data for JSON; submissions by id."""
    known, found = report.mistakes
    return {
        "about": report.folder.about,
        "total": report.total,
        "submissions": {
            row.id: {
                "people": [report.name_person(pseudonym) for pseudonym in row.people],
                "state": report.statuses[row.id].state,
                "problem": report.statuses[row.id].problem,
                "score": report.scores.get(row.id),
                "bonus": report.bonus.get(row.id),
                "late": row.late,
            }
            for row in report.rows.values()
        },
        "questions": report.questions,
        "tests": report.tests,
        "topics": report.topics,
        "known_mistakes": known,
        "messages": found,
        "changes": report.changes,
        "quiz": report.quiz,
    }


def render_page(report: ClassReport) -> str:
    everybody = sorted(report.results, key=lambda id: (-report.scores[id], report.name_people(id)))
    return render(
        "report.html",
        report=report,
        reasons=REASONS,
        distribution=count_scores(report),
        titles={row.number: row.title + " (bonus)" * row.bonus for row in ROWS},
        everybody=everybody,
    )


def count_scores(report: ClassReport) -> dict[str, int]:
    """Return the number of scores in each interval, by its name."""
    width = (report.total or 1) / BINS
    names = [f"{i * width:g} to {(i + 1) * width:g} points" for i in range(BINS)]
    return dict.fromkeys(names, 0) | Counter(
        names[max(0, min(BINS - 1, int(score / width)))] for score in report.base
    )
