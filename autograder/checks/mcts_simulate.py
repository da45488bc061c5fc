"""Playouts alone: what simulate returns, and that it chooses its moves by chance."""

from __future__ import annotations

from autograder.checks.finding import Wrong
from autograder.checks.mcts_queries import simulate
from autograder.checks.search_diagram import marking
from autograder.checks.student import Student
from autograder.checks.values import same
from autograder.checks.wrong_rules import WRONG_RESULTS, rules_giving
from autograder.diagram import Picture, game_tree, is_tree, position, show
from autograder.serving.cases import SeededCase, UniformCase
from autograder.serving.game_server import Served
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


def expect_simulation(student: Student, case: SeededCase) -> None:
    """The result is that of the game that was played, for the player who moved into the state."""
    result, served = simulate(student, case, case.seed)
    start = served.positions[0].state
    player = other(start.to_move)
    path = served.path(end_of(served))
    end = served.positions[path[-1]].state
    played = [show(served.positions[n].move) for n in path[1:]]
    game_played = f"the game it played: {', '.join(played) or 'no move'}"
    if path[0] != 0:
        raise Wrong(
            "simulate/wrong-start",
            "simulate should play from the state that it is given",
            expected="random moves from `state` on",
            got="a game from game.initial",
            where=[game_played],
            pictures=[position(served.game, start, player)],
        )
    if not served.game.is_terminal(end):
        raise Wrong(
            "simulate/not-finished",
            "simulate should play random moves until the game is over",
            expected="a finished game",
            got=f"{len(played)} move{'s' * (len(played) != 1)}, and the game is not over",
            where=[game_played],
            pictures=[ended(served, end, player)],
        )
    true = served.game.utility(end, player)
    if not same(result, true):
        found = rules_giving(result, WRONG_RESULTS, true, start.to_move)
        known = found[0] if len({rule.code for rule in found}) == 1 else None
        raise Wrong(
            f"simulate/{(known and known.code) or 'wrong-result'}",
            "simulate returned a result that is not that of the game it played",
            expected=f"{show(true)}: the utility for {player}, who moved into the state",
            got=show(result),
            where=[
                *([f"that is {known.words}"] if known and known.code else []),
                f"{start.to_move} is to move in the state",
                game_played,
                *([] if is_tree(start) else ["at the end:"]),
            ],
            pictures=[ended(served, end, player)],
        )


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
        where=[SECOND if case.second else FIRST],
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
    "it is, the leftmost coming after the rightmost: each move is drawn independently from all "
    "legal moves"
)


def distance(counts: list[int], due: list[float]) -> float:
    """Pearson's chi-square of what was counted, beside what is due."""
    return sum((count - mean) ** 2 / mean for count, mean in zip(counts, due))
