"""Games that are given as their tree."""

import math
import re
import reprlib
from fractions import Fraction
from typing import Any, NamedTuple

from starter.games.base import Game, Move, Picture, Probability, check_player, illegal, other


class _Node(NamedTuple):
    """A node of a tree, with the subtrees below it. A leaf has a value, for X.

    Where chance is to move, each branch has its probability.
    """

    to_move: str
    value: float = 0
    branches: tuple[tuple[str, Any], ...] = ()  # of a move and the node it leads to
    chances: tuple[Probability, ...] = ()


class TreeState(NamedTuple):
    """A node of a game tree, known by `path`: the moves that lead to it."""

    path: tuple[str, ...]
    node: _Node

    @property
    def to_move(self) -> str:
        """X, O or "chance"; at a leaf, the player who would be to move."""
        return self.node.to_move

    @property
    def key(self) -> str:
        """The path, joined by "/"; at the root ""."""
        return "/".join(self.path)

    def picture(self) -> Picture:
        """Return the node's path; the tree itself belongs to the game."""
        return {"kind": "tree", "path": self.path}

    def __hash__(self) -> int:
        return hash(self.path)  # equal states have equal paths, and what is below can be large

    def __str__(self) -> str:
        return "\n".join(_drawing(self.node))

    def __repr__(self) -> str:
        return f"TreeState(path={self.path}, to_move={self.to_move!r})"


def _drawing(node: _Node) -> list[str]:
    """Return the lines that draw a node and its subtrees, its own line first."""
    if not node.branches:
        return [str(node.value)]
    lines = [f"{node.to_move} to move"]
    for i, (move, child) in enumerate(node.branches):
        first, *rest = _drawing(child)
        chance = f" ({node.chances[i]})" if node.chances else ""
        lines += [f"  {move}{chance}: {first}", *(f"  {line}" for line in rest)]
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

    initial: TreeState

    def __init__(self, tree: object, to_move: str = "X") -> None:
        """Raise ValueError, with the place in the tree, for a node that is none of these."""
        check_player(to_move)
        self._tree = tree
        self.initial = TreeState((), _checked(tree, (), to_move))

    def actions(self, state: TreeState) -> tuple[Move, ...]:
        return tuple([move for move, _ in state.node.branches])

    def result(self, state: TreeState, move: Move) -> TreeState:
        for name, child in state.node.branches:
            if name == move:
                return TreeState((*state.path, name), child)
        raise illegal(self, state, move)

    def is_terminal(self, state: TreeState) -> bool:
        return not state.node.branches

    def utility(self, state: TreeState, player: str) -> float:
        return state.node.value if player == "X" else -state.node.value

    def from_key(self, key: str) -> TreeState:
        state = self.initial
        for move in key.split("/") if key else ():
            state = self.result(state, move)
        return state

    def __repr__(self) -> str:
        return f"GameTree({self._tree}, {self.initial.to_move!r})"


class ChanceTree(GameTree):
    """A game tree in which chance moves, too, and any order of moves is possible.

    An inner node is a dictionary with one entry: the player to move ("X", "O" or "chance"), and the
    subtrees, a list or dictionary as in a `GameTree`. Below "chance" each subtree stands in a pair
    (probability, subtree); a probability is a number, or exactly a fraction as text, "1/3". A leaf
    is a number.

        >>> game = ChanceTree({"X": {"keep": 1, "toss": {"chance": [(0.5, 3), ("1/2", 0)]}}})
        >>> toss = game.result(game.initial, "toss")
        >>> print(toss)
        chance to move
          a (0.5): 3
          b (1/2): 0
        >>> game.outcomes(toss)
        ((0.5, 'a'), (Fraction(1, 2), 'b'))
    """

    def __init__(self, tree: object) -> None:
        """Raise ValueError, with the place in the tree, for a node that is none of these.

        Likewise for probabilities that are not above 0 or do not add up to 1.
        """
        self._tree = tree
        self.initial = TreeState((), _checked_with_chance(tree, (), "X"))

    def outcomes(self, state: TreeState) -> tuple[tuple[Probability, Move], ...]:
        return tuple(zip(state.node.chances, self.actions(state)))

    def __repr__(self) -> str:
        return f"ChanceTree({self._tree})"


def _place(path: tuple[str, ...]) -> str:
    return f"at {'/'.join(path)}" if path else "at the root"


