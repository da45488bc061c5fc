"""Check values and moves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from autograder.checks.finding import Failed, Finding, Hint, about_call, failure, shown_by
from autograder.checks.search_diagram import called, marking, searched_tree
from autograder.checks.student import Answer, Search, Student
from autograder.diagram import (
    Board,
    Node,
    Picture,
    default_side,
    position,
    show,
    squares_of,
    state_name,
)
from autograder.serving.cases import Case, PositionsCase, SearchCase
from autograder.serving.game_server import GameServer
from autograder.serving.record import Event
from starter.games import State

PRUNING = ("alphabeta", "cutoff")  # files whose searches prune
CHUNK = 500  # positions per request
# Relative rounding error of correct arithmetic (absolute below 1): float32 has seven digits.
# Different values of one case are 500 times as far apart, see author/cases/.
TOLERANCE = 1e-6
Values = Callable[[State], float]  # the true value of a position for the player at the root


def same(a: float, b: float, largest: float = 1.0) -> bool:
    """Are the values equal up to rounding? `largest` is the largest term in them."""
    return abs(a - b) <= TOLERANCE * max(largest, abs(a), abs(b))


def distinct(due: float, found: float) -> tuple[str, str, list[Hint]]:
    """Format two numbers so that they differ; add a hint if four digits do not."""
    digits = next((n for n in range(4, 17) if show(due, n) != show(found, n)), 17)
    hint = Hint("difference", {"difference": show(abs(due - found), 2)})
    return show(due, digits), show(found, digits), [hint] if digits > 4 else []


def expect_value(case: SearchCase, search: Answer, largest: float = 1.0) -> None:
    """Check that the value is the true one for the player to move at the root."""
    if not same(search.value, case.value, largest):
        player = case.max_player
        sides, unasked = wrong_sides(search, player), no_utility(search)
        flipped = [Hint("sign")] if same(search.value, -case.value) else []
        expected, got, rounded = distinct(case.value, search.value)
        cause = "/side" if sides else "/end-not-asked" if unasked else ""
        raise failure(
            f"wrong-value{cause}",
            {
                "to_move": case.make_state().to_move,
                "value": expected,
                "player": player,
                "got": got,
            },
            [*direct_call(case), *flipped, *sides, *unasked, *rounded],
            [picture_of(case, search)],
        )


def no_utility(search: Answer) -> list[Hint]:
    """Say if terminal nodes were generated, but no utility was asked for."""
    if not isinstance(search, Search) or utilities(search):
        return []
    end = first_end(search.served)
    return [] if end is None else [Hint("utility-not-asked", {"node": called(search.served, end)})]


def direct_call(case: SearchCase) -> list[Hint]:
    """Name the function that was called, if it is not the search."""
    if not case.function:
        return []
    facts = {
        "function": case.function.split(".")[1],
        "player": case.max_player,
        "alpha": case.alpha,
        "beta": case.beta,
    }
    return [Hint("direct-call", facts)]


def picture_of(case: SearchCase, search: Answer) -> Picture:
    """Draw the search if there is a record of it, else the position."""
    if isinstance(search, Search):
        return searched_tree(search.served, case.player, worth(case, search), returns=True)
    return position(case.make_game(), case.make_state(), case.player)


def worth(case: SearchCase, search: Search) -> Callable[[Node, State], None]:
    """Return a decorator that writes the case's values into a tree's inner nodes."""
    sign = 1 if case.max_player == default_side(search.served.positions[0].state) else -1

    def decorate(node: Node, state: State) -> None:
        value = case.values.get(state.key)
        if value is not None and node.kind != "leaf":
            node.texts.append(f"worth {show(sign * value)}")

    return decorate


def wrong_sides(search: Answer, player: str) -> list[Hint]:
    """Say where the utility was asked for the wrong player, as a possible cause."""
    if not isinstance(search, Search):
        return []
    served, asked = search.served, utilities(search)
    wrong = next((event for event in asked if event.said != player), None)
    if wrong is None:
        return []
    below_chance_only = all(
        (event.said != player) == after_chance(served, event.number) for event in asked
    )
    name = state_name(served.positions[wrong.number].state)
    hints = [Hint("wrong-side", {"node": name, "said": wrong.said, "player": player})]
    if below_chance_only:
        hints.append(Hint("wrong-side-below-chance"))
    if all(event.said == served.positions[event.number].state.to_move for event in asked):
        hints.append(Hint("wrong-side-negamax"))
    return hints


def utilities(search: Search) -> list[Event]:
    """Return the requests for utilities, in order."""
    return [event for event in search.served.events if event.kind == "utility"]


def after_chance(served: GameServer, number: int) -> bool:
    """Is there a chance node above a position?"""
    above = (served.positions[n].state.to_move for n in served.path(number)[:-1])
    return "chance" in above


def expect_best_move(case: SearchCase, search: Answer) -> None:
    """Check that the move is one of the best, or None if the game is over."""
    if search.index not in (case.best or (None,)):
        game = case.make_game()
        state = case.make_state()
        actions = game.actions(state)
        picture = picture_of(case, search)
        if isinstance(picture, Board):
            good = frozenset().union(*(squares_of(game, state, actions[i]) for i in case.best))
            move = search.move
            bad = frozenset() if search.index is None else squares_of(game, state, move)
            picture = Board(state, good=good, bad=bad)
        best = " or ".join(show(actions[i]) for i in case.best)
        chance = state.to_move == "chance"
        kind = "" if case.best else "/none-at-chance" if chance else "/none-at-end"
        facts = {"to_move": state.to_move, "best": best, "move": search.move}
        raise failure(f"wrong-move{kind}", facts, diagrams=[picture])


def expect_all_positions(
    student: Student, function: str, case: PositionsCase, **options: Any
) -> None:
    """Check value and move on each of the case's positions, also after a search."""
    positions, game = case.positions, case.make_game()
    bounds = [Hint("equal-bound-on-boards")] * (function.split(".")[0] in PRUNING)
    several = Hint("several-ways")
    for start in range(0, len(positions), CHUNK):
        chunk = positions[start : start + CHUNK]
        states = [state for state, _, _ in chunk]
        try:
            if case.earlier:
                part = replace(case, positions=chunk)
                expect_no_earlier_values(student, function, part, **options)
            answers = student.search(function, case.game, states, **options)
            for i, ((state, value, best), answer) in enumerate(zip(chunk, answers)):
                single = SearchCase(game=case.game, state=state, value=value, best=best)
                with about_call(i, [several]):
                    expect_value(single, answer)
                only_0 = [Hint("move-0")] * (best == [0] and game.actions(game.initial)[0] == 0)
                with about_call(i, [*only_0, *bounds, several]):
                    expect_best_move(single, answer)
        except Failed as failed:
            if failed.finding.call is None:
                raise
            with shown_by(replace(case, index=None, positions=[chunk[failed.finding.call]])):
                raise


