"""The provided games: naive rules, illegal moves, and invalid input."""

import doctest
import pickle
import re
from collections.abc import Iterator
from fractions import Fraction
from functools import reduce
from math import inf
from operator import xor
from random import Random
from typing import Any

import numpy as np
import pytest
import scipy

import starter.games
import starter.players
from solution.alphabeta import alphabeta_search
from starter.games import (
    FIGURE_5_2,
    BoardState,
    ChanceTree,
    ConnectFour,
    Game,
    GameTree,
    Hex,
    Nim,
    NimState,
    Othello,
    Pig,
    TakeAway,
    TicTacToe,
)


def has_line(rows: tuple[str, ...], player: str, k: int) -> bool:
    """Scan the board square by square, as one would by eye."""
    squares = {(r, c) for r, row in enumerate(rows) for c, mark in enumerate(row) if mark == player}
    return any(
        all((r + i * down, c + i * right) in squares for i in range(k))
        for r, c in squares
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1))
    )


def play_randomly(game: Game, rng: Random) -> Iterator[Any]:
    state = game.initial
    yield state
    while not game.is_terminal(state):
        state = game.result(state, rng.choice(game.actions(state)))
        yield state


SIZES = [(1, 1, 1), (1, 4, 2), (4, 1, 3), (2, 5, 4), (3, 3, 3), (4, 4, 3), (6, 7, 4), (7, 6, 5)]
BOARDS = [kind(*size) for kind in (TicTacToe, ConnectFour) for size in SIZES]


@pytest.mark.parametrize("game", BOARDS, ids=repr)
def test_state_is_what_its_rows_say(game):
    rng = Random(1)
    for _ in range(20):
        for number, state in enumerate(play_randomly(game, rng)):
            again = game.state(state.rows, state.to_move)
            assert again == state == game.state(list(state.rows)) and hash(again) == hash(state)
            assert repr(again) == repr(state) and pickle.loads(pickle.dumps(state)) == state
            text = "".join(state.rows)
            assert (text.count("X") + text.count("O"), text.count(".")) == (
                number, game.height * game.width - number
            )  # fmt: skip
            assert state.to_move == "XO"[number % 2]

            x, o = (has_line(state.rows, player, game.k) for player in "XO")
            full = "." not in text
            assert game.is_terminal(state) == (x or o or full) == (game.actions(state) == ())
            assert game.utility(state, "X") == x - o == -game.utility(state, "O")
            assert state.outcome == ("X" if x else "O" if o else "draw" if full else None)

            board = state.board()
            assert board.dtype == np.int_ and board.shape == (game.height, game.width)
            assert ["".join(".XO"[square] for square in row) for row in board] == list(state.rows)

            drawn = str(state).split("\n")
            assert len(drawn) == game.height + 2
            assert tuple(line[1:].replace(" ", "") for line in drawn[1:-1]) == state.rows
            ends = {"X": "X has won", "O": "O has won", "draw": "draw"}
            assert drawn[-1] == ends.get(state.outcome, f"{state.to_move} to move")


def test_moves_are_in_the_documented_order():
    game = TicTacToe(2, 3, 3)
    assert game.actions(game.initial) == ((0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2))
    assert game.actions(game.result(game.initial, (0, 2))) == (
        (0, 0), (0, 1), (1, 0), (1, 1), (1, 2)
    )  # fmt: skip
    assert ConnectFour().actions(ConnectFour().initial) == (0, 1, 2, 3, 4, 5, 6)
    assert ConnectFour(2, 2, 2).actions(ConnectFour(2, 2, 2).state([".O", ".X"])) == (0,)
    assert Nim([2, 1]).actions(Nim([2, 1]).initial) == ((0, 1), (0, 2), (1, 1))


ALL = [TicTacToe(), ConnectFour(), Othello(), Hex(3), Nim([3, 2]), TakeAway(), FIGURE_5_2]


@pytest.mark.parametrize("game, moves", [
    (TicTacToe(), [(0, 3), (-1, 0), (0,), (0, 0, 0), [0, 0], 0, None, "(0, 0)", {}, (0, 0.5)]),
    (ConnectFour(), [7, -1, None, "3", [3], (3,), 0.5]),
    (Othello(), [(0, 0), (2, 2), (3, 3), (8, 0), "pass", None, "2 3", [2, 3], 4]),
    (Hex(3), [(0, 3), (-1, 0), (0,), [0, 0], 0, None, "(0, 0)", {}, (0, 0.5)]),
    (Nim([2, 3]), [(0, 3), (0, 0), (0, -1), (2, 1), (-1, 1), (0,), 1, None, "01", (0, 1.0)]),
    (TakeAway(), [0, 4, -1, None, "1", (1,), 1.0]),
    (FIGURE_5_2, ["b1", 0, None, ["a1"], "", ("a1",)]),
])  # fmt: skip
def test_illegal_moves_are_refused(game, moves):
    for move in moves:
        with pytest.raises(ValueError, match="is not a legal move here; choose one of") as error:
            game.result(game.initial, move)
        assert str(error.value).startswith(repr(move)) and "\n" not in str(error.value)


