"""`class tournament`: games between the players of a graded class, and anchors.

In a small field all play against all; in a large one there are rounds by rating, and finals. The
pool that grades a class plays pairs of games. Each drawn round and each finished pair is written to
a file at once, so the same command continues an interrupted run.
"""

import ast
import hashlib
import json
from collections import defaultdict
from collections.abc import Collection, Sequence
from functools import partial
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, TypeVar

from autograder.author.progress import ProgressLine
from autograder.author.solved import read_openings
from autograder.cohort.class_folder import ClassFolder, exclusive_lock, read_question_files
from autograder.cohort.grade_one import Pool, Reply
from autograder.cohort.match import Files, PlayedGame, decode_files, make_pair_request
from autograder.cohort.pool import drain_queue, run_in_pool
from autograder.cohort.ratings import RatedGame, Ratings, rate
from autograder.cohort.rendering import make_csv, render
from autograder.feedback.report import write_atomically
from autograder.questions import ROOT

MAX_ROUND_ROBIN = 40  # players; more of them play rounds by rating
ROUNDS, FINALISTS = 10, 16
MAX_CROSSED = 24  # the best players, who are in the cross table
SEED = 1  # of openings and players; equal seeds give equal tournaments
ANCHORS = ROOT / "autograder" / "cohort" / "anchors"

Player = TypeVar("Player", str, int)
Meeting = frozenset[Player]  # of two


class GamePair(NamedTuple):
    """Two games from one opening: `one` has the first move in the first of them."""

    round: int
    number: int
    one: str
    two: str
    opening: list[int]


def play_tournament(
    directory: Path, scheduler: str | None = None, jobs: int | None = None, unconfined: bool = False
) -> int:
    """Play what is not played yet, and write the tables; return the exit status.

    The options are those of `run_in_pool`. Raises UsageError when it can't begin.
    """
    folder = ClassFolder(directory)
    with exclusive_lock(directory):
        field = Tournament(directory / "tournament", read_players(folder))
        work, private = partial(play_rounds, field), [directory / "class.json"]
        if stopped := run_in_pool(work, private, scheduler, jobs, unconfined):
            return stopped
    print(f"{len(field.names)} players, {2 * len(field.played)} games: see {field.path}/index.html")
    failed = [pair for pair in field.pairs if pair.number not in field.played]
    for pair in failed[:3]:
        error = field.failures[pair.number]
        print(f"{pair.one} against {pair.two} could not be played: {error}")
    return 3 if failed else 0


def read_players(folder: ClassFolder) -> dict[str, Files]:
    """Return the files of all written players, by pseudonym, and of the anchors."""
    unwritten = normalise_code(b""), normalise_code((ROOT / "starter" / "player.py").read_bytes())
    found = {}
    for row in folder.rows:
        files = folder.read_files(row.content)
        if normalise_code(files.get("player.py", b"")) not in unwritten:
            found["+".join(row.people)] = decode_files(files)
    solution = decode_files(read_question_files(ROOT / "solution"))
    for anchor in sorted(ANCHORS.glob("*.py")):
        text = anchor.read_text(encoding="utf-8")
        found[f"anchor: {anchor.stem}"] = {**solution, "player.py": text}
    return {**found, "anchor: deep": solution}


def normalise_code(source: bytes) -> str:
    """Return the code without comments and layout; the source if it is not Python."""
    try:
        return ast.dump(ast.parse(source))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return repr(source)


class Tournament:
    """The players of a tournament, and its pairs as far as they are drawn and played.

    With other players it is another tournament in another folder. The folder holds a file for each
    drawn round, and one for each played pair.
    """

    def __init__(self, path: Path, players: dict[str, Files]) -> None:
        self.path, self.players = path, players
        self.rounds = ROUNDS if len(players) > MAX_ROUND_ROBIN else 0  # by rating
        self.names = sorted(players)
        what = json.dumps([players, self.rounds, SEED], sort_keys=True)
        self.folder = path / "pairs" / hashlib.sha256(what.encode()).hexdigest()[:16]
        self.folder.mkdir(parents=True, exist_ok=True)
        self.pairs: list[GamePair] = []
        self.played: dict[int, list[PlayedGame]] = {}
        self.failures: dict[int, str] = {}  # of the grader in this run, by pair
        for file in sorted(self.folder.glob("round-*.json")):
            self.pairs += [GamePair(*pair) for pair in json.loads(file.read_bytes())]
        for pair in self.pairs:
            if (file := self.folder / f"{pair.number}.json").exists():
                self.played[pair.number] = parse_games(file.read_text(encoding="utf-8"))

    def list_games(self) -> list[dict[str, Any]]:
        """Return all games for games.jsonl: the fields of `PlayedGame`, with sides by name."""
        return [
            {
                "round": pair.round + 1,
                "pair": pair.number,
                **game._asdict(),
                "first": (pair.one, pair.two)[game.first],
                "second": (pair.two, pair.one)[game.first],
                "opening": pair.opening,
            }
            for pair in self.pairs
            for game in self.played.get(pair.number, [])
        ]

    def rate_players(self) -> Ratings:
        number = {name: place for place, name in enumerate(self.names)}
        games = [
            RatedGame(number[game["first"]], number[game["second"]], game["score"])
            for game in self.list_games()
        ]
        return rate(len(self.names), games)

    def draw_round(self) -> list[GamePair]:
        """Return the pairs to play now, drawn if need be; [] when all is over."""
        ended = {*self.played, *self.failures}
        if waiting := [pair for pair in self.pairs if pair.number not in ended]:
            return waiting
        number = self.pairs[-1].round + 1 if self.pairs else 0
        if number > self.rounds:
            return []
        elo = dict(zip(self.names, self.rate_players().elo))
        rng = Random(f"{SEED}/{number}")
        ranked = sorted(elo, key=lambda name: (-elo[name], rng.random()))
        if not self.rounds:
            meetings = pair_everybody(ranked)
        elif number == self.rounds:
            meetings = pair_everybody(ranked[:FINALISTS])
        else:
            met = {frozenset((pair.one, pair.two)) for pair in self.pairs}
            meetings = pair_by_rating(ranked, met)
        pairs = []
        for place, meeting in enumerate(meetings, len(self.pairs)):
            one, two = rng.sample(sorted(meeting), 2)
            pairs.append(GamePair(number, place, one, two, list(rng.choice(read_openings()))))
        write_atomically(self.folder / f"round-{number:03}.json", json.dumps(pairs))
        self.pairs += pairs
        return pairs


