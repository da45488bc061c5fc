"""Make game trees of many kinds, as nested lists with numbers as leaves, and their searches."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from math import inf
from random import Random
from typing import Any, TypeVar

from autograder.quiz.tree_rules import negate
from autograder.serving.case import Case
from autograder.serving.cases import SearchCase
from autograder.worker.inside.protocol import make_game, make_state
from starter.games import Game, State, other

Tree = Any  # nested lists with numbers as leaves; dictionaries for named moves
SomeCase = TypeVar("SomeCase", bound=Case)

# Two moves of MIN are equally good, and two of MAX.
TIED_TREES: list[Tree] = [[[[n, n - 3], [n - 1, n]], [[n, n - 2], [n]]] for n in (-2, 0, 3)]
LONG_CHAIN = 24  # forced moves: a search that searches twice is still fast enough
LEGIBLE = 0.01  # leaves that differ by less look the same in a drawing
LARGEST = 999_999  # no value, window or sum of a case lies beyond it
# Rounding to one decimal or to a whole number changes each of these.
EIGHTHS = (0.125, 0.25, 0.375, 0.625, 0.75, 0.875)


def compute_values(
    game: Game,
    root: State,
    player: str,
    cut: Callable[[State, int], float | None] = lambda state, depth: None,
) -> dict[State, Any]:
    """Return the exact value for `player` of each state from the root on, as a full search.

    cut: X's value of an undecided state at which the search stops, None elsewhere
    """
    values: dict[State, Any] = {}

    def visit(state: State, depth: int) -> Any:
        if state not in values:
            value: Any
            if game.is_terminal(state):
                value = game.utility(state, player)
            elif (stop := cut(state, depth)) is not None:
                value = stop if player == "X" else -stop
            else:
                below = [visit(game.result(state, m), depth + 1) for m in game.actions(state)]
                if state.to_move == "chance":
                    chances = (Fraction(chance) for chance, _ in game.outcomes(state))
                    value = sum((p * Fraction(v) for p, v in zip(chances, below)), Fraction())
                else:
                    value = max(below) if state.to_move == player else min(below)
            values[state] = value
        return values[state]

    visit(root, 0)
    return values


def find_best(game: Game, state: State, values: dict[State, Any]) -> list[int]:
    """Return the indices of the moves that keep the state's value; [] if none is searched."""
    after = (game.result(state, move) for move in game.actions(state))
    return [i for i, child in enumerate(after) if values.get(child) == values[state]]


def list_inner_nodes(game: Game, node: State, values: dict[State, Any]) -> list[State]:
    """Return the undecided nodes of a tree that a search reaches, parents first."""
    if node not in values or game.is_terminal(node):
        return []
    below = (game.result(node, move) for move in game.actions(node))
    return [node, *(one for child in below for one in list_inner_nodes(game, child, values))]


def solve_game(
    spec: list[Any], state: str | None = None, cut: Mapping[str, float] = {}
) -> SearchCase:
    """Return a case with value and best move; an explicit tree also has `values`.

    cut: X's values of the nodes at which the search stops, by key
    """
    game = make_game(spec)
    root = make_state(game, state)
    values = compute_values(game, root, root.to_move, lambda node, _: cut.get(node.key))
    is_whole_tree = spec[0] == "GameTree" and state is None
    inner = list_inner_nodes(game, root, values) if is_whole_tree else []
    return SearchCase(
        game=spec,
        state=state,
        value=values[root],
        best=find_best(game, root, values),
        values={n.key: values[n] for n in sorted(inner, key=lambda node: node.key not in cut)},
    )


def choose_numbers(rng: Random) -> Callable[[], float]:
    """Return a source of numbers of one kind.

    They have many ties, lie far apart, reach the largest values that a case may have, or lie so
    close together that rounding or a slack changes the result.
    """
    sign, first = rng.choice((-1, 1)), rng.randint(101, 989)
    fine = choose_fine_numbers(rng)
    near, step = rng.randint(-900, 900) / 1000, rng.choice((2e-5, 5e-6))
    kinds: list[Callable[[], float]] = [
        lambda: rng.randint(-1, 1),
        lambda: rng.randint(-3, 3),
        lambda: rng.randint(-1900, 1900),
        lambda: rng.randint(-9, 9) * LARGEST // 9,
        lambda: round(rng.uniform(-9, 9), 2),
        lambda: sign * rng.randint(0, 30) / 10,
        lambda: sign * (first + rng.randint(0, 20)) / 1000,
        fine,
        lambda: round(near + rng.randint(0, 20) * step, 6),  # closer than bounds with a slack
    ]
    return rng.choice(kinds)


