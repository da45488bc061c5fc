# /// script
# [tool.marimo.display]
# theme = "system"
# ///
"""The lab: a marimo app. Start it with `python -m lab`; to change it, `marimo edit lab/lab.py`."""

import marimo

app = marimo.App(width="medium", app_title="Adversarial search: the lab", css_file="lab.css")


@app.cell
def _():
    import sys
    from html import escape
    from pathlib import Path

    import marimo as mo

    ROOT = Path(__file__).resolve().parent.parent
    if str(ROOT) not in sys.path[:1]:
        sys.path.insert(0, str(ROOT))  # before this folder, whose lab.py is not the package lab

    from lab import concepts, drawing, engines, experiments, student, table, views, watch
    from lab.engines import ENGINES, Settings
    from lab.jobs import Job, Runner, soon
    from starter import games
    return (
        ENGINES,
        Job,
        Runner,
        Settings,
        concepts,
        drawing,
        engines,
        escape,
        experiments,
        games,
        mo,
        soon,
        student,
        table,
        views,
        watch,
    )


@app.cell
def _(mo, student):
    code, set_code = mo.state(student.read())
    read_again = mo.ui.button(
        label="read my files again", kind="neutral", on_click=lambda _: set_code(student.read())
    )
    page = mo.ui.tabs(
        {
            name: ""
            for name in ("Play", "Playground", "Watch the search", "Measure", "Check yourself")
        }
    )
    return code, page, read_again


@app.cell
def _(code, mo, page, read_again, views):
    mo.vstack(
        [
            mo.Html(views.HEADING),
            mo.hstack([mo.Html(views.what_is_written(code())), read_again], align="center"),
            page,
        ],
        gap=1,
    )
    return


# --- Play -----------------------------------------------------------------------------------------


@app.cell
def _(mo, table):
    moment, set_moment = mo.state(0)
    seat = table.Table(lambda: set_moment(lambda number: number + 1), mo.Thread)
    return moment, seat


@app.cell
def _(ENGINES, code, engines, mo, table):
    play_game = mo.ui.dropdown(["tic-tac-toe", "Connect Four"], "tic-tac-toe", label="game")
    play_starts = mo.ui.dropdown(["you", "the computer"], "you", label="who starts")
    play_engine = mo.ui.dropdown(
        [*ENGINES, table.HUMAN], engines.ready(code())[0], label="against"
    )
    play_hints = mo.ui.switch(True, label="show what every move is worth")
    return play_engine, play_game, play_hints, play_starts


@app.cell
def _(mo, play_game):
    large = play_game.value == "Connect Four"
    sizes = mo.ui.dictionary(
        {
            name: mo.ui.number(1, 15, value=value, label=label)
            for name, value, label in (
                ("height", 6 if large else 3, "height"),
                ("width", 7 if large else 3, "width"),
                ("k", 4 if large else 3, "in a row"),
            )
        }
    )
    return large, sizes


@app.cell
def _(large, mo, play_engine, views):
    play_settings = views.setting_controls(mo, play_engine.value, large)
    return (play_settings,)


@app.cell
def _(play_engine, play_hints, play_settings, seat, views):
    seat.configure(play_engine.value, views.settings(play_settings.value), play_hints.value)
    return


@app.cell
def _(games, mo, play_game, play_starts, seat, sizes):
    def new_game():
        kind = games.ConnectFour if play_game.value == "Connect Four" else games.TicTacToe
        seat.start(kind(**sizes.value), "X" if play_starts.value == "you" else "O")

    try:
        new_game()
        size_problem = ""
    except ValueError as problem:
        size_problem = str(problem)
    play_buttons = mo.ui.array(
        [
            mo.ui.button(label="new game", on_click=lambda _: new_game()),
            mo.ui.button(label="take back", on_click=lambda _: seat.take_back()),
            mo.ui.button(label="stop thinking", kind="warn", on_click=lambda _: seat.stop()),
            mo.ui.button(label="go on", on_click=lambda _: seat.resume()),
        ]
    )
    return play_buttons, size_problem


@app.cell
def _(mo, moment, seat, views):
    moment()  # this cell runs again whenever something has changed at the table
    squares = mo.ui.array(
        [
            mo.ui.button(label=label, on_click=lambda _, move=move: seat.play(move))
            for move, label in views.playable(seat)
        ]
    )
    return (squares,)


@app.cell
def _(
    mo,
    page,
    play_buttons,
    play_engine,
    play_game,
    play_hints,
    play_settings,
    play_starts,
    seat,
    size_problem,
    sizes,
    squares,
    views,
):
    mo.stop(page.value != "Play")
    _again, _back, _stop, _go_on = play_buttons
    _left = mo.vstack(
        [
            mo.Html(views.whose_turn(seat)),
            mo.Html(views.board(seat, [str(square) for square in squares])),
            mo.hstack(
                [_again, _back, *([_stop] if seat.thinking else [_go_on] if seat.paused else [])],
                justify="start",
            ),
            mo.Html(views.thought(seat)),
        ],
        gap=1,
    )
    _right = mo.vstack(
        [
            play_game,
            mo.hstack(list(sizes.elements.values()), justify="start"),
            mo.Html(views.kindly(size_problem)),
            play_starts,
            play_engine,
            *play_settings.elements.values(),
            play_hints,
        ],
        gap=0.7,
    )
    mo.hstack([_left, _right], widths=[3, 2], gap=3, wrap=True)
    return


if __name__ == "__main__":
    app.run()
