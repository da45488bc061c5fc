"""Items about alpha-beta: windows, pruned leaves, and what changes them."""

from __future__ import annotations

from itertools import permutations
from math import inf
from random import Random

from autograder.diagram import format_value
from autograder.quiz.item import Item, NotAsked, make_choice_item, make_open_item, name_nodes
from autograder.quiz.kinds import kind
from autograder.quiz.subject import SearchRecord, Subject
from autograder.quiz.tree_rules import BOTH, WRONG_PRUNING, ExplicitTree, PruningRule, draw_explicit

SEARCH = "alphabeta.alphabeta_search"
NEEDS = "2.1 2.3 2.4 2.5 2.6 2.7"
LARGEST = 20  # of the values that a leaf is given


def search(subject: Subject, tree: ExplicitTree) -> SearchRecord:
    """Let the search run. Raises NotAsked if it does not do what the rules say."""
    record = subject.search(SEARCH, tree)
    expected = [leaf for leaf in tree.leaves if not tree.is_pruned(leaf)]
    if record.leaves != expected or record.value != tree.values[""]:
        raise NotAsked
    return record


def describe_prunes(tree: ExplicitTree) -> str:
    """Say at which nodes the search prunes."""
    tests = {"max": "v >= beta", "min": "v <= alpha"}
    return ", ".join(
        f"{node} ({tests[tree.side(node)]})"
        for node, below in tree.children.items()
        if not tree.is_pruned(node) and any(map(tree.is_pruned, below))
    )


@kind("alphabeta-window", "alpha and beta", NEEDS)
def ask_window(subject: Subject, rng: Random) -> Item:
    """Ask for alpha and beta of a call."""
    tree = draw_explicit(rng, 3)
    windows = {node: tree.window(node) for node in tree.states if not tree.is_pruned(node)}
    nodes = [node for node, window in windows.items() if window != (-inf, inf)]
    if not nodes:
        raise NotAsked
    node = rng.choice(nodes)
    alpha, beta = search(subject, tree).traced(node, "alpha", "beta")
    if (alpha, beta) != windows[node]:
        raise NotAsked
    parent = node.rpartition("/")[0]
    last = tree.children[parent][-1]
    wrong = [
        (tree.window(node, 1), "only the parent's bound were passed on"),
        (windows[parent], "the parent passed on what it was called with"),
        ((-inf, inf), "each call began with a new window"),
        (tree.window(last), "the parent's later children counted, too"),
        ((beta, alpha), "alpha and beta changed places"),
        ((-beta, -alpha), "the bounds changed sides at every ply"),
    ]
    return make_choice_item(
        rng,
        format_window(alpha, beta),
        [(format_window(*bounds), words) for bounds, words in wrong],
        kind="alphabeta-window",
        text="alphabeta_search searches this tree. With which alpha and beta is the function for "
        f"node {node} called?",
        why=describe_bounds(tree, node),
        picture=tree.draw(),
        facts={"tree": tree.tree, "to_move": tree.to_move, "node": node},
    )


def format_window(alpha: float, beta: float) -> str:
    return f"alpha = {format_value(alpha)}, beta = {format_value(beta)}"


def describe_bounds(tree: ExplicitTree, node: str) -> str:
    """Say which nodes alpha and beta of a call come from."""
    words: dict[str, str] = {}
    for above, earlier in tree.list_steps(node):
        values = [tree.values[child] for child in earlier]
        name, (alpha, beta) = above or "the root", tree.window(node)
        if tree.side(above) == "max" and alpha in values:
            words.setdefault("alpha", f"alpha = {alpha} is the best value so far at {name} (MAX)")
        if tree.side(above) == "min" and beta in values:
            words.setdefault("beta", f"beta = {beta} is the best value so far at {name} (MIN)")
    return f"{' and '.join(words.values())}{'' if len(words) == 2 else '; the other is infinite'}."


