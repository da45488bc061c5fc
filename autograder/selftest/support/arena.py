"""What a tournament's referee costs, and what load changes.

`python -m autograder.selftest.support.arena` measures it.

Plays pairs of games as a tournament does. Seconds are of computing: the machine may be busy. With
six busy processes on each core the same pairs are played again, and moves and results compared.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from collections.abc import Sequence
from unittest import mock

from autograder.checks.player import BANK, SECONDS, PlayerClient
from autograder.cohort import match
from autograder.cohort.match import TIME, Game, as_request
from autograder.questions import QUESTION_FILES, ROOT
from autograder.selftest.support.example_players import players
from autograder.selftest.support.figures import store_figures
from autograder.selftest.support.load import BUSY, busy

OPENING = [3, 3, 2, 4]
PAIRS = (  # of `example_players`: none of them looks at a clock
    ("loops", "1000 positions, centre first"),
    ("sleeps", "depth 3"),
    ("crashes", "30 playouts"),
    ("floods its output", "300 positions, edges first"),
    ("takes all memory", "100 playouts"),
    ("depth 4", "1000 positions, left to right"),
)


def pair(one: str, two: str, seed: int = 1) -> list[Game]:
    """Let two players meet, each a player.py; their other files are the solution's."""
    files = {name: (ROOT / "solution" / name).read_text() for name in QUESTION_FILES}
    request = as_request([{**files, "player.py": player} for player in (one, two)], OPENING, seed)
    return match.play_pair(json.loads(request))


def taken(one: str, two: str) -> tuple[Game, float, float]:
    """The first game of a pair, what the players' processes have computed, and the wall clock."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    games = pair(one, two)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    computed = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return games[0], computed, time.monotonic() - start


def over_the_limit(never_answers: str) -> tuple[float, float]:
    """How much longer than it may such a player computes, and holds up the game, seconds."""
    choose = "class Player:\n  def choose(self, game, state):\n    {}\n"
    illegal = choose.format("return 9")  # so its game ends at once
    with mock.patch("autograder.worker.sandbox.slowness", lambda: 1.0):
        _, computed, wall = taken(illegal, illegal)
        game, computed_with, wall_with = taken(choose.format(never_answers), illegal)
    if game.end != TIME:
        raise ValueError(f"{never_answers!r} did not lose by time, but by {game}")
    return computed_with - computed - SECONDS - BANK, wall_with - wall - SECONDS - BANK


def referees_cost() -> float:
    """What the referee computes for a move of players that answer at once, seconds."""
    moves = spent = 0.0
    play_game = match.play_game

    def watched(seats: Sequence[PlayerClient], first: int, opening: Sequence[int]) -> Game:
        nonlocal moves, spent
        before = time.process_time()
        game = play_game(seats, first, opening)
        spent += time.process_time() - before
        moves += len(game.seconds)
        return game

    known = dict(players())
    with mock.patch("autograder.cohort.match.play_game", watched):
        for _ in range(5):
            pair(known["turns about"], known["the last column"])
    return spent / moves


def results() -> list[list[tuple[list[int], float, str]]]:
    """Moves, score and end of all games."""
    known = dict(players())
    return [
        [(game.moves, game.score, game.end) for game in pair(known[one], known[two], seed)]
        for seed, (one, two) in enumerate(PAIRS)
    ]


def main() -> int:
    loops, _ = over_the_limit("while True: pass")
    _, sleeps = over_the_limit("__import__('time').sleep(1000)")
    cost = referees_cost()
    print(f"beyond its limit one that loops computes {loops:+.2f} s", flush=True)
    print(f"beyond its limit one that sleeps takes {sleeps:+.2f} s by the wall clock", flush=True)
    print(f"the referee computes {1000 * cost:.2f} ms for a move", flush=True)
    quiet = results()
    with busy():
        loaded = results()
    games = sum(map(len, quiet))
    differ = [names for names, one, other in zip(PAIRS, quiet, loaded) if one != other]
    print(f"{games} games again with {BUSY} busy processes on each core: {differ or 'the same'}")
    changed = sum(one != other for pairs in zip(quiet, loaded) for one, other in zip(*pairs))
    store_figures(
        loop_over_limit_ms=1000 * loops,
        sleep_over_limit_ms=1000 * sleeps,
        referee_us=1e6 * cost,
        games_under_load=games,
        games_changed_by_load=changed,
    )
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
