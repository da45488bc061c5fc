"""Whose turn it is in a game, and how it has ended, in words."""

from __future__ import annotations

from html import escape

from autograder.diagram import show
from lab.boards import category_of
from lab.engines import ENGINES, OWN, SearchResult
from lab.jobs import Job
from lab.match import HUMAN, Match
from starter.games import Game, other


def names_of(match: Match) -> list[str]:
    """Return the moves so far, as they are called."""
    category = category_of(match.game)
    if category is None or category.move_words is None:
        return list(map(str, match.moves))
    return [
        category.move_words(state.to_move, move)
        for state, move in zip(match.positions, match.moves)
    ]


def describe(match: Match, opponent: str, work: Job | None) -> str:
    """Say in one line how the game stands; a problem has a separate callout."""
    if match.over:
        return ending(match, opponent)
    human = match.is_human_to_move(opponent)
    if work and work.running:
        doing = "Rating your moves" if human else f"{opponent} is thinking"
        words = f"{doing} … {work.progress}"
        return f"{recent_moves(match)}Your move: you are {match.human}. {words}" if human else words
    if problem(work):
        return f"{opponent} can't go on." if not human else f"Your move: you are {match.human}."
    if not human:
        return "Stopped. “go on” lets it search again; or choose fewer plies or playouts."
    if opponent == HUMAN:
        return f"{recent_moves(match)}{match.state.to_move} is to move."
    return f"{recent_moves(match)}Your move: you are {match.human}."


def ending(match: Match, opponent: str) -> str:
    result = match.game.utility(match.state, match.human)
    winner = match.human if result > 0 else other(match.human)
    if result == 0:
        return "A draw."
    if opponent == HUMAN:
        return f"{winner} wins."
    return "You win!" if winner == match.human else f"{opponent} wins."


def recent_moves(match: Match) -> str:
    """Say, where chance moves, what was played from the human's last move on."""
    if type(match.game).outcomes is Game.outcomes or not match.moves:
        return ""
    humans = [i for i, s in enumerate(match.positions[:-1]) if s.to_move == match.human]
    words = ", ".join(names_of(match)[humans[-1] if humans else 0 :])
    return f"{words[0].upper()}{words[1:]}. "


def describe_result(result: SearchResult, side: str) -> str:
    """Say what a search found for that side, and what it cost."""
    what = "playouts" if "playouts" in result.counts else "positions"
    cost = f"{result.counts.get(what, 0):,} {what} in {result.seconds:.1f} s"
    return f"value {show(result.value)} for {side}, {cost}"


def problem(work: Job | None) -> str:
    """Say why the engine has found nothing, and what to do; "" if it was only stopped."""
    if work is None or work.running or work.problem in ("", "stopped"):
        return ""
    return f"{work.problem}\nMeanwhile, choose another opponent: random, for one."


def notes(opponent: str) -> str:
    """Say what the figures on the board mean, and which times count elsewhere."""
    if opponent == OWN:
        return (
            "In the tests and the tournament a move may take one second of computing, and ten "
            "seconds more in a whole game. Here nothing stops it but you, and each move is asked "
            "of a new Player."
        )
    if opponent in ENGINES and ENGINES[opponent].uses:
        return (
            f"On the board: what {escape(opponent)} thinks each of your moves is worth to you, "
            "from -1 (lost) to +1 (won)."
        )
    return ""
