"""What all failing cases of a test have in common: it parts mistakes that look alike in one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import comb
from typing import NamedTuple

from autograder.cases import (
    BackpropCase,
    Case,
    CutoffCase,
    PhaseCase,
    SearchCase,
    SeededCase,
)
from autograder.draw import is_tree, kind_of, show
from autograder.inside.protocol import after_moves
from autograder.judge.replay import true_values
from autograder.judge.values import same
from autograder.student import Answer
from autograder.wrong import Wrong

CHANCE = 0.03  # that cases drawn at random have as much in common: what is likelier is not said
RULE = "the value is what comes of"
RULES = {
    "to the end": "the value is that of a search to the end",
    "mover": f"{RULE} ends seen from who is to move there",
    "X": f"{RULE} ends seen from X's side",
    "largest": f"{RULE} the largest at every node",
    "first": f"{RULE} the first move alone",
    "last": f"{RULE} the last move alone",
    "all but first": f"{RULE} all moves but the first",
    "all but last": f"{RULE} all moves but the last",
}
TWICE = "the same side moves twice in a row"  # few trees have it: told first
ENOUGH = 4  # cases that fail, where a wrong answer has it as often as not


class Judged(NamedTuple):
    """One case, what was answered, and what was wrong with that."""

    case: Case | None
    answer: Answer | None
    wrong: Wrong | None


def pattern(judged: Sequence[Judged]) -> str:
    """Say in one line how many cases fail, and what is the same in all of them; "" if there is but
    one case. Where the code gave no answer in some, the others are compared."""
    failing = [one for one in judged if one.wrong]
    if len(failing) < 2:
        return f"1 of {len(judged)} cases fails" if failing and len(judged) > 1 else ""
    counted, which = f"{len(failing)} of {len(judged)} cases fail", "all of them"
    answering = [one for one in failing if one.wrong and not one.wrong.code.startswith("raised/")]
    if 1 < len(answering) < len(failing):
        failing, which = answering, "all that give an answer"
    each = [[*answered(one), *(one.wrong.traits if one.wrong else ())] for one in failing]
    common = [trait for trait in each[0] if all(trait in traits for traits in each)]
    if len(failing) >= ENOUGH:
        common = common or scaled(failing)
        each = [moved(one) for one in failing]
        common += [trait for trait in each[0] if all(trait in traits for traits in each)]
        nodes = {one.wrong.node for one in failing if one.wrong}
        if len(nodes) == 1 and any(nodes):
            common.append(f"a {nodes.pop().upper()} node is the first to go wrong")
    common += parting(judged)
    told = [trait for trait in common[:2] if trait == common[0] or not trait.startswith(RULE)]
    return f"{counted}; in {which} {' and '.join(told)}" if told else counted


def scaled(failing: Sequence[Judged]) -> list[str]:
    """Say if all wrong values come of the right ones by one factor and one summand."""
    pairs = {
        one.case.value: one.answer.value
        for one in failing
        if isinstance(one.case, SearchCase) and one.answer is not None
    }
    if len(pairs) < ENOUGH:
        return []
    (low, of_low), (high, of_high) = (pick(pairs.items()) for pick in (min, max))
    factor = (of_high - of_low) / (high - low)
    rest = of_low - factor * low
    right = same(factor, 1) and same(rest, 0)
    if right or factor == 0 or not all(same(v, factor * due + rest) for due, v in pairs.items()):
        return []
    times = "" if same(factor, 1) else f"{show(factor)} * "
    added = f" {'+' if rest > 0 else '-'} {show(abs(rest))}" if not same(rest, 0) else ""
    return [f"the value is {times}the right one{added}"]


# --- the cases ------------------------------------------------------------------------------------


def parting(judged: Sequence[Judged]) -> list[str]:
    """Return what parts the cases that fail best from those that pass, if anything does."""
    moves = {one.wrong.code for one in judged if one.wrong} == {"wrong-move"}
    all_features = [
        {*features(one.case), *(best_moves(one.case) if moves else ())} for one in judged
    ]
    failing = [found for one, found in zip(judged, all_features) if one.wrong]
    best, least = "", CHANCE
    for feature in sorted(set.intersection(*failing), key=lambda found: (found != TWICE, found)):
        having = sum(feature in found for found in all_features)
        chance = comb(having, len(failing)) / comb(len(judged), len(failing))
        if chance < least:
            best, least = feature, chance
    return [best] if best else []


def features(case: Case | None) -> Iterator[str]:
    """Say what kind of case it is: who is to move, what is due, where its tree ends."""
    if type(case) is PhaseCase:
        game = case.make_game()
        (N,) = (N for path, _, N in case.nodes if path == case.at)
        if not game.is_terminal(after_moves(game, case.make_state(), case.at)):
            yield f"the leaf to expand has N = {N}"
    if isinstance(case, BackpropCase):
        began = after_moves(case.make_game(), case.make_state(), case.at)
        yield f"{began.to_move} is to move at the node where backprop begins"
    if case is None or not (isinstance(case, SearchCase) or type(case) is SeededCase):
        return
    root = case.make_state()
    yield f"{root.to_move} is to move"
    if isinstance(case, SearchCase) and is_tree(root):
        if case.value <= 0:
            yield "0 is due" if case.value == 0 else "a negative value is due"
        yield from shape(case)


def best_moves(case: Case | None) -> Iterator[str]:
    """Say which move is not a best one, though it may be tried first or last."""
    if isinstance(case, SearchCase):
        moves = case.make_game().actions(case.make_state())
        for which, index in (("first", 0), ("last", len(moves) - 1)):
            if index not in case.best:
                yield f"the {which} move is no best one"


def shape(case: SearchCase) -> Iterator[str]:
    """Say at and below which kinds of nodes a case's tree ends, and what else is rare in it."""
    game, player = case.make_game(), case.max_player
    queue = [(case.make_state(), "", 0)]
    for state, above, depth in queue:
        kind = kind_of(state, player).upper()
        if game.is_terminal(state):
            yield f"the game ends below a {above} node"
        elif isinstance(case, CutoffCase) and case.stops(state, depth):
            yield f"cutoff says stop at a {kind} node"
        else:
            below = [game.result(state, move) for move in game.actions(state)]
            queue += [(child, kind, depth + 1) for child in below]
            if len(below) == 1:
                yield f"a {kind} node has a single move"
            if kind == above != "CHANCE":
                yield TWICE