def pair_everybody(players: Sequence[Player]) -> list[Meeting[Player]]:
    """Pair each player with each other one, once."""
    return [frozenset(two) for two in combinations(players, 2)]


def pair_by_rating(
    ranked: Sequence[Player], met: Collection[Meeting[Player]]
) -> list[Meeting[Player]]:
    """Pair each player with the nearest in rank whom it has not met yet.

    ranked: the players, from the best down; if their number is odd, the last one has to wait

    Players without a new opponent meet each other again, from another opening.
    """
    left = list(ranked[: len(ranked) // 2 * 2])
    meetings: list[Meeting[Player]] = []
    again: list[Player] = []
    while left:
        better = left.pop(0)
        other = next((one for one in left if {better, one} not in met), None)
        if other is None:
            again.append(better)
        else:
            left.remove(other)
            meetings.append(frozenset((better, other)))
    return meetings + [frozenset(two) for two in zip(again[::2], again[1::2])]


def parse_games(text: str) -> list[PlayedGame]:
    return [PlayedGame(*game) for game in json.loads(text)]


def play_rounds(field: Tournament, pool: Pool) -> None:
    """Play all rounds; write the tables before and after each. Raises PoolGone."""

    def request(pair: GamePair) -> str:
        sides = [field.players[pair.one], field.players[pair.two]]
        return make_pair_request(sides, pair.opening, SEED + pair.number)

    def store(pair: GamePair, reply: Reply) -> None:
        if reply.error:
            field.failures[pair.number] = reply.error
        else:
            write_atomically(field.folder / f"{pair.number}.json", reply.files["games"])
            field.played[pair.number] = parse_games(reply.files["games"])
        bar.update()

    write_tables(field)
    for pairs in iter(field.draw_round, []):
        with ProgressLine(len(pairs), f"round {pairs[0].round + 1}, played: {{}} pairs") as bar:
            drain_queue(pool, pairs, request, store, bar)
        write_tables(field)


def write_tables(field: Tournament) -> None:
    """Write games.jsonl, leaderboard.csv, and the page with ratings and all games."""
    games, ratings = field.list_games(), field.rate_players()
    met: dict[tuple[str, str], list[float]] = defaultdict(list)  # the points of the first name
    for game in games:
        met[game["first"], game["second"]].append(game["score"])
        met[game["second"], game["first"]].append(1 - game["score"])
    standings: list[dict[str, Any]] = []  # with limits of the rating, and of the place
    for name, elo, error, band in zip(field.names, ratings.elo, ratings.errors, ratings.bands):
        points = [point for other in field.names for point in met.get((name, other), [])]
        rating = {"rating": elo, "from": elo - error, "to": elo + error}
        places = dict(zip(("best", "worst"), band))
        played = {"games": len(points), "points": sum(points)}
        standings.append({"player": name, **rating, **places, **played})
    standings.sort(key=lambda one: -one["rating"])
    crossed = [one["player"] for one in standings[:MAX_CROSSED]]
    page = render(
        "tournament.html",
        standings=standings,
        ratings=ratings,
        crossed=[(one, [met.get((one, other), []) for other in crossed]) for one in crossed],
        games=games,
    )
    write_atomically(field.path / "games.jsonl", "".join(f"{json.dumps(game)}\n" for game in games))
    rows: list[list[object]] = [["place", *standings[0]]]
    for place, one in enumerate(standings, 1):
        rounded = {name: round(one[name]) for name in ("rating", "from", "to")}
        rows.append([place, *{**one, **rounded}.values()])
    write_atomically(field.path / "leaderboard.csv", make_csv(rows))
    write_atomically(field.path / "index.html", page)
