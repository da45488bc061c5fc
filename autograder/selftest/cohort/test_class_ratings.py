"""Ratings and pairings of a tournament, on games whose truth is known."""

from __future__ import annotations

from math import exp
from typing import NamedTuple

import numpy as np
from scipy.stats import kendalltau

from autograder.cohort.ratings import ELO, Array, RatedGame, Ratings, rate
from autograder.cohort.tournament import FINALISTS, ROUNDS, Meeting, pair_by_rating, pair_everybody


def test_more_wins_rate_higher_and_the_first_move_is_separate():
    games = []
    for pair in range(40):
        games += [RatedGame(0, 1, 1, pair), RatedGame(1, 0, float(pair % 2), pair)]
    ratings = rate(2, games)
    assert ratings.elo[0] > 50 > 0 > ratings.elo[1]
    assert ratings.advantage > 50  # each won more often when it began
    assert abs(ratings.elo.sum()) < 1e-6
    assert ratings.bands == [(1, 1), (2, 2)]


def test_sides_do_not_matter_to_equals():
    ratings = rate(2, [RatedGame(0, 1, 1, 0), RatedGame(1, 0, 1, 0)])
    assert np.allclose(ratings.elo, 0, atol=1e-6)
    assert ratings.bands == [(1, 2), (1, 2)]


def test_players_without_wins_or_games_have_ratings():
    ratings = rate(3, [RatedGame(0, 1, 1, i) for i in range(30)])
    assert np.isfinite(ratings.elo).all()
    assert ratings.elo[0] > ratings.elo[2] > ratings.elo[1]
    assert ratings.errors[2] > ratings.errors[1]


def test_draws_are_distinguished_from_wins():
    drawn = rate(2, [RatedGame(i % 2, 1 - i % 2, 0.5, i // 2) for i in range(40)])
    decided = rate(2, [RatedGame(i % 2, 1 - i % 2, float(i % 3 == 0), i // 2) for i in range(40)])
    assert drawn.draws > 0.9 > 0.1 > decided.draws


def test_pairs_that_repeat_one_game_widen_the_intervals():
    """A pair of games with one winner tells less than two independent games."""
    rng = np.random.default_rng(2)
    alone, twice = [], []
    for pair in range(400):
        won = [float(rng.random() < 0.5) for _ in range(2)]
        alone += [RatedGame(0, 1, won[0], pair), RatedGame(1, 0, won[1], pair)]
        twice += [RatedGame(0, 1, won[0], pair), RatedGame(1, 0, 1 - won[0], pair)]
    assert rate(2, twice).errors[0] > 1.3 * rate(2, alone).errors[0]


def test_rounds_by_rating_pair_neighbours_and_hardly_ever_the_same_two():
    met: set[Meeting[int]] = set()
    assert pair_by_rating([5, 3, 1, 0], met) == [{5, 3}, {1, 0}]
    assert pair_by_rating([5, 3, 1, 0], {frozenset((5, 3))}) == [{5, 1}, {3, 0}]
    assert pair_by_rating([5, 3, 1], {frozenset((5, 3))}) == [{5, 3}], (
        "the last of an odd field waits"
    )
    rng, again = np.random.default_rng(4), 0
    for _ in range(ROUNDS):
        ranked = np.argsort(np.arange(42) + 5 * rng.normal(size=42)).tolist()
        meetings = pair_by_rating(ranked, met)
        assert len(set().union(*meetings)) == 42
        again += len(met & set(meetings))
        met |= set(meetings)
    assert again <= 0.05 * 21 * ROUNDS


def test_players_for_whom_nobody_new_is_left_meet_again():
    met = {frozenset((2, 3))}
    assert pair_by_rating(range(4), met) == [{0, 1}, {2, 3}]
    assert len(set(pair_by_rating(range(4), pair_everybody(range(4))))) == 2


# --- simulated tournaments of players whose strengths are known -----------------------------------

ADVANTAGE, OPENINGS = 40.0, 50.0  # Elo points: of the first move, and its spread over the openings
DRAWS = 0.05  # between equals


class Found(NamedTuple):
    """How close the ratings of one tournament come to the truth."""

    tau: float
    covered: float  # share of the intervals with the true strength inside
    in_band: float  # share of the rank bands with the true rank inside


def simulate(players: int, rounds: int, spread: float, rng: np.random.Generator) -> Found:
    """Play one tournament of players drawn at random: rounds by rating, then finals.

    spread: the standard deviation of their strengths, in Elo points
    """
    strengths = rng.normal(0, spread, players)
    strengths -= strengths.mean()
    games: list[RatedGame] = []
    met: set[Meeting[int]] = set()
    ratings = rate(players, games)
    for number in range(rounds + 1):
        noise = rng.normal(0, 1e-6, players)  # equals in random order
        ranked = [int(i) for i in np.argsort(-(ratings.elo + noise))]
        last = number == rounds
        meetings = pair_everybody(ranked[:FINALISTS]) if last else pair_by_rating(ranked, met)
        met.update(meetings)
        for meeting in meetings:
            games += pair_of_games(strengths, meeting, len(games) // 2, rng)
        ratings = rate(players, games)
    return judged(strengths, ratings)


def pair_of_games(
    strengths: Array, meeting: Meeting[int], pair: int, rng: np.random.Generator
) -> list[RatedGame]:
    """Play two games from one opening, with sides changed."""
    one, two = sorted(meeting)
    opening = rng.normal(ADVANTAGE, OPENINGS)
    draw = 2 * DRAWS / (1 - DRAWS)
    played = []
    for first, second in ((one, two), (two, one)):
        d = (strengths[first] - strengths[second] + opening) / ELO
        chances = np.array([exp(d / 2), draw, exp(-d / 2)])
        score = float(rng.choice([1, 0.5, 0], p=chances / chances.sum()))
        played.append(RatedGame(first, second, score, pair))
    return played


def judged(strengths: Array, ratings: Ratings) -> Found:
    ranks = np.empty(len(strengths), dtype=int)
    ranks[np.argsort(-strengths)] = np.arange(1, len(strengths) + 1)
    bands = [low <= rank <= high for rank, (low, high) in zip(ranks, ratings.bands)]
    return Found(
        tau=float(kendalltau(strengths, ratings.elo)[0]),
        covered=float(np.mean(np.abs(strengths - ratings.elo) <= ratings.errors)),
        in_band=float(np.mean(bands)),
    )


def test_a_tournament_finds_the_order_of_its_players():
    found = simulate(60, 10, 300, np.random.default_rng(3))
    assert found.tau > 0.7
    assert found.covered > 0.8
    assert found.in_band > 0.9
