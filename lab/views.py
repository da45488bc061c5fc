"""What the lab says and shows, as HTML made of plain data."""

from __future__ import annotations

import ast
from collections.abc import Collection, Sequence
from html import escape
from types import ModuleType
from typing import Any

from autograder.draw import squares_of, way
from autograder.page import last_step
from lab import drawing
from lab.boards import KINDS, Kind, Square, cells, kind_of, won
from lab.concepts import Question
from lab.drawing import Part, known, number
from lab.engines import ENGINES, OWN, Thought, ready
from lab.jobs import Job, Page
from lab.solved import Truth, truth
from lab.student import FUNCTIONS, STUB, Student, written
from lab.table import HUMAN, Desk, Table
from lab.trials import Run
from lab.watch import MOST_PLAYOUTS, MOST_STEPS, Path, Phase, Seen, Step, seen_after, tree_below
from starter.games import (
    FIGURE_5_2,
    SAFE_OR_RISKY,
    TWO_MOVES,
    ChanceTree,
    Game,
    GameTree,
    Move,
    State,
    other,
)

HEADING = (
    '<h1 class="lab-title">The lab</h1><p class="lab-lead">Play against your own functions, '
    "watch them search, measure what they cost.</p>"
)


PATIENCE = 10  # seconds that the student's files may take to be read


def columns(left: str, right: str) -> str:
    """Two things side by side, or one below the other where the window is narrow."""
    return f'<div class="columns"><div>{left}</div><div>{right}</div></div>'


def kindly(problem: str) -> str:
    """A trouble, told as something to do next; nothing if there is none."""
    return f'<div class="kind">{escape(problem)}</div>' if problem else ""


def what_can_be_used(page: Page) -> Student:
    """What of the student's functions can be used; without the functions, which stay away from the
    page."""
    try:
        return Student({}, Job(page, written).wait(PATIENCE))
    except (TimeoutError, RuntimeError) as problem:
        why = f"your files can't be read: {problem}"
        return Student({}, {(file, name): why for file in FUNCTIONS for name in FUNCTIONS[file]})


def what_is_written(code: Student) -> str:
    """Which of the student's files are ready, what can't be read, and what to do next."""
    troubles = {e.name: code.trouble(e.file) for e in ENGINES.values() if e.file}
    chips = [
        f'<span class="chip {"missing" if trouble else "ready"}" '
        f'title="{escape(trouble or "written")}">{"○" if trouble else "✓"} {name}</span>'
        for name, trouble in troubles.items()
    ]
    bad = [trouble for trouble in troubles.values() if trouble and STUB not in trouble]
    next_ = f"<span>{escape(last_step())}</span>"
    return f'<div class="chips">{"".join(chips)}{next_}</div>{kindly("".join(bad[:1]))}'


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


# --- Play -----------------------------------------------------------------------------------------


