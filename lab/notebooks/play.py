"""Play against your own functions; they rate each of your moves."""

import marimo

__generated_with = "0.25.2"
app = marimo.App(
    width="medium", app_title="Play", css_file="../lab.css", html_head_file="../head.html"
)


with app.setup:
    import random

    import marimo as mo

    from lab import boards, engines, match, page, squares
    from lab.jobs import Session
    from starter.games import other


@app.cell
def _():
    session = Session()
    first = page.load_student(session)
    reload = mo.ui.run_button(label="read my files again")
    game = mo.ui.dropdown(boards.BY_NAME, "tic-tac-toe", label="game")
    side = mo.ui.dropdown(["X", "O"], "X", label="you are (X starts)")
    opponent = mo.ui.dropdown(
        list(engines.ENGINES), page.choose_default_engine(first, engines.PERFECT), label="against"
    )
    hints = mo.ui.switch(True, label="show what every move is worth")
    new_game = mo.ui.run_button(label="new game")
    stop = mo.ui.run_button(label="stop", kind="warn")
    go_on = mo.ui.run_button(label="go on")
    tick = mo.ui.refresh(options=["0.5s"], default_interval="0.5s")  # while the engine works
    return first, game, go_on, hints, new_game, opponent, reload, session, side, stop, tick


@app.cell
def _(first, reload, session):
    code = page.load_student(session) if reload.value else first
    page.make_header("play", code, reload)
    return (code,)


@app.cell
def _(game):
    category = game.value
    sizes = mo.ui.dictionary(
        {
            name: mo.ui.dropdown(list(range(1, max(15, value) + 1)), value, label=name)
            for name, value in category.sizes.items()
        }
    )
    return category, sizes


@app.cell
def _(category, new_game, side, sizes):
    # The page has to remember only the game so far.
    new_game.value
    try:
        _game = category.make_game(sizes.value)
    except ValueError as problem:
        mo.stop(True, mo.vstack(page.make_callouts(str(problem))))
    _start = match.Match(_game, side.value, random.getrandbits(32)).let_chance_move()
    get_match, set_match = mo.state(_start)
    depth = category.choose_depth(_game)
    return depth, get_match, set_match


@app.cell
def _(depth, opponent):
    settings = page.make_setting_controls(opponent.value, depth)
    return (settings,)


@app.cell
def _(game, hints, opponent, settings, side, sizes):
    page.arrange(
        game,
        *sizes.elements.values(),
        side,
        opponent,
        *settings.elements.values(),
        *([hints] if engines.ENGINES[opponent.value].uses else []),
    )
    return


@app.cell
def _(set_match):
    board = mo.ui.anywidget(page.BoardView())
    board.widget.observe(
        lambda change: set_match(lambda old: old.play_human_move(change["new"][1])), "played"
    )
    take_back = mo.ui.button(
        label="take back", on_click=lambda _: set_match(lambda old: old.take_back())
    )
    return board, take_back


@app.cell
def _(code, get_match, go_on, hints, opponent, session, settings):
    # The engine's move, or its estimates of the human's moves.
    go_on.value, code
    current = get_match()
    work = match.start_work(session, current, opponent.value, settings.value, hints.value)
    return current, work


@app.cell
def _(board, current, set_match, stop, tick, work):
    tick.value
    if stop.value and work:
        work.stop()
    busy = work is not None and work.running  # read once: it may end between two cells
    _done = work is not None and not busy and not work.problem
    _rated = _done and current.is_human_to_move
    for _name, _value in squares.describe_board(current, work.result if _rated else {}).items():
        setattr(board, _name, _value)
    if _done and not _rated:
        set_match(current.play(work.result.move, work.result))
    return (busy,)


@app.cell
def _(busy, current, go_on, opponent, stop, tick, work):
    _words = match.describe_match(current, opponent.value, work, busy)
    _stopped = work is not None and bool(work.problem)
    mo.vstack(
        [
            page.arrange(
                page.make_status(_words, busy),
                *([stop, tick] if busy else [go_on] if _stopped else []),
            ),
            *page.make_callouts(match.explain_problem(work)),
        ]
    )
    return


@app.cell
def _(board, current, new_game, opponent, take_back):
    _found = current.last_result
    mo.vstack(
        [
            board,
            page.arrange(new_game, take_back),
            mo.md(f"Moves: {', '.join(map(str, current.moves))}" if current.moves else ""),
            mo.md(match.describe_result(_found, other(current.human)) if _found else ""),
            mo.md(match.explain_opponent(opponent.value)),
        ]
    )
    return


if __name__ == "__main__":
    app.run()
