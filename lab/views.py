"""What the lab says and shows, as HTML made of plain data."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from html import escape
from types import ModuleType
from typing import Any, NamedTuple

from autograder.draw import squares_of, way
from autograder.questions import question_of
from lab import drawing
from lab.boards import KINDS, Kind, cells, kind_of
from lab.concepts import Question
from lab.engines import ENGINES, Settings, Thought, estimates, ready, think, usable
from lab.jobs import Runner, soon
from lab.student import Student, explain
from lab.table import HUMAN, Table
from lab.trials import progress
from lab.watch import Phase, Stats, Step, follow, grow, seen_after, whole_tree
from starter.games import (
    FIGURE_5_2,
    TWO_MOVES,
    Game,
    GameTree,
    Move,
    State,
    TicTacToe,
    other,
)

HEADING = (
    '<h1 class="lab-title">The lab</h1><p class="lab-lead">Play against your own functions, '
    "watch them search, measure what they cost.</p>"
)


def columns(left: str, right: str) -> str:
    """Two things side by side, or one below the other where the window is narrow."""
    return f'<div class="columns"><div>{left}</div><div>{right}</div></div>'


def kindly(problem: str) -> str:
    """A trouble, told as something to do next; nothing if there is none."""
    return f'<div class="kind">{escape(problem)}</div>' if problem else ""


def what_is_written(code: Student) -> str:
    """Which of the student's files are ready, and what is to be written next."""
    chips, first = [], ""
    for engine in ENGINES.values():
        if not engine.file:
            continue
        trouble = code.trouble(engine.file)
        first = first or trouble
        css, mark = ("missing", "○") if trouble else ("ready", "✓")
        chips.append(
            f'<span class="chip {css}" title="{escape(trouble or "written")}">'
            f"{mark} {engine.name}</span>"
        )
    first = first.removeprefix("not written yet: ")
    words = f"Next: {escape(first)}" if first else "All written. Are they right? See make test."
    return f'<div class="chips">{"".join(chips)}<span>{words}</span></div>'


# --- Settings -------------------------------------------------------------------------------------


def setting_controls(mo: ModuleType, engine: str, depth: int | None) -> Any:
    """The controls of the settings that concern an engine, and a depth that fits the game."""
    uses = ENGINES[engine].uses if engine in ENGINES else ()
    to_the_end = engine in ("minimax", "alpha-beta") and depth is None
    controls = {
        "plies": mo.ui.slider(
            1, 9, value=9 if to_the_end else depth or 5, label="plies looked ahead", show_value=True
        ),
        "playouts": mo.ui.slider(
            steps=[10, 30, 100, 300, 1000, 3000, 10000],
            value=1000,
            label="playouts",
            show_value=True,
        ),
        "C": mo.ui.slider(0, 3, step=0.1, value=1.4, label="C, exploration", show_value=True),
    }
    return mo.ui.dictionary({name: controls[name] for name in uses})


def favourite(code: Student) -> str:
    """The engine to begin with: quick and strong, if it is written."""
    names = ready(code)
    return "alpha-beta" if "alpha-beta" in names else names[0]


def first_to_watch(code: Student) -> str:
    """The search to watch first."""
    name = favourite(code)
    return name if name in WATCHED else "alpha-beta"


# --- Play -----------------------------------------------------------------------------------------