# --- the answers ----------------------------------------------------------------------------------


def answered(one: Judged) -> list[str]:
    """Say what can be said of a wrong value, the most telling first."""
    case, answer = one.case, one.answer
    if answer is None or not isinstance(case, SearchCase) or same(answer.value, case.value):
        return []
    found = []
    if case.value and same(answer.value, -case.value):
        found.append("only the sign of the value is wrong")
    if is_tree(case.make_state()):
        found += [
            in_words(rule) for rule, value in case.otherwise.items() if same(answer.value, value)
        ]
    if answer.value == 0:
        found.append("the value is 0")
    moves = of_moves(case)
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


def in_words(rule: str) -> str:
    """Say what the value is by a rule that a case knows."""
    which, _, kind = rule.partition("/")
    return RULES[which] + (f" at {kind.upper()} nodes" if kind else "")


def of_moves(case: SearchCase) -> list[float]:
    game, state = case.make_game(), case.make_state()
    worth = true_values(case)
    return [worth(game.result(state, move)) for move in game.actions(state)]


def moved(one: Judged) -> list[str]:
    """Say what can be said of a wrong move."""
    case, answer = one.case, one.answer
    if answer is None or not isinstance(case, SearchCase) or not same(answer.value, case.value):
        return []
    if answer.index in (case.best or (None,)):
        return []  # how it was searched was wrong
    if answer.index is None:
        return ["the move is None"]
    moves, to_move = of_moves(case), case.make_state().to_move
    worst = min(moves) if to_move == case.max_player else max(moves)
    found = []
    if answer.index == len(moves) - 1:
        found.append("the move is the last one tried")
    if answer.index == 0:
        found.append("the move is the first one tried")
    if moves[answer.index] == worst:
        found.append("the move is the worst one")
    for where, step in (("before", 1), ("after", -1)):
        if answer.index + step in case.best:
            found.append(f"the move is the one {where} a best one")
    return found