def squares(table: Table, shown: int) -> list[dict[str, Any]]:
    """Every square of the board after so many moves, row by row; then, wide, the lines of a state
    without a board, and the moves that no square stands for.

    mark, note: what stands there; what the move is worth
    look, says: its classes; what a screen reader says
    column:     where on the grid it begins, if not after the one before
    move:       the name of the move that a click makes, or None
    fills:      the places, in this list, that the move fills
    """
    with table.lock:
        game, state, kind = table.game, table.positions[shown], kind_of(table.game)
        live = shown == len(table.moves)
        legal = game.actions(state) if live and table.humans_turn else ()
        values = dict(table.estimates) if live else {}
        looks = looks_of(table, shown)
    if kind is None:
        raise ValueError(f"{game!r} is not played by clicking")
    fills = {move: sorted(squares_of(game, state, move)) for move in legal}
    board = marks_of(table, state)
    clicked = {place: kind.clicked(state, *place) for place in board}
    width = 1 + max((column for _, column in board), default=0)
    made = []
    for (row, column), move in clicked.items():
        mark, place = board[row, column], (row, column)
        can = move in fills and mark != " "
        # A move's worth stands where its stone would lie; of counters, at the first that is taken.
        worth = signed(values[move]) if can and move in values and fills[move][0] == place else ""
        look = [name for name, there in looks.items() if place in there]
        look += ["best"] * (worth != "" and values[move] == max(values.values()))
        says = [f"row {row}, column {column}: {NAMES.get(mark, mark)}", f"plays {move}" * can]
        says += [f"worth {worth}" * bool(worth), *(name for name in look if name in SAID)]
        made.append(
            {
                "mark": mark,
                "note": worth,
                "look": " ".join(look),
                "says": ", ".join(filter(None, says)),
                "column": row + 2 * column + 1 if "top" in looks else None,
                "move": str(move) if can else None,
                "fills": [r * width + c for r, c in fills[move]] if can else [],
            }
        )
    lines = [] if board else str(state).splitlines()
    wide: list[tuple[str, str | None]] = [(line, None) for line in lines]
    for move in [move for move in legal if move not in clicked.values()]:
        worth = f": {signed(values[move])}" if move in values else ""
        wide.append((f"{move}{worth}", str(move)))
    return made + [
        {"note": words, "look": "wide", "says": words, "move": name, "fills": []}
        for words, name in wide
    ]


def marks_of(table: Table, state: State) -> dict[Square, str]:
    """What stands on each square; the board is as wide as at the beginning of the game."""
    width = max(map(len, cells(table.positions[0])), default=0)
    return {
        (row, column): mark
        for row, line in enumerate(cells(state))
        for column, mark in enumerate(line.ljust(width))
    }


def looks_of(table: Table, shown: int) -> dict[str, Collection[Square]]:
    """The squares that are set off: by the last move, as those that have won, at a side that a
    player of a slanted board has to reach."""
    game, state = table.game, table.positions[shown]
    looks: dict[str, Collection[Square]] = {"won": won(game, state)}
    if shown:
        looks["last"] = squares_of(game, table.positions[shown - 1], table.moves[shown - 1])
    if state.picture().get("slanted"):
        board = marks_of(table, state)
        for i, sides in enumerate((("top", "bottom"), ("left", "right"))):
            for side, end in zip(sides, (0, max(place[i] for place in board))):
                looks[side] = [place for place in board if place[i] == end]
    return looks


SAID = ("won", "last", "best")
NAMES = {".": "empty", " ": "empty", "|": "a counter"}


def columns_of(table: Table) -> int:
    """The columns of the board's grid, from the beginning to the end of the game. On a slanted
    board each square takes two, and each row begins one further to the right."""
    rows = cells(table.positions[0])
    width = max(map(len, rows), default=1)
    return 2 * width + len(rows) - 1 if table.state.picture().get("slanted") else width


def signed(value: float) -> str:
    """An estimate with its sign: +1, 0, -0.25."""
    value = round(value, 2)
    return "0" if value == 0 else f"{value:+.2f}" if value % 1 else f"{value:+.0f}"


def names_of(table: Table) -> list[str]:
    """The moves so far, as they are called."""
    kind = kind_of(table.game)
    if kind is None or kind.told is None:
        return list(map(str, table.moves))
    return [kind.told(state.to_move, move) for state, move in zip(table.positions, table.moves)]


def lately(table: Table) -> str:
    """Where chance moves: what was played from the human's last move on."""
    if type(table.game).outcomes is Game.outcomes or not table.moves:
        return ""
    humans = [i for i, s in enumerate(table.positions[:-1]) if s.to_move == table.human]
    words = ", ".join(names_of(table)[humans[-1] if humans else 0 :])
    return f"{words[0].upper()}{words[1:]}. "


def whose_turn(table: Table, shown: int) -> str:
    """The state of the game in one line."""
    if shown < len(table.moves):
        return f"The board after {shown} of {len(table.moves)} moves; walk to the last to play on."
    return lately(table) + turn(table)


