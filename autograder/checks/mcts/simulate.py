"""Check simulate alone: its result, and that its moves are random."""

from collections.abc import Sequence
from typing import Any

from autograder.checks.ask.finding import Hint, make_failure
from autograder.checks.ask.student import Student
from autograder.checks.ask.values import same
from autograder.checks.mcts.queries import call_simulate
from autograder.checks.mcts.rules import list_wrong_rules
from autograder.checks.search.search_diagram import mark_states
from autograder.diagram import Picture, describe_position, describe_tree, format_value, is_tree
from autograder.serving.cases import SeededCase, UniformCase
from autograder.serving.game_server import Event, GameServer
from starter.games import Move, State, other


def find_end(server: GameServer, playout: Sequence[Event]) -> int:
    """Return the last position of a playout, where the utility was last asked for.

    If the utility was asked for too early, the playout ends where its game is over.
    """
    asked = [event.number for event in playout if event.kind == "utility"]
    made = [event.number for event in playout if event.kind == "result"]
    if asked and made and not server.is_over(asked[-1]) and server.is_over(made[-1]):
        return made[-1]
    return asked[-1] if asked else playout[-1].number if playout else 0


def draw_end(server: GameServer, end: State, player: str, mark: str = "it ended here") -> Picture:
    """Draw the end of a playout: the board, or the node marked in its tree."""
    start = server.root
    if is_tree(start):
        return describe_tree(server.game, start, player, mark_states({end: mark}))
    return describe_position(server.game, end, player)


def describe_place(server: GameServer, number: int) -> str:
    played = [format_value(server.positions[n].move) for n in server.path(number)[1:]]
    return f"the state after {', '.join(played)}" if played else "the state that it was given"


def expect_simulation(student: Student, case: SeededCase) -> None:
    """Check that the result is the game's, for the player who moved into the state."""
    (result,), server = call_simulate(student, case)
    start = server.root
    player = other(start.to_move)
    path = server.path(find_end(server, server.events))
    end = server.state(path[-1])
    played = [format_value(server.positions[n].move) for n in path[1:]]
    game_played = Hint("game-played", {"moves": ", ".join(played) or "no move"})
    if path[0] != 0:
        drawn = describe_position(server.game, start, player)
        raise make_failure("simulate/wrong-start", hints=[game_played], diagrams=[drawn])
    if not server.game.is_terminal(end):
        drawn = draw_end(server, end, player)
        raise make_failure("simulate/not-finished", {"moves": len(played)}, [game_played], [drawn])
    asked = [event.number for event in server.find_requests("utility")]
    if asked and not server.is_over(asked[-1]):
        left = len(path) - len(server.path(asked[-1]))
        facts: dict[str, Any] = {"asked": describe_place(server, asked[-1]), "left": left}
        hints, drawn = [game_played], draw_end(server, server.state(asked[-1]), player, "utility")
        raise make_failure("simulate/utility-before-the-end", facts, hints, [drawn])
    true = server.game.utility(end, player)
    if not same(result, true):
        rules = [r for r in list_wrong_rules("4.3") if same(r.result(true, start.to_move), result)]
        code = rules[0].code if len({rule.code for rule in rules}) == 1 else ""
        raise make_failure(
            f"simulate/{code or 'wrong-result'}",
            {"utility": true, "player": player, "result": result},
            [
                *([Hint(f"result-{code}")] if code else []),
                Hint("to-move", {"player": start.to_move}),
                game_played,
            ],
            [draw_end(server, end, player)],
        )


def expect_uniform(student: Student, case: UniformCase) -> None:
    """Check that a move is uniformly distributed over playouts, by Pearson's test.

    For uniform moves, chi-square exceeds `case.most` once in seven million times. It falls below
    `case.least` as rarely: then the moves are more even than random ones.
    """
    counts = count_moves(student, case)
    if not any(counts.values()):
        drawn = describe_position(case.make_game(), case.make_state())
        raise make_failure("simulate/no-move", {"playouts": case.playouts}, diagrams=[drawn])
    mean = case.playouts / len(counts)
    chi_square = sum((count - mean) ** 2 / mean for count in counts.values())
    if case.least <= chi_square <= case.most:
        return
    facts = {
        "playouts": case.playouts,
        "mean": mean,
        "most": case.most,
        "counts": ", ".join(
            f"{format_value(move)}: {counts[move]}"
            for move in sorted(counts, key=counts.__getitem__)
        ),
        "chi_square": chi_square,
    }
    raise make_failure(
        "simulate/not-uniform" if chi_square > case.most else "simulate/too-even",
        facts,
        [Hint("second-move-counted" if case.second else "first-move-counted")],
        [describe_position(case.make_game(), case.make_state())],
    )


def count_moves(student: Student, case: UniformCase) -> dict[Move, int]:
    """Count a move of each playout, the first one with a choice.

    If the case is about the second move, count its distance from the first one's index.
    """
    game, state, forced = case.make_game(), case.make_state(), 1
    while len(game.actions(state)) == 1:
        state, forced = game.result(state, game.actions(state)[0]), forced + 1
    moves = game.actions(state)
    counts = dict.fromkeys(range(len(moves)) if case.second else moves, 0)
    _, server = call_simulate(student, case, case.playouts)
    starts = server.call_starts
    for i, j in zip(starts, [*starts[1:], None]):
        path = server.path(find_end(server, server.events[i:j]))
        if path[0] != 0:
            continue
        made = [server.positions[number].move for number in path[1:]]
        if case.second and len(made) > 1:
            first, second = map(moves.index, made[:2])
            counts[(second - first) % len(moves)] += 1
        elif not case.second and len(made) >= forced:
            counts[made[forced - 1]] += 1
    return counts