def choose_fine_numbers(rng: Random) -> Callable[[], float]:
    """Return a source of numbers with five decimals, to expose rounding."""
    rest = rng.choice((0.27, 0.37, 0.63))
    return lambda: round((rng.randint(-999, 999) + rest) / 1000, 5)


def choose_small_numbers(rng: Random) -> Callable[[], float]:
    """Return a source of small whole numbers, of which some have many ties."""
    most = rng.choice((2, 4, 20))
    return lambda: rng.randint(-most, most)


def renumber(rng: Random, tree: Tree) -> Tree:
    """Return the tree with other numbers in the same order.

    The numbers are negative, 0, between 0 and 1, or 2 and more. The best and the tempting moves
    stay the same.
    """
    old = sorted(set(list_leaves(tree)))
    small = sum(0 < number < 1 for number in old)
    below, above = sum(number < 0 for number in old), sum(number >= 1 for number in old)
    numbers = [
        *sorted(rng.sample(range(-60, -1), below)),
        *([0] if 0 in old else []),
        *sorted(rng.sample(EIGHTHS, small)),
        *sorted(rng.sample(range(2, 61), above)),
    ]
    return replace_leaves(tree, dict(zip(old, numbers)))


def list_leaves(tree: Tree) -> list[float]:
    if isinstance(tree, dict):
        tree = list(tree.values())
    if not isinstance(tree, list):
        return [tree]
    return [leaf for child in tree for leaf in list_leaves(child)]


def add_move_names(tree: Tree) -> Tree:
    """Return the tree with unsorted names for its two or three moves per node."""
    names = ("right", "left", "middle")
    if not isinstance(tree, list):
        return tree
    return {name: add_move_names(child) for name, child in zip(names, tree, strict=False)}


def replace_leaves(tree: Tree, new: dict[float, float]) -> Tree:
    """Return the tree with other numbers at its leaves."""
    return [replace_leaves(child, new) for child in tree] if isinstance(tree, list) else new[tree]


def make_chain(plies: int, end: Tree) -> Tree:
    """Return a tree with `plies` single moves before its end."""
    return [make_chain(plies - 1, end)] if plies else end


def count_nodes(tree: Tree) -> int:
    if isinstance(tree, dict):
        tree = list(tree.values())
    return 1 + sum(map(count_nodes, tree)) if isinstance(tree, list) else 1


def sort_by_size(cases: list[SomeCase]) -> list[SomeCase]:
    """Sort cases with explicit trees, from small to large; trees that are hard to read come last.

    These have leaves that differ, but by less than `LEGIBLE`.
    """

    def key(case: SomeCase) -> tuple[bool, int]:
        leaves = list_leaves(case.game[1])
        return 0 < max(leaves) - min(leaves) < LEGIBLE, count_nodes(case.game[1])

    return sorted(cases, key=key)


def draw_random_tree(
    rng: Random,
    depth: int,
    leaf: Callable[[], float],
    widths: Sequence[int],
    uneven: float = 0.0,
    stretched: float = 0.0,
) -> Tree:
    """Return a tree of at most `depth` decisions on a path.

    uneven: the chance of a short branch; stretched: the chance of forced moves before a node
    """
    if depth == 0 or rng.random() < uneven:
        return leaf()
    below = depth - 1, leaf, widths, uneven, stretched
    tree = [draw_random_tree(rng, *below) for _ in range(rng.choice(widths))]
    return make_chain(rng.randint(1, 11), tree) if rng.random() < stretched else tree


def draw_tied_tree(rng: Random) -> Tree:
    """Return a small tree in which moves are equal, or seem so after a prune."""
    middle, around = rng.randint(-9, 9), rng.choice((1, 2, 3))

    def number() -> float:
        return middle + rng.randint(-around, around)

    return [draw_random_tree(rng, rng.choice((1, 1, 2)), number, (2, 3, 4), 0.3) for _ in range(3)]


