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

import pytest

from autograder.cohort.class_folder import ClassFolder
from autograder.cohort.fingerprints import hash_grams, make_fingerprints, read_tokens
from autograder.cohort.report import ClassReport
from autograder.questions import ROOT
from autograder.selftest.support.golden_class import (
    FAULTY,
    GOLDEN,
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
    return {t["number"]: Decimal(str(t["score"])) for t in make_result(number)["tests"]}


GRADED = [number for number in range(12) if number not in (REFUSED, FAULTY)]
POINTS = {str(number): earned(number) for number in GRADED}
WEIGHT_OF = {
    question: sum(Decimal(str(WEIGHTS[test])) for test in tests)
    for question, tests in QUESTIONS.items()
}
TOTAL = Decimal(sum(WEIGHT_OF[question] for question in "12"))


def test_files_are_the_golden_ones(files):
    """If a change is meant: python -m autograder.selftest.support.golden_class."""
    assert files == {path.name: path.read_text(encoding="utf-8") for path in GOLDEN.iterdir()}


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


@pytest.mark.parametrize(
    "key, field, text", [("known_mistakes", "diagnosis", "says"), ("messages", "code", "code")]
)
def test_mistakes_of_the_report(files, key, field, text):
    made: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for number in GRADED:
        for test in make_result(number)["tests"]:
            made[test["extra_data"][field]].add((str(number), test["number"]))
    del made[""]
    found = json.loads(files["report.json"])[key]
    counts = [len(group["submissions"]) for group in found]
    assert counts == sorted(counts, reverse=True) and len(found) == len(made)
    for group in found:
        submissions, tests = map(set, zip(*made[group[text]]))
        assert group["submissions"] == sorted(submissions) and set(group["tests"]) == tests


def test_tables_of_points(files, folder):
    key = ClassFolder(folder).read_key()
    report, grades = rows_of(files["report.csv"]), rows_of(files["grades.csv"])
    assert len(report) == len({row["pseudonym"] for row in report}) == len(key) == 13
    assert len(grades) == 11, "nobody without a score, both of the group"
    by_name = {key[row["pseudonym"]].name: row for row in report}
    shares = ClassReport(ClassFolder(folder)).list_question_shares()
    assert len(shares) == len(grades) and all(one.keys() == {*QUESTIONS} for one in shares.values())
    for row in report:
        assert (row["score"] == "") == (row["submission"] not in POINTS)
    for grade in grades:
        points, row = POINTS[grade["submission"]], by_name[grade["name"]]
        assert grade["sid"] == str(100 + int(grade["name"].split()[1]))
        for cells in (grade, row):
            assert Decimal(cells["score"]) == sum(points.values())
            for question, tests in QUESTIONS.items():
                assert Decimal(cells[f"question {question}"]) == sum(points[t] for t in tests)
        for question, share in shares[row["pseudonym"]].items():
            most = float(WEIGHT_OF[question])
            assert share == pytest.approx(float(row[f"question {question}"]) / most)
        assert Decimal(grade["of"]) == TOTAL
        assert all(Decimal(row[test]) == points[test] for test in WEIGHTS)
        assert grade["late"] == row["late"] == ("1:00:00" if row["late"] else "")
    assert [row["submission"] for row in report if row["late"]] == ["5"]


def test_page_shows_the_figures(files):
    text = re.sub(r"<[^>]+>|\s", "", files["report.html"])
    bonus = [points[BONUS] for points in POINTS.values()]
    base = [sum(points.values(), -points[BONUS]) for points in POINTS.values()]
    for words in (
        f"{sum(base) / len(GRADED):.1f} points on average, of {TOTAL}",
        f"{median(base):g} is the median",
        f"{sum(bonus) / len(GRADED):.1f} bonus points on average",
        "2 without a score",
    ):
        assert words.replace(" ", "") in text
    columns = re.findall(r'title="(\S+) to (\S+) points: (\d+)"', files["report.html"])
    assert sum(int(count) for *_, count in columns) == len(GRADED)
    for low, high, count in columns:
        inside = [one for one in base if Decimal(low) <= one < Decimal(high)]
        assert int(count) == len(inside) + (Decimal(high) == TOTAL) * base.count(TOTAL)


def test_leaderboard(files, folder):
    lines = (folder / "tournament" / "games.jsonl").read_text(encoding="utf-8").splitlines()
    points: dict[str, list[float]] = defaultdict(list)
    for game in map(json.loads, lines):
        points[game["first"]].append(game["score"])
        points[game["second"]].append(1 - game["score"])
    table = rows_of(files["leaderboard.csv"])
    assert [int(row["place"]) for row in table] == list(range(1, len(points) + 1))
    ratings, earned = ([float(row[name]) for row in table] for name in ("rating", "points"))
    assert abs(sum(ratings)) <= len(ratings)
    for column in (ratings, earned):  # all have met the same players
        assert column == sorted(column, reverse=True)
    for place, row in enumerate(table, 1):
        mine = points[row["player"]]
        assert (int(row["games"]), float(row["points"])) == (len(mine), sum(mine))
        low, rating, high = (int(row[name]) for name in ("from", "rating", "to"))
        assert low < rating < high and abs(low + high - 2 * rating) <= 2
        assert int(row["best"]) <= place <= int(row["worst"])


def test_similar_pairs(files, folder):
    """Each fingerprint weighs log(1 + n / m), relative to m = 2, if at most a quarter has it."""
    paths = (ROOT / "starter").rglob("*.py")
    provided = {one for path in paths for one in hash_grams(read_tokens(path.read_bytes()))}
    prints = {}
    for row in ClassFolder(folder).rows:
        source = ClassFolder(folder).read_files(row.content)["player.py"]
        mine = {one.hash for one in make_fingerprints(source)} - provided
        prints[" + ".join(row.people)] = mine
    holders, n = Counter(one for mine in prints.values() for one in mine), len(prints)
    weights = {one: log(1 + n / m, 1 + n / 2) for one, m in holders.items() if m <= n / 4}
    expected = {}
    for pair in combinations(prints, 2):
        one, two = (prints[id] for id in pair)
        shared, *each = (sum(weights.get(x, 0) for x in part) for part in (one & two, one, two))
        if shared >= 3.5 and shared / min(each) >= 0.4:
            share = f"{shared / min(each):.3f}"
            expected[frozenset(pair)] = (f"{shared:.1f}", share, share)
    found = {
        frozenset((row["first"], row["second"])): (row["weight"], row["share"], row["player.py"])
        for row in rows_of(files["similar.csv"])
    }
    assert found == expected and len(found) == 1
