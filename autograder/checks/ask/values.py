"""Compare values, and format them."""

from collections.abc import Callable, Sequence
from math import ceil, floor, inf, isfinite

from autograder.diagram import format_value
from starter.games import Game, State

# Relative rounding error of correct arithmetic (absolute below 1): float32 has seven digits.
# Different values of one case are four times as far apart, see author/cases/.
TOLERANCE = 1e-6
Values = Callable[[State], float]  # the true value of a position for the player at the root


def make_values(player: str, game: Game, worth: Callable[[str], float], of: str) -> Values:
    """Return the values of positions for `player`.

    worth: the value of an undecided position for player `of`, by its key
    """

    def value(state: State) -> float:
        if game.is_terminal(state):
            return game.utility(state, player)
        return worth(state.key) if player == of else -worth(state.key)

    return value


def same(a: float, b: float, largest: float = 1.0) -> bool:
    """Are the values equal up to rounding? `largest` is the largest term in them."""
    return a == b or abs(a - b) <= TOLERANCE * max(largest, abs(a), abs(b)) < inf


def may_return(
    found: float, value: float, window: tuple[float, float] | None, largest: float = 1.0
) -> bool:
    """Is a number the value, or a bound that may be returned instead?

    Outside the window any number between the value and the window is a true bound.
    """
    alpha, beta = window or (value, value)
    low, high = sorted((value, min(max(value, alpha), beta)))
    return low <= found <= high or any(same(found, bound, largest) for bound in (low, high))


def is_rounded(found: float, due: float) -> bool:
    """Is a number what rounding to a few decimals, up or down, makes of another one?"""
    if not isfinite(found) or same(found, due) or not abs(found - due) < 1:
        return False
    nearest = any(same(found, round(due, digits)) for digits in range(4))
    return nearest or found in (floor(due), ceil(due))


def format_distinct(due: float, found: float) -> tuple[str, str]:
    """Format two numbers with enough digits to differ, if they do."""
    if due == found:
        return format_value(due), format_value(found)
    digits = next((n for n in range(4, 17) if format_value(due, n) != format_value(found, n)), 17)
    return format_value(due, digits), format_value(found, digits)


def join_first(words: Sequence[str], most: int) -> str:
    """Join the first words with commas; dots stand for the others."""
    return ", ".join([*words[:most], *["..."] * (len(words) > most)])
