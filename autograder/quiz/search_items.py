"""Items about minimax, alpha-beta and the depth-limited search: explicit trees."""

from math import inf
from random import Random
from statistics import mean

from autograder.diagram import format_value
from autograder.quiz.item import Item, expect, list_mistakes, name_nodes
from autograder.quiz.subject import SearchRecord, Subject
from autograder.quiz.tree_rules import STRICT, WRONG_PRUNING, ExplicitTree, draw_explicit

MINIMAX, ALPHABETA = "minimax.minimax_search", "alphabeta.alphabeta_search"
NOT_CALLED = "cutoff is not called there"
LARGEST = 20  # of the values that a leaf is given
MAX_CHANGE = 30  # of one leaf


def find_move(subject: Subject, tree: ExplicitTree) -> str:
    """Return the move of minimax. Raises NotAsked if it is not the only best one."""
    record = subject.search(MINIMAX, tree)
    expect(record.value == tree.values[""] and tree.best_moves() == [record.move])
    return record.move


def ask_value(subject: Subject, rng: Random) -> Item:
    tree = draw_explicit(rng, 3)
    node = rng.choice(tree.inner)
    (value,) = subject.search(MINIMAX, tree).traced(node, "returned")
    expect(value == tree.values[node])
    below = [tree.values[child] for child in tree.children[node]]
    pick, wrong_pick = (max, min) if tree.side(node) == "max" else (min, max)
    wrong = [
        (wrong_pick(below), f"a {tree.side(node).upper()} node took the {wrong_pick.__name__}imum"),
        (tree.compute_values(max, max)[node], "both sides took the largest value"),
        (-value, "the value were the opponent's"),
        (below[-1], "the last move decided"),
        (round(mean(below), 2), "the mean were taken"),
    ]
    return Item(
        "number",
        format_value(value),
        list_mistakes((format_value(number), words) for number, words in wrong),
        text="minimax_search searches this tree. Which value does the call for node "
        f"{node} return?",
        why=f"{node} is a {tree.side(node).upper()} node: the {pick.__name__}imum of "
        f"{', '.join(map(format_value, below))}, which are {tree.to_move}'s values.",
        **tree.show(node=node),
    )


def ask_move(subject: Subject, rng: Random) -> Item:
    """Ask for the move at the root, where mistakes would lead elsewhere."""
    tree = draw_explicit(rng, 2, most=4)
    moves = tree.children[""]
    expect(len(moves) > 2 and tree.best_moves() == [rng.choice(moves)])  # each as often
    move = find_move(subject, tree)
    wrong = [
        (
            max(moves, key=tree.compute_values(max, max).__getitem__),
            "MIN took the largest value, too",
        ),
        (max(moves, key=tree.compute_values(max, mean).__getitem__), "MIN moved at random"),
        (min(moves, key=tree.compute_values(min, max).__getitem__), "MAX and MIN changed places"),
        (min(moves, key=tree.values.__getitem__), "the root took the smallest value"),
    ]
    return Item(
        "move",
        move,
        list_mistakes(wrong),
        text="Which move does minimax_search return for this tree?",
        why=f"The values of the moves are {', '.join(f'{m}: {tree.values[m]}' for m in moves)}; "
        f"{tree.to_move}, at the root, takes the largest.",
        **tree.show(),
    )


