"""Send question 4's requests to a worker, and compare and draw the search trees it reports.

See `autograder/worker/inside/mcts.py`.
"""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from autograder.checks.ask.finding import Hint, clean_text, make_failure
from autograder.checks.ask.plain_answers import Answer, Search, expect_number, expect_pair
from autograder.checks.ask.student import Student
from autograder.checks.ask.values import same
from autograder.diagram import Node, Picture, Tree, format_value, make_statistics_node
from autograder.serving.case import Case
from autograder.serving.cases import FinalMoveCase, PhaseCase, PlayoutsCase, SeededCase, Statistics
from autograder.serving.game_server import GameServer
from autograder.worker.inside.protocol import GAME, STATE
from starter.games import State

Row = dict[str, Any]
DEEPEST_TREE = 100  # plies; no game in the cases is half as long
MOST_MARKED = 10  # nodes in one drawing


def make_readable(value: Any) -> Any:
    """Return a worker's value, with a description in place of an unexpected object."""
    if type(value) is list:
        return [make_readable(part) for part in value]
    odd = value["odd"] if type(value) is dict else value
    return clean_text(odd) if type(odd) is str else odd


class ReportedTree:
    """A search tree as rows, one per node; node 0 is the root.

    rows:     as the worker sent them, with text in place of values of a wrong kind
    children: by node, its children, in the order of its dictionary
    paths:    by node, the indices of the moves that lead to it; other values are unchanged
    """

    def __init__(self, case: Case, rows: list[Row]) -> None:
        """Raise Failed if U or N is not a number, or the tree is deeper than any game."""
        self.rows = [{name: make_readable(value) for name, value in row.items()} for row in rows]
        self.children: list[list[int]] = [[] for _ in rows]
        self.paths: list[list[Any]] = [[]]
        for node, row in enumerate(self.rows[1:], 1):
            self.children[row["under"]].append(node)
            self.paths.append([*self.paths[row["under"]], row["key"]])
            if len(self.paths[node]) > DEEPEST_TREE:
                raise make_failure("tree/too-deep", {"plies": DEEPEST_TREE})
        for row, name in itertools.product(self.rows, "UN"):
            if type(row[name]) is str:
                raise make_failure("tree/not-a-number", {"field": name, "got": row[name]})
        self.game = case.make_game()
        self.root: State = case.make_state()

    def find(self, path: list[Any]) -> int:
        """Return the node with this path; the root if none has it."""
        return self.paths.index(path) if path in self.paths else 0

    def name_moves(self, path: list[Any]) -> list[str]:
        """Name the moves with these indices; leave other values unchanged."""
        names, _ = self.follow(path)
        return [*names, *map(str, path[len(names) :])]

    def is_over(self, node: int) -> bool:
        """Is the game over at a node? False if the moves to it are illegal."""
        names, state = self.follow(self.paths[node])
        return len(names) == len(self.paths[node]) and self.game.is_terminal(state)

    def follow(self, path: list[Any]) -> tuple[list[str], State]:
        """Name the moves with these indices while they are legal; add the last state."""
        names: list[str] = []
        state = self.root
        for index in path:
            actions = self.game.actions(state)
            if type(index) is not int or not 0 <= index < len(actions):
                break
            names.append(str(actions[index]))
            state = self.game.result(state, actions[index])
        return names, state

    def name_path(self, path: list[Any]) -> str:
        """Name a node by the moves that lead to it."""
        if not path:
            return "the root"
        return "the node reached by " + ", then ".join(self.name_moves(path))

    def name_node(self, node: Any) -> str:
        """Name a node by its number; any other value is not in the tree."""
        return self.name_path(self.paths[node]) if type(node) is int else f"{node}, not in the tree"

    def draw(self, marks: Mapping[Any, str], texts: Mapping[int, str] | None = None) -> Tree:
        """Draw the tree with U and N in every node, and a mark or another text in some."""
        nodes: list[Node] = []
        for i, (row, path) in enumerate(zip(self.rows, self.paths)):
            name = self.name_moves(path)[-1] if path else "root"
            more = [texts[i]] if texts and i in texts else []
            node = make_statistics_node(name, row["U"], row["N"], *more, mark=marks.get(i, ""))
            nodes.append(node)
            if path:
                nodes[row["under"]].children.append(node)
        return Tree(nodes[0])


def expect_statistics(
    tree: ReportedTree,
    expected: Sequence[Statistics],
    phase: str,
    hints: Sequence[Hint] = (),
    cause: str = "",
) -> None:
    """Check that the tree has exactly these nodes, with their U and N.

    phase: the first part of the finding's code
    cause: the second part, if known; by default the kind of the first difference

    Raise Failed for the first difference; the drawing marks all of them.
    """
    found = list(itertools.islice(find_differences(tree, expected), MOST_MARKED))
    if found:
        _, kind, facts = found[0]
        marks = {
            node: "new" if kind == "new-node" else f"should be {facts['due']}"
            for node, kind, facts in found
        }
        raise make_failure(f"{phase}/{cause or kind}", facts, hints, [tree.draw(marks)])


