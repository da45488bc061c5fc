"""What a worker is asked of question 4 besides calls; see `autograder/inside/mcts.py`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autograder.cases import Case, ChoiceCase, PhaseCase, PlayoutsCase
from autograder.draw import Picture, statistics_tree
from autograder.inside.protocol import GAME, LARGEST_TREE, STATE
from autograder.referee import Served
from autograder.student import Answer, Student, number, pair
from autograder.wrong import Wrong, text, unreadable

SEARCH = "mcts.monte_carlo_tree_search"
DEEPEST_TREE = 100  # plies; no game in the cases is half as long
LONGEST_NAME = 200  # characters of a state or move in a row of a search tree


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
    if not isinstance(answer, dict):
        raise unreadable(f"{function} gave no answer that can be read")
    rows, returned = checked_tree(answer.get("tree")), answer.get("returned")
    if type(returned) is not int or not 0 <= returned < len(rows):
        returned = text(returned.get("odd") if isinstance(returned, dict) else returned)
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
    if not isinstance(answer, dict):
        raise unreadable("the search tree can't be read")
    if "touched" in answer:
        grown: dict[str, Any] = {"touched": served.name(answer["touched"])}
    else:
        results = answer.get("results")
        if not isinstance(results, list) or len(results) != case.playouts:
            raise unreadable("the results of the playouts can't be read")
        grown = {
            "tree": checked_tree(answer.get("tree")),
            "results": [number("mcts.simulate", result) for result in results],
        }
        for row in grown["tree"]:
            row["position"], row["state"] = row["state"], served.name(row["state"])
    student.observed.append(grown)
    return grown, served


def drawn(case: ChoiceCase | PhaseCase, at: Sequence[int]) -> Picture:
    """Draw the case's search tree, with a mark at one node."""
    return statistics_tree(case.make_game(), case.make_state(), case.nodes, at)


# --- checking plain data --------------------------------------------------------------------------


def checked_tree(rows: Any) -> list[dict[str, Any]]:
    """Check the rows of a search tree: node 0 is the root, `under` names an earlier row.

    Return them with what was checked and nothing else; `parent`, `key` and `move` are a number,
    None or the text of what stood there. Raises Wrong unless every field is of the right kind.
    """
    if not isinstance(rows, list) or not 0 < len(rows) <= LARGEST_TREE:
        raise unreadable("the search tree can't be read")
    checked: list[dict[str, Any]] = []
    depths: list[int] = []
    for i, row in enumerate(rows):
        if not fits(row, i):
            raise unreadable("the search tree can't be read")
        depths.append(depths[row["under"]] + 1 if i else 0)
        if depths[i] > DEEPEST_TREE:
            raise Wrong(
                "tree/too-deep",
                "the search tree goes deeper than any game",
                got=f"more than {DEEPEST_TREE} plies",
            )
        checked.append(checked_row(row))
    return checked


def fits(row: Any, i: int) -> bool:
    """Is this a row of a search tree that may stand at place `i`?"""
    return (
        isinstance(row, dict)
        and isinstance(row.get("state"), str)
        and type(row.get("parent")) in (int, dict, type(None))
        and (row.get("under") is None if i == 0 else type(row.get("under")) is int)
        and (i == 0 or 0 <= row["under"] < i)
    )


def checked_row(row: dict[str, Any]) -> dict[str, Any]:
    """Return what is known of a row. Raises Wrong if U or N is no number."""
    state = text(row["state"])[:LONGEST_NAME]
    plain = {"state": state, "under": row["under"]}
    for name in ("parent", "key", "move"):
        value = row.get(name)
        odd = value.get("odd") if isinstance(value, dict) else value
        plain[name] = value if type(value) in (int, type(None)) else text(odd)[:LONGEST_NAME]
    for name in ("U", "N"):
        plain[name] = row.get(name)
        if type(plain[name]) not in (int, float):
            what = f"a node's {name} should be a number"
            raise Wrong("tree/not-a-number", what, got=text(plain[name]))
    if isinstance(row.get("again"), list):
        plain["again"] = [move for move in row["again"] if type(move) is int]
    return plain