def _named(subtrees: Any, path: tuple[str, ...]) -> dict[str, Any]:
    """Return the subtrees of a node by the names of their moves."""
    if isinstance(subtrees, (list, tuple)):
        if len(subtrees) > 26:
            raise ValueError(
                f"{_place(path)}: {len(subtrees)} children are more than there are letters"
            )
        subtrees = dict(zip("abcdefghijklmnopqrstuvwxyz", subtrees))
    if not subtrees:
        raise ValueError(f"{_place(path)}: a node without children must be a number")
    if not all(isinstance(move, str) and move and "/" not in move for move in subtrees):
        raise ValueError(
            f"{_place(path)}: the names of moves must be strings, not empty and without /: "
            f"{list(subtrees)}"
        )
    return dict(subtrees)


def _leaf(value: object, path: tuple[str, ...], to_move: str) -> _Node:
    if type(value) is not int and not (isinstance(value, float) and math.isfinite(value)):
        raise ValueError(f"{_place(path)}: a leaf must be a finite number, not {value!r}")
    return _Node(to_move, value)


def _checked(tree: object, path: tuple[str, ...], to_move: str) -> _Node:
    """Return the node that nested data of a `GameTree` describe."""
    if not isinstance(tree, (list, tuple, dict)):
        return _leaf(tree, path, to_move)
    branches = tuple(
        (move, _checked(child, (*path, move), other(to_move)))
        for move, child in _named(tree, path).items()
    )
    return _Node(to_move, branches=branches)


def _checked_with_chance(tree: object, path: tuple[str, ...], next_player: str) -> _Node:
    """Return the node that nested data of a `ChanceTree` describe.

    next_player: would be to move at a leaf
    """
    if not isinstance(tree, (list, tuple, dict)):
        return _leaf(tree, path, next_player)
    ((who, below),) = tree.items() if isinstance(tree, dict) and len(tree) == 1 else [("", tree)]
    if who not in ("X", "O", "chance") or not isinstance(below, (list, tuple, dict)):
        raise ValueError(
            f'{_place(path)}: an inner node says who moves, "X", "O" or "chance", and what '
            f'follows: {{"X": [3, 5]}}, not {reprlib.repr(tree)}'
        )
    subtrees = _named(below, path)
    chances: tuple[Probability, ...] = ()
    if who == "chance":
        chances = _chances(subtrees, path)
        subtrees = {move: subtree for move, (_, subtree) in subtrees.items()}
    else:
        next_player = other(who)
    branches = tuple(
        (move, _checked_with_chance(child, (*path, move), next_player))
        for move, child in subtrees.items()
    )
    return _Node(who, branches=branches, chances=chances)


def _chances(pairs: dict[str, Any], path: tuple[str, ...]) -> tuple[Probability, ...]:
    """Return the probabilities in the pairs below chance."""
    for move, pair in pairs.items():
        if not isinstance(pair, (list, tuple)) or len(pair) != 2:
            raise ValueError(
                f"{_place((*path, move))}: below chance there are pairs (probability, subtree), "
                f"not {reprlib.repr(pair)}"
            )
    chances = tuple(_probability(pair[0], (*path, move)) for move, pair in pairs.items())
    if not math.isclose(sum(chances), 1, abs_tol=1e-9):
        raise ValueError(f"{_place(path)}: the probabilities add up to {sum(chances)}, not to 1")
    return chances


def _probability(given: Any, path: tuple[str, ...]) -> Any:
    number = given
    if isinstance(given, str) and re.fullmatch("[0-9]{1,9}/[1-9][0-9]{0,8}", given):
        number = Fraction(given)
    if type(number) not in (int, float, Fraction) or not 0 < number <= 1:
        raise ValueError(
            f'{_place(path)}: a probability must be above 0 and at most 1, such as 0.5 or "1/3", '
            f"not {reprlib.repr(given)}"
        )
    return number


# The textbook's figure 5.2: the minimax value is 3, and a1 is the best move.
FIGURE_5_2 = GameTree(
    {
        "a1": {"b1": 3, "b2": 12, "b3": 8},
        "a2": {"c1": 2, "c2": 4, "c3": 6},
        "a3": {"d1": 14, "d2": 5, "d3": 2},
    }
)

# A small tree with all kinds of nodes: the value is 4, and "safe" is the best move.
SAFE_OR_RISKY = ChanceTree(
    {
        "X": {
            "safe": {"O": [4, 7]},
            "risky": {
                "chance": {
                    "lucky": ("1/4", {"O": [20, 12]}),
                    "unlucky": ("3/4", {"X": [0, 1]}),
                }
            },
        }
    }
)

# The smallest tree worth searching: the value is 3, and A is the best move.
TWO_MOVES = GameTree({"A": [3, 5], "B": [2, 1]})
