"""One small class, and what the commands write about it, as golden files.

    python -m autograder.selftest.support.golden_class     writes them again

The class has what a real one has: a group, a late submission, one that can't be graded, one on
which the grader failed, some that share code. Its results follow from a formula, so no change of
tests, cases or banks changes a file.
"""

import io
import json
import random
import re
import sys
import tempfile
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

from autograder.__main__ import PYTHON
from autograder.cohort.class_folder import ClassFolder, Person
from autograder.cohort.grade_one import Reply
from autograder.cohort.grading import summarise
from autograder.cohort.publish import publish
from autograder.cohort.report import write_report
from autograder.cohort.similar import compare_class
from autograder.cohort.tournament import play_tournament
from autograder.selftest.support.graded_class import (
    make_results_json,
    use_fake_pool,
    use_fixed_pseudonyms,
    write_small_class,
)

GOLDEN = Path(__file__).with_name("golden_class")
STUDENTS = 13  # two of them in a group
WEIGHTS = {"1.1": 0.7, "1.2": 0.1, "1.3": 0.3, "2.1": 5.0, "2.10": 2.5, "6.1": 4.0}
REFUSED, FAULTY = 4, 9  # submissions without a result
# Golden files, by their places in the folder of the class.
PLACES = (
    *("report.json", "report.csv", "report.html", "grades.csv", "said.txt"),
    *("similar.csv", "similar.html", "similar/1.html"),
    *("tournament/leaderboard.csv", "tournament/index.html"),
)


def make_result(number: int) -> dict[str, Any]:
    """Return the results.json of a submission: a formula says which tests pass."""
    passed = {test: (number * 7 + place * 5) % 11 > 3 for place, test in enumerate(WEIGHTS)}
    result = make_results_json({test: WEIGHTS[test] * passed[test] for test in WEIGHTS})
    for test in result["tests"]:
        name = test["number"]
        test["max_score"] = WEIGHTS[name]
        if not passed[name]:
            test["extra_data"] |= {"code": "not-a-pair" if number % 2 else f"code {name}"}
            test["extra_data"] |= {"diagnosis": f"{name[0]} were wrong" if number % 3 else ""}
    return result


def write_source(number: int) -> bytes:
    """Return a file of random statements; two have nearly the same ones, a third has some."""
    first, second = (3 if number == 8 else number, 3 if number in (5, 8) else number)
    lines = []
    for seed, count in ((f"a{first}", 15), (f"b{second}", 10), (f"c{number}", 5 + number)):
        rng = random.Random(seed)
        for _ in range(count):
            function = rng.choice(("len", "sum", "max"))
            lines.append(f"x{rng.randrange(9)} = [{rng.randrange(99)}] * {function}(state)")
    return "\n".join(lines).encode()


def play_by_length(request: str) -> Reply:
    """Let the longer player win, a draw between players of nearly the same length."""
    pair = json.loads(request)
    one, two = (len(files["player.py"]) for files in pair["players"])
    score = 0.5 if abs(one - two) < 30 else float(one > two)
    games = [[side, pair["opening"], [], abs(side - score), "time", ""] for side in (0, 1)]
    return Reply({"games": json.dumps(games)})


def write_golden_class(path: Path) -> Path:
    """Write the class and everything about it into a folder; return the folder."""
    groups = [[Person(f"Name {i}", f"{100 + i}", f"{i}@x")] for i in range(STUDENTS)]
    groups[-2:] = [groups[-2] + groups[-1]]
    numbers = range(len(groups))
    files = [{"player.py": write_source(number)} for number in numbers]
    results = [None if number in (REFUSED, FAULTY) else make_result(number) for number in numbers]
    said = io.StringIO()
    with use_fixed_pseudonyms(), use_fake_pool(play_by_length), redirect_stdout(said):
        write_small_class(path, groups, files, results)
        folder = ClassFolder(path)
        for number, row in enumerate(folder.rows):
            row.history = [f"2026-11-{2 + number % 3:02} 10:0{i}:00" for i in range(number % 4 + 1)]
            row.late = "1:00:00" if number == 7 else ""
            row.problem = "" if row.id == f"{FAULTY}" else row.problem
        folder.update(folder.rows, "an assignment", "2026-11-09T09:00")
        folder.store_failure(f"{FAULTY}", "its process was killed")
        play_tournament(path)
        compare_class(path)
        publish(path, "csv")
        write_report(path)
        summarise(folder)
    said_here = said.getvalue().replace(str(path), "CLASS").replace(PYTHON, "python")
    (path / "said.txt").write_text(said_here, encoding="utf-8")
    return path


def read_files(path: Path) -> dict[str, str]:
    """Return what is compared, by the name of the golden file: pages without their style."""
    texts = {Path(place).name: (path / place).read_text(encoding="utf-8") for place in PLACES}
    return {
        name: re.sub("<style>.*?</style>", "", text, flags=re.DOTALL)
        for name, text in texts.items()
    }


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        for name, text in read_files(write_golden_class(Path(folder))).items():
            (GOLDEN / name).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
