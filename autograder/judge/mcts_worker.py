"""What a worker is asked of question 4 besides calls; see `autograder/inside/mcts.py`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autograder.cases import Case, ChoiceCase, PhaseCase, PlayoutsCase
from autograder.draw import Picture, statistics_tree
from autograder.inside.protocol import GAME, STATE
from autograder.referee import Served
from autograder.student import Answer, Student, number, pair
from autograder.wrong import Wrong, text

SEARCH = "mcts.monte_carlo_tree_search"
DEEPEST_TREE = 100  # plies; no game in the cases is half as long


def simulate(student: Student, case: Case, seed: int) -> tuple[float, Served]:
    """Let `simulate` play on a served game; return its result and the game it played."""
    served = case.served()
    question = {
        "do": "call",
        "answer": "number",
        "game": ["served", served.start_reply()],
        "calls": [{"args": [GAME, STATE, {"rng": seed}]}],
    }
    (answer,) = student.ask("mcts.simulate", question, served)
    result = number("mcts.simulate", answer)
    student.observed += [result, served]
    return result, served


def phase(student: Student, function: str, case: PhaseCase, *args: Any) -> dict[str, Any]:
    """Call select, expand or backprop on the case's search tree, at node `case.at`.

    Returns {"returned": the row of a node, or what came instead, as text; "tree": the tree
    afterwards, as checked rows}.
    """
    call = {"tree": {"state": case.state, "nodes": case.nodes}, "at": case.at}
    question = {"do": "phase", "game": case.game, "calls": [{**call, "args": args}]}
    (answer,) = student.ask(function, question, draw=lambda _: [drawn(case, case.at)])
    rows, returned = checked_tree(answer["tree"]), answer["returned"]
    if type(returned) is dict:
        returned = text(returned["odd"])
    student.observed += [returned, rows]
    return {"returned": returned, "tree": rows}


def final_choice(student: Student, case: ChoiceCase) -> Answer | None:
    """Let monte_carlo_tree_search end on the case's search tree; return its answer.

    The four phases are replaced by stand-ins meanwhile. None if the student's own loop does not
    call them or fails on them, so that it can't be led to that tree.
    """
    tree = {"state": case.state, "nodes": case.nodes}
    call = {"tree": tree, "options": {"playouts": case.playouts}}
    question = {"do": "choose", "game": case.game, "calls": [call]}
    (answer,) = student.ask(SEARCH, question, draw=lambda _: [drawn(case, [])])
    if answer is None:
        return None
    checked = pair(SEARCH, answer, case.make_game(), case.make_state())
    student.observed += [checked.value, checked.index]
    return checked


def grow(
    student: Student, case: PlayoutsCase, watch: bool = False
) -> tuple[dict[str, Any], Served]:
    """Grow a search tree by the student's four phases; return it, and the game they played.

    The tree is {"tree": checked rows, "results": what each simulate returned}, or, if simulate
    changed it, {"touched": the state it was called with}. The game is served: what the tree
    says can be compared with the playouts that there were.

    watch: look whether simulate changes the tree
    """
    call = {"playouts": case.playouts, "C": case.C, "seed": case.seed, "watch": watch}
    served = case.served()
    question = {"do": "grow", "game": ["served", served.start_reply()], "calls": [call]}
    (answer,) = student.ask("mcts.select", question, served, "the loop over your four phases")
    if "touched" in answer:
        grown: dict[str, Any] = {"touched": served.name(answer["touched"])}
    else:
        grown = {
            "tree": checked_tree(answer["tree"]),
            "results": [number("mcts.simulate", result) for result in answer["results"]],
        }
        for row in grown["tree"]:
            row["position"], row["state"] = row["state"], served.name(row["state"])
    student.observed.append(grown)
    return grown, served


def drawn(case: ChoiceCase | PhaseCase, at: Sequence[int]) -> Picture:
    """Draw the case's search tree, with a mark at one node."""
    return statistics_tree(case.make_game(), case.make_state(), case.nodes, at)


# --- search trees ---------------------------------------------------------------------------------


def checked_tree(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the rows of a search tree, with text in place of what is not of the right kind.

    Raises Wrong if a node's U or N is no number, or the tree is deeper than any game.
    """
    depths: list[int] = []
    for row in rows:
        depths.append(0 if row["under"] is None else depths[row["under"]] + 1)
        if depths[-1] > DEEPEST_TREE:
            raise Wrong(
                "tree/too-deep",
                "the search tree goes deeper than any game",
                got=f"more than {DEEPEST_TREE} plies",
            )
    return [checked_row(row) for row in rows]


def checked_row(row: dict[str, Any]) -> dict[str, Any]:
    """Raises Wrong if U or N is no number."""
    plain = {"state": text(row["state"]), "under": row["under"]}
    for name in ("parent", "key", "move"):
        plain[name] = text(row[name]["odd"]) if type(row[name]) is dict else row[name]
    for name in ("U", "N"):
        plain[name] = row[name]
        if type(row[name]) is dict:
            what = f"a node's {name} should be a number"
            raise Wrong("tree/not-a-number", what, got=text(row[name]["odd"]))
    if "again" in row:
        plain["again"] = [move for move in row["again"] if type(move) is int]
    return plain