def turn(table: Table) -> str:
    """Whose turn it is, or how the game has ended."""
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
    """The value, if it is known, and the cost of a search by the player `side`."""
    value = {f"value for {side}": thought.value} if thought.counts else {}
    return drawing.facts(value | thought.counts | {"seconds": f"{thought.seconds:.3f}"})


def behind(table: Table) -> str:
    """What the engine's last search found and cost, and what the figures on the board mean."""
    said = []
    if table.thought and table.thought.seconds:
        said.append(found(table.thought, other(table.human)))
    if table.engine == OWN:
        said.append(
            "<small>In the tests and the tournament a move may take one second of computing, and "
            "ten seconds more in a whole game. Here nothing stops it but you.</small>"
        )
    if table.estimates:
        said.append(
            f"<small>On the board: what {escape(table.engine)} thinks each of your moves is worth "
            "to you, from -1 (lost) to +1 (won).</small>"
        )
    return "".join(said)


# What a reload of the page keeps stands in its address, as text that anybody may have changed.


def kept_moves(kept: dict[str, Any]) -> list[int]:
    """The moves that were played, once: the next game begins afresh."""
    return [int(number) for number in str(kept.pop("moves", "")).split(".") if number.isdecimal()]


def kept_sizes(kept: dict[str, Any], kind: Kind) -> dict[str, int]:
    """The sizes of a game of that kind, or those to begin with."""
    numbers = [int(n) for n in str(kept.get("sizes")).split(".") if n.isdecimal()]
    if kept.get("game") != kind.name or len(numbers) != len(kind.sizes):
        return kind.sizes
    return {name: min(max(n, 1), 15) for name, n in zip(kind.sizes, numbers)}


def kept_answers(kept: dict[str, Any], questions: Sequence[Question]) -> list[str | None]:
    """The answers that were given to the questions."""
    places = str(kept.get("answers", "")).ljust(len(questions), "-")
    return [
        question.answers[int(place)] if place in "012"[: len(question.answers)] else None
        for question, place in zip(questions, places)
    ]


def as_kept(questions: Sequence[Question], answers: Sequence[str | None]) -> str:
    """The answers as `kept_answers` takes them: of each its place, or "-"."""
    return "".join(
        "-" if answer is None else str(question.answers.index(answer))
        for question, answer in zip(questions, answers)
    )


# --- Positions to study ---------------------------------------------------------------------------


def _nested(tree: GameTree) -> str:
    """A tree as it is typed."""
    typed = repr(tree).partition("(")[2].removesuffix(")")
    return typed if isinstance(tree, ChanceTree) else typed.rpartition(", ")[0]


# As they are typed, by name.
POSITIONS = {
    "the textbook's figure 5.2": _nested(FIGURE_5_2),
    "two moves": _nested(TWO_MOVES),
    "a deeper tree": "[[[5, 6], [7, 4]], [[2, 1], [9, 8]], [[3, 5], [6, 7]]]",
    "a tree with chance": _nested(SAFE_OR_RISKY),
} | {name: "\n".join(rows) for kind in KINDS for name, rows in kind.positions.items()}


def kind_with(name: str) -> Kind | None:
    """The kind of game that the position of that name belongs to; None for trees."""
    return next((kind for kind in KINDS if name in kind.positions), None)


def typed_position(name: str, text: str) -> tuple[Game, State]:
    """The position that was typed in: a tree, or a board of the game that the name tells. Raises
    ValueError."""
    rows = [line.strip() for line in text.splitlines() if line.strip()]
    if not rows:
        raise ValueError("there is nothing typed in")
    kind = kind_with(name)
    if kind is None or rows[0][0] in "[{":
        game, state = own_tree(text)
    else:
        rows = [row.upper() for row in rows]
        typed = {"height": len(rows), "width": len(rows[0]), "size": len(rows)}
        sizes = {size: typed.get(size, value) for size, value in kind.sizes.items()}
        if "k" in sizes:
            sizes["k"] = min(sizes["k"], max(typed.values()))
        game = kind.make(*sizes.values())
        state = game.from_key("/".join(rows))
    if game.is_terminal(state):
        raise ValueError("this game is over: take the last move back")
    if state.to_move == "chance":
        raise ValueError("chance moves first here: begin where X or O has a choice")
    return game, state