def expect_no_earlier_values(
    student: Student, function: str, case: PositionsCase, **options: Any
) -> None:
    """Check that a search of an earlier game does not affect the case's answers."""
    singles = [
        SearchCase(game=case.game, earlier=case.earlier, state=state, value=value, best=best)
        for state, value, best in case.positions
    ]

    def search(game: list[Any]) -> list[Answer]:
        return student.search(function, game, [single.state for single in singles], **options)

    expect_independent_searches(
        student,
        lambda: search(case.earlier or case.game),
        lambda: search(case.game),
        singles,
        lambda i, answer: is_right(singles[i], answer),
    )


def is_right(case: SearchCase, answer: Answer, largest: float = 1.0) -> bool:
    return same(answer.value, case.value, largest) and answer.index in (case.best or (None,))


def expect_independent_searches(
    student: Student,
    search_before: Callable[[], object],
    search: Callable[[], list[Answer]],
    cases: Sequence[Case],
    right: Callable[[int, Answer], bool] | None = None,
) -> None:
    """Check that a search answers as in a new process after earlier searches.

    search_before: searches equal states that have other values
    cases: the positions to search then
    right: whether the answer with that index is known to be right; only other answers need a new
           process

    A difference that does not repeat is due to randomness, which other tests judge.
    """

    def search_after() -> list[Answer]:
        search_before()
        return search()

    def in_new_process(ask: Callable[[], list[Answer]]) -> list[Answer]:
        student.end()  # the next question starts a new process
        return ask()

    def differ(i: int, one: Answer, other: Answer) -> bool:
        return right(i, other) and not right(i, one) if right else not same(one.value, other.value)

    after = search_after()
    if right and all(right(i, answer) for i, answer in enumerate(after)):
        return
    alone = in_new_process(search)
    different = [i for i, pair in enumerate(zip(after, alone)) if differ(i, *pair)]
    again = [in_new_process(ask) for ask in (search_after, search)] if different else []
    for i in different:
        pairs = [(found[i], new[i]) for found, new in zip((after, alone), again)]
        if all(same(one.value, two.value) and one.index == two.index for one, two in pairs):
            value, value_after, _ = distinct(alone[i].value, after[i].value)
            raise failure(
                "earlier-search",
                {
                    "value": value,
                    "move": alone[i].move,
                    "value_after": value_after,
                    "move_after": after[i].move,
                },
                diagrams=[position(cases[i].make_game(), cases[i].make_state())],
                call=i,
            )


def expect_some_search(search: Search) -> None:
    """Check that the search asked for some node's value; otherwise it can only guess."""
    served = search.served
    if any(event.kind in ("utility", "h") for event in served.events):
        return
    end = first_end(served)
    if end is not None:
        raise Failed(utility_not_asked(served, end))
    moves = len(served.positions) - 1
    raise failure("not-searched", {"moves": moves}, diagrams=[searched_tree(served)])


def first_end(served: GameServer) -> int | None:
    """Return the first terminal node that was generated, if any was."""
    nodes = enumerate(served.positions)
    return next((n for n, node in nodes if served.game.is_terminal(node.state)), None)


def utility_not_asked(served: GameServer, number: int) -> Finding:
    """Return the finding for a terminal node whose value was never asked for."""
    marked = marking(served.positions[number].state, "utility not asked for")
    diagram = searched_tree(served, decorate=marked)
    return Finding("left-out/end", {"node": called(served, number)}, diagrams=(diagram,))
