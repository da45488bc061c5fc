"""Secret positions of question 6 differ by submission, and no text reveals them."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from autograder.author.cases.player import find_phase, replay_moves
from autograder.author.cases.registry import make_cases
from autograder.author.solved import POOL, PUBLIC, read_positions
from autograder.checks.play.matches import derive_public_seed
from autograder.feedback.results import Report
from autograder.feedback.results_json import make_json
from autograder.grading.grade import grade
from autograder.serving.case_files import FOLDER, Cases
from autograder.submission import Submission

LEVELS = ("6.3", "6.4", "6.5")
SEED = 0xFEED << 100
FIRST = b"""
class Player:
    def choose(self, game, state):
        return game.actions(state)[0]
"""


def level(number: str, release: int = 7) -> Any:
    (case,) = make_cases(number, release, secret=True)
    return case


def keys(case: Any) -> set[str]:
    return {key for key, _ in case.positions}


def test_only_equal_submissions_get_the_same_positions():
    case = level("6.4")
    one, again, other = (
        case.draw_for(Submission(files).digest)
        for files in ({"player.py": FIRST}, {"player.py": FIRST}, {"player.py": FIRST + b"\n"})
    )
    assert one == again
    assert len(one.positions) == len(other.positions) == 16
    assert len(keys(one) & keys(other)) < 8 and one.seed != other.seed
    assert (one.least, one.draw) == (case.least, [])
    assert one.draw_for("once more") == one


@pytest.mark.parametrize("number", LEVELS)
def test_a_draw_has_as_many_positions_of_each_phase_and_kind(number):
    case = level(number)
    for submission in "abc":
        drawn, begin = keys(case.draw_for(submission)), 0
        for count, size in case.draw:
            run = {key for key, _ in case.positions[begin : begin + size]}
            assert len(drawn & run) == count
            assert size > 10 * count
            begin += size
        assert begin == len(case.positions)


def test_pool_holds_no_public_position_or_mirror_image():
    public = {replay_moves(one).key for one in read_positions(PUBLIC)}
    mine = [replay_moves(one).key for one in read_positions(POOL)]
    mirrored = {replay_moves(one.mirrored).key for one in read_positions(POOL)}
    assert len(set(mine)) == len(mine) > 1000
    assert public.isdisjoint(mine) and public.isdisjoint(mirrored)
    assert all(map(find_phase, read_positions(POOL)))


def test_opponents_seed_cannot_be_guessed_or_derived_from_output():
    seeds = set()
    for release in range(2):
        case = level("6.2", release)
        seeds.add(case.seed)
        assert derive_public_seed(case.seed) != case.seed
    assert len(seeds) == 2 and max(seeds) > 1 << 100


@pytest.fixture
def secret(tmp_path: Path) -> Cases:
    """Return the public cases, marked as secret."""
    for path in FOLDER.glob("*.json"):
        content = json.loads(path.read_text(encoding="utf-8"))
        if "public" in content:
            content["public"] = False
        (tmp_path / path.name).write_text(json.dumps(content))
    return Cases(tmp_path)


def shown(report: Report, number: str) -> str:
    (result,) = (test for test in make_json(report)["tests"] if test["number"] == number)
    return json.dumps(result)


SAYS = """
import sys
from starter.games import State

seen = []

class Player:
    def choose(self, game, state):
        seen.append(state.key)
        said = "".join(seen).replace("/", "").replace(".", "e")
        move = game.actions(state)[0]
        %s
        return move
"""
WAYS = {
    "prints": "print(said)",
    "writes to stderr": "sys.stderr.write(said)",
    "raises": "raise ValueError(said)",
    "raises at the end": "if len(seen) == 3: raise ValueError(said)",
    "raises its own type": "raise type(said[-40:], (Exception,), {})()",
    "raises as if nothing was written": "raise NotImplementedError(said)",
    "returns it": "return said",
    "returns its own type": "return type(said[-100:], (), {})()",
    "is stopped in a function of that name": (
        "exec(f'def {said}(): 1/0', scope := {}); scope[said]()"
    ),
    "is stopped in a line of that number": "exec('\\n' * int(said.encode().hex()[:4], 16) + '1/0')",
}


@pytest.mark.parametrize(
    ("way", "number"), [(way, LEVELS[i % len(LEVELS)]) for i, way in enumerate(WAYS)]
)
def test_no_text_of_a_secret_run_carries_a_position(way, number, secret):
    submission = Submission({"player.py": (SAYS % WAYS[way]).encode()})
    text = shown(grade(submission, question=number, cases=secret), number)
    (case,) = secret.load(number)
    for key in keys(case):
        written = key.replace("/", "").replace(".", "e")
        for i in range(len(written) - 9):
            assert written[i : i + 10] not in text, text


@pytest.mark.parametrize("question", ["1.1", "6.4"])
def test_secret_output_is_shown_at_home_only(question, secret):
    said = b"print('here I am')"
    search = b"def minimax_search(game, state):\n    %s\n    return 999, None\n" % said
    player = FIRST.replace(b"return", said + b"; return")
    submission = Submission({"minimax.py": search, "player.py": player})
    away = shown(grade(submission, question=question, cases=secret), question)
    assert "here I am" not in away
    assert "(what it prints is shown only at home)" in away
    assert "here I am" in shown(grade(submission, question=question), question)
    (case, *_) = secret.load(question)
    named = secret.only(f"{question}/{case.token}")
    assert "here I am" in shown(grade(submission, cases=named), question)


def token_in(text: str) -> str:
    return text.split("CASE=")[1].split("\\n")[0]


RAISES = b"class Player:\n    def choose(self, game, state):\n        raise ValueError\n"
ILLEGAL = b"class Player:\n    def choose(self, game, state):\n        return 'no move'\n"


@pytest.mark.parametrize(("number", "code"), [*zip(LEVELS, (FIRST, RAISES, ILLEGAL))])
def test_level_reveals_one_position(number, code, secret):
    text = shown(grade(Submission({"player.py": code}), question=number, cases=secret), number)
    (case,) = secret.only(token_in(text)).load(number)
    assert len(keys(case)) == 1


@pytest.mark.parametrize("code", [FIRST, RAISES, ILLEGAL])
def test_the_opponents_seed_is_not_shown(code, secret):
    match: Any = Cases().load("6.2")[0]
    path = secret.folder / "player.json"
    content = json.loads(path.read_text(encoding="utf-8"))
    content["cases"]["6.2"] = [replace(match, seed=SEED).plain()]
    path.write_text(json.dumps(content))
    cases = Cases(secret.folder)
    text = shown(grade(Submission({"player.py": code}), question="6.2", cases=cases), "6.2")
    assert str(SEED) not in text
    if code == FIRST:
        assert "Q=6.2" in text and "CASE=" not in text
    else:
        (case,) = cases.only(token_in(text)).load("6.1")
        assert str(SEED) not in json.dumps(case.plain())
        again = shown(grade(Submission({"player.py": code}), cases=cases.only(case.name)), "6.1")
        assert "CASE=6.1" in again  # it fails there, too


def test_a_player_that_is_not_written_is_not_on_the_leaderboard():
    assert "leaderboard" not in make_json(grade(Submission({"player.py": b""}), question="6"))