def own_tree(text: str) -> tuple[Game, State]:
    """A tree typed in as nested lists or dictionaries. Raises ValueError when it is none."""
    try:
        nested = ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        raise ValueError(
            "a tree is written in nested lists, such as [[3, 12, 8], [2, 4, 6], [14, 5, 2]]"
        ) from None
    chancy = isinstance(nested, dict) and set(nested) <= {"X", "O", "chance"}
    game = ChanceTree(nested) if chancy else GameTree(nested)
    return game, game.initial


def fitting_depth(name: str) -> int | None:
    """So many plies can be searched in the position of that name; None: to the end of the game."""
    kind = kind_with(name)
    return kind.depth(typed_position(name, POSITIONS[name])[0]) if kind else None


# --- Playground -----------------------------------------------------------------------------------


def state_of(desk: Desk) -> str:
    """How far a search is, or why it found nothing."""
    if desk.running:
        return f'<p class="thinking">searching … {desk.progress}</p>'
    return kindly(desk.problem)


def searched(desk: Desk) -> str:
    """A position, and what the search found there."""
    if desk.task is None:
        return ""
    name, game, state, _ = desk.task
    before = drawing.position(game, state, state.to_move)
    thought = desk.thought
    if thought is None:
        return before + state_of(desk)
    after = drawing.position(game, game.result(state, thought.move), state.to_move)
    words = f"<p><b>{escape(name)}</b> plays {escape(str(thought.move))}:</p>"
    return (
        f'{words}<div class="side">{before}{after}</div>{found(thought, state.to_move)}'
        f"{drawing.table(ranking(thought, state))}<p>{escape(choice(thought))}</p>"
        f"{in_truth(thought.move, truth(state))}"
    )


def ranking(thought: Thought, state: State) -> list[dict[str, Any]]:
    """The moves as the search ranks them, for a table, beside their truth where that is known; the
    one that is played comes first."""
    known_truth = {str(move): true for move, true in truth(state).items()}
    played = str(thought.move)
    others = [{"move": move} for move in [played, *known_truth] if known_truth]
    rows = thought.moves or list({row["move"]: row for row in others}.values())
    value = f"value for {state.to_move}"
    return [
        {name: cell for name, cell in row.items() if name not in ("v", "bounds")}
        | ({value: known(row["bounds"], row["v"])} if "v" in row else {})
        | (as_row(known_truth[row["move"]]) if known_truth else {})
        for row in rows
    ]


def as_row(true: Truth) -> dict[str, Any]:
    """The truth of a move, for a table."""
    ends = f"{true.worth} in {true.stones}" if true.stones else true.worth
    return {"exact score": true.score, "truth": ends, "keeps the value": "✓" if true.keeps else ""}


def in_truth(move: Move, known_truth: dict[Move, Truth]) -> str:
    """Whether a move keeps what its position is worth, and what the exact scores mean."""
    if not known_truth:
        return ""
    best, true = max(known_truth.values()), known_truth[move]
    words = f"{move} keeps the {best.worth}."
    if not true.keeps:
        keeping = " or ".join(str(other) for other, that in known_truth.items() if that.keeps)
        words = f"{move} turns a {best.worth} into a {true.worth}; {keeping} would keep it."
    return (
        f"<p><b>In truth {words}</b></p><small>That is by perfect play of both sides. “Win in 3”: "
        "with the third stone from here. A score is the larger, the sooner the win and the later "
        "the loss.</small>"
    )


