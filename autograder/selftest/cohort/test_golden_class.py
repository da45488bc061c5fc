"""What is written about one class is what it was, and each figure follows from the results."""

import csv
import json
import re
from collections import Counter, defaultdict
from decimal import Decimal
from itertools import combinations
from math import log
from pathlib import Path
from statistics import median
from typing import Any

import pytest

from autograder.cohort.class_folder import ClassFolder
from autograder.cohort.fingerprints import hash_grams, make_fingerprints, read_tokens
from autograder.cohort.report import ClassReport
from autograder.questions import ROOT
from autograder.selftest.support.golden_class import (
    FAULTY,
    GOLDEN,
    PLACES,
    REFUSED,
    WEIGHTS,
    make_result,
    read_files,
    write_golden_class,
)

BONUS = "6.1"
QUESTIONS = {"1": ["1.1", "1.2", "1.3"], "2": ["2.1", "2.10"], "6": [BONUS]}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_golden_class(tmp_path_factory.mktemp("golden") / "class")


@pytest.fixture(scope="module")
def files(folder: Path) -> dict[str, str]:
    return read_files(folder)


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(text.splitlines()))


def earned(number: int) -> dict[str, Decimal]:
    """Return the points of a submission by test, as decimals."""
    return {t["number"]: Decimal(str(t["score"])) for t in make_result(number)["tests"]}


GRADED = [number for number in range(12) if number not in (REFUSED, FAULTY)]
POINTS = {str(number): earned(number) for number in GRADED}
WEIGHT_OF = {
    question: sum(Decimal(str(WEIGHTS[test])) for test in tests)
    for question, tests in QUESTIONS.items()
}
TOTAL = sum(Decimal(str(weight)) for test, weight in WEIGHTS.items() if test != BONUS)


@pytest.mark.parametrize("name", PLACES)
def test_files_are_the_golden_ones(files, name):
    """If a change is meant: python -m autograder.selftest.support.golden_class."""
    assert files[name] == (GOLDEN / name).read_text(encoding="utf-8")


def test_points_of_the_report(files):
    data = json.loads(files["report.json"])
    assert Decimal(str(data["total"])) == TOTAL
    for id, one in data["submissions"].items():
        state = {str(REFUSED): "student", str(FAULTY): "grader"}.get(id, "done")
        assert one["state"] == state and bool(one["problem"]) == (state != "done")
        if state == "done":
            assert Decimal(str(one["score"])) == sum(POINTS[id].values())
            assert Decimal(str(one["bonus"])) == POINTS[id][BONUS]
    for question in data["questions"]:
        tests = QUESTIONS[question["number"]]
        sums = [sum(points[test] for test in tests) for points in POINTS.values()]
        most = WEIGHT_OF[question["number"]]
        assert Decimal(str(question["most"])) == most
        assert question["mean"] == pytest.approx(float(sum(sums)) / len(GRADED), abs=1e-9)
        assert question["full"] == sums.count(most)
    for test in data["tests"]:
        passed = [number for number in POINTS if POINTS[number][test["number"]]]
        assert (test["judged"], test["passed"]) == (len(GRADED), len(passed))
        assert test["share"] == pytest.approx(len(passed) / len(GRADED))
    assert [test["number"] for test in data["tests"]] == list(WEIGHTS)


def test_mistakes_of_the_report(files):
    data = json.loads(files["report.json"])
    for key, field in (("known_mistakes", "diagnosis"), ("messages", "code")):
        made: dict[str, set[tuple[str, str]]] = defaultdict(set)
        for number in GRADED:
            for test in make_result(number)["tests"]:
                if text := test["extra_data"][field]:
                    made[text].add((str(number), test["number"]))
        found = data[key]
        counts = [len(group["submissions"]) for group in found]
        assert counts == sorted(counts, reverse=True) and len(found) == len(made)
        for group in found:
            text = group["says"] if field == "diagnosis" else group["code"]
            assert group["submissions"] == sorted({who for who, _ in made[text]})
            assert set(group["tests"]) == {test for _, test in made[text]}


def test_tables_of_points(files, folder):
    key = ClassFolder(folder).read_key()
    report, grades = rows_of(files["report.csv"]), rows_of(files["grades.csv"])
    assert len(report) == len({row["pseudonym"] for row in report}) == len(key) == 13
    assert len(grades) == 11, "nobody without a score, both of the group"
    by_name = {key[row["pseudonym"]].name: row for row in report}
    for row in report:
        assert (row["score"] == "") == (row["submission"] not in POINTS)
    for grade in grades:
        points, row = POINTS[grade["submission"]], by_name[grade["name"]]
        assert grade["sid"] == str(100 + int(grade["name"].split()[1]))
        for cells in (grade, row):
            assert Decimal(cells["score"]) == sum(points.values())
            for question, tests in QUESTIONS.items():
                assert Decimal(cells[f"question {question}"]) == sum(points[t] for t in tests)
        assert Decimal(grade["of"]) == TOTAL
        assert all(Decimal(row[test]) == points[test] for test in WEIGHTS)
        assert grade["late"] == row["late"] == ("1:00:00" if row["late"] else "")
    assert [row["submission"] for row in report if row["late"]] == ["5"]


