"""Simulates tournaments of players whose strengths are known.

`python -m autograder.selftest.support.simulated_tournaments` shows how well a ranking agrees with
the truth (Kendall's tau), how often its 95 % intervals and rank bands hold, and what ratings take.
"""

from __future__ import annotations

import argparse
import time
from math import exp
from typing import NamedTuple

import numpy as np
from scipy.stats import kendalltau

from autograder.cohort.matchmaking import FINALISTS, ROUNDS, Meeting, by_rating, round_robin
from autograder.cohort.ratings import ELO, Array, Played, Ratings, rate

ADVANTAGE, OPENINGS = 40.0, 50.0  # Elo points: of the first move, and its spread over the openings
DRAWS = 0.05  # between equals


class Found(NamedTuple):
    """What one tournament has shown."""

    tau: float
    top: int  # of the ten best, among its first ten
    covered: float  # share of the intervals with the true strength inside
    in_band: float  # share of the rank bands with the true rank inside
    seconds: float  # of computing, for the last ratings
    games: int


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
        began = time.process_time()
        ratings = rate(players, games)
        seconds = time.process_time() - began
    return judged(strengths, ratings, seconds, len(games))


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


def judged(strengths: Array, ratings: Ratings, seconds: float, games: int) -> Found:
    ranks = np.empty(len(strengths), dtype=int)
    ranks[np.argsort(-strengths)] = np.arange(1, len(strengths) + 1)
    best = set(np.argsort(-strengths)[:10]) & set(np.argsort(-ratings.elo)[:10])
    bands = [low <= rank <= high for rank, (low, high) in zip(ranks, ratings.bands)]
    return Found(
        tau=float(kendalltau(strengths, ratings.elo)[0]),
        top=len(best),
        covered=float(np.mean(np.abs(strengths - ratings.elo) <= ratings.errors)),
        in_band=float(np.mean(bands)),
        seconds=seconds,
        games=games,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tournaments", type=int, default=20)
    parser.add_argument("--players", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--spread", type=float, default=300, help="of strengths, in Elo points")
    args = parser.parse_args()
    rng = np.random.default_rng(1)
    found = [simulate(args.players, args.rounds, args.spread, rng) for _ in range(args.tournaments)]
    mean = Found(*np.mean(np.array(found, dtype=float), axis=0))
    print(
        f"{args.tournaments} tournaments of {args.players} players, {mean.games:.0f} games each\n"
        f"tau {mean.tau:.3f} (worst {min(one.tau for one in found):.3f}), {mean.top:.1f} of the "
        f"ten best found\n95 % intervals cover {mean.covered:.1%}, rank bands {mean.in_band:.1%}\n"
        f"ratings of all games {mean.seconds:.2f} s"
    )


if __name__ == "__main__":
    main()
