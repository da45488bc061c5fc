"""Cutoff and heuristic: what a depth-limited search asks, where, and with what."""

from __future__ import annotations

from autograder.draw import board_lines, name_of, position_lines, show
from autograder.judge.pruning import Replay
from autograder.judge.values import same
from autograder.referee import make_state
from autograder.student import STATE, Case, Search, Student, Wrong


def expect_depths(search: Search) -> None:
    """Each depth passed to cutoff is the number of moves from the root."""
    served = search.served
    asked = [event for event in served.events if event.kind == "cutoff"]
    if not asked:
        raise Wrong(
            "cutoff was never asked",
            expected="cutoff(game, state, depth) at every position that is not terminal",
            got="no call",
            picture=position_lines(served.game, served.positions[0].state),
        )
    for event in asked:
        position = served.positions[event.number]
        if type(event.said) not in (int, float) or event.said != position.depth:
            raise Wrong(
                f"the depth passed to cutoff at {name_of(position.state)} is not right",
                expected=f"depth {position.depth}: the root has depth 0, its children 1, and so on",
                got=f"depth {show(event.said)}",
                picture=position_lines(served.game, served.positions[0].state),
            )
    cut_asked = {event.number for event in asked}
    for number in Replay(served, lambda state: 0).order:
        state = served.positions[number].state
        if number not in cut_asked and not served.game.is_terminal(state):
            raise Wrong(
                f"cutoff was not asked at {name_of(state)}",
                expected="cutoff(game, state, depth) at every position that is not terminal",
                got=f"{name_of(state)} was searched without",
                picture=position_lines(served.game, served.positions[0].state),
            )


def expect_terminal_first(search: Search) -> None:
    """Neither cutoff nor h was asked at a terminal position."""
    served = search.served
    for event in served.events:
        state = served.positions[event.number].state
        if event.kind in ("cutoff", "h") and served.game.is_terminal(state):
            raise Wrong(
                f"{event.kind} was asked at {name_of(state)}, where the game is over",
                expected="the terminal test first: the utility is the value, cutoff and h are not asked",
                got=f"{event.kind} asked there",
                picture=position_lines(served.game, served.positions[0].state),
            )


def expect_frontier(search: Search) -> None:
    """h was asked where cutoff said stop, nowhere else, and nothing was searched below."""
    served = search.served
    stopped = {e.number for e in served.events if e.kind == "cutoff" and e.answer}
    evaluated = {e.number for e in served.events if e.kind == "h"}
    picture = position_lines(served.game, served.positions[0].state)
    for event in served.events:
        name = name_of(served.positions[event.number].state)
        if event.kind == "h" and event.number not in stopped:
            if served.game.is_terminal(served.positions[event.number].state):
                continue  # another test judges that
            raise Wrong(
                f"h was asked at {name}, where cutoff had not said stop",
                expected="h(state, player) exactly where cutoff(game, state, depth) is true",
                got=f"h asked at {name}",
                picture=picture,
            )
        if event.kind == "result" and served.positions[event.number].parent in stopped:
            above = name_of(served.positions[served.positions[event.number].parent or 0].state)
            raise Wrong(
                f"the search went on below {above}, where cutoff said stop",
                expected=f"the value of {above} is h's, and nothing below it is generated",
                got=f"{name} was generated",
                picture=picture,
            )
    for number in sorted(stopped - evaluated):
        name = name_of(served.positions[number].state)
        raise Wrong(
            f"h was not asked at {name}, where cutoff said stop",
            expected="h(state, player) exactly where cutoff(game, state, depth) is true",
            got=f"no h at {name}",
            picture=picture,
        )


def expect_root_side(search: Search) -> None:
    """h was asked for the player to move at the root."""
    served = search.served
    player = served.positions[0].state.to_move
    asked = [event for event in served.events if event.kind == "h"]
    for event in asked:
        if event.said != player:
            state = served.positions[event.number].state
            raise Wrong(
                f"h was asked from the wrong side at {name_of(state)}",
                expected=f"h(state, {player!r}): {player} is to move at the root, MAX all the time",
                got=f"h(state, {show(event.said)!r})",
                picture=position_lines(served.game, served.positions[0].state),
            )
    if not asked:
        raise Wrong("h was never asked", expected="h(state, player) at the frontier", got="no call")


HEURISTIC = "cutoff.connect_four_heuristic"


def looks(student: Student, case: Case, positions: list[str], player: str) -> list[float]:
    """Return the student's heuristic values of the positions for `player`."""
    calls = [(rows, STATE, player) for rows in positions]
    return student.numbers(HEURISTIC, case.game, calls)


def drawn(case: Case, rows: str) -> list[str]:
    return board_lines(make_state(case.make_game(), rows))


def expect_inside(student: Student, case: Case) -> None:
    """-1 < h < 1 on every position."""
    for player in ("X", "O"):
        for rows, value in zip(case.positions, looks(student, case, case.positions, player)):
            if not -1 < value < 1:
                raise Wrong(
                    "the heuristic reaches a win or a loss in an undecided position",
                    expected="strictly between -1 (a loss) and 1 (a win)",
                    got=f"h(state, {player!r}) = {show(value)}",
                    picture=drawn(case, rows),
                )


def expect_antisymmetric(student: Student, case: Case) -> None:
    """h(s, X) = -h(s, O) on every position, and h is not the same everywhere."""
    for_x = looks(student, case, case.positions, "X")
    for_o = looks(student, case, case.positions, "O")
    for rows, x, o in zip(case.positions, for_x, for_o):
        if not same(x, -o):
            raise Wrong(
                "the heuristic is not as bad for one side as it is good for the other",
                expected=f"h(state, 'O') = {show(-x)}, for h(state, 'X') = {show(x)}",
                got=f"h(state, 'O') = {show(o)}",
                picture=drawn(case, rows),
            )
    if len(set(for_x)) == 1:
        raise Wrong(
            "the heuristic has the same value on every position",
            expected="larger values where the player stands better",
            got=f"{show(for_x[0])} each time",
        )


def expect_better_looks(student: Student, case: Case) -> None:
    """The first of two positions looks better for `case.player` than the second."""
    better, worse = looks(student, case, [case.better, case.worse], case.player)
    if not better > worse:
        raise Wrong(
            f"the heuristic does not prefer {case.why}, seen from {case.player}",
            expected=f"more for the upper board than for the lower one (for {case.player})",
            got=f"{show(better)} for the upper, {show(worse)} for the lower",
            picture=[*drawn(case, case.better), "", *drawn(case, case.worse)],
        )
