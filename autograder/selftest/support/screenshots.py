"""The README's pictures: the report, the terminal, the lab and a class, by `make pictures`.

The class is made up (see `graded_class.py`), and so are the games of its tournament; its
pseudonyms are new each time.
"""

from __future__ import annotations

import json
import random
import re
import sys
import tempfile
from html import escape
from math import exp
from pathlib import Path

from autograder.author.handout import no_cut_at_min, transcript
from autograder.cohort.class_folder import ClassFolder, Person, Row
from autograder.cohort.grade_one import Reply
from autograder.cohort.match import ROW, Game
from autograder.cohort.report import report as class_report
from autograder.cohort.tournament import tournament
from autograder.feedback.page import page
from autograder.grading.grade import grade
from autograder.questions import ROOT
from autograder.selftest.support.browser import Browser, running_lab, students_tree
from autograder.selftest.support.fake_pool import fake_pool
from autograder.selftest.support.graded_class import write_graded_class
from autograder.submission import Submission
from starter.games import ConnectFour

FOLDER = ROOT / "docs" / "pictures"
WIDE, HIGH = 1000, 640
TERMINAL = (
    "body{margin:0;background:#11161c;color:#e6eaf0;padding:14px 18px;"
    "font:14px/1.32 ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace}"
    "pre{margin:0;font:inherit}.bad{color:#ff8a80}.good{color:#7ddc9a}.bold{font-weight:bold}"
)


def terminal() -> str:
    """A page that looks like the terminal of a student who forgot to prune at min nodes."""
    lines = transcript().splitlines()[1:-1]
    shown = []
    kind = ""
    for number, line in enumerate(lines):
        continued = line.startswith(" " * 7) and number < lines.index("")  # in the table
        kind = kind if continued else ""
        if " FAIL " in line or line.startswith("  got:"):
            kind = "bad"
        elif " pass " in line or line.startswith("  expected:"):
            kind = "good"
        elif re.match(r"\$|\d|next|score", line):
            kind = "bold"
        shown.append(f'<span class="{kind}">{escape(line)}</span>' if kind else escape(line))
    text = "\n".join(shown)
    return f"<!doctype html><meta charset=utf-8><style>{TERMINAL}</style><pre>{text}</pre>"


def report() -> str:
    """The page of the same student."""
    with tempfile.TemporaryDirectory() as folder:
        no_cut_at_min(Path(folder))
        graded = grade(Path(folder), question="2")
    graded.name = "ann/starter"
    return page(graded)


def take_the_students(browser: Browser, folder: Path) -> None:
    """The terminal, the report and the lab."""
    for name, text in (("terminal", terminal()), ("report", report())):
        file = folder / f"{name}.html"
        file.write_text(text, encoding="utf-8")
        browser.resize(WIDE if name == "report" else 760, HIGH)
        browser.open(file.as_uri())
        end = browser.js(
            "(deep('section.failed')[0] ?? document.body).getBoundingClientRect().bottom"
        )
        browser.resize(WIDE if name == "report" else 760, int(end) + 16)
        browser.screenshot(FOLDER / f"{name}.png")
    browser.resize(WIDE, 840)
    with running_lab(students_tree(folder / "lab", solved=True)) as server:
        browser.open(f"{server.entry}&file=watch.py")
        browser.page.get_by_role("button", name="next cut").click()
        browser.page.get_by_text("cut off. Never looked at").wait_for()
        browser.screenshot(FOLDER / "lab.png")


def take_the_class(browser: Browser, folder: Path) -> None:
    """Two places of a class's report."""
    write_graded_class(folder / "class", 60)
    class_report(folder / "class")
    browser.resize(1000, 860)
    for picture, at in (
        ("class-report", "deep('body')[0]"),
        ("class-mistakes", "deep('details')[0].parentElement"),
    ):
        browser.open((folder / "class" / "report.html").as_uri())
        browser.wait("document.readyState === 'complete'")
        browser.js("deep('details').forEach((e, i) => { e.open = i === 0 })")
        browser.js(f"{at}.scrollIntoView()")
        browser.screenshot(FOLDER / f"{picture}.png")


def made_up_games(request: str) -> Reply:
    """Reply with two games of moves by chance, which the longer of two files wins more often."""
    pair, games = json.loads(request), []
    lead = len(pair["players"][0]["player.py"]) - len(pair["players"][1]["player.py"])
    chance, board = random.Random(pair["seed"]), ConnectFour()
    for first in (0, 1):
        winner = 0 if chance.random() < 1 / (1 + exp(-lead / 40)) else 1
        outcome = "X" if (winner == first) == (len(pair["opening"]) % 2 == 0) else "O"
        state, moves = board.initial, list(pair["opening"])
        while state.outcome != outcome:
            state, moves = board.initial, list(pair["opening"])
            for move in moves:
                state = board.result(state, move)
            while not board.is_terminal(state):
                moves.append(chance.choice(board.actions(state)))
                state = board.result(state, moves[-1])
        seconds = [round(chance.random(), 2) for _ in moves[len(pair["opening"]) :]]
        games.append(Game(first, moves, seconds, float(winner == first), ROW))
    return Reply({"games": json.dumps(games)})


def take_the_tournament(browser: Browser, folder: Path) -> None:
    """The ratings of a tournament, and the replay of a game."""
    made = ClassFolder.make(folder / "players")
    people = [Person(f"player {i}") for i in range(12)]
    pseudonyms = made.pseudonyms(people)
    for i, person in enumerate(people):
        made.store_submission(person.name, Submission({"player.py": b"#" * 50 * i + b"\npass"}))
    made.update(Row(one.name, "", one.name, [pseudonyms[one]]) for one in people)
    with fake_pool() as pool:
        pool.grades = made_up_games
        tournament(folder / "players")
    browser.open((folder / "players" / "tournament" / "index.html").as_uri())
    for picture, number in (("tournament", 0), ("tournament-replay", 2)):
        browser.resize(1000, 900)
        browser.page.locator("section").nth(number).screenshot(path=FOLDER / f"{picture}.png")


def main() -> int:
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, Browser(WIDE, HIGH) as browser:
        browser.prefer("light")
        take_the_students(browser, Path(folder))
        take_the_class(browser, Path(folder))
        take_the_tournament(browser, Path(folder))
    return 0


if __name__ == "__main__":
    sys.exit(main())
