"""Rate players from games, by Bradley and Terry's model with the advantage of the first move.

The first player's chance is a logistic function of d = rating of the first - rating of the second +
advantage; a draw is half a win. The ratings are the most likely ones under a normal prior with the
usual spread of a field of students, so that a player who has lost all games has a rating, too.
Two games of a pair start from one opening, so they are no independent evidence: for the intervals a
pair counts as much as one game.
"""

from collections.abc import Sequence
from dataclasses import dataclass
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


@dataclass(frozen=True)
class Ratings:
    """Ratings in Elo points; the mean of the field is 0.

    elo:        by the players' numbers
    covariance: their joint uncertainty
    advantage:  of the first move, in Elo points
    """

    elo: Array
    covariance: Array
    advantage: float

    @property
    def errors(self) -> Array:
        """Half the width of each rating's 95 % confidence interval."""
        return WIDTH * np.sqrt(np.diag(self.covariance))

    @property
    def bands(self) -> list[tuple[int, int]]:
        """The best and the worst rank that each player may have.

        The confidence is 95 % for each pair of players.
        """
        variance = np.diag(self.covariance)
        apart = variance[:, None] + variance[None, :] - 2 * self.covariance
        beyond = WIDTH * np.sqrt(np.maximum(apart, 0))
        lead = self.elo[:, None] - self.elo[None, :]  # of the row's player over the column's
        above, below = (lead < -beyond).sum(axis=1), (lead > beyond).sum(axis=1)
        return [(int(a) + 1, len(lead) - int(b)) for a, b in zip(above, below)]


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
    covariance = np.linalg.inv(evidence / GAMES_OF_PAIR + prior)
    centred = np.eye(players) - 1 / players  # only differences of ratings are known
    return Ratings(
        ELO * centred @ at[:players],
        ELO**2 * centred @ covariance[:players, :players] @ centred,
        ELO * float(at[-1]),
    )
