"""`class tournament`: the players of a graded class, and anchors, against each other.

All against all in a small field, otherwise rounds by rating and finals (`pairing.py`). Pairs of
games are played by the pool that grades a class, and every pair that is finished stands in the
class's ledger at once: what ends a tournament, the next run goes on from there.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import sqlite3
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from tqdm import tqdm

from autograder.author.solved import openings
from autograder.cohort.blunders import lost_value, solver
from autograder.cohort.grade_one import Graded
from autograder.cohort.grading import RETRIES, alone_in, pool_at, work_off
from autograder.cohort.ledger import Ledger
from autograder.cohort.match import Files, GameOf, as_text, as_told
from autograder.cohort.matchmaking import ALL_AGAINST_ALL, FINALISTS, ROUNDS, by_rating, round_robin
from autograder.cohort.pool import Pool, PoolGone
from autograder.cohort.ratings import Played, Ratings, rate
from autograder.errors import UsageError
from autograder.feedback.report import write_whole
from autograder.grading.grade import ended_by_signal
from autograder.questions import QUESTION_FILES, ROOT

SEED = 1  # of openings and players; the same one gives the same tournament
ANCHORS = ROOT / "autograder" / "cohort" / "anchors"
TABLE = """
CREATE TABLE IF NOT EXISTS pair (tournament TEXT, round INTEGER, number INTEGER, one TEXT, two TEXT,
    opening TEXT, games TEXT, tries INTEGER DEFAULT 0, trouble TEXT DEFAULT '',
    PRIMARY KEY (tournament, number));
