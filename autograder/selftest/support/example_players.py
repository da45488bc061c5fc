"""Make the folder of a class with players from the banks, ready for `class tournament`.

    python -m autograder.selftest.support.example_players DIR

Right and wrong ones, shortcuts, the solution's with other budgets, orders, depths and playouts, and
some that break the rules. Nothing is graded. `DIR/key.json` tells what each pseudonym stands for.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from autograder.cohort.class_folder import ClassFolder, Person, Row
from autograder.cohort.tournament import ANCHORS
from autograder.questions import QUESTION_FILES, ROOT
from autograder.selftest.support.banks import read_right, read_shortcuts, read_wrong
from autograder.submission import Submission

ORDERS = {
    "centre first": "abs(column - centre)",
    "edges first": "-abs(column - centre)",
    "left to right": "column",
    "right to left": "-column",
}
BUDGETS, DEPTHS, PLAYOUTS = (100, 300, 1000), (0, 1, 3, 4), (10, 30, 100)
SMALL = """import os, time

class Player:
    moves = 0

    def choose(self, game, state):
        self.moves += 1
        if self.moves > 4:
            {later}
        return {move}
"""
MOVES = {
    "the first column": "game.actions(state)[0]",
    "the last column": "game.actions(state)[-1]",
    "turns about": "game.actions(state)[self.moves % len(game.actions(state))]",
    "the middle, full or not": "3",
}
LATER = {  # what they do from their fifth move on
    "loops": "while True: pass",
    "sleeps": "time.sleep(100)",
    "crashes": "raise IndexError('<b>list</b> index out of range')",
    "ends its process": "os._exit(0)",
    "plays beside the board": "return 7",
    "answers a text": "return '<script>' * 1000",
    "floods its output": "print('much ' * 1_000_000)",
    "takes all memory": "self.much = [0] * 10**10",
}


def changed(source: str, old: str, new: str) -> str:
    """Raises ValueError if what is to be changed does not stand there once."""
    if source.count(old) != 1:
        raise ValueError(f"this has to stand there once: {old}")
    return source.replace(old, new)


def players() -> Iterator[tuple[str, str]]:
    """Yield what each is, and its player.py."""
    for entry in [*read_right(), *read_shortcuts(), *read_wrong()]:
        if "player.py" in entry.files:
            yield entry.description, entry.files["player.py"].decode()
    own, shallow, playouts = (
        path.read_text(encoding="utf-8")
        for path in (
            ROOT / "solution" / "player.py",
            ANCHORS / "shallow.py",
            ANCHORS / "playouts.py",
        )
    )
    for order, key in ORDERS.items():
        for budget in BUDGETS:
            ordered = changed(own, ORDERS["centre first"], key)
            yield f"{budget} positions, {order}", changed(ordered, "5_000", str(budget))
    for depth in DEPTHS:
        yield f"depth {depth}", changed(shallow, "cutoff_depth(2)", f"cutoff_depth({depth})")
    for number in PLAYOUTS:
        yield f"{number} playouts", changed(playouts, "1000, rng", f"{number}, rng")
    for name, move in MOVES.items():
        yield name, SMALL.format(later="pass", move=move)
    for name, later in LATER.items():
        yield name, SMALL.format(later=later, move=MOVES["turns about"])
    yield "nothing written", (ROOT / "starter" / "player.py").read_text(encoding="utf-8")
    yield "a syntax error", "class Player\n"


def write_players(folder: Path) -> int:
    """Make the folder; return how many they are. Their other files are the solution's."""
    files = {name: (ROOT / "solution" / name).read_bytes() for name in QUESTION_FILES}
    made = ClassFolder.make(folder)
    found = dict(players())
    who = [Person(name, str(place)) for place, name in enumerate(found)]
    pseudonyms = made.pseudonyms(who)
    for person in who:
        player = {"player.py": found[person.name].encode()}
        made.store_submission(person.sid, Submission(files | player))
    made.update(Row(one.sid, "", one.sid, people=[pseudonyms[one]]) for one in who)
    return len(who)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m autograder.selftest.support.example_players")
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    print(f"{write_players(folder)} players: python -m autograder class tournament {folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
