"""Simulates tournaments of players whose strengths are known.

It shows how well a ranking agrees with the truth (Kendall's tau), and how often its 95 % intervals
and rank bands hold.
"""

from __future__ import annotations

from math import exp
from typing import NamedTuple

import numpy as np
from scipy.stats import kendalltau

from autograder.cohort.ratings import ELO, Array, Played, Ratings, rate
from autograder.cohort.tournament import FINALISTS, Meeting, by_rating, round_robin

ADVANTAGE, OPENINGS = 40.0, 50.0  # Elo points: of the first move, and its spread over the openings
DRAWS = 0.05  # between equals


class Found(NamedTuple):
    """What one tournament has shown."""

    tau: float
    covered: float  # share of the intervals with the true strength inside
    in_band: float  # share of the rank bands with the true rank inside


def simulate(players: int, rounds: int, spread: float, rng: np.random.Generator) -> Found:
    """Play one tournament of players drawn at random: rounds by rating, then finals.

    spread: the standard deviation of their strengths, in Elo points
    """
    strengths = rng.normal(0, spread, players)
    strengths -= strengths.mean()
    games: list[Played] = []
    met: set[Meeting] = set()
    ratings = rate(players, games)
    for number in range(rounds + 1):
        noise = rng.normal(0, 1e-6, players)  # equals in random order
        ranked = [int(i) for i in np.argsort(-(ratings.elo + noise))]
        last = number == rounds
        meetings = round_robin(ranked[:FINALISTS]) if last else by_rating(ranked, met)
        met.update(meetings)
        for meeting in meetings:
            games += pair_of_games(strengths, meeting, len(games) // 2, rng)
        ratings = rate(players, games)
    return judged(strengths, ratings)


def pair_of_games(
    strengths: Array, meeting: Meeting, pair: int, rng: np.random.Generator
) -> list[Played]:
    """Two games from one opening, with sides changed."""
    one, two = sorted(meeting)
    opening = rng.normal(ADVANTAGE, OPENINGS)
    draw = 2 * DRAWS / (1 - DRAWS)
    played = []
    for first, second in ((one, two), (two, one)):
        d = (strengths[first] - strengths[second] + opening) / ELO
        chances = np.array([exp(d / 2), draw, exp(-d / 2)])
        score = float(rng.choice([1, 0.5, 0], p=chances / chances.sum()))
        played.append(Played(first, second, score, pair))
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