def ask_change(subject: Subject, rng: Random) -> Item:
    """Ask for the smallest change of one leaf that changes the root's move."""
    tree = draw_explicit(rng, 2, least=3) if rng.random() < 0.7 else draw_explicit(rng, 3, most=2)
    move = find_move(subject, tree)
    sizes = {leaf: size for leaf in tree.leaves if (size := find_change(tree, leaf))}
    ordered = sorted(sizes, key=lambda leaf: abs(sizes[leaf]))
    expect(len(ordered) > 1 and abs(sizes[ordered[0]]) < abs(sizes[ordered[1]]))
    first, second = ordered[:2]
    size = sizes[first]
    after = change(tree, first, size)
    find_move(subject, after)

    def name(leaf: str, by: float) -> str:
        return f"{leaf}: {tree.utility(leaf)} becomes {tree.utility(leaf) + by}"

    wrong = [(name(second, sizes[second]), "a change had only to work; it works, but is larger")]
    less = size - (1 if size > 0 else -1)
    if less and move in change(tree, first, less).best_moves():
        wrong.append((name(first, less), f"a value equal to {move}'s were enough"))
    wrong.append((name(first, -size), "the leaf had to change in the other direction"))
    if others := [leaf for leaf in tree.leaves if leaf not in sizes]:
        by = rng.choice([-1, 1]) * rng.randint(1, abs(size))
        wrong.append((name(other := rng.choice(others), by), f"{other} could decide the move"))
    worth = [after.values[child] for child in after.children[""]]
    return Item(
        "choice",
        name(first, size),
        list_mistakes(wrong),
        text=f"Move {move} is best now. One leaf changes to another whole number. Which is the "
        "smallest change that makes another move better than all others?",
        why=f"The moves at the root are then worth {', '.join(map(format_value, worth))}, and "
        f"{after.best_moves()[0]} is the best. Every other leaf has to change by more.",
        **tree.show(),
    )


def change(tree: ExplicitTree, leaf: str, by: float) -> ExplicitTree:
    return tree.replace({leaf: tree.utility(leaf) + by})


def find_change(tree: ExplicitTree, leaf: str) -> int:
    """Return the smallest change of a leaf after which another move is the only best one.

    Return 0 if there is none within the limit.
    """
    for size in range(1, MAX_CHANGE):
        for by in (size, -size):
            best = change(tree, leaf, by).best_moves()
            if len(best) == 1 and best != tree.best_moves():
                return by
    return 0


def search(subject: Subject, tree: ExplicitTree) -> SearchRecord:
    """Let the search run. Raises NotAsked if it does not do what the rules say."""
    record = subject.search(ALPHABETA, tree)
    expected = [leaf for leaf in tree.leaves if not tree.is_pruned(leaf)]
    expect(record.leaves == expected and record.value == tree.values[""])
    return record


def describe_prunes(tree: ExplicitTree, target: str = "") -> str:
    """Say at which nodes the search prunes; with a target, at the one that prunes it."""
    tests = {"max": "v >= beta", "min": "v <= alpha"}
    prunes = []
    for node, below in tree.children.items():
        left_out = [child for child in below if tree.is_pruned(child)]
        if target:
            left_out = [child for child in left_out if f"{target}/".startswith(f"{child}/")]
        if left_out and not tree.is_pruned(node):
            prunes.append(f"{node} ({tests[tree.side(node)]})")
    return ", ".join(prunes)


def ask_window(subject: Subject, rng: Random) -> Item:
    """Ask for alpha and beta of a call."""
    tree = draw_explicit(rng, 3)
    windows = {node: tree.window(node) for node in tree.states if not tree.is_pruned(node)}
    nodes = [node for node, window in windows.items() if window != (-inf, inf)]
    expect(bool(nodes))
    node = rng.choice(nodes)
    alpha, beta = search(subject, tree).traced(node, "alpha", "beta")
    expect((alpha, beta) == windows[node])
    parent = node.rpartition("/")[0]
    wrong = [
        (tree.window(node, 1), "only the parent's bound were passed on"),
        (windows[parent], "the parent passed on what it was called with"),
        ((-inf, inf), "each call began with a new window"),
        (tree.window(tree.children[parent][-1]), "the parent's later children counted, too"),
        ((beta, alpha), "alpha and beta changed places"),
        ((-beta, -alpha), "the bounds changed sides at every ply"),
    ]
    return Item(
        "choice",
        format_window(alpha, beta),
        list_mistakes((format_window(*bounds), words) for bounds, words in wrong),
        text="alphabeta_search searches this tree. With which alpha and beta is the function for "
        f"node {node} called?",
        why=describe_bounds(tree, node),
        **tree.show(node=node),
    )


