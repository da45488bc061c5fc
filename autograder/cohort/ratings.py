"""Rate players from games, by Bradley and Terry's model.

The model is extended by draws and the advantage of the first move. A game between two players is
won by the first, drawn, or lost with chances in the ratio

    exp(d / 2) : exp(t) : exp(-d / 2),   d = rating of the first - rating of the second + advantage

(R. Davidson, "On extending the Bradley-Terry model to accommodate ties", 1970; with R. Beaver, "On
extending the Bradley-Terry model to incorporate within-pair order effects", 1977). The ratings are
the means of the normal distribution that is nearest to the posterior (J. Ormerod and M. Wand,
"Gaussian variational approximate inference for generalized linear mixed models", 2012). After few
games, the mode of the posterior alone would draw the ratings together. The prior is normal, with
the usual spread of a field of students, so that a player who has lost all games has a rating, too.
The spread is not estimated from the games: pairs drawn by rating are of similar strength, so they
say little about it.

Two games of a pair start from one opening, so they are no independent evidence. The evidence is
scaled down if the results of pairs vary more than those of independent games would.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log, pi
from typing import Any, NamedTuple

import numpy as np

Array = np.ndarray[Any, np.dtype[np.float64]]
ELO = 400 / log(10)  # points for one unit of the model
WIDTH = 1.96  # standard deviations on either side of a 95 % interval
SPREAD = 300 / ELO  # the prior's standard deviation of a rating
OTHER_SPREAD = 2.0  # the same for the advantage, and for t
MAX_STEPS = 50  # of Newton's method
MAX_STEP = 3.0  # the length of a step
MIN_STEP = 1e-4  # a step that is shorter is the last one


class RatedGame(NamedTuple):
    """A game: its players, the first one's score (1, 0.5 or 0), its pair's number."""

    first: int
    second: int
    score: float
    pair: int


@dataclass(frozen=True)
class Ratings:
    """Ratings in Elo points; the mean of the field is 0.

    elo:        by the players' numbers
    covariance: their joint uncertainty
    advantage:  of the first move, in Elo points
    draws:      the share of draws between equals
    """

    elo: Array
    covariance: Array
    advantage: float
    draws: float

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


class _Games:
    """The games as arrays, and what the model predicts for them."""

    def __init__(self, players: int, games: Sequence[RatedGame]) -> None:
        self.players = players
        self.first = np.array([game.first for game in games], dtype=int)
        self.second = np.array([game.second for game in games], dtype=int)
        scores = np.array([game.score for game in games], dtype=float)
        self.x, self.drawn = scores - 0.5, (scores == 0.5).astype(float)
        _, self.pair = np.unique([game.pair for game in games], return_inverse=True)
        # The results of a pair are added up for the player with the smaller number.
        self.sign = np.where(self.first < self.second, 1.0, -1.0)

    def sums(self, of_games: Array) -> Array:
        """Add up the games' terms by parameter, without t; subtract the second player's."""
        sums: Array = np.bincount(self.first, of_games, self.players + 2).astype(float)
        sums -= np.bincount(self.second, of_games, self.players + 2)
        sums[-2] = of_games.sum()
        return sums

    def compute_variances(self, covariance: Array) -> Array:
        """Return the variance of d in each game."""
        rows = covariance[self.first] - covariance[self.second] + covariance[-2]
        games = np.arange(len(rows))
        between: Array = rows[games, self.first] - rows[games, self.second] + rows[:, -2]
        return between

    def chances(self, at: Array, covariance: Array) -> tuple[Array, Array, Array]:
        """Return for each game the chance of a draw, and the mean and variance of x.

        All are means over d. The mean of a logistic function is its value at a smaller d (D.
        MacKay, "The evidence framework applied to classification networks", 1992).
        """
        smaller = 1 / np.sqrt(1 + pi / 8 * self.compute_variances(covariance))
        d = smaller * (at[self.first] - at[self.second] + at[-2])
        win, lose, draw = np.exp(d / 2), np.exp(-d / 2), exp(at[-1])
        total = win + lose + draw
        mean = (win - lose) / total / 2
        return draw / total, mean, smaller * ((win + lose) / total / 4 - mean**2)

    def slope(self, at: Array, covariance: Array) -> tuple[Array, Array]:
        """Return the gradient of the log-likelihood, and its negative Hessian."""
        draw, mean, variance = self.chances(at, covariance)
        gradient = self.sums(self.x - mean)
        gradient[-1] = (self.drawn - draw).sum()
        hessian = np.zeros((len(at), len(at)))
        np.add.at(hessian, (self.first, self.second), -variance)
        hessian += hessian.T
        np.fill_diagonal(hessian, np.bincount(self.first, variance, len(at)))
        hessian[np.diag_indices_from(hessian)] += np.bincount(self.second, variance, len(at))
        hessian[-2] = hessian[:, -2] = self.sums(variance)
        hessian[-1] = hessian[:, -1] = self.sums(-mean * draw)
        hessian[-1, -1] = (draw * (1 - draw)).sum()
        return gradient, hessian

    def dispersion(self, at: Array, covariance: Array) -> float:
        """Return the variance of pairs' results, as a multiple of independent games'."""
        _, mean, variance = self.chances(at, covariance)
        if not len(mean):
            return 1.0
        residuals = np.bincount(self.pair, self.sign * (self.x - mean))
        of_pair = np.bincount(self.pair, variance)
        one, two = np.empty((2, len(of_pair)), dtype=int)
        one[self.pair], two[self.pair] = self.first, self.second
        known = np.diag(covariance)
        apart = known[one] + known[two] - 2 * covariance[one, two]
        expected = (of_pair - of_pair**2 * apart).sum()  # the ratings are fitted to the results
        few = 10 * of_pair.mean()  # as if ten more pairs varied like independent games
        return float((residuals @ residuals + few) / (expected + few))


def _fit(field: _Games, dispersion: float) -> tuple[Array, Array]:
    """Return the nearest normal distribution's mean and covariance (Newton's method)."""
    prior = np.full(field.players + 2, OTHER_SPREAD**-2)
    prior[:-2] = SPREAD**-2
    at: Array = np.zeros(len(prior))
    covariance: Array = np.zeros((len(prior), len(prior)))
    for _ in range(MAX_STEPS):
        gradient, hessian = field.slope(at, covariance)
        covariance = np.linalg.inv(hessian / dispersion + np.diag(prior))
        step = covariance @ (gradient / dispersion - prior * at)
        longest = float(np.abs(step).max())
        at = at + step * min(1.0, MAX_STEP / max(longest, MIN_STEP))
        if longest < MIN_STEP:
            break
    return at, covariance


def rate(players: int, games: Sequence[RatedGame]) -> Ratings:
    """Rate players, numbered from 0 on, by all their games."""
    field = _Games(players, games)
    dispersion = max(1.0, field.dispersion(*_fit(field, 1.0)))
    mean, covariance = _fit(field, dispersion)
    centred = np.eye(players) - 1 / players  # only differences of ratings are known
    return Ratings(
        ELO * centred @ mean[:players],
        ELO**2 * centred @ covariance[:players, :players] @ centred,
        ELO * float(mean[-2]),
        exp(mean[-1]) / (2 + exp(mean[-1])),
    )