def test_shares_of_questions(folder):
    rows = {row.id: row for row in ClassFolder(folder).rows}
    expected = {
        who: {
            question: float(sum(points[test] for test in tests) / WEIGHT_OF[question])
            for question, tests in QUESTIONS.items()
        }
        for id, points in POINTS.items()
        for who in rows[id].people
    }
    found = ClassReport(ClassFolder(folder)).list_question_shares()
    assert found.keys() == expected.keys()
    assert all(found[who] == pytest.approx(expected[who]) for who in found)


def test_page_shows_the_figures(files):
    text = re.sub(r"<[^>]+>|\s", "", files["page.html"])
    base = [
        sum((p for test, p in points.items() if test != BONUS), Decimal(0))
        for points in POINTS.values()
    ]
    bonus = sum(points[BONUS] for points in POINTS.values()) / len(GRADED)
    for words in (
        f"{sum(base) / len(GRADED):.1f} points on average, of {TOTAL}",
        f"{median(base):g} is the median",
        f"{bonus:.1f} bonus points on average",
        "2 without a score",
    ):
        assert words.replace(" ", "") in text
    columns = re.findall(r'title="(\S+) to (\S+) points: (\d+)"', files["page.html"])
    assert sum(int(count) for *_, count in columns) == len(GRADED)
    for low, high, count in columns:
        last = Decimal(high) == TOTAL
        assert int(count) == sum(
            Decimal(low) <= points < Decimal(high) or (last and points == TOTAL) for points in base
        )


def test_leaderboard(files, folder):
    games = [
        json.loads(line)
        for line in (folder / "tournament" / "games.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    points: dict[str, list[float]] = defaultdict(list)
    for game in games:
        points[game["first"]].append(game["score"])
        points[game["second"]].append(1 - game["score"])
    table = rows_of(files["leaderboard.csv"])
    assert [int(row["place"]) for row in table] == list(range(1, len(points) + 1))
    ratings = [int(row["rating"]) for row in table]
    assert ratings == sorted(ratings, reverse=True) and abs(sum(ratings)) <= len(ratings)
    for place, row in enumerate(table, 1):
        mine = points[row["player"]]
        assert (int(row["games"]), float(row["points"])) == (len(mine), sum(mine))
        assert int(row["from"]) < int(row["rating"]) < int(row["to"])
        assert abs(int(row["from"]) + int(row["to"]) - 2 * int(row["rating"])) <= 2
        assert int(row["best"]) <= place <= int(row["worst"])
    earned = [float(row["points"]) for row in table]
    assert earned == sorted(earned, reverse=True), "all have met the same players"


def test_similar_pairs(files, folder):
    """Each fingerprint weighs log(1 + n / m), relative to m = 2, if at most a quarter has it."""
    rows = ClassFolder(folder).rows
    provided = {
        one
        for path in (ROOT / "starter").rglob("*.py")
        for one in hash_grams(read_tokens(path.read_bytes()))
    }
    prints = {}
    for row in rows:
        source = ClassFolder(folder).read_files(row.content)["player.py"]
        label = " + ".join(row.people)
        prints[label] = {one.hash for one in make_fingerprints(source)} - provided
    holders = Counter(one for mine in prints.values() for one in mine)
    n = len(prints)
    weights = {one: log(1 + n / m, 1 + n / 2) for one, m in holders.items() if m <= n / 4}
    expected: dict[frozenset[str], Any] = {}
    for first, second in combinations(prints, 2):
        shared = sum(weights.get(one, 0) for one in prints[first] & prints[second])
        least = min(sum(weights.get(one, 0) for one in prints[who]) for who in (first, second))
        if shared >= 3.5 and shared / least >= 0.4:
            share = f"{shared / least:.3f}"
            expected[frozenset((first, second))] = (f"{shared:.1f}", share, share)
    found = rows_of(files["similar.csv"])
    assert len(found) == len(expected) == 1
    for pair in found:
        both = frozenset((pair["first"], pair["second"]))
        assert (pair["weight"], pair["share"], pair["player.py"]) == expected[both]
