"""Make searches in which prunes are due, and calls with windows."""

from dataclasses import replace
from math import inf
from random import Random

from autograder.author.cases.trees import (
    LARGEST,
    Tree,
    count_nodes,
    draw_random_tree,
    list_leaves,
    negate_leaves,
    replace_leaves,
    solve_game,
)
from autograder.serving.cases import SearchCase
from starter.games import other


def make_call(function: str, tree: Tree, player: str, alpha: float, beta: float) -> SearchCase:
    """Return a call of max_value or min_value with a window and `player`'s values."""
    to_move = player if function == "max_value" else other(player)
    case = solve_game(["GameTree", negate_leaves(tree) if player == "O" else tree, to_move])
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
