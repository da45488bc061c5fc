"""Items about Monte Carlo tree search: a drawn search tree with U and N, and one phase of it."""

from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple

from autograder.checks.mcts.queries import call_final_choice, call_phase
from autograder.checks.mcts.rules import RIGHT, list_wrong_rules, ucb
from autograder.diagram import Tree, format_value, make_statistics_node
from autograder.quiz.item import Item, expect, list_mistakes
from autograder.quiz.subject import Subject
from autograder.serving.cases import BackpropCase, FinalMoveCase, SelectCase, Statistics
from autograder.settings import SETTINGS

MARGIN = 0.12  # between the two largest UCBs, so that rounding does not decide
WRONG_SIGNS = {
    "inverted": "the sign flipped before the first node",
    "no-flip": "the sign did not flip",
}
TreePath = tuple[int, ...]


class SearchTree(NamedTuple):
    """A search tree of two plies in a game that ends there: U and N by path.

    game: as `make_game` takes it; X is to move at the root
    """

    game: list[Any]
    U: dict[TreePath, float]
    N: dict[TreePath, int]

    @property
    def statistics(self) -> list[Statistics]:
        return [(list(path), self.U[path], self.N[path]) for path in self.N]

    def children(self, path: TreePath) -> list[TreePath]:
        return [one for one in self.N if one and one[:-1] == path]

    @property
    def leaves(self) -> list[TreePath]:
        """The nodes of the second ply."""
        return [path for path in self.N if len(path) == 2]

    def mean(self, path: TreePath) -> float:
        return self.U[path] / self.N[path]

    def bonus(self, path: TreePath) -> float:
        """Return the second term of UCB1."""
        return self.ucb(path) - self.mean(path)

    def ucb(self, path: TreePath) -> float:
        return ucb(self.U[path], self.N[path], self.N[path[:-1]], SETTINGS.C)

    def show(self, with_bonus: bool = False, **facts: Any) -> dict[str, Any]:
        """Return the drawing and the facts of an item."""
        nodes = {}
        for path, N in self.N.items():
            texts = [f"B = {self.bonus(path):.2f}"] if with_bonus and path else []
            nodes[path] = make_statistics_node(
                name_path(path).rpartition("/")[2], self.U[path], N, *texts
            )
            if path:
                nodes[path[:-1]].children.append(nodes[path])
        return {"picture": Tree(nodes[()]), "facts": {"nodes": self.statistics, **facts}}


def name_path(path: TreePath) -> str:
    return "/".join("abcdefgh"[index] for index in path) or "root"


def draw_search_tree(rng: Random) -> SearchTree:
    """Draw a tree whose statistics agree with each other."""
    game: list[list[float]] = []
    U: dict[TreePath, float] = {(): 0.0}
    N: dict[TreePath, int] = {(): 0}
    for move in range(3):
        results = [rng.choice((-1, -0.5, 0, 0.5, 1)) for _ in range(2)]
        game.append([-result for result in results])  # a leaf's value is X's, who moves first
        visits = [rng.randint(1, 9) for _ in results]
        first = rng.choice((-1, 0, 1))  # the playout that began at this child
        N[move,] = 1 + sum(visits)
        U[move,] = first - sum(n * result for n, result in zip(visits, results))
        for reply, (n, result) in enumerate(zip(visits, results)):
            U[move, reply], N[move, reply] = n * result, n
        N[()] += N[move,]
        U[()] -= U[move,]
    return SearchTree(["GameTree", game, "X"], U, N)


def ask_selection(subject: Subject, rng: Random) -> Item:
    """Ask for the leaf that select returns."""
    tree = draw_search_tree(rng)
    case = SelectCase(game=tree.game, nodes=tree.statistics, C=SETTINGS.C, leaf=[])
    reported, returned = call_phase(subject.start(), "mcts.select", case, case.C)
    path = tuple(reported.paths[returned]) if isinstance(returned, int) else ()
    expect(path in tree.leaves)
    for length in range(1, len(path) + 1):
        family = tree.children(path[: length - 1])
        others = [tree.ucb(one) for one in family if one != path[:length]]
        expect(tree.ucb(path[:length]) >= max(others) + MARGIN)

    def follow(measure: Callable[[TreePath], float]) -> str:
        """Return the leaf whose path is largest by a measure at each step."""
        return name_path(max(tree.leaves, key=lambda leaf: [measure(leaf[:1]), measure(leaf)]))

    wrong = [
        (follow(tree.mean), "the largest mean were followed"),
        (follow(lambda one: tree.bonus(one) - tree.mean(one)), "U had the other sign"),
        (follow(lambda one: tree.N[one]), "the most visited child were followed"),
        (follow(tree.bonus), "the least visited child were followed"),
        (follow(lambda one: tree.U[one]), "U were not divided by N"),
        (name_path(path[:1]), "select went down one ply only"),
    ]
    steps = [f"{name_path(path[:n])}: {tree.ucb(path[:n]):.2f}" for n in range(1, len(path) + 1)]
    return Item(
        "node",
        name_path(path),
        list_mistakes(wrong),
        text="select is called at the root of this search tree. Which node does it return? "
        "(B is the second part of the UCB: UCB = U/N + B.)",
        why=f"The largest UCBs are {', then '.join(steps)}.",
        **tree.show(with_bonus=True),
    )