def format_window(alpha: float, beta: float) -> str:
    return f"alpha = {format_value(alpha)}, beta = {format_value(beta)}"


def describe_bounds(tree: ExplicitTree, node: str) -> str:
    """Say which nodes alpha and beta of a call come from."""
    words: dict[str, str] = {}
    for above, known in tree.list_steps(node):
        name, bound = ("alpha", "beta")[tree.side(above) == "min"], tree.window(node)
        value = bound[name == "beta"]
        if value in known:
            best = f"the best value so far at {above or 'the root'} ({tree.side(above).upper()})"
            words.setdefault(name, f"{name} = {value} is {best}")
    return f"{' and '.join(words.values())}{'' if len(words) == 2 else '; the other is infinite'}."


def ask_pruned(subject: Subject, rng: Random) -> Item:
    """Ask for the leaves that are not searched."""
    tree = draw_explicit(rng, 3, span=6)
    expect(1 <= len(tree.list_pruned()) <= 5)
    searched = search(subject, tree).leaves
    return Item(
        "leaves",
        name_nodes(leaf for leaf in tree.leaves if leaf not in searched),
        list_mistakes(
            (name_nodes(tree.list_pruned(rule)), words) for rule, words in WRONG_PRUNING.items()
        ),
        text="alphabeta_search searches this tree. Which leaves does it not search? Name leaves "
        "only, each by its path.",
        why=f"It prunes at {describe_prunes(tree)}.",
        **tree.show(),
    )


def ask_threshold(subject: Subject, rng: Random) -> Item:
    """Ask for the value of a leaf from which on a pruned leaf is searched."""
    tree = draw_explicit(rng, 3, most=2) if rng.random() < 0.5 else draw_explicit(rng, 2, least=3)
    expect(bool(tree.list_pruned()))
    target = rng.choice(tree.list_pruned())
    leaf = rng.choice(tree.leaves[: tree.leaves.index(target)])
    there = [
        value
        for value in range(-LARGEST, LARGEST + 1)
        if not tree.replace({leaf: value}).is_pruned(target)
    ]
    at_least, at_most = there[-1:] == [LARGEST], there[:1] == [-LARGEST]
    expect(at_least != at_most and there[-1] - there[0] == len(there) - 1)
    limit, step = (there[0], 1) if at_least else (there[-1], -1)
    for value in (limit, limit - step):
        record = subject.search(ALPHABETA, tree.replace({leaf: value}))
        expect((target in record.leaves) == (value == limit))
    wrong = [(-limit, "the value were the opponent's")]
    below = tree.replace({leaf: limit - step})
    if not below.is_pruned(target, STRICT):
        wrong.insert(0, (limit - step, "equality were not enough to prune"))
    return Item(
        "number",
        str(limit),
        list_mistakes(wrong),
        text=f"alphabeta_search prunes {target} in this tree. Only the leaf {leaf} changes, to "
        f"another whole number. Which is the {'smallest' if at_least else 'largest'} value of "
        f"{leaf} with which {target} is searched?",
        why=f"With {limit - step} at {leaf} the search prunes at "
        f"{describe_prunes(below, target)}; with {limit} at no node above {target}.",
        **tree.show(leaf=leaf, target=target),
    )


def measure_depth(node: str) -> int:
    return node.count("/") + 1 if node else 0


def cut(tree: ExplicitTree, depth: int, h: dict[str, int]) -> ExplicitTree:
    """Return the tree as a search to a depth sees it: h stands for what is deeper."""
    return tree.replace({node: h[node] for node in tree.inner if measure_depth(node) > depth})


