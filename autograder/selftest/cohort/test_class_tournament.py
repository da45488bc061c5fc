"""A tournament continues from its stored pairs; its tables and ratings agree with its games.

A stand-in for the pool plays the games; `test_class_match.py` has real ones.
"""

import contextlib
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import pytest

from autograder.cohort import tournament as module
from autograder.cohort.class_folder import ClassFolder
from autograder.cohort.grade_one import PoolGone, Reply
from autograder.cohort.match import ROW, TIME, PlayedGame
from autograder.cohort.pool import POLL_S
from autograder.cohort.ratings import RatedGame, rate
from autograder.cohort.tournament import (
    GamePair,
    Meeting,
    Tournament,
    pair_by_rating,
    pair_everybody,
    play_tournament,
    read_players,
    write_tables,
)
from autograder.questions import ROOT
from autograder.selftest.support.browser import Browser, expect_page_fits, needs_browser
from autograder.selftest.support.golden_class import play_by_length
from autograder.selftest.support.graded_class import FakePool, use_fake_pool, write_small_class


@pytest.fixture
def pool() -> Iterator[FakePool]:
    with use_fake_pool(play_by_length) as pool:
        yield pool


def class_of(folder: Path, players: int) -> Path:
    """Write a class in which a player with a longer file is stronger."""
    files = [{"player.py": b"#" * 40 * i + b"\npass"} for i in range(players)]
    return write_small_class(folder, files=files)