@kind("alphabeta-pruned", "pruned leaves", NEEDS)
def ask_pruned(subject: Subject, rng: Random) -> Item:
    """Ask for the leaves that are not searched."""
    tree = draw_explicit(rng, 3, span=6)
    pruned = tree.list_pruned()
    if not 1 <= len(pruned) <= 5:
        raise NotAsked
    searched = search(subject, tree).leaves
    answer = name_nodes(leaf for leaf in tree.leaves if leaf not in searched)
    return make_open_item(
        "nodes",
        answer,
        [(name_nodes(tree.list_pruned(rule)), words) for rule, words in WRONG_PRUNING.items()],
        kind="alphabeta-pruned",
        text="alphabeta_search searches this tree. Which leaves does it not search?",
        why=f"It prunes at {describe_prunes(tree)}.",
        picture=tree.draw(),
        facts={"tree": tree.tree, "to_move": tree.to_move},
    )


@kind("alphabeta-threshold", "what a bound decides", NEEDS)
def ask_threshold(subject: Subject, rng: Random) -> Item:
    """Ask for the value of a leaf from which on a pruned leaf is searched."""
    tree = draw_explicit(rng, 3, most=2) if rng.random() < 0.5 else draw_explicit(rng, 2, least=3)
    pruned = tree.list_pruned()
    if not pruned:
        raise NotAsked
    target = rng.choice(pruned)
    leaf = rng.choice(tree.leaves[: tree.leaves.index(target)] or [target])
    values = range(-LARGEST, LARGEST + 1)
    there = [v for v in values if not tree.replace(leaf, v).is_pruned(target)]
    at_least = there[-1:] == [LARGEST]
    if not there or len(there) == len(values) or there[-1] - there[0] != len(there) - 1:
        raise NotAsked
    if at_least == (there[0] == -LARGEST):
        raise NotAsked
    limit, step = (there[0], 1) if at_least else (there[-1], -1)
    for value, is_searched in ((limit, True), (limit - step, False)):
        record = search(subject, tree.replace(leaf, value))
        if (target in record.leaves) != is_searched:
            raise NotAsked
    least = "smallest" if at_least else "largest"
    wrong = [(-limit, "the value were the opponent's")]
    if not tree.replace(leaf, limit - step).is_pruned(target, PruningRule(strict=BOTH)):
        wrong.insert(0, (limit - step, "equality were not enough to prune"))
    return make_open_item(
        "number",
        str(limit),
        [(str(value), words) for value, words in wrong],
        kind="alphabeta-threshold",
        text=f"alphabeta_search does not search {target} in this tree. Only {leaf} changes, to "
        f"another whole number. Which is the {least} value of {leaf} with which {target} is "
        "searched?",
        why=f"With {limit - step} at {leaf}, alpha >= beta at a node above {target}; with {limit} "
        "at none.",
        picture=tree.draw(),
        facts={"tree": tree.tree, "to_move": tree.to_move, "leaf": leaf, "target": target},
    )


@kind("alphabeta-order", "the order of moves", NEEDS)
def ask_order(subject: Subject, rng: Random) -> Item:
    """Ask for the order of the root's moves that prunes most."""
    tree = draw_explicit(rng, 2, least=3)
    moves = tree.children[""]
    searched = {}
    for permutation in permutations(moves):
        ordered = tree.reorder(permutation)
        searched[", ".join(permutation)] = len(ordered.leaves) - len(ordered.list_pruned())
    ranked = sorted(searched, key=lambda order: (searched[order], rng.random()))
    answer = ranked[0]
    others = [order for order in ranked if searched[order] > searched[answer]]
    if len(others) < 3 or tree.best_moves != [answer[0]]:
        raise NotAsked
    shown = {answer, *others[:3]} if rng.random() < 0.5 else {answer, *others[-3:]}
    for order in sorted(shown):
        record = search(subject, tree.reorder(order.split(", ")))
        if len(record.leaves) != searched[order]:
            raise NotAsked
    by_value = sorted(moves, key=lambda move: tree.values[move])
    reasons = {", ".join(by_value): "the worst move had to come first"}
    wrong = [(order, reasons.get(order, "")) for order in sorted(shown - {answer})]
    return make_choice_item(
        rng,
        answer,
        wrong,
        kind="alphabeta-order",
        text="The moves at the root may be tried in another order; below them nothing changes. "
        "With which of these orders does alphabeta_search search the fewest leaves?",
        why=f"With {answer} it searches {searched[answer]} leaves. After the best move, "
        f"{answer[0]}, alpha is as high as it gets.",
        picture=tree.draw(),
        facts={"tree": tree.tree, "to_move": tree.to_move},
    )
