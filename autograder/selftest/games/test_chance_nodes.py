"""Games with chance moves: their rules, and the exact service of probabilities."""

import re
from fractions import Fraction
from functools import reduce
from typing import Any

import pytest

from starter.games import ChanceTree, Game, Pig, State

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


@pytest.mark.parametrize(
    ("tree", "words"),
    [
        ([3, 5], "at the root: an inner node says who moves"),
        ({"X": []}, "at the root: a node without children must be a number"),
        ({"O": {"a/b": 1}}, "at the root: the names of moves must be strings, not empty and with"),
        ({"chance": [1, 2]}, "at a: below chance there are pairs (probability, subtree), not 1"),
        ({"X": [{"chance": [(0.5, 1), (0.4, 2)]}]}, "at a: the probabilities add up to 0.9"),
        ({"chance": [(-0.5, 1), (1.5, 2)]}, "at a: a probability must be above 0 and at most 1"),
        ({"chance": [("1e-999999999", 1)]}, "at a: a probability must be above 0 and at most 1"),
    ],
)
def test_invalid_tree_is_reported_in_one_line_with_its_path(tree, words):
    with pytest.raises(ValueError, match=re.escape(words)) as caught:
        ChanceTree(tree)
    assert len(str(caught.value).splitlines()) == 1
    assert len(str(caught.value)) < 200


def after(game: Game, *moves: Any) -> State:
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
