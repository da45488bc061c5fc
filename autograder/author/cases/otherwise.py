"""What a tree is worth by other rules than the right one, so that a wrong value tells its cause.

Whoever has a case has these values with it, and needs no search to know them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType

from autograder.cases import SearchCase
from autograder.draw import is_tree, kind_of
from starter.games import State

Rule = Callable[[list[float]], float]
RIGHT: dict[str, Rule] = {"max": max, "min": min, "chance": sum}
# Of what comes back from below (at chance nodes, times its probability), by the right rule.
PICKS: dict[str, Callable[[list[float], Rule], float]] = {
    "first": lambda values, right: values[0],
    "last": lambda values, right: values[-1],
    "all but first": lambda values, right: right(values[1:] or values),
    "all but last": lambda values, right: right(values[:-1] or values),
}


def otherwise(case: SearchCase) -> dict[str, float]:
    """The other values of a case, by the rules of `pattern.RULES`, the most telling first."""
    if not is_tree(case.make_state()):
        return {}
    return {rule: value for rule, value in by_rules(case) if value != case.value}


def by_rules(case: SearchCase) -> Iterator[tuple[str, float]]:
    yield "to the end", value_by(case)  # where none was asked for
    yield "mover", value_by(case, lambda state: str(state.to_move))
    if case.max_player == "O":
        yield "X", value_by(case, lambda state: "X")
    yield "largest", value_by(case, rules={"max": max, "min": max})
    kinds = kinds_in(case)
    for kind, right in RIGHT.items():
        for name, pick in PICKS.items() if kind in kinds else ():
            one = {kind: lambda values, of=pick, right=right: of(values, right)}
            yield f"{name}/{kind}", value_by(case, rules=one)


def kinds_in(case: SearchCase) -> set[str]:
    """Return which kinds of nodes a case's tree has."""
    game, player = case.make_game(), case.max_player
    queue, kinds = [case.make_state()], set[str]()
    for state in queue:
        if not game.is_terminal(state):
            kinds.add(kind_of(state, player))
            queue += [game.result(state, move) for move in game.actions(state)]
    return kinds


def value_by(
    case: SearchCase,
    side: Callable[[State], str] | None = None,
    rules: Mapping[str, Rule] = MappingProxyType({}),
) -> float:
    """The value of a case's tree by another rule.

    side:  from whose side its ends are seen; by default MAX's
    rules: by kind of node, what comes of the values below it
    """
    served, player = case.served(), case.max_player
    game = served.game

    def value(state: State, depth: int) -> float:
        if game.is_terminal(state):
            return float(game.utility(state, side(state) if side else player))
        if served.cutoff and served.h and served.cutoff(state, depth):
            for_x = (side(state) if side else player) == "X"
            return served.h(state) if for_x else -served.h(state)
        values = [value(game.result(state, move), depth + 1) for move in game.actions(state)]
        kind = kind_of(state, player)
        if kind == "chance":
            values = [float(p) * v for (p, _), v in zip(game.outcomes(state), values)]
        return float((rules.get(kind) or RIGHT[kind])(values))

    return value(case.make_state(), 0)
