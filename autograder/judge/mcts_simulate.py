"""Playouts alone: what simulate returns, and that it chooses its moves by chance."""

from __future__ import annotations

from collections.abc import Iterator

from autograder.cases import UniformCase
from autograder.draw import Picture, game_tree, is_tree, position, show
from autograder.judge.mcts_worker import simulate
from autograder.judge.pictures import marking
from autograder.judge.values import same
from autograder.referee import Served
from autograder.student import Student
from autograder.wrong import Wrong
from starter.games import Move, State, other

MOST_SHOWN = 12  # moves in one message


def end_of(served: Served) -> int:
    """Return the position at which one playout ended: where the utility was asked last."""
    asked = [event.number for event in served.events if event.kind == "utility"]
    return asked[-1] if asked else len(served.positions) - 1


def ended(served: Served, end: State, player: str) -> Picture:
    """Draw where a playout ended: a board as it was then, a node marked in its tree."""
    start = served.positions[0].state
    if is_tree(start):
        return game_tree(served.game, start, player, marking(end, "it ended here"))
    return position(served.game, end, player)


def expect_simulation(result: float, served: Served) -> None:
    """The result is that of the game that was played, for who made the move into the state."""
    start = served.positions[0].state
    player = other(start.to_move)
    path = served.path(end_of(served))
    end = served.positions[path[-1]].state
    played = [show(served.positions[n].move) for n in path[1:]]
    asked = sum(event.kind == "utility" for event in served.events)
    begun = sum(position.parent == 0 for position in served.positions)
    where = [f"the game it played: {', '.join(played) or 'no move'}"]
    if begun > 1 and asked > 1:
        where = [f"simulate began {begun} games, and should play one; {where[0]}, the last one"]
    if path[0] != 0:
        raise Wrong(
            "simulate/wrong-start",
            "simulate should play from the state that it is given",
            expected="random moves from `state` on",
            got="a game from game.initial",
            where=where,
            pictures=[position(served.game, start, player)],
        )
    if not served.game.is_terminal(end):
        raise Wrong(
            "simulate/not-finished",
            "simulate should play random moves until the game is over",
            expected="a finished game",
            got=f"{len(played)} move{'s' * (len(played) != 1)}, and the game is not over",
            where=where,
            pictures=[ended(served, end, player)],
        )
    true = served.game.utility(end, player)
    if not same(result, true):
        kind, hints = other_result(result, true, start.to_move)
        raise Wrong(
            f"simulate/{kind}",
            "simulate returned a result that is not that of the game it played",
            expected=f"{show(true)}: the utility for {player}, who made the move into the state",
            got=show(result),
            where=[
                *hints,
                f"{start.to_move} is to move in the state",
                *where,
                *([] if is_tree(start) else ["at the end:"]),
            ],
            pictures=[ended(served, end, player)],
        )


def other_result(result: float, true: float, mover: str) -> tuple[str, list[str]]:
    """Name a wrong result, and explain it in lines if it is one that students often return."""
    if true and same(result, -true):
        return "other-side", [
            f"that is {mover}'s utility, who is to move in the state: remember, before the first "
            "move, whose result is wanted"
        ]
    if true in (-1, 0, 1) and same(result, (true + 1) / 2):
        return "zero-to-one", [
            "a loss counts -1 here, a draw 0, a win 1: not 0, 1/2, 1, or backprop can't flip the "
            "sign; return the utility itself"
        ]
    if result and abs(true) > 1 and same(abs(result), 1) and (result > 0) == (true > 0):
        return "sign-only", ["that is the utility's sign: return the utility itself"]
    return "wrong-result", []


def expect_uniform(student: Student, case: UniformCase) -> None:
    """One move of many playouts, the first or a later one, is spread evenly, by Pearson's test.

    `case.most` is the value that chi-square exceeds once in seven million times when they are. Nor
    is it more even than chance: under `case.least` it falls as seldom.
    """
    counts = moves_made(student, case)
    if not any(counts.values()):
        raise Wrong(
            "simulate/no-move",
            "simulate made no move where there is a choice",
            expected="random moves until the game is over",
            got=f"{case.playouts} playouts without a move there",
            pictures=[position(case.make_game(), case.make_state())],
        )
    mean = case.playouts / len(counts)
    chi_square = distance(list(counts.values()), [mean] * len(counts))
    if case.least <= chi_square <= case.most:
        return
    if chi_square > case.most:
        code, what = "not-uniform", "simulate does not choose every legal move equally often"
        expected = f"about {show(mean)} times each (chi-square at most {show(case.most)})"
    else:
        code, what = "too-even", "simulate takes the moves in turn, and should draw them"
        expected = f"random moves from rng: hardly ever {show(mean)} times each, by chance"
    raise Wrong(
        f"simulate/{code}",
        f"{what} ({case.playouts} playouts)",
        expected=expected,
        got=f"{counted(counts)} (chi-square {show(chi_square)})",
        where=[
            *([] if case.second else ends_half_as_often(list(counts.values()), case.most)),
            SECOND if case.second else FIRST,
        ],
        pictures=[position(case.make_game(), case.make_state())],
    )


def moves_made(student: Student, case: UniformCase) -> dict[Move, int]:
    """Count a move of each playout, the first at which there is a choice.

    Of the second, where the case is about that, it is the place after the first one's.
    """
    game, state, forced = case.make_game(), case.make_state(), 1
    while len(game.actions(state)) == 1:
        state, forced = game.result(state, game.actions(state)[0]), forced + 1
    moves = game.actions(state)
    counts = dict.fromkeys(range(len(moves)) if case.second else moves, 0)
    for i in range(case.playouts):
        _, served = simulate(student, case, case.seed + i)
        path = served.path(end_of(served))
        if path[0] != 0:
            continue
        made = [served.positions[number].move for number in path[1:]]
        if case.second and len(made) > 1:
            first, second = map(moves.index, made[:2])
            counts[(second - first) % len(moves)] += 1
        elif not case.second and len(made) >= forced:
            counts[made[forced - 1]] += 1
    return counts


def counted(counts: dict[Move, int]) -> str:
    """How often each move was made; where there are many, those that came least and most often."""
    if len(counts) <= MOST_SHOWN:
        return named(counts)
    often = sorted(counts, key=lambda move: counts[move])
    least, most = (
        named({move: counts[move] for move in some})
        for some in (often[: MOST_SHOWN // 2], often[-MOST_SHOWN // 2 :])
    )
    return f"of {len(counts)} moves most seldom {least}; most often {most}"


def named(counts: dict[Move, int]) -> str:
    return ", ".join(f"{show(move)}: {count}" for move, count in counts.items())


FIRST = "in each playout, the first move at which there is a choice was counted"
SECOND = (
    "in each playout, the second move was counted, by how many columns to the right of the first "
    "it is, the leftmost coming after the rightmost: each move is chosen anew from all that are "
    "legal, the one made before among them"
)


def distance(counts: list[int], due: list[float]) -> float:
    """Pearson's chi-square of what was counted, beside what is due."""
    return sum((count - mean) ** 2 / mean for count, mean in zip(counts, due))


def ends_half_as_often(counts: list[int], most: float) -> Iterator[str]:
    """Say if the first and the last move came half as often as the others, by the same test."""
    inner = sum(counts) / (len(counts) - 1)
    due = [inner / 2, *[inner] * (len(counts) - 2), inner / 2]
    if len(counts) > 2 and distance(counts, due) <= most:
        yield (
            "the first and the last move came half as often as the others: does round(...) make "
            "the index? Each end gets half of what it rounds; rng.choice does it right"
        )