def ask_backprop(subject: Subject, rng: Random) -> Item:
    """Ask for the statistics along a path after a result."""
    tree = draw_search_tree(rng)
    leaf, utility = rng.choice(tree.leaves), rng.choice((-1, 1))
    path = [leaf[:length] for length in range(len(leaf), -1, -1)]

    def describe(terms: list[float], visits: int = 1) -> str:
        after = [
            f"{name_path(one)}: U = {format_value(tree.U[one] + term)}, N = {tree.N[one] + visits}"
            for one, term in zip(path, terms)
        ]
        return "; ".join(after)

    case = BackpropCase(
        game=tree.game, nodes=tree.statistics, at=list(leaf), utility=utility, after=[]
    )
    reported, _ = call_phase(subject.start(), "mcts.backprop", case, utility)
    rows = {tuple(one): row for one, row in zip(reported.paths, reported.rows)}
    terms = RIGHT.added(utility, len(path))
    for one, term in zip(path, terms):
        expect((rows[one]["U"], rows[one]["N"]) == (tree.U[one] + term, tree.N[one] + 1))
    rules = list_wrong_rules("4.5")
    wrong = [
        *((describe(rule.added(utility, 3)), WRONG_SIGNS[rule.code]) for rule in rules),
        (describe([*terms[:-1], 0.0]), "the root's U stayed as it is"),
        (describe(terms, 0), "the visits were not counted"),
    ]
    return Item(
        "choice",
        describe(terms),
        list_mistakes(wrong[:2] + rng.sample(wrong[2:], len(wrong) - 2)),
        text=f"backprop is called at {name_path(leaf)} with utility = {utility}. What do the nodes "
        "on the path hold afterwards?",
        why=f"U changes by {format_value(utility)} at {name_path(leaf)}, and the sign flips at "
        "every step up, because the players alternate; N grows by 1 at each node.",
        **tree.show(at=list(leaf), utility=utility),
    )


def ask_final_choice(subject: Subject, rng: Random) -> Item:
    """Ask for value and move at the end, where the best mean is another move's."""
    tree = draw_search_tree(rng)
    family = tree.children(())
    most = max(family, key=lambda one: tree.N[one])
    best_mean = max(family, key=tree.mean)
    expect(most != best_mean and [tree.N[one] for one in family].count(tree.N[most]) == 1)
    case = FinalMoveCase(
        game=tree.game, nodes=tree.statistics, seed=0, playouts=tree.N[()], C=SETTINGS.C
    )
    answer = call_final_choice(subject.start(), case)
    move, mean = name_path(most), tree.mean(most)
    expect(answer is not None and answer.move == move and abs(answer.value - mean) <= 1e-9)

    def pair(value: float, path: TreePath) -> str:
        return f"value {value + 0.0:.2f}, move {name_path(path)}"

    top = max(family, key=tree.ucb)
    wrong = [
        (pair(tree.mean(best_mean), best_mean), "the best mean decided"),
        (pair(-mean, most), "the value were the opponent's"),
        (pair(tree.mean(top), top), "UCB decided, which is for exploring"),
        (pair(-tree.mean(()), most), "the value were the mean at the root"),
        (pair(tree.U[most], most), "the value were U, not the mean"),
    ]
    return Item(
        "choice",
        pair(mean, most),
        list_mistakes(wrong[:1] + rng.sample(wrong[1:], len(wrong) - 1)),
        text="All playouts are done. What does monte_carlo_tree_search return?",
        why=f"{move} was visited most, {tree.N[most]} times; its mean is {tree.U[most]:g} / "
        f"{tree.N[most]}. The best mean, {tree.mean(best_mean):.2f} of {name_path(best_mean)}, "
        f"rests on {tree.N[best_mean]} playouts only.",
        **tree.show(),
    )