def squares(table: Table) -> list[tuple[Move, str]]:
    """Every square of the board, row by row: the move that a click on it makes (None if none is
    possible), and its picture."""
    with table.lock:
        game, state, kind = table.game, table.state, kind_of(table.game)
        before = table.positions[-2] if table.moves else state
        legal = game.actions(state)
        humans_turn, values = table.humans_turn, dict(table.estimates)
    if kind is None:
        raise ValueError(f"{game!r} is not played by clicking")
    # A move's worth stands where its stone would lie; of counters, at the first that is taken.
    places = {move: squares_of(game, state, move) for move in values}
    worth = {min(places[move]): value for move, value in values.items() if places[move]}
    last = squares_of(game, before, table.moves[-1]) if table.moves else ()
    rows, width = cells(state), columns_of(table)
    size = max(26, min(92, 460 // max(len(rows), width)))
    pictures: list[tuple[Move, str]] = []
    for row, line in enumerate(rows):
        for column, mark in enumerate(line.ljust(width)):
            move = kind.clicked(state, row, column)
            value = worth.get((row, column))
            picture = drawing.square(
                mark,
                size,
                f"row {row}, column {column}",
                note="" if value is None else signed(value),
                best=value is not None and value == max(values.values()),
                last=(row, column) in last,
            )
            can = humans_turn and move in legal and mark != " "
            pictures.append((move if can else None, picture))
    return pictures


def other_moves(table: Table) -> list[tuple[Move, str]]:
    """The human's moves that change no square, as a pass, each with what its button says."""
    with table.lock:
        game, state, values = table.game, table.state, table.estimates
        legal = game.actions(state) if table.humans_turn else ()
    return [
        (move, f"{move}: {signed(values[move])}" if move in values else str(move))
        for move in legal
        if not squares_of(game, state, move)
    ]


def columns_of(table: Table) -> int:
    """How many squares are side by side, from the beginning to the end of the game."""
    return max(map(len, cells(table.positions[0])))


def signed(value: float) -> str:
    """An estimate with its sign: +1, 0, -0.25."""
    return "0" if value == 0 else f"{value:+.2f}" if value % 1 else f"{value:+.0f}"


def board(pictures: Sequence[str], table: Table) -> str:
    """The squares, or the buttons in their place, as the board of the game."""
    width = columns_of(table)
    if not table.state.picture().get("slanted"):
        cells = "".join(f"<div>{picture}</div>" for picture in pictures)
        return f'<div class="board" style="--columns:{width}">{cells}</div>'
    last, cells = len(pictures) // width - 1, ""
    for number, picture in enumerate(pictures):
        row, column = divmod(number, width)
        sides = {"top": row == 0, "bottom": row == last, "left": column == 0}
        sides["right"] = column == width - 1
        at = " ".join(side for side, there in sides.items() if there)
        # Each square is two columns wide, and each row begins one column further to the right.
        cells += (
            f'<div class="{at}" style="grid-column:{row + 2 * column + 1}/span 2">{picture}</div>'
        )
    return f'<div class="board slanted" style="--columns:{2 * width + last}">{cells}</div>'


def whose_turn(table: Table) -> str:
    """The state of the game in one line."""
    name, mark = table.engine, table.state.to_move
    if table.problem:
        return kindly(f"{table.problem}\nMeanwhile, choose another opponent: random, for one.")
    if table.over:
        result = table.game.utility(table.state, table.human)
        winner = table.human if result > 0 else other(table.human)
        if result == 0:
            words = "A draw."
        elif table.engine == HUMAN:
            words = f"{winner} wins."
        else:
            words = "You win!" if winner == table.human else f"{name} wins."
        return f"<b>{words}</b>"
    if table.thinking:
        return f'<span class="thinking">{escape(name)} is thinking … {table.progress}</span>'
    if table.paused and not table.humans_turn:
        return "Stopped. “go on” lets it think again; or choose fewer plies or playouts."
    who = f"{mark} is to move" if table.engine == HUMAN else f"Your move: you are {table.human}"
    rating = f"rating your moves … {table.progress}" if table.estimating else ""
    return f"<span>{who}.</span> <small{' class=thinking' * bool(rating)}>{rating}</small>"


def found(thought: Thought, side: str) -> str:
    """The value and the cost of a search by the player `side`."""
    return drawing.facts(
        {
            f"value for {side}": thought.value,
            **thought.counts,
            "seconds": f"{thought.seconds:.3f}",
        }
    )


def behind(table: Table) -> str:
    """What the engine's last search found and cost, and what the figures on the board mean."""
    said = []
    if table.thought and table.thought.counts:
        said.append(found(table.thought, other(table.human)))
    if table.estimates:
        said.append(
            f"<small>On the board: what {escape(table.engine)} thinks each of your moves is worth "
            "to you, from -1 (lost) to +1 (won).</small>"
        )
    return "".join(said)


# --- Watch the search -----------------------------------------------------------------------------

# Small positions whose whole tree can be drawn, by name.
SMALL: dict[str, Callable[[], tuple[Game, State]]] = {
    "the textbook's figure 5.2": lambda: _from_start(FIGURE_5_2),
    "two moves": lambda: _from_start(TWO_MOVES),
    "a deeper tree": lambda: _from_start(
        GameTree([[[5, 6], [7, 4]], [[2, 1], [9, 8]], [[3, 5], [6, 7]]])
    ),
    "tic-tac-toe, 3 squares left": lambda: _endgame("XOX", "OO.", ".X."),
    "tic-tac-toe, 4 squares left": lambda: _endgame("XOX", ".O.", ".X.", to_move="O"),
}


def _from_start(game: Game) -> tuple[Game, State]:
    return game, game.initial


def _endgame(*rows: str, to_move: str | None = None) -> tuple[Game, State]:
    game = TicTacToe()
    return game, game.state(rows, to_move)


def own_tree(text: str) -> tuple[Game, State]:
    """A tree typed in as nested lists. Raises ValueError when it is none."""
    try:
        nested = ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        raise ValueError(
            "a tree is written in nested lists, such as [[3, 12, 8], [2, 4, 6], [14, 5, 2]]"
        ) from None
    return _from_start(GameTree(nested))


def what_happens(step: Step | None, root_player: str, state: State) -> str:
    """One step of minimax or alpha-beta in words."""
    if step is None:
        return "The search has not begun. Move the slider, by mouse or by arrow keys."
    name = way(step.path)
    if step.leaves:
        return f"{name} is worth {drawing.number(step.value)} to MAX."
    side = "MAX" if state.to_move == root_player else "MIN"
    if step.alpha is None:
        return f"The search enters {name}, {side} to move."
    return (
        f"The search enters {name}, {side} to move, with alpha = {drawing.number(step.alpha)} "
        f"and beta = {drawing.number(step.beta)}."
    )


def phase_in_words(phase: Phase) -> str:
    """One phase of a playout in words."""
    leaf, child = way(phase.leaf), way(phase.child)
    words = {
        "select": f"follow the largest UCB down to a leaf: {leaf}",
        "expand": f"{leaf} gets its children, and {child} is taken"
        if phase.leaf != phase.child
        else f"{leaf} is the end of a game: nothing to expand",
        "simulate": f"random moves from {child} to the end: {drawing.number(phase.utility)} for "
        "the player who moved there",
        "backprop": f"the result goes into every node from {child} up, its sign flipped each time",
    }
    return f"Playout {phase.playout}, {phase.name}: {words[phase.name]}."


class Watched(NamedTuple):
    """A search that has been recorded: its number of steps, and a picture after each; why there is
    none, if there is not."""

    steps: int
    picture: Callable[[int], str]
    problem: str = ""


def watch_bounds(file: str) -> Callable[..., Watched]:
    """Records the search of a file with `max_value` and `min_value`."""
    search = question_of(file).search

    def record(code: Student, game: Game, root: State, playouts: int, C: float) -> Watched:
        tree = whole_tree(game, root)
        steps = soon(lambda: follow(code.modules[file], search, game, root))
        player = root.to_move

        def picture(number: int) -> str:
            step = steps[number - 1] if number else None
            seen = seen_after(steps, number, tree)
            path = step.path if step else None
            cut = sum(sight.status == "cut" for sight in seen.values())
            looked = sum(sight.order > 0 for sight in seen.values())
            words = what_happens(step, player, tree[path or ()])
            facts = {"positions looked at": looked, "cut off": cut, "in the tree": len(tree)}
            return (
                f"<p>{escape(words)}</p>{drawing.searched_tree(game, tree, seen, path)}"
                f"{drawing.facts(facts)}{LEGEND}"
            )

        return Watched(len(steps), picture)

    return record


LEGEND = (
    "<small>In each node its value for the player to move at the root, and in brackets alpha and "
    "beta. #0, #1, ... is the order of the search. Grey and dashed: cut off, never looked at."
    "</small>"
)


START = Phase(0, "select", (), (), 0, {(): Stats(0, 0, None)})  # before the first playout


def watch_growth(code: Student, game: Game, root: State, playouts: int, C: float) -> Watched:
    """Records MCTS, phase by phase."""
    phases = soon(lambda: grow(code.modules["mcts"], game, root, playouts, C, seed=0))
    states = whole_tree(game, root)

    def picture(number: int) -> str:
        phase = phases[number - 1] if number else START
        words = phase_in_words(phase) if number else "The tree is its root alone. Move the slider."
        return (
            f"<p>{escape(words)}</p>{drawing.growing_tree(phase, states)}"
            "<small>U and UCB are seen by the player who moved into the node.</small>"
        )

    return Watched(len(phases), picture)


WATCHED = {
    "minimax": watch_bounds("minimax"),
    "alpha-beta": watch_bounds("alphabeta"),
    "MCTS": watch_growth,
}


OWN = "a tree of my own"


def watch_kindly(name: str, tree: str, growth: dict[str, Any]) -> Watched:
    """Record a search of a tree, which is named in SMALL or typed in; say why it can't be done.

    growth: `playouts` and `C` of MCTS
    """
    unsearched = ""
    try:
        game, root = SMALL[tree]() if tree in SMALL else own_tree(tree)
        whole = whole_tree(game, root)
        unsearched = drawing.searched_tree(game, whole, seen_after([], 0, whole), None)
        return watch(name, (game, root), growth["playouts"], growth["C"])
    except Exception as problem:
        return Watched(0, lambda number: unsearched, explain(problem))


def watch(name: str, position: tuple[Game, State], playouts: int, C: float) -> Watched:
    """Record a search of a position by the student's functions."""
    return WATCHED[name](usable(name), *position, playouts, C)


# --- Playground -----------------------------------------------------------------------------------

POSITIONS = {name: rows for kind in KINDS for name, rows in kind.positions.items()}


def kind_with(name: str) -> Kind:
    """The kind of game that the position of that name belongs to."""
    return next(kind for kind in KINDS if name in kind.positions)


def typed_position(name: str, text: str) -> tuple[Game, State]:
    """The position that was typed in, of the game that the name tells. Raises ValueError."""
    rows = [line.strip().upper() for line in text.splitlines() if line.strip()]
    if not rows or len({len(row) for row in rows}) > 1:
        raise ValueError("the rows of a board are equally long")
    kind = kind_with(name)
    typed = {"height": len(rows), "width": len(rows[0]), "size": len(rows)}
    if "k" in kind.sizes:
        typed["k"] = min(kind.sizes["k"], max(typed.values()))
    game = kind.make(*(typed[size] for size in kind.sizes))
    state = game.from_key("/".join(rows))
    if game.is_terminal(state):
        raise ValueError("this game is over: take a stone away")
    return game, state


def one_search(name: str, game: Game, state: State, how: Settings) -> Iterator[dict[str, Any]]:
    """First what the engine finds, then also what it thinks of each move."""
    code = usable(name)
    thought = think(name, code, game, state, how)
    row = {"engine": name, "thought": thought, "estimates": {}}
    yield row
    yield row | {"estimates": estimates(name, code, game, state, how)}


def fitting_depth(name: str) -> int | None:
    """So many plies can be searched in the position of that name; None: to the end of the game."""
    return kind_with(name).depth(typed_position(name, "\n".join(POSITIONS[name]))[0])


def searched(runner: Runner, position: tuple[Game, State] | None) -> str:
    """A position, and the search in it, if there was one."""
    if position is None:
        return ""
    game, state = position
    parts = [drawing.position(state)]
    if not runner.rows:
        return "".join(parts) + progress(runner)
    row = runner.rows[-1]
    thought, after = row["thought"], game.result(state, row["thought"].move)
    arrow = f"<div><b>{escape(row['engine'])}</b> plays {escape(str(thought.move))} →</div>"
    parts += [arrow, drawing.position(after)]
    moves = [
        {"move": str(move), "value": signed(value)}
        for move, value in sorted(row["estimates"].items(), key=lambda item: -item[1])
    ]
    return (
        f'<div class="side">{"".join(parts)}</div>{found(thought, state.to_move)}'
        f"{drawing.table(moves)}{progress(runner)}"
    )


# --- Check yourself -------------------------------------------------------------------------------


def tally(questions: Sequence[Question], answers: Sequence[str | None]) -> str:
    """How many of the questions are answered, and how many rightly."""
    right = sum(
        answer == question.answers[question.right] for question, answer in zip(questions, answers)
    )
    given = sum(answer is not None for answer in answers)
    return drawing.facts({"questions": len(questions), "answered": given, "right": right})


def verdict(question: Question, answer: str | None) -> str:
    """Whether an answer is right, and why; nothing before one is given."""
    if answer is None:
        return ""
    if answer == question.answers[question.right]:
        return f"✓ **Right.** {question.why}"
    return f"✗ **Not so.** {question.why}"