def rows_of(folder: Path) -> list[dict[str, Any]]:
    lines = (folder / "tournament" / "games.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines]


def test_a_pool_without_room_is_asked_again_after_a_while(tmp_path, pool, monkeypatch):
    slept: list[float] = []
    monkeypatch.setattr("time.sleep", slept.append)
    room = iter([0, 0, 0])
    monkeypatch.setattr(pool, "slots", lambda: next(room, 1))
    assert play_tournament(class_of(tmp_path / "class", 2)) == 0
    assert slept == [POLL_S] * 3


def test_a_player_that_was_not_written_does_not_play(tmp_path):
    starter = (ROOT / "starter" / "player.py").read_bytes()
    unwritten = [starter, b"# my player\n\n" + starter, b"", b"# to do"]
    # Python's parser raises all kinds for the last four.
    written = [b"class Player: 0\n", b"x = " + b"-" * 7000 + b"1", b"(" * 300, b"\0", b"\xff"]
    files = [{"player.py": source} for source in unwritten + written]
    folder = ClassFolder(write_small_class(tmp_path, files=files))
    playing = [name for name in read_players(folder) if not name.startswith("anchor")]
    assert playing == [one for row in folder.rows[4:] for one in row.people]


def test_an_interrupted_tournament_continues_and_is_the_same(tmp_path, pool):
    """No stored pair is played again or left out, and all have the same openings."""
    folder = class_of(tmp_path / "class", 3)
    play_tournament(folder)
    whole, uninterrupted = rows_of(folder), sorted(pool.requests)
    shutil.rmtree(folder / "tournament")
    played: list[str] = []
    for kill_at in (1, 5, 9, 10**9):

        def play(request: str, kill_at: int = kill_at) -> Reply:
            if len(played) >= kill_at:
                raise SystemExit
            played.append(request)
            return play_by_length(request)

        pool.grade = play
        with contextlib.suppress(SystemExit):
            assert play_tournament(folder) == 0
    assert sorted(set(played)) == uninterrupted
    assert len(played) <= len(uninterrupted) + 3  # one was under way at each kill
    assert rows_of(folder) == whole


def test_large_field_plays_rounds_by_rating_then_finals(tmp_path, pool, monkeypatch):
    monkeypatch.setattr(module, "MAX_ROUND_ROBIN", 3)
    monkeypatch.setattr(module, "FINALISTS", 4)
    monkeypatch.setattr(module, "ROUNDS", 3)
    folder = class_of(tmp_path / "class", 6)
    assert play_tournament(folder) == 0
    games = rows_of(folder)
    assert [sum(game["round"] == r for game in games) for r in (1, 2, 3, 4)] == [10, 10, 10, 12]
    before = [frozenset((g["first"], g["second"])) for g in games if g["round"] < 4]
    assert len(set(before)) == len(before) / 2


def test_a_pair_without_a_result_is_played_by_the_next_run(tmp_path, pool, capsys, monkeypatch):
    folder = class_of(tmp_path / "class", 1)
    pool.grade = lambda request: Reply({}, "no memory")
    assert play_tournament(folder) == 3
    said = capsys.readouterr().out
    assert said.count(" against ") == said.count(" could not be played: no memory\n") == 3  # of all
    pool.grade = play_by_length
    monkeypatch.setattr(pool, "slots", mock.Mock(side_effect=PoolGone("gone")))
    assert play_tournament(folder) == 3
    assert "games: see" not in capsys.readouterr().out
    monkeypatch.undo()
    assert play_tournament(folder) == 0
    page = folder / "tournament" / "index.html"
    page.unlink()
    assert play_tournament(folder) == 0 and page.exists()  # though nothing is left to play


@pytest.mark.slow
@needs_browser
def test_replay_works_in_a_browser(tmp_path):
    moves, opening = [0, 0, 1, 1, 2, 5, 3], [0, 0, 1, 1]
    game = PlayedGame(0, moves, [0.1, 0.2, 0.3], 1.0, ROW)
    broken = PlayedGame(0, moves[:5], [0.1], 1.0, TIME, "<b>late")
    field = Tournament(tmp_path, {"Ann": {}, "Bob": {}})
    for place, played in enumerate((broken, game)):
        field.pairs.append(GamePair(0, place, "Ann", "Bob", opening))
        field.played[place] = [played]
    write_tables(field)
    file = tmp_path / "index.html"
    expect_page_fits(file)
    with Browser() as browser:
        browser.page.goto(file.as_uri())
        said = "document.getElementById('says').innerText"
        assert browser.evaluate(said) == (
            "move 7 of 7: Ann plays 3, in 0.30 s. Ann wins: four in a row"
        )
        browser.page.get_by_role("button", name="one move back").click()
        assert browser.evaluate(said) == "move 6 of 7: Bob plays 5, in 0.20 s"
        stones = browser.evaluate("deep('#board td').map(e => e.innerText).filter(text => text)")
        assert sorted(stones) == ["1", "2", "3", "4", "5", "6"]
        browser.page.locator("#game").select_option("0")
        assert browser.evaluate(said).endswith("in 0.10 s. Bob loses: <b>late")


def test_each_pair_has_its_own_seed_and_its_sides_by_lot(tmp_path, pool, monkeypatch):
    monkeypatch.setattr(module, "MAX_ROUND_ROBIN", 9)  # with four anchors, so all play all
    folder = class_of(tmp_path / "class", 5)
    assert play_tournament(folder) == 0
    seeds = [json.loads(request)["seed"] for request in pool.requests]
    assert len(set(seeds)) == len(seeds) > 30
    (drawn,) = folder.glob("tournament/pairs/*/round-000.json")
    orders = {one < two for _, _, one, two, _ in json.loads(drawn.read_text(encoding="utf-8"))}
    assert orders == {True, False}


def test_more_wins_rate_higher_and_the_first_move_is_separate():
    games = [RatedGame(0, 1, 1)] * 40
    games += [RatedGame(1, 0, float(pair % 2)) for pair in range(40)]
    ratings = rate(2, games)
    assert ratings.elo[0] > 50 > 0 > ratings.elo[1]
    assert ratings.advantage > 50  # each won more often when it began
    assert abs(ratings.elo.sum()) < 1e-6
    assert ratings.bands == [(1, 1), (2, 2)]
    equal = rate(2, [RatedGame(0, 1, 1), RatedGame(1, 0, 1), RatedGame(1, 0, 0.5)])
    assert equal.bands == [(1, 2), (1, 2)]


def test_players_without_wins_or_games_have_ratings():
    ratings = rate(3, [RatedGame(0, 1, 1)] * 30)
    assert np.isfinite(ratings.elo).all()
    assert ratings.elo[0] > ratings.elo[2] > ratings.elo[1]
    assert ratings.errors[2] > ratings.errors[1]
    assert np.allclose(rate(3, []).elo, 0)


def test_rounds_by_rating_pair_neighbours_and_nobody_twice_while_there_are_others():
    met: set[Meeting[int]] = set()
    assert pair_by_rating([5, 3, 1, 0], met) == [{5, 3}, {1, 0}]
    assert pair_by_rating([5, 3, 1, 0], {frozenset((5, 3))}) == [{5, 1}, {3, 0}]
    assert pair_by_rating([5, 3, 1], {frozenset((5, 3))}) == [{5, 3}]  # the last one waits
    everybody = pair_everybody(range(4))
    assert len(set(pair_by_rating(range(4), everybody))) == 2, "nobody new is left"
