"""Items about minimax: values, moves, and what changes them."""

from __future__ import annotations

from random import Random
from statistics import mean

from autograder.quiz.item import Item, NotAsked, format_number, make_choice_item, make_open_item
from autograder.quiz.kinds import kind
from autograder.quiz.subject import Subject
from autograder.quiz.tree_rules import ExplicitTree, Values, draw_explicit

SEARCH = "minimax.minimax_search"
NEEDS = "1.1 1.2 1.3 1.4"
MAX_CHANGE = 30  # of one leaf


def find_move(subject: Subject, tree: ExplicitTree) -> str:
    """Return the move of a search that finds what the rules give.

    Raises NotAsked if it does not, or if another move is as good.
    """
    record = subject.search(SEARCH, tree)
    if record.value != tree.values[""] or tree.best_moves != [record.move]:
        raise NotAsked
    return record.move


@kind("minimax-value", "values", NEEDS)
def ask_value(subject: Subject, rng: Random) -> Item:
    """Ask for the value of an inner node."""
    tree = draw_explicit(rng, 3)
    node = rng.choice(
        [one for one in tree.inner if not one.count("/")] if rng.random() < 0.8 else tree.inner
    )
    record = subject.search(SEARCH, tree)
    (value,) = record.traced(node, "returned")
    if value != tree.values[node]:
        raise NotAsked
    below = [tree.values[child] for child in tree.children[node]]
    side, wrong_pick = (max, min) if tree.side(node) == "max" else (min, max)
    greedy = tree.compute_values(max, max)
    wrong = [
        (wrong_pick(below), f"a {tree.side(node).upper()} node took the {wrong_pick.__name__}imum"),
        (greedy[node], "both sides took the largest value"),
        (-value, "the value were the opponent's"),
        (below[-1], "the last move decided"),
        (round(mean(below), 2), "the mean were taken"),
    ]
    return make_open_item(
        "number",
        format_number(value),
        [(format_number(number), words) for number, words in wrong],
        kind="minimax-value",
        text="minimax_search searches this tree. Which value does the call for node "
        f"{node} return?",
        why=f"{node} is a {tree.side(node).upper()} node: the {side.__name__}imum of "
        f"{list_numbers(below)}, which are {tree.to_move}'s values.",
        picture=tree.draw(),
        facts={"tree": tree.tree, "to_move": tree.to_move, "node": node},
    )


@kind("minimax-move", "moves", NEEDS)
def ask_move(subject: Subject, rng: Random) -> Item:
    """Ask for the move at the root, where mistakes would lead elsewhere."""
    tree = draw_explicit(rng, 2, least=2, most=4)
    if tree.best_moves != [rng.choice(tree.children[""])] or len(tree.children[""]) < 3:
        raise NotAsked
    move = find_move(subject, tree)
    readings = [
        (tree.compute_values(max, max), "MIN took the largest value, too"),
        (tree.compute_values(max, mean), "MIN moved at random"),
        (negate_all(tree.compute_values(min, max)), "MAX and MIN changed places"),
        (negate_all(tree.values), "the root took the smallest value"),
    ]
    wrong = [(tree.best("", values)[0], words) for values, words in readings]
    values = {child: tree.values[child] for child in tree.children[""]}
    return make_open_item(
        "node",
        move,
        wrong,
        kind="minimax-move",
        text="Which move does minimax_search return for this tree?",
        why=f"The values of the moves are {', '.join(f'{c}: {v}' for c, v in values.items())}; "
        f"{tree.to_move}, at the root, takes the largest.",
        picture=tree.draw(),
        facts={"tree": tree.tree, "to_move": tree.to_move},
    )


@kind("minimax-change", "what a leaf changes", NEEDS)
def ask_change(subject: Subject, rng: Random) -> Item:
    """Ask for the smallest change of one leaf that changes the root's move."""
    tree = draw_explicit(rng, 2, least=3) if rng.random() < 0.7 else draw_explicit(rng, 3, most=2)
    move = find_move(subject, tree)
    sizes = {leaf: found for leaf in tree.leaves if (found := find_change(tree, leaf))}
    ordered = sorted(sizes, key=lambda leaf: abs(sizes[leaf]))
    if len(ordered) < 2 or abs(sizes[ordered[0]]) == abs(sizes[ordered[1]]):
        raise NotAsked
    first, second = ordered[:2]
    size = abs(sizes[first])
    find_move(subject, change(tree, first, sizes[first]))

    def name(leaf: str, by: float) -> str:
        return f"{leaf}: {tree.utility(leaf)} becomes {tree.utility(leaf) + by}"

    sign = 1 if sizes[first] > 0 else -1
    others = [leaf for leaf in tree.leaves if leaf not in sizes]
    wrong = [
        (name(second, sizes[second]), "a change had only to work; it works, but is larger"),
        (name(first, -sizes[first]), "the leaf had to change in the other direction"),
    ]
    if size > 1 and move in change(tree, first, sizes[first] - sign).best_moves:
        wrong.insert(
            1, (name(first, sizes[first] - sign), f"a value equal to {move}'s were enough")
        )
    if others:
        other = rng.choice(others)
        by = rng.choice([-1, 1]) * rng.randint(1, size)
        wrong.append((name(other, by), f"{other} could decide the move"))
    changed = change(tree, first, sizes[first])
    after = [changed.values[child] for child in changed.children[""]]
    return make_choice_item(
        rng,
        name(first, sizes[first]),
        wrong,
        kind="minimax-change",
        text="One leaf changes, by a whole number. Which is the smallest change after which a "
        f"move other than {move} is the only best one?",
        why=f"The moves at the root are then worth {list_numbers(after)}, and "
        f"{changed.best_moves[0]} is the best. Every other leaf has to change by more.",
        picture=tree.draw(),
        facts={"tree": tree.tree, "to_move": tree.to_move},
    )


def change(tree: ExplicitTree, leaf: str, by: float) -> ExplicitTree:
    return tree.replace(leaf, tree.utility(leaf) + by)


def find_change(tree: ExplicitTree, leaf: str) -> int:
    """Return the smallest change of a leaf after which another move is the only best one.

    Return 0 if there is none within the limit.
    """
    for size in range(1, MAX_CHANGE):
        for by in (size, -size):
            values = tree.compute_values(changed={leaf: tree.utility(leaf) + by})
            best = tree.best("", values)
            if len(best) == 1 and best != tree.best_moves:
                return by
    return 0


def list_numbers(numbers: list[float]) -> str:
    return ", ".join(map(format_number, numbers))


def negate_all(values: Values) -> Values:
    return {node: -value for node, value in values.items()}
