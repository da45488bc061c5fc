"""Every provided game is named, drawn, served, judged and played."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, islice
from typing import Any
from xml.etree import ElementTree

import pytest

from autograder.author.cases.expectiminimax import solve_chance_game
from autograder.checks.ask.finding import Failed
from autograder.checks.search.search_findings import WRONG_ANSWER, check
from autograder.diagram import describe_position
from autograder.feedback import svg
from autograder.feedback.messages import put_into_words
from autograder.feedback.text_drawing import draw_lines
from autograder.selftest.support.banks import SOLUTION_FILES
from autograder.selftest.support.students import start_student
from autograder.serving.cases import SearchCase
from autograder.worker.inside.protocol import make_game
from lab import boards, match, squares, trees
from starter.games import GAMES, Game, State
from starter.players import CountingGame

# A small game of each kind, as a case names it.
SMALL: dict[str, list[Any]] = {
    "TicTacToe": [2, 3, 2],
    "ConnectFour": [2, 3, 2],
    "Othello": [4],
    "Hex": [2],
    "Nim": [[1, 2]],
    "TakeAway": [5, 2],
    "GameTree": [{"left": [3, 5, -1], "right": {"deep": [4, 0], "end": 1}}, "O"],
    "ChanceTree": [{"O": {"left": 1, "right": {"chance": [("1/3", {"X": [4, -6]}), (2 / 3, -5)]}}}],
    "Pig": [3],
}
# The numbers of ways to make 1, 2, ... moves in the sizes that the lab begins with.
LINES_OF_PLAY = {
    "tic-tac-toe": [9, 72, 504, 3_024, 15_120],
    "Gomoku": [225, 50_400],
    "Connect Four": [7, 49, 343, 2_401, 16_807],
    "Othello": [4, 12, 56, 244, 1_396, 8_200, 55_092],
    "Hex": [49, 2_352, 110_544],
    "Nim": [9, 62],
    "take-away": [3, 9, 27, 81],
    "Pig": [1, 6],
}
# Where to begin, by key, if too much follows from the initial state.
LATE = {"Othello": "..O./XXO./XXOO/X.X."}
every_game = pytest.mark.parametrize("name", list(GAMES))


def small(name: str) -> Game:
    return make_game([name, *SMALL[name]])


def start(name: str) -> State:
    game = small(name)
    return game.from_key(LATE[name]) if name in LATE else game.initial


def lines_of_play(game: Game, state: State, depth: int) -> int:
    if depth == 1:
        return len(game.actions(state))
    children = (game.result(state, move) for move in game.actions(state))
    return sum(lines_of_play(game, child, depth - 1) for child in children)


def walk(game: Game, state: State) -> Iterator[State]:
    """Yield the state and all that can follow, as often as they can be reached."""
    yield state
    for move in game.actions(state):
        yield from walk(game, game.result(state, move))


@pytest.mark.parametrize("kind", boards.CATEGORIES, ids=lambda kind: kind.name)
def test_game_has_the_known_number_of_lines_of_play(kind):
    game = kind.make_game()
    for depth, lines in enumerate(LINES_OF_PLAY[kind.name], 1):
        assert lines_of_play(game, game.initial, depth) == lines


@every_game
def test_key_names_one_state(name):
    game = small(name)
    states = list(islice(walk(game, start(name)), 300))
    for state in states:
        assert game.from_key(state.key) == state == CountingGame(game).from_key(state.key)
        assert state.key == state.key.strip()
        assert len(state.key) < 80
    for one, two in combinations(states, 2):
        assert (one == two) == (one.key == two.key)


@every_game
@pytest.mark.parametrize("key", ["nowhere", "9", "X/X/X/X/X", "9,9 X"])
def test_invalid_key_is_refused(name, key):
    with pytest.raises(ValueError, match=r"\w+"):
        small(name).from_key(key)


@every_game
def test_every_position_is_drawn_as_text_and_as_svg(name):
    game = small(name)
    for state in walk(game, start(name)):
        picture = describe_position(game, state)
        assert all(draw_lines(picture))
        assert ElementTree.fromstring(svg.draw_file(picture)).tag.endswith("svg")


@every_game
def test_solution_searches_a_game_over_the_boundary(name):
    """Without chance moves expectiminimax searches as minimax does."""
    case = solve_chance_game([name, *SMALL[name]], start(name).key)
    with start_student(SOLUTION_FILES) as student:
        student.begin(60)
        check(student, case, "expectiminimax.expectiminimax_search", absent=WRONG_ANSWER)
    assert student.log.server
    assert student.log.server.nodes[0].state.key == case.state


SAYS = b"def expectiminimax_search(game, state):\n    "
SAYS += b"raise ValueError(f'<{state.key}> <{game.outcomes(state)}> <{state}>')\n"
SAID = [*((name, start(name).key) for name in GAMES), ("ChanceTree", "right"), ("Pig", "0-0 X 2*")]


@pytest.mark.parametrize(("name", "key"), SAID)
def test_a_served_state_says_what_the_state_itself_says(name, key):
    game = small(name)
    state = game.from_key(key)
    case = SearchCase(game=[name, *SMALL[name]], state=key, value=0, best=[])
    with start_student({"expectiminimax.py": SAYS}) as student, pytest.raises(Failed) as caught:
        student.begin(60)
        student.serve("expectiminimax.expectiminimax_search", case)
    message = put_into_words(caught.value.finding).message
    assert f"<{key}> <{game.outcomes(state)}>" in message
    if state.picture()["kind"] != "tree":  # whose text would give the leaves away
        assert str(state).split()[-1] in message


@every_game
def test_game_is_played_by_clicks_or_watched_in_the_lab(name):
    game = small(name)
    if game.initial.picture()["kind"] == "tree":
        assert "<svg" in trees.render_position(game, game.initial, "X")
        return
    assert type(game) in {category.game for category in boards.CATEGORIES}
    played = match.Match(game)
    while not played.is_over:
        played = replace(played, human=str(played.state.to_move))
        board = squares.describe_board(played, {})
        moves = {square["move"] for square in board["squares"]} - {None}
        assert moves == set(map(str, game.actions(played.state)))
        played = played.play_human_move(max(moves))
    assert match.describe_match(played, "random", None) in ("You win!", "random wins.", "A draw.")
