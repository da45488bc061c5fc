"""Ratings from games: Bradley and Terry's model with draws and the advantage of the first move.

A game between two players is won by the first, drawn, or lost with chances in the ratio

    exp(d / 2) : exp(t) : exp(-d / 2),   d = rating of the first - rating of the second + advantage

(R. Davidson, "On extending the Bradley-Terry model to accommodate ties", 1970; with R. Beaver, "On
extending the Bradley-Terry model to incorporate within-pair order effects", 1977). The ratings are
the means of the normal distribution that is nearest to the posterior (J. Ormerod and M. Wand,
"Gaussian variational approximate inference for generalized linear mixed models", 2012): its top
alone would draw a field together that has played few games. The prior is normal, with the spread
that fields of students have, so that one who has lost all games has a rating too. It is not
estimated from the games: pairs by rating are pairs of equals, which tell little about it.

Games come in pairs from one opening, and two games of a pair are no independent evidence: the
evidence is scaled down where the results of pairs vary more than those of independent games would.
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
LOOSE = 2.0  # likewise of the advantage, and of t
STEPS = 50  # of Newton's method, at most
FAR = 3.0  # the length of a step, at most
CLOSE = 1e-4  # after a step that is shorter there is no other


class Played(NamedTuple):
    """A game: its players by number, what the first got (1, 0.5 or 0), the number of its pair."""

    first: int
    second: int
    score: float
    pair: int


@dataclass(frozen=True)
class Ratings:
    """Ratings in Elo points; the mean of the field is 0.

    elo:        by the players' numbers
    covariance: how uncertain they are, together
    advantage:  what the first move is worth, in Elo points
    draws:      the share of draws between equals
    """

    elo: Array
    covariance: Array
    advantage: float
    draws: float

    @property
    def errors(self) -> Array:
        """On either side of each rating, for 95 % confidence."""
        return WIDTH * np.sqrt(np.diag(self.covariance))

    @property
    def bands(self) -> list[tuple[int, int]]:
        """The best and the worst rank that each player may have, with 95 % confidence about each
        other player."""
        variance = np.diag(self.covariance)
        apart = variance[:, None] + variance[None, :] - 2 * self.covariance
        beyond = WIDTH * np.sqrt(np.maximum(apart, 0))
        lead = self.elo[:, None] - self.elo[None, :]  # of the row's player over the column's
        above, below = (lead < -beyond).sum(axis=1), (lead > beyond).sum(axis=1)
        return [(int(a) + 1, len(lead) - int(b)) for a, b in zip(above, below)]


class _Games:
    """The games as arrays, and what the model predicts for them."""

    def __init__(self, players: int, games: Sequence[Played]) -> None:
        self.players = players
        self.first = np.array([game.first for game in games], dtype=int)
        self.second = np.array([game.second for game in games], dtype=int)
        scores = np.array([game.score for game in games], dtype=float)
        self.x, self.drawn = scores - 0.5, (scores == 0.5).astype(float)
        _, self.pair = np.unique([game.pair for game in games], return_inverse=True)
        # A pair's result is seen from the player with the smaller number.
        self.sign = np.where(self.first < self.second, 1.0, -1.0)

    def sums(self, of_games: Array) -> Array:
        """Add up for each parameter but t what its games say, the second player's reversed."""
        sums: Array = np.bincount(self.first, of_games, self.players + 2).astype(float)
        sums -= np.bincount(self.second, of_games, self.players + 2)
        sums[-2] = of_games.sum()
        return sums

    def apart(self, covariance: Array) -> Array:
        """The variance of d in each game."""
        rows = covariance[self.first] - covariance[self.second] + covariance[-2]
        games = np.arange(len(rows))
        between: Array = rows[games, self.first] - rows[games, self.second] + rows[:, -2]
        return between

    def chances(self, at: Array, covariance: Array) -> tuple[Array, Array, Array]:
        """For each game the chance of a draw, and the mean and variance of x.

        All are means over d: of a logistic function its value at a smaller d (D. MacKay, "The
        evidence framework applied to classification networks", 1992).
        """
        smaller = 1 / np.sqrt(1 + pi / 8 * self.apart(covariance))
        d = smaller * (at[self.first] - at[self.second] + at[-2])
        win, lose, draw = np.exp(d / 2), np.exp(-d / 2), exp(at[-1])
        total = win + lose + draw
        mean = (win - lose) / total / 2
        return draw / total, mean, smaller * ((win + lose) / total / 4 - mean**2)

    def slope(self, at: Array, covariance: Array) -> tuple[Array, Array]:
        """The gradient of the log-likelihood, and its negative Hessian."""
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
        """How much the results of pairs vary, as a multiple of what independent games would."""
        _, mean, variance = self.chances(at, covariance)
        if not len(mean):
            return 1.0
        residuals = np.bincount(self.pair, self.sign * (self.x - mean))
        of_pair = np.bincount(self.pair, variance)
        one, two = np.empty((2, len(of_pair)), dtype=int)
        one[self.pair], two[self.pair] = self.first, self.second
        known = np.diag(covariance)
        apart = known[one] + known[two] - 2 * covariance[one, two]
        expected = (of_pair - of_pair**2 * apart).sum()  # the ratings follow the results
        few = 10 * of_pair.mean()  # so many pairs are taken to vary as independent games do
        return float((residuals @ residuals + few) / (expected + few))


def _fit(field: _Games, dispersion: float) -> tuple[Array, Array]:
    """Return mean and covariance of the nearest normal distribution, found by Newton's method."""
    prior = np.full(field.players + 2, LOOSE**-2)
    prior[:-2] = SPREAD**-2
    at: Array = np.zeros(len(prior))
    covariance: Array = np.zeros((len(prior), len(prior)))
    for _ in range(STEPS):
        gradient, hessian = field.slope(at, covariance)
        covariance = np.linalg.inv(hessian / dispersion + np.diag(prior))
        step = covariance @ (gradient / dispersion - prior * at)
        longest = float(np.abs(step).max())
        at = at + step * min(1.0, FAR / max(longest, CLOSE))
        if longest < CLOSE:
            break
    return at, covariance


def rate(players: int, games: Sequence[Played]) -> Ratings:
    """Rate players with numbers from 0 on, by all their games."""
    field = _Games(players, games)
    dispersion = max(1.0, field.dispersion(*_fit(field, 1.0)))
    mean, covariance = _fit(field, dispersion)
    centred = np.eye(players) - 1 / players  # only differences are known
    return Ratings(
        ELO * centred @ mean[:players],
        ELO**2 * centred @ covariance[:players, :players] @ centred,
        ELO * float(mean[-2]),
        exp(mean[-1]) / (2 + exp(mean[-1])),
    )
