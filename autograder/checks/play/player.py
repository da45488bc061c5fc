"""Check the player of question 6: its rules, its time, and its moves."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import cycle
from random import Random
from typing import Any

from autograder.checks.ask.finding import (
    Failed,
    Finding,
    Hint,
    JudgedMove,
    attach_case,
    clean_text,
    make_failure,
    mean_regret,
)
from autograder.checks.ask.student import Student
from autograder.checks.play.matches import (
    derive_public_seed,
    draw_opening,
    make_random_mover,
    play,
    record_outcome,
)
from autograder.diagram import Board
from autograder.serving.cases import GamesCase, MatchCase, SolvedCase
from autograder.worker.inside.protocol import make_game
from starter.games import BoardState, State, other

QUESTION, PLAYER, PLAYER_FILE = "6", "player.Player", "player.py"
SECONDS, BANK = 1.0, 10.0  # processor time: per move, and for all moves of a game together
GAME_PHASES = {"opening": 14, "middle": 22, "end": 43}  # a phase ends at this number of stones
# Findings that name no more than their code says, with facts in place of the student's.
PLAIN_FACTS: dict[str, dict[str, str]] = {
    "player/too-slow": {},
    "player/illegal": {"got": "no legal move"},
    "not-written": {"what": "choose"},
    "not-written/missing": {"file": "player", "kind": "class", "name": "Player"},
}
WORTH = {1: "a win", 0: "a draw", -1: "a loss"}  # of a position, by the sign of its score


class PlayerClient:
    """The student's player: asks it for moves, and runs its clock.

    Its process is stopped between its moves.
    """

    def __init__(
        self, student: Student, game: Sequence[Any], seed: int, span: str = "the game"
    ) -> None:
        """Set up the client; `span` is the period that the bank covers, in words."""
        self.student, self.game, self.span = student, game, span
        self.events: list[list[Any]] = [["seed", derive_public_seed(seed)]]
        self.state: State | None = None  # the state of its last move
        self.bank = self.used = 0.0  # seconds: the rest of the bank, and the time of the last move

    def begin(self, full: bool = True) -> None:
        """Begin a new game; with `full`, refill the bank."""
        if full:
            self.bank = BANK
        self.events.append(["reset"])

    def opponent_played(self, move: int) -> None:
        self.events.append(["opponent_played", move])

    def choose(self, state: State) -> int:
        """Return the index of the player's move.

        Raises Failed when it is illegal or there is none, or when the player takes too long.
        """
        self.state = state
        seconds = SECONDS + self.bank
        call = {"state": state.key, "events": self.events}
        request = {"do": "move", "game": self.game, "calls": [call]}
        try:
            (answer,) = self.student.ask(PLAYER, request, called="choose", seconds=seconds)
        except Failed as failed:
            finding = failed.finding
            if finding.code.startswith("too-slow"):
                facts = {"left": f"{self.bank:.1f}", "bank": f"{BANK:.0f}", "span": self.span}
                drawn = (Board(state),)
                finding = replace(finding, code="player/too-slow", facts=facts, diagrams=drawn)
            raise Failed(self.without_student_text(finding)) from None
        self.events = []
        left = self.student.session.remaining
        self.used, self.bank = seconds - left, min(self.bank, left)
        legal = make_game(self.game).actions(state)
        if type(answer) is int and 0 <= answer < len(legal):
            return answer
        odd = "None" if answer is None else "no legal move"
        if isinstance(answer, dict) and "odd" in answer:
            odd = clean_text(answer["odd"])
        facts = {"legal": ", ".join(map(str, legal)), "got": odd}
        finding = Finding("player/illegal", facts, diagrams=(Board(state),))
        raise Failed(self.without_student_text(finding))

    def without_student_text(self, finding: Finding) -> Finding:
        """Remove all that student code may have chosen, if positions are secret.

        It could carry positions to the next submission. A line number can't.
        """
        if not self.student.cases.are_secret(QUESTION):
            return finding
        if finding.code in ("no-file", "not-loaded/not-python"):
            return finding  # found before any student code ran
        plain = PLAIN_FACTS.get(finding.code)
        code = "player/no-move" if plain is None else finding.code
        facts = {} if plain is None else {**finding.facts, **plain}
        hints = [Hint("line-of-player", {"line": n}) for n in self.find_lines(finding)[-1:]]
        hints.append(Hint("shown-at-home"))
        return replace(finding, code=code, facts=facts, hints=tuple(hints))

    def find_lines(self, finding: Finding) -> list[int]:
        """Return the line numbers of the player's file that a traceback names."""
        content = self.student.submission.files.get(PLAYER_FILE, b"")
        traced = [hint.facts for hint in finding.hints if "source" in hint.facts]
        numbers = [facts["line"] for facts in traced if facts["file"] == PLAYER_FILE]
        return [number for number in numbers if 0 < number <= content.count(b"\n") + 1]


def expect_rules(student: Student, case: GamesCase) -> None:
    """Check that the player completes games by legal moves in time.

    It plays first, on boards of all sizes.
    """
    side = case.make_state().to_move
    play_game(PlayerClient(student, case.game, case.seed), case, Random(case.seed), side)