"""


class Pair(NamedTuple):
    """Two games from one opening: `one` has the first move in the first of them.

    games: once they are played
    tries: how often the grader failed to play it, and its trouble
    """

    round: int
    number: int
    one: str
    two: str
    opening: list[int]
    games: list[GameOf]
    tries: int = 0
    trouble: str = ""


def tournament(
    directory: Path,
    rounds: int | None = None,
    jobs: int | None = None,
    scheduler: str | None = None,
    unconfined: bool = False,
) -> int:
    """Play what is not played yet, and write the tables; return the exit status.

    unconfined: also where student code could read what other students have submitted

    Raises UsageError when it can't begin.
    """
    if rounds is not None and rounds < 1:
        raise UsageError(f"{rounds} rounds are no tournament: give --rounds a number from 1 on")
    with Ledger(directory) as ledger, alone_in(directory):
        field = Field(ledger, players_of(ledger), rounds or ROUNDS)
        try:
            private = [] if unconfined else [directory / "ledger.sqlite"]
            with ended_by_signal(), pool_at(scheduler, jobs, private) as pool:
                for pairs in iter(field.next_round, []):
                    play(field, pairs, pool)
                    written(field)
        except (PoolGone, OSError, sqlite3.Error) as problem:  # a full disk, for one
            print(f"{problem}; what is played is kept: the same command goes on", file=sys.stderr)
            return 3
        except KeyboardInterrupt:
            print("stopped; what is played is kept, and the same command goes on")
            return 130
        folder, pairs = written(field), field.pairs()
    failed = [pair for pair in pairs if not pair.games]
    games = 2 * (len(pairs) - len(failed))
    print(f"{len(field.names)} players, {games} games: see {folder}/index.html")
    for pair in failed[:3]:
        print(f"{pair.one} against {pair.two} could not be played: {pair.trouble}")
    return 3 if failed else 0


def players_of(ledger: Ledger) -> dict[str, Files]:
    """The files of everybody who has handed in a player, by pseudonym, and those of the anchors."""
    labels = ledger.labels()
    found = {}
    for row in ledger.submissions():
        folder = ledger.files(row.id)
        if (folder / "player.py").is_file():
            found[labels[row.id].replace(" + ", "+")] = read(folder)
    solution = read(ROOT / "solution")
    for anchor in sorted(ANCHORS.glob("*.py")):
        text = anchor.read_text(encoding="utf-8")
        found[f"anchor: {anchor.stem}"] = {**solution, "player.py": text}
    return {**found, "anchor: deep": solution}


def read(folder: Path) -> Files:
    paths = (folder / name for name in QUESTION_FILES)
    return as_text({path.name: path.read_bytes() for path in paths if path.is_file()})


class Field:
    """The players of a tournament, and its pairs as they stand in the ledger."""

    def __init__(self, ledger: Ledger, players: dict[str, Files], rounds: int) -> None:
        self.ledger, self.players = ledger, players
        self.rounds = rounds if len(players) > ALL_AGAINST_ALL else 0  # by rating
        self.names = sorted(players)
        self.numbers = {name: number for number, name in enumerate(self.names)}
        what = json.dumps([players, self.rounds, SEED], sort_keys=True)
        self.mark = hashlib.sha256(what.encode()).hexdigest()[:16]  # other players: another one
        ledger.connection.executescript(TABLE)

    def pairs(self) -> list[Pair]:
        """All pairs so far, by number."""
        rows = self.ledger.connection.execute(
            "SELECT round, number, one, two, opening, games, tries, trouble FROM pair "
            "WHERE tournament=? ORDER BY number",
            [self.mark],
        )
        return [
            Pair(number, i, one, two, json.loads(opening), as_games(games), tries, trouble)
            for number, i, one, two, opening, games, tries, trouble in rows
        ]

    def ratings(self) -> Ratings:
        return rate(len(self.names), [game for pair in self.pairs() for game in self.results(pair)])

    def results(self, pair: Pair) -> list[Played]:
        sides = self.numbers[pair.one], self.numbers[pair.two]
        return [
            Played(sides[game.first], sides[1 - game.first], game.score, pair.number)
            for game in pair.games
        ]

    def next_round(self) -> list[Pair]:
        """The pairs that are to be played now, drawn if need be; none when all is over."""
        pairs = self.pairs()
        waiting = [pair for pair in pairs if not pair.games and pair.tries <= RETRIES]
        if waiting:
            return waiting
        number = pairs[-1].round + 1 if pairs else 0
        if number > self.rounds:
            return []
        elo = self.ratings().elo
        rng = Random(f"{SEED}/{number}")
        ranked = sorted(range(len(elo)), key=lambda i: (-elo[i], rng.random()))
        if not self.rounds:
            meetings = round_robin(ranked)
        elif number == self.rounds:
            meetings = round_robin(ranked[:FINALISTS])
        else:
            met = {frozenset((self.numbers[p.one], self.numbers[p.two])) for p in pairs}
            meetings = by_rating(ranked, met)
        self.draw(number, [sorted(meeting, key=lambda _: rng.random()) for meeting in meetings])
        return self.next_round()

    def draw(self, number: int, meetings: Sequence[Sequence[int]]) -> None:
        """Write down the pairs of a round, in one step, with an opening for each."""
        rng = Random(f"{SEED}/{number}/openings")
        begun = len(self.pairs())
        rows = [
            (self.mark, number, begun + i, *(self.names[side] for side in sides), opening, "[]")
            for i, sides in enumerate(meetings)
            for opening in [json.dumps(rng.choice(openings()))]
        ]
        connection = self.ledger.connection
        with connection:
            connection.execute("BEGIN")
            connection.executemany(
                "INSERT INTO pair (tournament, round, number, one, two, opening, games) "
                "VALUES (?, ?, ?, ?, ?, ?, ?)",
                rows,
            )

    def keep(self, pair: Pair, graded: Graded) -> bool:
        """Keep what came of a pair; return False if it is to be tried again."""
        games = graded.files.get("games", "[]")
        self.ledger.connection.execute(
            "UPDATE pair SET games=?, tries=?, trouble=? WHERE tournament=? AND number=?",
            [games, pair.tries + 1, graded.trouble, self.mark, pair.number],
        )
        return not graded.trouble or pair.tries + 1 > RETRIES


def as_games(text: str) -> list[GameOf]:
    return [GameOf(*game) for game in json.loads(text)]


def play(field: Field, pairs: Sequence[Pair], pool: Pool) -> None:
    """Play these pairs, as many at a time as the pool can. Raises PoolGone."""

    def told(pair: Pair) -> str:
        sides = [field.players[pair.one], field.players[pair.two]]
        return as_told(sides, pair.opening, SEED + pair.number)

    def keep(pair: Pair, graded: Graded) -> Pair | None:
        if not field.keep(pair, graded):
            return pair._replace(tries=pair.tries + 1)
        bar.update()
        return None

    name = f"round {pairs[0].round + 1}"
    with tqdm(total=len(pairs), desc=name, unit="pair", disable=None, dynamic_ncols=True) as bar:
        work_off(pool, pairs, told, keep, bar)


# --- what is written ------------------------------------------------------------------------------


def written(field: Field) -> Path:
    """Write games.jsonl, leaderboard.csv and the pages; return their folder."""
    from autograder.cohort.tournament_page import Standing, page

    folder = field.ledger.folder / "tournament"
    (folder / "students").mkdir(parents=True, exist_ok=True)
    games = [row for pair in field.pairs() for row in rows_of(pair)]
    write_whole(folder / "games.jsonl", "".join(f"{json.dumps(row)}\n" for row in games))
    ratings = field.ratings()
    standings = [
        Standing(
            name,
            float(ratings.elo[i]),
            float(ratings.errors[i]),
            ratings.bands[i],
            sum(name in (row["first"], row["second"]) for row in games),
            sum(score_of(row, name) for row in games),
        )
        for i, name in enumerate(field.names)
    ]
    standings.sort(key=lambda standing: -standing.elo)
    if value := solver():
        games = [{**row, "lost": lost_value(row, value)} for row in games]
    write_whole(folder / "leaderboard.csv", leaderboard(standings))
    write_whole(folder / "index.html", page(standings, games, ratings))
    for old in (folder / "students").glob("*.html"):
        if old.stem not in field.numbers:
            old.unlink()
    for standing in standings:
        if not standing.name.startswith("anchor"):
            own = page(standings, games, ratings, standing.name)
            write_whole(folder / "students" / f"{standing.name}.html", own)
    return folder


def rows_of(pair: Pair) -> list[dict[str, Any]]:
    """The games of a pair as they are written: sides by name, then what `GameOf` holds."""
    names = pair.one, pair.two
    return [
        {
            "round": pair.round + 1,
            "pair": pair.number,
            "first": names[game.first],
            "second": names[1 - game.first],
            "opening": pair.opening,
            "moves": game.moves,
            "seconds": game.seconds,
            "score": game.score,
            "end": game.end,
            "told": game.told,
        }
        for game in pair.games
    ]


def score_of(row: dict[str, Any], name: str) -> float:
    """What a player got out of a game, 0 in one that it has not played."""
    if name == row["first"]:
        return float(row["score"])
    return 1 - float(row["score"]) if name == row["second"] else 0.0


def leaderboard(standings: Sequence[Any]) -> str:
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(["place", "player", "rating", "from", "to", "best", "worst", "games", "points"])
    for place, one in enumerate(standings, 1):
        low, high = one.elo - one.error, one.elo + one.error
        numbers = [round(one.elo), round(low), round(high), *one.band, one.games, one.points]
        table.writerow([place, one.name, *numbers])
    return text.getvalue()