def choice(thought: Thought) -> str:
    """By what the final choice is made, and whether it was."""
    rows = thought.moves
    if not rows:
        return ""
    if "N" not in rows[0]:
        return (
            "The first of the largest values is played. A bound, such as “at most 2”, is all that "
            "the search had to know of a move."
        )
    words = "The choice goes by N, the number of visits; U/N is the mean result."
    most = max(rows, key=lambda row: row["N"])
    if rows[0]["N"] < most["N"]:
        words += (
            f" But {most['move']} was visited more often than {rows[0]['move']}, the one played."
        )
    return words


# --- Watch the search -----------------------------------------------------------------------------

LEGEND = (
    "<small>v, alpha and beta stand in a node while it is searched, then what is known of its "
    "value. All are for {}, who is to move at the root and is MAX. #0, #1, ... is the order of the "
    "search. Grey and dashed: cut off, never looked at.</small>"
)


def stops(desk: Desk) -> tuple[str, list[int]]:
    """What "next" goes to in the steps of a search, and where that is."""
    playouts = bool(desk.steps) and isinstance(desk.steps[0], Phase)
    next_, name = ("next playout", "select") if playouts else ("next cut", "cut")
    return next_, [i for i, step in enumerate(desk.steps, 1) if step.name == name]


def watched(desk: Desk, number: int) -> str:
    """The search after so many of its steps."""
    if desk.task is None:
        return ""
    if not desk.steps:
        game, state = desk.task.game, desk.task.state
        if desk.thought:
            return kindly("What goes on inside your player can't be watched: see the Playground.")
        return state_of(desk) + drawing.position(game, state, state.to_move)
    if isinstance(desk.steps[0], Phase):
        return watched_growth(desk, number)
    if len(desk.steps) == MOST_STEPS:
        return kindly("This search is too long to be watched: choose fewer plies.")
    _, game, root, _ = desk.task
    deepest = max(len(step.path) for step in desk.steps)
    try:
        tree = tree_below(game, root, deepest)
    except ValueError as problem:
        return kindly(str(problem))
    steps: list[Step] = desk.steps[:number]
    seen = seen_after(steps, number, tree)
    cuts = {step.path: reason(step) for step in steps if step.name == "cut"}
    words = step_in_words(steps, tree, game) if steps else "The search has not begun."
    facts = {
        "positions looked at": sum(sight.order > 0 for sight in seen.values()),
        "cut off": sum(sight.status == "cut" for sight in seen.values()),
        "in the tree": len(tree),
    }
    now = steps[-1].path if steps else ()
    return (
        f'<p aria-live="polite">{escape(words)}</p>'
        f"{drawing.searched_tree(game, tree, seen, now, cuts)}"
        f"{drawing.facts(facts)}{LEGEND.format(root.to_move)}"
    )


def reason(step: Step) -> str:
    """Why a node was left before all its moves were tried, if there is a reason."""
    sight = step.seen[step.path]
    v = number(sight.v)
    if sight.v is None or sight.alpha is None or sight.beta is None:
        return ""
    if sight.is_max and sight.v >= sight.beta:
        return f"v = {v} >= beta = {number(sight.beta)}"
    if not sight.is_max and sight.v <= sight.alpha:
        return f"v = {v} <= alpha = {number(sight.alpha)}"
    return ""


def step_in_words(steps: Sequence[Step], tree: dict[Path, State], game: Game) -> str:
    """The last of these steps in words."""
    step = steps[-1]
    before: dict[Path, Seen] = {}
    for earlier in steps[:-1]:
        before.update(earlier.seen)
    name, sight = way(step.path), step.seen[step.path]
    above = step.path[:-1]
    if step.name == "enter" and game.is_terminal(tree[step.path]):
        return f"The search enters {name}, where the game is over."
    if step.name == "enter":
        return entering(step, before)
    bound = known((sight.low, sight.high), sight.v)
    if sight.judged:
        words = f"h says {bound} of {name}."
    elif bound.startswith("at"):
        words = f"{name} is {bound} for MAX."
    else:
        words = f"{name} is worth {bound} to MAX."
    if step.name == "cut":
        left = [
            way(path) for path in tree if path[:-1] == step.path and path and path not in before
        ]
        why = reason(step)
        how = f"{why} at {name}: cut off." if why else f"{name} is left early, without a reason."
        words = f"{how} Never looked at: {', '.join(left)}. {words}"
    if not step.path:
        return words
    was, now = before[above], step.seen[above]
    change = f"becomes {number(now.v)}" if now.v != was.v else f"stays {number(now.v)}"
    bounds = [
        f"{name} becomes {number(new)}"
        for name, old, new in (("alpha", was.alpha, now.alpha), ("beta", was.beta, now.beta))
        if new != old
    ]
    return f"{words} At {way(above)} v {change}{''.join(f', {words}' for words in bounds)}."


