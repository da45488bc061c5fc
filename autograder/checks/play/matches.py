"""Play matches: the grader holds the board and asks for one move at a time."""

from collections.abc import Callable, Iterable, Iterator
from itertools import cycle
from random import Random
from typing import Any

from autograder.checks.ask.finding import make_failure
from autograder.checks.ask.student import Student
from autograder.checks.play.sequential_test import SequentialTest
from autograder.diagram import Board
from autograder.serving.case import Case
from autograder.serving.cases import MatchCase
from starter.games import Game, State, other

MAX_OPENINGS = 1_000  # random openings that are tried until one is undecided


def play(game: Game, state: State, players: dict[str, Callable[[State], int]]) -> list[State]:
    """Play to the end; return all positions. Players return the index of a move."""
    states = [state]
    while not game.is_terminal(state):
        index = players[state.to_move](state)
        state = game.result(state, game.actions(state)[index])
        states.append(state)
    return states


def make_mover(
    student: Student,
    function: str,
    game_spec: list[Any],
    options: Callable[[], dict[str, Any]] = dict,
) -> Callable[[State], int]:
    """Return a player that lets the student's `function` choose the move."""

    def choose(state: State) -> int:
        (answer,) = student.search(function, game_spec, [state.key], **options())
        if answer.index is None:
            raise make_failure("no-move", diagrams=[Board(state)])
        return answer.index

    return choose


def expect_rate(
    student: Student, test: SequentialTest, games: Iterable[bool], code: str, **more: Any
) -> None:
    """Check that the success rate is sound; `code` and `more` are the finding's."""
    sound, words = test.run(games)
    if not sound:
        facts = {"rate": words, "sound": f"{test.sound:.0%}"}
        raise make_failure(code, facts, diagrams=student.log.sample_games, **more)
    student.log.notes.append(words)


def make_random_mover(game: Game, rng: Random) -> Callable[[State], int]:
    return lambda state: rng.randrange(len(game.actions(state)))


def find_winning_moves(game: Game, state: State) -> list[int]:
    """Return the moves that win at once for the player to move."""
    return [
        i
        for i, move in enumerate(game.actions(state))
        if game.utility(game.result(state, move), state.to_move) == 1
    ]


def draw_opening(game: Game, rng: Random, plies: int, quiet: bool = False) -> Any:
    """Return an undecided position after `plies` random moves.

    quiet: one in which the player to move can't win at once

    Raises ValueError if none is found.
    """
    for _ in range(MAX_OPENINGS):
        state = game.initial
        for _ in range(plies):
            if not game.is_terminal(state):
                move = rng.choice(game.actions(state))
                state = game.result(state, move)
        if not game.is_terminal(state) and not (quiet and find_winning_moves(game, state)):
            return state
    end = "plies, or one more" if quiet else "plies"
    raise ValueError(f"every game of {game!r} is over after {plies} {end}")


def expect_draw(student: Student, function: str, case: Case) -> None:
    """Check that the search draws against itself from the case's position."""
    game = case.make_game()
    player = make_mover(student, function, case.game)
    states = play(game, case.make_state(), {"X": player, "O": player})
    if game.utility(states[-1], "X") != 0:
        result = str(states[-1]).splitlines()[-1]
        drawn = Board(states[-1], "how it ended:")
        raise make_failure("self-play/not-drawn", {"result": result}, diagrams=[drawn])


def record_outcome(student: Student, game: Game, states: list[State], side: str) -> float:
    """Return the student's utility; store a sample game, a lost one if there is any."""
    utility = game.utility(states[-1], side)
    if utility < 0 or not student.log.sample_games:
        student.log.sample_games = [
            Board(states[-1], f"one of the games, your code played {side}:")
        ]
    return utility


def play_random_player(student: Student, case: MatchCase) -> Iterator[float]:
    """Yield the utility of each game for the student's search; sides alternate.

    Games start after random moves: from the empty board even a player that always plays the same
    moves wins too often.
    """
    game, options, rng = case.make_game(), make_options(case), Random(case.seed)
    for side in cycle("XO"):
        players = {
            side: make_mover(student, case.function, case.game, options),
            other(side): make_random_mover(game, rng),
        }
        state = draw_opening(game, rng, case.plies, quiet=True)
        yield record_outcome(student, game, play(game, state, players), side)


def make_options(case: MatchCase) -> Callable[[], dict[str, Any]]:
    """Return a function for the case's options, with a new rng for each search."""
    if "playouts" not in case.options:
        return lambda: case.options
    rng = Random(derive_public_seed(case.seed))
    return lambda: {**case.options, "rng": {"rng": rng.randrange(1 << 30)}}


def derive_public_seed(seed: int) -> int:
    """Return the student code's seed, which does not reveal the opponent's moves."""
    return Random(f"told/{seed}").randrange(1 << 30)