@pytest.mark.parametrize("game", ALL, ids=repr)
def test_terminal_state_has_no_moves(game):
    *_, end = play_randomly(game, Random(3))
    assert game.actions(end) == ()
    for move in game.actions(game.initial):
        with pytest.raises(ValueError, match="cannot be played: the game is over"):
            game.result(end, move)


def test_a_pass_is_a_move_and_the_only_one():
    game = Othello(4)
    state = game.from_key("OXXX/XXX./XXOO/X.X. O")
    assert game.actions(state) == ("pass",)
    after = game.result(state, "pass")
    assert (after.rows, after.to_move, after.outcome) == (state.rows, "X", None)
    assert game.actions(after) == ((3, 3),)
    with pytest.raises(
        ValueError, match=r"\(0, 0\) is not a legal move here; choose one of 'pass'"
    ):
        game.result(state, (0, 0))


AROUND = [[0, 1, 1], [1, 1, 1], [1, 1, 0]]  # a hexagon and its six neighbours


def joined(state: BoardState, player: str) -> bool:
    """Does a chain of the player's stones join the two sides?"""
    stones = state.board() == 1 if player == "X" else state.board().T == -1
    chains, _ = scipy.ndimage.label(stones, AROUND)
    return bool(({*chains[0]} & {*chains[-1]}) - {0})


@pytest.mark.slow
@pytest.mark.parametrize("size", [1, 2, 4, 7, 11])
def test_hex_ends_as_soon_as_a_chain_joins_the_sides(size):
    game, rng = Hex(size), Random(size)
    outcomes = set()
    for _ in range(20):
        for state in play_randomly(game, rng):
            won = [player for player in "XO" if joined(state, player)]
            assert state.outcome == (won[0] if won else None)
            assert game.is_terminal(state) == bool(won) == (game.actions(state) == ())
            assert game.state(state.rows, state.to_move) == state == game.from_key(state.key)
            free = [(r, c) for r in range(size) for c in range(size) if state.rows[r][c] == "."]
            assert list(game.actions(state)) == (free if not won else [])
        assert state.outcome != state.to_move
        outcomes.add(state.outcome)
    assert outcomes == ({"X"} if size == 1 else {"X", "O"})


def test_nim_is_lost_exactly_when_the_xor_of_the_piles_is_zero():
    for piles in np.ndindex(3, 3, 4):
        value, _ = alphabeta_search(Nim([2, 2, 3]), NimState(piles, "X"))
        assert value == (-1 if reduce(xor, piles) == 0 else 1), piles


def test_tree_is_read_from_lists_and_dictionaries():
    game = GameTree({"left": [3, -5.5], "right": 4}, to_move="O")
    state = game.result(game.result(game.initial, "left"), "b")
    assert (state.path, state.to_move) == (("left", "b"), "O")
    assert (game.utility(state, "X"), game.utility(state, "O")) == (-5.5, 5.5)
    assert str(game.initial) == "O to move\n  left: X to move\n    a: 3\n    b: -5.5\n  right: 4"
    assert str(state) == "-5.5"
    assert repr(state) == "TreeState(path=('left', 'b'), to_move='O')"


NODES = {"O": {"stay": -2, "go": {"chance": [("1/3", {"X": {"on": 4, "off": 7}}), (2 / 3, 0.5)]}}}
TREE = ChanceTree(NODES)


def test_player_to_move_is_read_from_the_tree():
    go = TREE.result(TREE.initial, "go")
    deeper = TREE.result(go, "a")
    end = TREE.result(deeper, "off")
    assert [s.to_move for s in (TREE.initial, go, deeper)] == ["O", "chance", "X"]
    assert [s.key for s in (TREE.initial, go, deeper, end)] == ["", "go", "go/a", "go/a/off"]
    assert TREE.outcomes(go) == ((Fraction(1, 3), "a"), (2 / 3, "b"))
    assert TREE.outcomes(TREE.initial) == TREE.outcomes(end) == ()
    assert TREE.actions(go) == ("a", "b")
    assert (TREE.utility(end, "X"), TREE.utility(end, "O")) == (7, -7)
    assert TREE.utility(go, "X") == 0 and TREE.is_terminal(end) and not TREE.is_terminal(go)


def after(game: Game, *moves: Any) -> Any:
    return reduce(game.result, moves, game.initial)