def draw_random_trees(
    rng: Random,
    count: int,
    depths: Sequence[int],
    of: Callable[[Random], Callable[[], float]] = choose_numbers,
) -> list[Tree]:
    """Return trees of several kinds, by size; none is a single leaf."""
    trees: list[Tree] = []
    while len(trees) < count:
        depth = depths[len(trees) % len(depths)]
        uneven, stretched = rng.choice(((0, 0), (0.25, 0), (0.25, 0.1)))
        tree = draw_random_tree(rng, depth, of(rng), (1, 2, 2, 3), uneven, stretched)
        if isinstance(tree, list) and count_nodes(tree) <= 60:
            trees.append(tree)
    return sorted(trees, key=count_nodes)


def make_special_leaf_trees(rng: Random) -> list[tuple[Tree, str]]:
    """Return trees for X and for O as MAX, each with the player to move at the root.

    They are for searches that take a leaf worth 1, -1 or 0 for a win, a loss or a draw. In each
    tree that leaf and what stands beside it decide the root's value: at the root and deeper, at a
    max node and at a min node.
    """
    # The leaf is not enough, at the root and two plies below.
    at_max: list[Tree] = [[leaf, [[leaf, draw_pair(rng)]]] for leaf in (1, -1, 0)]
    for leaf in (-1, 0):  # It looks lost or drawn, and is the best move.
        for plies in (0, 2):
            below: list[Tree] = [leaf, negate(draw_pair(rng))]
            at_max.append(make_chain(plies, rng.sample(below, 2)))
    for plies in (0, 2):  # A move that allows a reply of -1 is the best one.
        below = [[-1, rng.randint(2, 60)], negate(draw_pair(rng))]
        at_max.append(make_chain(plies, rng.sample(below, 2)))
    at_min = [make_chain(1, negate(tree)) for tree in at_max]
    for_x = [*at_max, *at_min]
    return [*((tree, "X") for tree in for_x), *((negate(tree), "O") for tree in for_x)]


def draw_pair(rng: Random) -> list[Tree]:
    """Return two leaves beyond the special values."""
    low = rng.randint(2, 50)
    return [low + rng.randint(1, 9), low]


def make_call(function: str, tree: Tree, player: str, alpha: float, beta: float) -> SearchCase:
    """Return a call of max_value or min_value with a window and `player`'s values."""
    to_move = player if function == "max_value" else other(player)
    case = solve_game(["GameTree", negate(tree) if player == "O" else tree, to_move])
    return replace(
        case,
        value=case.value if to_move == player else -case.value,
        player=player,
        function=f"alphabeta.{function}",
        alpha=alpha,
        beta=beta,
    )


def draw_call(rng: Random, tree: Tree, inside: bool = True) -> SearchCase:
    """Return a call of max_value or min_value with a window.

    inside: the window holds the tree's value

    With the infinite window of a search from the root, several mistakes look the same.
    """
    function, player = rng.choice(("max_value", "min_value")), rng.choice("XO")
    case = make_call(function, tree, player, -1, 1)
    numbers = {leaf if player == "X" else -leaf for leaf in list_leaves(case.game[1])}
    far: float = 2 * max(1, *map(abs, numbers))
    far = far if far <= LARGEST else inf
    bounds = sorted({-far, *numbers, far})
    alpha, beta = sorted(rng.sample(bounds, 2))
    if inside:
        alpha = rng.choice([number for number in bounds if number < case.value])
        beta = rng.choice([number for number in bounds if number > case.value])
    return replace(case, alpha=alpha, beta=beta)


def draw_pruning_trees(
    rng: Random, count: int, depth: int = 4, stretched: float = 0.0, ties: bool = False
) -> list[Tree]:
    """Return trees for tests of pruning.

    Without ties no prune is due by equality, and one number is 0, because 0 is a bound, too.
    """
    trees: list[Tree] = []
    while len(trees) < count:
        most = rng.choice((12, 99))
        numbers = rng.sample(range(-most, most + 1), 2 * most)
        if ties:
            scale = rng.choice((1, LARGEST // 9))
            numbers = [scale * rng.randint(0, 9) for _ in range(99)]
        try:
            tree = draw_random_tree(rng, depth, numbers.pop, (2, 2, 3), 0.1, stretched)
        except IndexError:  # more leaves than numbers
            continue
        if isinstance(tree, list) and count_nodes(tree) <= 60:
            zero = 0 if ties else rng.choice(list_leaves(tree))
            trees.append(replace_leaves(tree, {leaf: leaf - zero for leaf in list_leaves(tree)}))
    return trees


def make_search_cases(rng: Random, trees: list[Tree]) -> list[SearchCase]:
    """Return a search of each tree, for either player."""
    return [solve_game(["GameTree", tree, rng.choice("XO")]) for tree in trees]
