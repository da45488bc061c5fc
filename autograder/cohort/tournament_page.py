"""The page of a tournament: ratings, cross table, openings, and every game to be replayed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from statistics import mean
from typing import Any, NamedTuple

from autograder.cohort.html import render
from autograder.cohort.ratings import Ratings

MAX_CROSSED = 24  # players in the cross table, the best
ABOVE = 3  # players that a student sees above their own
Row = dict[str, Any]  # a game, as games.jsonl has it; "lost": by `lost_value`, if at hand


class Standing(NamedTuple):
    """One player: its rating, the error on either side, its ranks, how many games and points."""

    name: str
    elo: float
    error: float
    band: tuple[int, int]
    games: int
    points: float


def page(
    standings: Sequence[Standing], games: Sequence[Row], ratings: Ratings, own: str = ""
) -> str:
    """Return the whole page, or that of one player: its place, those above, and its own games."""
    shown = list(enumerate(standings, 1))
    if own:
        place = next(i for i, standing in shown if standing.name == own)
        shown = shown[max(0, place - 1 - ABOVE) : place]
        games = [game for game in games if own in (game["first"], game["second"])]
    low = min(one.elo - one.error for one in standings)
    return render(
        "tournament.html",
        shown=shown,
        own=own,
        low=low,
        span=max(one.elo + one.error for one in standings) - low or 1,
        ratings=ratings,
        crossed=cross_table(standings[:MAX_CROSSED], games),
        openings=openings_table(games),
        games=games,
        solved=all("lost" in game for game in games),
    )


def cross_table(
    best: Sequence[Standing], games: Sequence[Row]
) -> list[tuple[str, list[list[float]]]]:
    """Return, for each of the best, the points of each game against each other of them."""
    met: dict[tuple[str, str], list[float]] = defaultdict(list)
    for game in games:
        met[game["first"], game["second"]].append(game["score"])
        met[game["second"], game["first"]].append(1 - game["score"])
    return [(one.name, [met.get((one.name, other.name), []) for other in best]) for one in best]


def openings_table(games: Sequence[Row]) -> list[tuple[str, int, float]]:
    """Return for each opening how often it was played, and the mean points of the first player."""
    scores: dict[str, list[float]] = defaultdict(list)
    for game in games:
        scores["".join(map(str, game["opening"]))].append(game["score"])
    frequent = sorted(scores.items(), key=lambda entry: (-len(entry[1]), entry[0]))
    return [(opening, len(found), mean(found)) for opening, found in frequent]