def find_differences(
    tree: ReportedTree, expected: Sequence[Statistics]
) -> Iterator[tuple[int | None, str, dict[str, str]]]:
    """Find where the tree differs from [path, U, N] of each expected node.

    Yield the number of each such node, the kind of the difference, and the finding's facts.
    """
    due = {tuple(path): (U, N) for path, U, N in expected}
    for node, (row, path) in enumerate(zip(tree.rows, tree.paths)):
        got = f"U = {format_value(row['U'])}, N = {format_value(row['N'])}"
        place = tree.name_path(path)
        if tuple(path) not in due:
            yield node, "new-node", {"node": place, "due": "no such node", "got": got}
            continue
        U, N = due.pop(tuple(path))
        if not same(row["U"], U) or row["N"] != N:
            kind = "visits" if row["N"] != N else "utility"
            facts = {
                "node": place,
                "due": f"U = {format_value(U)}, N = {format_value(N)}",
                "got": got,
            }
            yield node, kind, facts
    for missing in due:
        facts = {"node": tree.name_path(list(missing)), "due": "a node there", "got": "none"}
        yield None, "missing-node", facts


SEARCH = "mcts.monte_carlo_tree_search"


def run_search(student: Student, case: PlayoutsCase) -> Search:
    """Let the search do the case's playouts on a served game."""
    options = {"playouts": case.playouts, "C": case.C, "rng": {"rng": case.seed}}
    return student.serve(SEARCH, case, **options)


def call_simulate(
    student: Student, case: SeededCase, playouts: int = 1
) -> tuple[list[float], GameServer]:
    """Let `simulate` play on one served game by a new seed each; return results and game."""
    seeds = range(case.seed, case.seed + playouts)
    calls = [{"args": [GAME, STATE, {"rng": seed}]} for seed in seeds]
    answers, server = student.call_served("mcts.simulate", case, "number", calls)
    results = [expect_number("mcts.simulate", answer) for answer in answers]
    student.log.trace += [*results, server]
    return results, server


def call_phase(
    student: Student, function: str, case: PhaseCase, *args: Any
) -> tuple[ReportedTree, int | str]:
    """Call select, expand or backprop on the case's search tree, at node `case.at`.

    Return the tree afterwards, and the returned node; any other value is returned as text.
    """
    call = {"tree": {"state": case.state, "nodes": case.nodes}, "at": case.at}
    request = {"do": "phase", "game": case.game, "calls": [{**call, "args": args}]}
    (answer,) = student.ask(function, request, draw=lambda _: [draw_case(case, case.at)])
    tree, returned = ReportedTree(case, answer["tree"]), make_readable(answer["returned"])
    student.log.trace += [returned, tree.rows]
    return tree, returned


def call_final_choice(student: Student, case: FinalMoveCase) -> Answer | None:
    """Let monte_carlo_tree_search end on the case's search tree; return its answer.

    Stand-ins replace the four phases meanwhile. Return None if the student's loop does not call
    them or fails on them, so that it can't be led to that tree: a loop that goes by the root's
    visits ends at once, because fewer playouts are asked for than the tree has.
    """
    tree = {"state": case.state, "nodes": case.nodes}
    call = {"tree": tree, "options": {"playouts": case.playouts - 1}}
    request = {"do": "choose", "game": case.game, "calls": [call]}
    (answer,) = student.ask(SEARCH, request, draw=lambda _: [draw_case(case, [])])
    if answer is None:
        return None
    checked = expect_pair(SEARCH, answer, case.make_game(), case.make_state())
    student.log.trace += [checked.value, checked.index]
    return checked


def run_phases(
    student: Student, case: PlayoutsCase, watch: bool
) -> tuple[dict[str, Any], GameServer]:
    """Run the student's four phases in a loop; return the answer, and the record.

    watch: look for a change of the tree by simulate, and answer only with the state "touched"
    """
    call = {"playouts": case.playouts, "C": case.C, "seed": case.seed, "watch": watch}
    server = case.make_server()
    request = {"do": "grow", "game": ["served", server.start_reply()], "calls": [call]}
    (answer,) = student.ask("mcts.select", request, server, "the loop over your four phases")
    return answer, server


def draw_case(case: FinalMoveCase | PhaseCase, at: list[int]) -> Picture:
    """Draw the case's search tree, with a mark at one node."""
    paths = [path for path, _, _ in case.nodes]
    rows: list[Row] = [{"U": U, "N": N} for _, U, N in case.nodes]
    for path, row in zip(paths[1:], rows[1:]):
        row |= {"under": paths.index(path[:-1]), "key": path[-1]}
    tree = ReportedTree(case, rows)
    node = tree.find(at)
    over = ": the game is over" if tree.is_over(node) else ""
    return tree.draw({node: f"called with this node{over}"})
