"""What all failing cases of a test have in common: it parts mistakes that look alike in one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from autograder.cases import Case, SearchCase, SeededCase
from autograder.judge.replay import true_values
from autograder.judge.values import same
from autograder.student import Answer


class Judged(NamedTuple):
    """One case, what was answered, and whether that was wrong."""

    case: Case | None
    answer: Answer | None
    wrong: bool


def pattern(judged: Sequence[Judged]) -> str:
    """Say in one line how many cases fail, and what is the same in all of them; "" for one."""
    failing = [one for one in judged if one.wrong]
    if len(failing) < 2:
        return ""
    common = [trait for trait in traits(failing[0]) if all(trait in traits(it) for it in failing)]
    sides = {side(one) for one in failing}
    if len(sides) == 1 and {side(one) for one in judged if not one.wrong} - sides:
        (only,) = sides
        common.append(f"{only} is to move")
    counted = f"{len(failing)} of {len(judged)} cases fail"
    return f"{counted}; in all of them {' and '.join(common[:2])}" if common else counted


def side(one: Judged) -> str:
    telling = isinstance(one.case, SearchCase) or type(one.case) is SeededCase
    return str(one.case.make_state().to_move) if one.case and telling else ""


def traits(one: Judged) -> list[str]:
    """Say what can be said of a wrong answer, the most telling first."""
    case, answer = one.case, one.answer
    if answer is None or not isinstance(case, SearchCase):
        return []
    game, state = case.make_game(), case.make_state()
    worth = true_values(case)
    moves = [worth(game.result(state, move)) for move in game.actions(state)]
    if same(answer.value, case.value):
        if answer.index in (case.best or (None,)):
            return []  # how it was searched was wrong
        return of_moves(answer, moves, "max" if state.to_move == case.max_player else "min")
    found = []
    if case.value and same(answer.value, -case.value):
        found.append("only the sign of the value is wrong")
    if answer.value == 0:
        found.append("the value is 0")
    if len(moves) > 1:
        named = {
            "first move's": moves[0],
            "last move's": moves[-1],
            "largest of the moves'": max(moves),
            "smallest of the moves'": min(moves),
        }
        found += [
            f"the value is the {name}" for name, value in named.items() if same(answer.value, value)
        ]
        if same(answer.value, sum(moves) / len(moves)):
            found.append("the value is the mean of the moves' values")
    return found


def of_moves(answer: Answer, moves: list[float], kind: str) -> list[str]:
    """Say what can be said of a wrong move."""
    if answer.index is None:
        return ["the move is None"]
    worst = (min if kind == "max" else max)(moves)
    found = []
    if answer.index == len(moves) - 1:
        found.append("the move is the last one tried")
    if answer.index == 0:
        found.append("the move is the first one tried")
    if moves[answer.index] == worst:
        found.append("the move is the worst one")
    return found