def search_to_depth(
    subject: Subject, tree: ExplicitTree, depth: int, h: dict[str, int]
) -> tuple[SearchRecord, ExplicitTree]:
    """Search to a depth. Return the record, and the tree that the search saw.

    Raises NotAsked if it does not do what the rules say.
    """
    record, seen = subject.search_to_depth(tree, depth, h), cut(tree, depth, h)
    expected = {leaf for leaf in seen.leaves if not seen.is_pruned(leaf)}
    expect({*record.leaves, *record.requests("h")} == expected and record.value == seen.values[""])
    return record, seen


def ask_depth(subject: Subject, rng: Random) -> Item:
    """Ask for the depth that cutoff is called with at a node, if it is called there."""
    (wanted,) = rng.choices((2, 3, None), (3, 4, 4))  # each is the answer about as often
    tree, limit = draw_explicit(rng, 4, most=2, early=0.1), 2 if wanted == 3 else rng.choice((1, 2))
    h = {node: rng.randint(-9, 9) for node in tree.inner}
    record, seen = search_to_depth(subject, tree, limit, h)
    asked = record.requests("cutoff")
    deep = [node for node in tree.inner if measure_depth(node) > 1]
    for node in deep:
        called = node in seen.states and not seen.is_pruned(node)
        expect((node in asked) == called)
    nodes = [node for node in deep if (measure_depth(node) if node in asked else None) == wanted]
    expect(bool(nodes))
    node = rng.choice(nodes)
    depth = measure_depth(node)
    expect(asked.get(node) == wanted)
    reason = f"it has depth {depth}, however many children were tried before"
    if wanted is None:
        above = "/".join(node.split("/")[: limit + 1])
        reason = f"the search stops at {above}, whose depth {limit + 1} is above {limit}"
        if above == node or seen.is_pruned(above):
            reason = f"the search prunes at {describe_prunes(seen, node)}"
    wrong = [
        (NOT_CALLED, "the search stopped, or pruned, above it"),
        (str(depth), "the search came to it"),
        (str(depth - 1), "the search came to it, and the root's children had depth 0"),
        (str(depth + 1), "the search came to it, and the root had depth 1"),
    ]
    return Item(
        "choice",
        NOT_CALLED if wanted is None else str(depth),
        list_mistakes(wrong),
        text=f"h_alphabeta_search searches this tree with cutoff_depth({limit}); h is written in "
        f"the nodes. With which depth is cutoff called at {node}?",
        why=f"The root has depth 0, and every child one more than its parent. At {node}: {reason}.",
        **tree.show(node=node, depth=limit, h=h),
    )


def ask_estimates(subject: Subject, rng: Random) -> Item:
    """Ask for the nodes that h is called for."""
    tree, limit = draw_explicit(rng, 3, early=0.15), rng.choice((0, 1))
    h = {node: rng.randint(-9, 9) for node in tree.inner}
    record, seen = search_to_depth(subject, tree, limit, h)
    expect(len(record.requests("h")) <= 5)

    def estimates(depth: int) -> list[str]:
        """Return the nodes that h is called for in a search to another depth."""
        other = cut(tree, depth, h)
        return [n for n in other.leaves if tree.children[n] and not other.is_pruned(n)]

    there = [node for node in tree.states if measure_depth(node) == limit + 1]
    wrong = [
        (there, "cutoff came before the terminal test, and nothing were pruned"),
        ([n for n in seen.leaves if tree.children[n]], "nothing were pruned"),
        (estimates(limit + 1), f"the search went on to depth {limit + 2}"),
    ]
    if limit:
        wrong.append((estimates(limit - 1), f"the search stopped at depth {limit}"))
    return Item(
        "nodes",
        name_nodes(record.requests("h")),
        list_mistakes((name_nodes(nodes), words) for nodes, words in wrong),
        text=f"h_alphabeta_search searches this tree with cutoff_depth({limit}); h is written in "
        "the nodes. For which nodes is h called?",
        why=f"cutoff stops at depth {limit + 1}, the first that is above {limit}; a leaf has its "
        "utility, and what is pruned is never called.",
        **tree.show(depth=limit, h=h),
    )