def entering(step: Step, before: dict[Path, Seen]) -> str:
    """That the search enters a position, with which alpha and beta."""
    sight = step.seen[step.path]
    mover = "chance" if sight.chance else "MAX" if sight.is_max else "MIN"
    words = f"The search enters {way(step.path)}, {mover} to move"
    if sight.alpha is None:
        return f"{words}."
    words += f", with alpha = {number(sight.alpha)} and beta = {number(sight.beta)}"
    above = before.get(step.path[:-1])
    if above and (above.alpha, above.beta) != (sight.alpha, sight.beta):
        words += f", where those above are {number(above.alpha)} and {number(above.beta)}"
    return f"{words}."


def watched_growth(desk: Desk, number: int) -> str:
    """The tree of MCTS after so many phases."""
    assert desk.task
    _, game, root, _ = desk.task
    if number == 0:
        return "<p>The tree is its root alone.</p>"
    phase: Phase = desk.steps[number - 1]
    return (
        f'<p aria-live="polite">{escape(phase_in_words(phase))}</p>'
        f"{drawing.growing_tree(phase, game, root)}"
        "<small>U and UCB are seen by the player who moved into the node. Of many playouts the "
        f"first {MOST_PLAYOUTS} can be watched.</small>"
    )


def phase_in_words(phase: Phase) -> str:
    """One phase of a playout in words."""
    leaf, child = way(phase.leaf), way(phase.child)
    words = {
        "select": f"follow the largest UCB down to a leaf: {leaf}",
        "expand": f"{leaf} gets its children, and {child} is taken"
        if phase.leaf != phase.child
        else f"{leaf} is the end of a game: nothing to expand",
        "simulate": f"random moves from {child} to the end: {number(phase.utility)} for "
        "the player who moved there",
        "backprop": f"the result goes into every node from {child} up, its sign flipped each time",
    }
    return f"Playout {phase.playout}, {phase.name}: {words[phase.name]}."


# --- Measure --------------------------------------------------------------------------------------


def heading_of(run: Run, number: int) -> str:
    """What a run is, how far it has come, and what its figures say."""
    state = ""
    if run.running:
        state = (
            '<p class="thinking">working …</p>'
            f'<div class="bar"><i style="width:{min(run.progress, 1):.0%}"></i></div>'
        )
    elif run.rows and not run.problem:
        state = f"<p>{escape(run.experiment.says(run.rows))}</p>"
    title = f"<h2>Run {number}: {escape(run.experiment.name)}</h2>"
    return f"{title}<small>{escape(run.settings)}</small>{state}{kindly(run.problem)}"


def picture_of(run: Run) -> list[Part]:
    """The plots and tables of a run, as far as it has come."""
    return run.experiment.picture(run.rows) if run.rows else []


def in_rows(mo: ModuleType, controls: Any) -> list[Any]:
    """Controls side by side; each group of them in a row of its own."""
    plain = [part for part in controls.elements.values() if not hasattr(part, "elements")]
    groups = [part.elements.values() for part in controls.elements.values() if part not in plain]
    return [mo.hstack(list(row), justify="start", gap=2, wrap=True) for row in (plain, *groups)]


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
