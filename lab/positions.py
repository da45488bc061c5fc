"""List positions to search, and read positions that are typed in."""

from __future__ import annotations

import ast

from lab.boards import CATEGORIES, MAX_PLIES, Category
from starter.games import FIGURE_5_2, SAFE_OR_RISKY, TWO_MOVES, ChanceTree, Game, GameTree, State


def as_typed(tree: GameTree) -> str:
    """Return a tree in the form in which it is typed."""
    typed = repr(tree).partition("(")[2].removesuffix(")")
    return typed if isinstance(tree, ChanceTree) else typed.rpartition(", ")[0]


# The positions in the form in which they are typed, by name.
POSITIONS = {
    "the textbook's figure 5.2": as_typed(FIGURE_5_2),
    "two moves": as_typed(TWO_MOVES),
    "a deeper tree": "[[[5, 6], [7, 4]], [[2, 1], [9, 8]], [[3, 5], [6, 7]]]",
    "a tree with chance": as_typed(SAFE_OR_RISKY),
} | {name: "\n".join(rows) for category in CATEGORIES for name, rows in category.positions.items()}


def category_with(name: str) -> Category | None:
    """Return the category of the position of that name, or None for a tree."""
    return next((category for category in CATEGORIES if name in category.positions), None)


def typed_position(name: str, text: str) -> tuple[Game, State]:
    """Return the position that was typed in: a tree, or a board.

    The name determines the game of a board. Raises ValueError if the text can't be searched.
    """
    rows = [line.strip() for line in text.splitlines() if line.strip()]
    if not rows:
        raise ValueError("there is nothing typed in")
    category = category_with(name)
    if category is None or rows[0][0] in "[{":
        game, state = own_tree(text)
    else:
        rows = [row.upper() for row in rows]
        typed = {"height": len(rows), "width": len(rows[0]), "size": len(rows)}
        sizes = {size: typed.get(size, value) for size, value in category.sizes.items()}
        if "in a row" in sizes:
            sizes["in a row"] = min(sizes["in a row"], max(typed.values()))
        game = category.make(sizes)
        state = game.from_key("/".join(rows))
    if game.is_terminal(state):
        raise ValueError("this game is over: take the last move back")
    if state.to_move == "chance":
        raise ValueError("chance moves first here: begin where X or O has a choice")
    return game, state


def own_tree(text: str) -> tuple[Game, State]:
    """Return a tree that was typed in as nested lists or dictionaries.

    Raises ValueError if the text is no tree.
    """
    try:
        nested = ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        raise ValueError(
            "a tree is written in nested lists, such as [[3, 12, 8], [2, 4, 6], [14, 5, 2]]"
        ) from None
    chancy = isinstance(nested, dict) and set(nested) <= {"X", "O", "chance"}
    game = ChanceTree(nested) if chancy else GameTree(nested)
    return game, game.initial


def fitting_depth(name: str) -> int:
    """Return a depth for the position of that name."""
    category = category_with(name)
    return category.depth(typed_position(name, POSITIONS[name])[0]) if category else MAX_PLIES