def test_pig_follows_its_rules():
    game = Pig(10)
    assert game.actions(game.initial) == ("roll",)  # there is nothing to hold
    rolling = after(game, "roll")
    assert rolling.to_move == "chance" and game.actions(rolling) == (1, 2, 3, 4, 5, 6)
    again = after(game, "roll", 3, "roll", 4)
    assert (again.to_move, again.rolled, game.actions(again)) == ("X", 7, ("roll", "hold"))
    held = after(game, "roll", 3, "roll", 4, "hold")
    assert (held.x, held.o, held.to_move, held.rolled) == (7, 0, "O", 0)
    lost = after(game, "roll", 3, "roll", 4, "roll", 1)
    assert (lost.x, lost.o, lost.to_move, lost.rolled) == (1, 0, "O", 0)
    won = after(game, "roll", 6, "roll", 4)
    assert game.is_terminal(won) and game.actions(won) == ()
    assert (game.utility(won, "X"), game.utility(won, "O")) == (1, -1)
    late = after(game, "roll", 6, "hold", "roll", 1, "roll", 4)
    assert game.is_terminal(late) and str(late).endswith("X has won")
    for state, move in ((game.initial, "hold"), (rolling, "roll"), (rolling, 7), (won, "roll")):
        with pytest.raises(ValueError, match=r"legal move|the game is over"):
            game.result(state, move)


@pytest.mark.parametrize("make, message", [
    (lambda: TicTacToe().state(["...", "..."]), "3 rows of 3"),
    (lambda: TicTacToe().state(["...", "...", "..x"]), "X, O and . only"),
    (lambda: TicTacToe().state(["XX.", "...", "..."]), "X leads by 2"),
    (lambda: TicTacToe().state(["XXX", "OO.", "O.."]), "X has 3 in a row and cannot be to move"),
    (lambda: TicTacToe(3, 3, True), "k must be a whole number, 1 or more, not True"),
    (lambda: TicTacToe(0, 3, 3), "height must be a whole number, 1 or more, not 0"),
    (lambda: ConnectFour(3, 4, 5), "k = 5 in a row cannot fit on a board of 3 x 4"),
    (lambda: ConnectFour(2, 3, 2).state(["..X", "..."]), "column 2 has an empty square below it"),
    (lambda: Othello(7), "size must be 4, 6, 8 or 10, not 7"),
    (lambda: Othello(4).state(["....", "..X.", ".XO.", "...."]), "middle are never empty"),
    (lambda: Hex(2).state(["XO", "XO"]), "X has joined the sides and cannot be to move"),
    (lambda: Nim([0]), "pile"),
    (lambda: Nim([3, 4, 5]).from_key("+3,4,5 X"), "piles are numbers such as 3,4,5"),
    (lambda: TakeAway(0), "coins must be a whole number, 1 or more, not 0"),
    (lambda: TakeAway(4).from_key("5 X"), "the piles 5 cannot come about in TakeAway(4, 3)"),
    (lambda: GameTree([1, {}]), "at b: a node without children"),
    (lambda: GameTree({"go": [1, -inf]}), "at go/b: a leaf must be a finite number, not -inf"),
    (lambda: GameTree({1: 2}), "at the root: the names of moves must be strings"),
    (lambda: GameTree([[1] * 27]), "at a: 27 children are more than there are letters"),
    (lambda: GameTree([1], "x"), 'to_move must be "X" or "O", not \'x\''),
    (lambda: ChanceTree([3, 5]), "at the root: an inner node says who moves"),
    (lambda: ChanceTree({"X": []}), "at the root: a node without children must be a number"),
    (lambda: ChanceTree({"O": {"a/b": 1}}), "at the root: the names of moves must be strings, not"),
    (lambda: ChanceTree({"chance": [1, 2]}), "at a: below chance there are pairs (probability, "),
    (lambda: ChanceTree({"X": [{"chance": [(0.5, 1), (0.4, 2)]}]}), "probabilities add up to 0.9"),
    (lambda: ChanceTree({"chance": [(-0.5, 1), (1.5, 2)]}), "at a: a probability must be above 0"),
    (lambda: ChanceTree({"chance": [("1e-999999999", 1)]}), "at a: a probability must be above 0"),
])  # fmt: skip
def test_invalid_input_is_refused_in_one_line(make, message):
    with pytest.raises(ValueError, match=re.escape(message)) as caught:
        make()
    assert len(str(caught.value).splitlines()) == 1
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize("game", [TicTacToe(3, 4, 3), *ALL], ids=repr)
def test_repr_builds_the_game_again(game):
    again = eval(repr(game))
    assert type(again) is type(game) and again.initial == game.initial
    assert repr(again) == repr(game)


@pytest.mark.parametrize("module", [starter.games, starter.games.trees, starter.players])
def test_examples_in_docstrings_are_right(module):
    failed, attempted = doctest.testmod(module)
    assert attempted > 0 and failed == 0
