"""Ratings and pairings of a tournament, on games whose truth is known."""

import numpy as np
from scipy.stats import kendalltau

from autograder.cohort.ratings import ELO, RatedGame, rate
from autograder.cohort.tournament import FINALISTS, ROUNDS, Meeting, pair_by_rating, pair_everybody


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


def test_rounds_by_rating_pair_neighbours_and_hardly_ever_the_same_two():
    met: set[Meeting[int]] = set()
    assert pair_by_rating([5, 3, 1, 0], met) == [{5, 3}, {1, 0}]
    assert pair_by_rating([5, 3, 1, 0], {frozenset((5, 3))}) == [{5, 1}, {3, 0}]
    assert pair_by_rating([5, 3, 1], {frozenset((5, 3))}) == [{5, 3}], (
        "the last of an odd field waits"
    )
    everybody = pair_everybody(range(4))
    assert len(set(pair_by_rating(range(4), everybody))) == 2, "nobody new is left"
    rng, again = np.random.default_rng(4), 0
    for _ in range(ROUNDS):
        ranked = np.argsort(np.arange(42) + 5 * rng.normal(size=42)).tolist()
        meetings = pair_by_rating(ranked, met)
        assert len(set().union(*meetings)) == 42
        again += len(met & set(meetings))
        met |= set(meetings)
    assert again <= 0.05 * 21 * ROUNDS


def test_a_tournament_finds_the_order_of_its_players():
    """Simulate rounds and finals of 60 players; both games of a pair share their opening's bias."""
    rng = np.random.default_rng(3)
    strengths = rng.normal(0, 300, 60)
    strengths -= strengths.mean()
    games: list[RatedGame] = []
    met: set[Meeting[int]] = set()
    for number in range(ROUNDS + 1):
        ranked = [int(i) for i in np.argsort(-rate(60, games).elo + rng.normal(0, 1e-6, 60))]
        last = number == ROUNDS
        meetings = pair_everybody(ranked[:FINALISTS]) if last else pair_by_rating(ranked, met)
        met.update(meetings)
        for one, two in map(sorted, meetings):
            opening = rng.normal(40, 50)
            for first, second in ((one, two), (two, one)):
                d = (strengths[first] - strengths[second] + opening) / ELO
                score = 0.5 if rng.random() < 0.05 else float(rng.random() < 1 / (1 + np.exp(-d)))
                games.append(RatedGame(first, second, score))
    ratings = rate(60, games)
    ranks = np.empty(60, dtype=int)
    ranks[np.argsort(-strengths)] = np.arange(1, 61)
    assert kendalltau(strengths, ratings.elo)[0] > 0.7
    assert np.mean(np.abs(strengths - ratings.elo) <= ratings.errors) > 0.9
    assert np.mean([low <= rank <= high for rank, (low, high) in zip(ranks, ratings.bands)]) > 0.9
