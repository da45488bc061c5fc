"""Rate players from games, by Bradley and Terry's model with the advantage of the first move.

The first player's chance is a logistic function of d = rating of the first - rating of the second +
advantage; a draw is half a win. The ratings are the most likely ones under a normal prior with the
usual spread of a field of students, so that a player who has lost all games has a rating, too.
Two games of a pair start from one opening, so they are no independent evidence: for the intervals a
pair counts as much as one game.
"""

from collections.abc import Sequence
from math import log
from typing import Any, NamedTuple

import numpy as np

Array = np.ndarray[Any, np.dtype[np.float64]]
ELO = 400 / log(10)  # points for one unit of the model
WIDTH = 1.96  # standard deviations on either side of a 95 % interval
SPREAD = 300 / ELO  # the prior's standard deviation of a rating, and of the advantage
GAMES_OF_PAIR = 2  # which are evidence like one game
MAX_STEPS, MIN_STEP = 30, 1e-4  # of Newton's method; a step that is shorter is the last one


class RatedGame(NamedTuple):
    """A game: its players, and the first one's score (1, 0.5 or 0)."""

    first: int
    second: int
    score: float


class Ratings(NamedTuple):
    """Ratings in Elo points; the mean of the field is 0.

    elo, errors: by the players' numbers; half the width of each rating's 95 % confidence interval
    bands:       the best and the worst rank that each may have, with 95 % for each pair of players
    advantage:   of the first move, in Elo points
    """

    elo: Array
    errors: Array
    bands: list[tuple[int, int]]
    advantage: float


def rate(players: int, games: Sequence[RatedGame]) -> Ratings:
    """Rate players, numbered from 0 on, by all their games (Newton's method)."""
    # A row for each game: 1 for the first player and for the advantage, -1 for the second player.
    design = np.zeros((len(games), players + 1))
    numbers = np.arange(len(games))
    design[numbers, [game.first for game in games]] = design[:, -1] = 1
    design[numbers, [game.second for game in games]] = -1
    scores = np.array([game.score for game in games], dtype=float)
    prior = np.eye(players + 1) / SPREAD**2
    at: Array = np.zeros(players + 1)
    evidence = np.zeros_like(prior)
    for _ in range(MAX_STEPS if games else 0):
        chance = 1 / (1 + np.exp(-design @ at))
        evidence = design.T @ (design * (chance * (1 - chance))[:, None])
        gradient = design.T @ (scores - chance) - at / SPREAD**2
        step = np.linalg.solve(evidence + prior, gradient)
        at = at + np.clip(step, -1, 1)
        if np.abs(step).max() < MIN_STEP:
            break
    covariance = ELO**2 * np.linalg.inv(evidence / GAMES_OF_PAIR + prior)[:players, :players]
    centred = np.eye(players) - 1 / players  # only differences of ratings are known
    elo, covariance = ELO * centred @ at[:players], centred @ covariance @ centred
    variance = np.diag(covariance)
    apart = variance[:, None] + variance[None, :] - 2 * covariance
    beyond = WIDTH * np.sqrt(np.maximum(apart, 0))
    lead = elo[:, None] - elo[None, :]  # of the row's player over the column's
    best, worst = 1 + (lead < -beyond).sum(axis=1), players - (lead > beyond).sum(axis=1)
    bands = list(zip(best.tolist(), worst.tolist()))
    return Ratings(elo, WIDTH * np.sqrt(variance), bands, ELO * float(at[-1]))
