"""Send question 4's requests to a worker; see `autograder/worker/inside/mcts.py`."""

from typing import Any, NamedTuple

from autograder.checks.ask.plain_answers import Answer, Search, expect_number, expect_pair
from autograder.checks.ask.student import Student
from autograder.checks.mcts.reported_tree import ReportedTree, Row, make_readable
from autograder.diagram import Picture
from autograder.serving.cases import FinalMoveCase, PhaseCase, PlayoutsCase, SeededCase
from autograder.serving.game_server import GameServer
from autograder.worker.inside.protocol import GAME, STATE

SEARCH = "mcts.monte_carlo_tree_search"


def run_search(student: Student, case: PlayoutsCase) -> Search:
    """Let the search do the case's playouts on a served game."""
    options = {"playouts": case.playouts, "C": case.C, "rng": {"rng": case.seed}}
    return student.serve(SEARCH, case, **options)


def call_simulate(
    student: Student, case: SeededCase, playouts: int = 1
) -> tuple[list[float], GameServer]:
    """Let `simulate` play on one served game, each time with another seed.

    Return the results, and the game.
    """
    seeds = range(case.seed, case.seed + playouts)
    calls = [{"args": [GAME, STATE, {"rng": seed}]} for seed in seeds]
    answers, server = student.calls_served("mcts.simulate", case, "number", calls)
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
    question = {"do": "phase", "game": case.game, "calls": [{**call, "args": args}]}
    (answer,) = student.ask(function, question, draw=lambda _: [draw_case(case, case.at)])
    tree, returned = ReportedTree(case, answer["tree"]), make_readable(answer["returned"])
    student.log.trace += [returned, tree.rows]
    return tree, returned


def call_final_choice(student: Student, case: FinalMoveCase) -> Answer | None:
    """Let monte_carlo_tree_search end on the case's search tree; return its answer.

    Stand-ins replace the four phases meanwhile. Return None if the student's loop does not call
    them or fails on them, so that it can't be led to that tree.
    """
    tree = {"state": case.state, "nodes": case.nodes}
    call = {"tree": tree, "options": {"playouts": case.playouts}}
    question = {"do": "choose", "game": case.game, "calls": [call]}
    (answer,) = student.ask(SEARCH, question, draw=lambda _: [draw_case(case, [])])
    if answer is None:
        return None
    checked = expect_pair(SEARCH, answer, case.make_game(), case.make_state())
    student.log.trace += [checked.value, checked.index]
    return checked


class GrownTree(NamedTuple):
    """The tree and results of a loop over the student's four phases.

    began:   for each playout its first node; anything else is given as text
    results: for each playout the value that simulate returned
    """

    server: GameServer
    tree: ReportedTree
    began: list[int | str]
    results: list[float]


def grow_tree(student: Student, case: PlayoutsCase) -> GrownTree:
    """Grow a search tree with the student's four phases, on a served game."""
    answer, server = run_phases(student, case, watch=False)
    tree = ReportedTree(case, answer["tree"])
    began = [make_readable(node) for node in answer["began"]]
    results = [expect_number("mcts.simulate", result) for result in answer["results"]]
    student.log.trace.append([tree.rows, began, results])
    return GrownTree(server, tree, began, results)


def run_phases(
    student: Student, case: PlayoutsCase, watch: bool
) -> tuple[dict[str, Any], GameServer]:
    """Run the student's four phases in a loop; return the answer, and the record.

    watch: look for a change of the tree by simulate, and answer only with the state "touched"
    """
    call = {"playouts": case.playouts, "C": case.C, "seed": case.seed, "watch": watch}
    server = case.make_server()
    question = {"do": "grow", "game": ["served", server.start_reply()], "calls": [call]}
    (answer,) = student.ask("mcts.select", question, server, "the loop over your four phases")
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
