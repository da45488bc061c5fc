"""Games that are given as their tree."""

from __future__ import annotations

import math
from typing import Any, NamedTuple, Union

from starter.games.base import Game, Move, Picture, check_player, illegal, other

# A leaf's number, or pairs of a move and the subtree below it (nested, hence Any).
_Subtree = Union[int, float, "tuple[tuple[str, Any], ...]"]


class TreeState(NamedTuple):
    """A place in a game tree, known by `path`: the moves that lead to it from the root."""

    path: tuple[str, ...]
    to_move: str
    subtree: _Subtree

    @property
    def key(self) -> str:
        """The path, joined by "/"; at the root ""."""
        return "/".join(self.path)

    def picture(self) -> Picture:
        """The place in the tree, without what is below it: that belongs to the game."""
        return {"kind": "tree", "path": self.path}

    def __hash__(self) -> int:
        return hash(self.path)  # equal states have equal paths, and subtrees can be large

    def __str__(self) -> str:
        return "\n".join(_drawing(self.subtree, self.to_move))

    def __repr__(self) -> str:
        return f"TreeState(path={self.path}, to_move={self.to_move!r})"


def _drawing(subtree: _Subtree, to_move: str) -> list[str]:
    """The lines that draw a subtree; the first one is about its root."""
    if not isinstance(subtree, tuple):
        return [str(subtree)]
    lines = [f"{to_move} to move"]
    for move, child in subtree:
        first, *rest = _drawing(child, other(to_move))
        lines += [f"  {move}: {first}", *(f"  {line}" for line in rest)]
    return lines


class GameTree(Game):
    """A game given as its tree, in nested data.

    An inner node is a list (or tuple) of subtrees, whose moves are then called "a", "b", "c", ...;
    or a dictionary from the names of the moves to the subtrees. A leaf is a number: what the end of
    the game is worth to X, to O its negative. The players move in turn; `to_move` begins at the
    root.

        >>> game = GameTree({"left": [3, 5], "right": 4})
        >>> game.actions(game.initial)
        ('left', 'right')
        >>> print(game.result(game.initial, "left"))
        O to move
          a: 3
          b: 5
    """

    def __init__(self, tree: object, to_move: str = "X") -> None:
        """Raises ValueError, saying where in the tree, for a node that is none of these."""
        check_player(to_move)
        self.initial = TreeState((), to_move, _checked_subtree(tree, ()))

    def actions(self, state: TreeState) -> tuple[Move, ...]:
        return tuple(move for move, _ in state.subtree) if isinstance(state.subtree, tuple) else ()

    def result(self, state: TreeState, move: Move) -> TreeState:
        if isinstance(state.subtree, tuple):
            for name, child in state.subtree:
                if name == move:
                    return TreeState((*state.path, name), other(state.to_move), child)
        raise illegal(self, state, move)

    def is_terminal(self, state: TreeState) -> bool:
        return not isinstance(state.subtree, tuple)

    def utility(self, state: TreeState, player: str) -> float:
        if isinstance(state.subtree, tuple):
            return 0
        return state.subtree if player == "X" else -state.subtree

    def from_key(self, key: str) -> TreeState:
        state: TreeState = self.initial
        for move in key.split("/") if key else ():
            state = self.result(state, move)
        return state

    def __repr__(self) -> str:
        return f"GameTree({_as_given(self.initial.subtree)}, {self.initial.to_move!r})"


def _checked_subtree(tree: object, path: tuple[str, ...]) -> _Subtree:
    where = f"at {'/'.join(path)}" if path else "at the root"
    if isinstance(tree, (list, tuple)):
        if len(tree) > 26:
            raise ValueError(f"{where}: {len(tree)} children are more than there are letters")
        tree = dict(zip("abcdefghijklmnopqrstuvwxyz", tree))
    if isinstance(tree, dict):
        if not tree:
            raise ValueError(f"{where}: a node without children must be a number")
        if not all(isinstance(move, str) and move and "/" not in move for move in tree):
            raise ValueError(f"{where}: the names of moves must be strings without /: {list(tree)}")
        return tuple((move, _checked_subtree(child, (*path, move))) for move, child in tree.items())
    if type(tree) is not int and not (isinstance(tree, float) and math.isfinite(tree)):
        raise ValueError(f"{where}: a leaf must be a finite number, not {tree!r}")
    return tree


def _as_given(subtree: _Subtree) -> object:
    """The dictionaries from which the subtree can be built again."""
    if not isinstance(subtree, tuple):
        return subtree
    return {move: _as_given(child) for move, child in subtree}


# The textbook's figure 5.2: the minimax value is 3, and a1 is the best move.
FIGURE_5_2 = GameTree(
    {
        "a1": {"b1": 3, "b2": 12, "b3": 8},
        "a2": {"c1": 2, "c2": 4, "c3": 6},
        "a3": {"d1": 14, "d2": 5, "d3": 2},
    }
)

# The smallest tree worth searching: the value is 3, and A is the best move.
TWO_MOVES = GameTree({"A": [3, 5], "B": [2, 1]})