def play_game(
    seat: PlayerClient, case: GamesCase | MatchCase, rng: Random, side: str
) -> list[State]:
    """Play one game against the random player; return all its positions."""
    game = case.make_game()
    dice = make_random_mover(game, rng)

    def opponent(state: State) -> int:
        index = dice(state)
        seat.opponent_played(game.actions(state)[index])
        return index

    seat.begin()
    start = draw_opening(game, rng, case.plies, quiet=True) if case.plies else case.make_state()
    return play(game, start, {side: seat.choose, other(side): opponent})


def play_games(student: Student, case: MatchCase) -> Iterator[bool]:
    """Yield for each game whether the player has won it; sides alternate."""
    seat, rng = PlayerClient(student, case.game, case.seed), Random(case.seed)
    for side in cycle("XO"):
        try:
            states = play_game(seat, case, rng, side)
        except Failed:
            if seat.state is None or case.index is not None:
                raise
            # The case of test 6.1 for this state, without revealing the opponent's seed.
            state, seed = seat.state.key, derive_public_seed(case.seed)
            with attach_case(
                GamesCase(number="6.1", game=case.game, state=state, seed=seed, games=1, plies=0)
            ):
                raise
        yield record_outcome(student, case.make_game(), states, side) > 0


def sign(score: int) -> int:
    return (score > 0) - (score < 0)


def judge_move(state: BoardState, scores: Sequence[int | None], column: int) -> JudgedMove:
    """Judge a move by the exact scores of all columns."""
    known = [score for score in scores if score is not None]
    score, best = scores[column], max(known)
    assert score is not None
    stones = sum(square != "." for row in state.rows for square in row)
    phase = next(name for name, end in GAME_PHASES.items() if stones < end)
    keeping = sum(sign(other) == sign(best) for other in known)
    return JudgedMove(phase, sign(score) == sign(best), best - score, keeping == 1)


def judge_no_move(state: BoardState, scores: Sequence[int | None]) -> JudgedMove:
    """Judge a missing move as the worst one, which does not keep the value."""
    columns = [column for column, score in enumerate(scores) if score is not None]
    worst = min(columns, key=lambda column: scores[column] or 0)
    return judge_move(state, scores, worst)._replace(keeps=False)


def expect_level(student: Student, case: SolvedCase) -> None:
    """Check that the player's moves keep the value of enough positions."""
    seat = PlayerClient(student, case.game, case.seed, "all positions of this test")
    game = case.make_game()
    columns: list[int] = []
    moves: list[JudgedMove] = []
    for number, (key, scores) in enumerate(case.positions):
        state = game.from_key(key)
        seat.begin(full=number == 0)  # a full bank for each would take minutes
        try:
            column = game.actions(state)[seat.choose(state)]
        except Failed:
            # A player that stops at a hard position must not look better than one that tries.
            left = case.positions[number:]
            student.log.moves += [judge_no_move(game.from_key(key), scores) for key, scores in left]
            if case.index is not None:
                raise
            with attach_case(replace(case, positions=left[:1], least=1)):
                raise
        columns.append(column)
        moves.append(judge_move(state, scores, column))
        student.log.moves.append(moves[-1])
    count = sum(judged.keeps for judged in moves)
    summary = f"{count} of {len(moves)} positions kept: {describe_moves(moves)}"
    if count < case.least:
        missed = next(number for number, judged in enumerate(moves) if not judged.keeps)
        raise report_too_few_kept(case, summary, missed, columns[missed])
    student.log.notes.append(summary)


def report_too_few_kept(case: SolvedCase, summary: str, number: int, column: int) -> Failed:
    """Report that the player's moves lose the value of too many positions."""
    key, scores = case.positions[number]
    best = max(score for score in scores if score is not None)
    good = [i for i, score in enumerate(scores) if score is not None and sign(score) == sign(best)]
    now, before = (WORTH[sign(score or 0)] for score in (scores[column], best))
    facts = {
        "least": case.least,
        "positions": len(case.positions),
        "summary": summary,
        "column": column,
        "before": before,
        "now": now,
        "good": " or ".join(map(str, good)),
    }
    single = replace(case, index=None, positions=[case.positions[number]], least=1)
    hints, drawn = [Hint("first-not-kept", facts)], [Board(case.make_game().from_key(key))]
    return make_failure("player/level", facts, hints, drawn, case=single)


def describe_moves(moves: Sequence[JudgedMove]) -> str:
    """Describe the moves by phase, their mean regret, and the saving moves found."""
    by_phase = {name: [it.keeps for it in moves if it.phase == name] for name in GAME_PHASES}
    parts = [f"{name} {sum(each)} of {len(each)}" for name, each in by_phase.items() if each]
    saving = [move.keeps for move in moves if move.saving]
    parts.append(f"mean regret {mean_regret(moves):.1f}")
    if saving:
        parts.append(f"the one saving move found {sum(saving)} of {len(saving)} times")
    return ", ".join(parts)
