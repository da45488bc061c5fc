"""List positions to search, and read positions that are typed in."""

import ast

from lab.boards import CATEGORIES, MAX_PLIES, Category
from starter.games import FIGURE_5_2, SAFE_OR_RISKY, TWO_MOVES, ChanceTree, Game, GameTree, State


def format_tree(tree: GameTree) -> str:
    text = repr(tree).partition("(")[2].removesuffix(")")
    return text if isinstance(tree, ChanceTree) else text.rpartition(", ")[0]


# The positions in the form in which they are typed, by name.
POSITIONS = {
    "the textbook's figure 5.2": format_tree(FIGURE_5_2),
    "two moves": format_tree(TWO_MOVES),
    "a deeper tree": "[[[5, 6], [7, 4]], [[2, 1], [9, 8]], [[3, 5], [6, 7]]]",
    "a tree with chance": format_tree(SAFE_OR_RISKY),
} | {
    name: key.replace("/", "\n")
    for category in CATEGORIES
    for name, key in category.positions.items()
}


def find_category_by_position(name: str) -> Category | None:
    """Return the category of the position of that name, or None for a tree."""
    return next((category for category in CATEGORIES if name in category.positions), None)


def read_typed_position(name: str, text: str) -> tuple[Game, State]:
    """Return the position that was typed in: a tree, or a board.

    The name determines the game of a board. Raises ValueError if the text can't be searched.
    """
    rows = [line.strip() for line in text.splitlines() if line.strip()]
    if not rows:
        raise ValueError("there is nothing typed in")
    category = find_category_by_position(name)
    if category is None or rows[0][0] in "[{":
        game, state = read_typed_tree(text)
    else:
        rows = [row.upper() for row in rows]
        measures = {"height": len(rows), "width": len(rows[0]), "size": len(rows)}
        sizes = {size: measures.get(size, value) for size, value in category.sizes.items()}
        if "in a row" in sizes:
            sizes["in a row"] = min(sizes["in a row"], max(measures.values()))
        game = category.make_game(sizes)
        state = game.from_key("/".join(rows))
    if game.is_terminal(state):
        raise ValueError("this game is over: take the last move back")
    if state.to_move == "chance":
        raise ValueError("chance moves first here: begin where X or O has a choice")
    return game, state


def read_typed_tree(text: str) -> tuple[Game, State]:
    """Return a tree typed in as lists or dictionaries. Raises ValueError if it is none."""
    try:
        nested = ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        raise ValueError(
            "a tree is written in nested lists, such as [[3, 12, 8], [2, 4, 6], [14, 5, 2]]"
        ) from None
    chancy = isinstance(nested, dict) and set(nested) <= {"X", "O", "chance"}
    game = ChanceTree(nested) if chancy else GameTree(nested)
    return game, game.initial


def find_fitting_depth(name: str) -> int:
    category = find_category_by_position(name)
    if category is None:
        return MAX_PLIES
    game, _ = read_typed_position(name, POSITIONS[name])
    return category.choose_depth(game)
