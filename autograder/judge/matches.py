"""Matches: the grader holds the board and asks for one move at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import cycle, pairwise
from random import Random

from autograder.cases import Case, Cases, GamesCase, MatchCase
from autograder.chance import SequentialTest
from autograder.draw import Board, show, squares_of
from autograder.judge.alphabeta import Values, tic_tac_toe_values
from autograder.student import Student, Wrong
from starter.games import Game, State, other


def play(
    game: Game,
    state: State,
    players: dict[str, Callable[[State], int]],
) -> list[State]:
    """Play from `state` to the end; return all positions. Players give the index of their move."""
    states = [state]
    while not game.is_terminal(state):
        index = players[state.to_move](state)
        state = game.result(state, game.actions(state)[index])
        states.append(state)
    return states


def mover(
    student: Student,
    function: str,
    game_spec: list,
    options: Callable[[], dict] = dict,
) -> Callable[[State], int]:
    """Return a player that lets the student's `function` choose the move."""

    def choose(state: State) -> int:
        (answer,) = student.search(function, game_spec, [state.key], **options())
        if answer.index is None:
            raise Wrong(
                "no-move",
                "no move was chosen although the game goes on",
                expected="a legal move",
                got="None",
                pictures=[Board(state)],
            )
        return answer.index

    return choose


def expect_rate(
    student: Student, test: SequentialTest, games: Iterable[bool], otherwise: Wrong
) -> None:
    """The rate of successes speaks for a sound search; `otherwise` is what is wrong if not."""
    sound, words = test.run(games)
    if not sound:
        otherwise.got, otherwise.pictures = words, student.shown
        raise otherwise
    student.remarks.append(words)


def random_mover(game: Game, rng: Random) -> Callable[[State], int]:
    return lambda state: rng.randrange(len(game.actions(state)))


def perfect_mover(cases: Cases, rng: Random) -> Callable[[State], int]:
    """Perfect play on the 3x3 board, at random among the best moves."""
    table = cases.perfect_play()
    return lambda state: rng.choice(table[state.key][1])


def opening(game: Game, rng: Random, plies: int) -> State:
    """Return an undecided position after so many random moves."""
    while True:
        state = game.initial
        for _ in range(plies):
            if not game.is_terminal(state):
                move = rng.choice(game.actions(state))
                state = game.result(state, move)
        if not game.is_terminal(state):
            return state


def quiet_opening(game: Game, rng: Random, plies: int) -> State:
    """The same, and nobody can win with the next move."""
    while True:
        state = opening(game, rng, plies)
        after = (game.result(state, move) for move in game.actions(state))
        if all(game.utility(child, state.to_move) < 1 for child in after):
            return state


def expect_draw(student: Student, function: str, case: Case) -> None:
    """The search draws against itself from the case's position."""
    game = case.make_game()
    player = mover(student, function, case.game)
    states = play(game, case.make_state(), {"X": player, "O": player})
    if game.utility(states[-1], "X") != 0:
        raise Wrong(
            "self-play/not-drawn",
            "the game against itself was not a draw",
            expected="a draw: with perfect play nobody wins",
            got=str(states[-1]).splitlines()[-1],
            pictures=[Board(states[-1], "how it ended:")],
        )


def expect_worth_kept(student: Student, function: str, case: GamesCase, rng: Random) -> None:
    """Against random moves, from positions that are not lost, nothing is ever given away.

    No move of the search makes its position worth less. So it never loses, and it wins whatever is
    won for it at the beginning or by the opponent's mistake, as every right player does.
    """
    game = case.make_game()
    for i in range(case.games):
        side = "XO"[i % 2]
        worth = tic_tac_toe_values(student.cases, side)
        state = opening(game, rng, case.plies)
        while worth(state) < 0:
            state = opening(game, rng, case.plies)
        players = {
            side: mover(student, function, case.game),
            other(side): random_mover(game, rng),
        }
        states = play(game, state, players)
        for before, after in pairwise(states):
            if before.to_move == side and worth(after) < worth(before):
                raise given_away(game, before, after, worth, states[-1])


def given_away(game: Game, before: State, after: State, worth: Values, end: State) -> Wrong:
    """Show the move that made a position worth less for who made it."""
    names = {1: "won", 0: "drawn", -1: "lost"}
    actions = {game.result(before, move): move for move in game.actions(before)}
    kept = [move for child, move in actions.items() if worth(child) == worth(before)]
    squares = squares_of(game, before, actions[after])
    return Wrong(
        "given-away",
        f"a {names[int(worth(before))]} position was given away against a random player",
        expected=" or ".join(map(show, kept)),
        got=f"{show(actions[after])}: now it is {names[int(worth(after))]}",
        where=[f"{before.to_move} is your search"],
        pictures=[Board(before, "the position:", bad=squares), Board(end, "how it ended:")],
    )


def outcome(student: Student, game: Game, states: list[State], side: str) -> float:
    """Return what the student's side got out of a game; keep one to be shown, best a lost one."""
    utility = game.utility(states[-1], side)
    if utility < 0 or not student.shown:
        student.shown = [Board(states[-1], f"one of the games, your search was {side}:")]
    return utility


def games_against_random(student: Student, case: MatchCase, rng: Random) -> Iterator[float]:
    """Yield for each game what the student's search got out of it; sides alternate.

    The games begin after random moves: from the empty board, to do always the same wins too often.
    """
    game = case.make_game()
    for side in cycle("XO"):
        players = {
            side: mover(student, case.function, case.game, options_of(case, rng)),
            other(side): random_mover(game, rng),
        }
        state = quiet_opening(game, rng, case.plies)
        yield outcome(student, game, play(game, state, players), side)


def games_against_perfect_play(student: Student, case: MatchCase, rng: Random) -> Iterator[float]:
    """Yield for each game what the student's search, as O, got out of it."""
    game = case.make_game()
    while True:
        players = {
            "X": perfect_mover(student.cases, rng),
            "O": mover(student, case.function, case.game, options_of(case, rng)),
        }
        yield outcome(student, game, play(game, game.initial, players), "O")


def games_against_itself_without_h(
    student: Student, case: MatchCase, rng: Random
) -> Iterator[bool]:
    """Yield for each decided game from a random opening whether the side with the heuristic won.

    Opening and side are drawn anew for each game, so the games are independent of each other.
    """
    game = case.make_game()
    with_h, without = ({**case.options, "h": {"h": kind}} for kind in ("own", "zero"))
    drawn = 0
    while True:
        side = rng.choice("XO")
        players = {
            side: mover(student, case.function, case.game, lambda: with_h),
            other(side): mover(student, case.function, case.game, lambda: without),
        }
        states = play(game, opening(game, rng, case.plies), players)
        utility = outcome(student, game, states, side)
        drawn = 0 if utility else drawn + 1
        if utility or drawn == 4:  # a row of draws speaks against the heuristic
            drawn = 0
            yield utility > 0


def options_of(case: MatchCase, rng: Random) -> Callable[[], dict]:
    """The case's options; every search with an rng of its own."""
    if "playouts" not in case.options:
        return lambda: case.options
    return lambda: {**case.options, "rng": {"rng": rng.randrange(1 << 30)}}
