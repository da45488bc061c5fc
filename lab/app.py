# /// script
# [tool.marimo.display]
# theme = "system"
# ///
"""The lab: a marimo app. Start it with `python -m lab`; to change it, `marimo edit lab/app.py`."""

import marimo

__generated_with = "0.25.2"
app = marimo.App(width="medium", app_title="Adversarial search: the lab", css_file="lab.css")


@app.cell
def _():
    import sys
    from pathlib import Path

    import marimo as mo

    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))  # for lab and starter

    import lab.views

    return lab, mo


@app.cell
def _(lab, mo):
    code, set_code = mo.state(lab.student.read())
    read_again = mo.ui.button(
        label="read my files again", kind="neutral", on_click=lambda _: set_code(lab.student.read())
    )
    return code, read_again


@app.cell
def _(mo):
    page = mo.ui.tabs(
        dict.fromkeys(("Play", "Playground", "Watch the search", "Measure", "Check yourself"), "")
    )
    return (page,)


@app.cell
def _(code, lab, mo, page, read_again):
    mo.vstack(
        [
            mo.Html(lab.views.HEADING),
            mo.hstack(
                [mo.Html(lab.views.what_is_written(code())), read_again], align="center", wrap=True
            ),
            page,
        ],
        gap=1,
    )
    return


# --- Play -----------------------------------------------------------------------------------------


@app.cell
def _(lab, mo):
    moment, set_moment = mo.state(0, allow_self_loops=True)
    news, set_news = mo.state(0, allow_self_loops=True)
    seat = lab.table.Table(
        lambda: set_moment(lambda number: number + 1),
        lambda: set_news(lambda number: number + 1),
        mo.Thread,
    )
    return moment, news, seat


@app.cell
def _(code, lab, mo):
    play_game = mo.ui.dropdown(list(lab.boards.BY_NAME), "tic-tac-toe", label="game")
    play_starts = mo.ui.dropdown(["you", "the computer"], "you", label="who starts")
    play_engine = mo.ui.dropdown(
        [*lab.engines.ENGINES, lab.table.HUMAN], lab.views.favourite(code()), label="against"
    )
    play_hints = mo.ui.switch(True, label="show what every move is worth")
    return play_engine, play_game, play_hints, play_starts


@app.cell
def _(lab, mo, play_game):
    play_kind = lab.boards.BY_NAME[play_game.value]
    sizes = mo.ui.dictionary(
        {
            name: mo.ui.number(1, max(15, value), value=value, label=name)
            for name, value in play_kind.sizes.items()
        }
    )
    return play_kind, sizes


@app.cell
def _(play_kind, play_starts, seat, sizes):
    def new_game() -> None:
        game = play_kind.make(*sizes.value.values())
        seat.start(game, "X" if play_starts.value == "you" else "O")

    try:
        new_game()
        size_problem = ""
    except ValueError as problem:
        size_problem = str(problem)
    depth = play_kind.depth(seat.game)
    return depth, new_game, size_problem


@app.cell
def _(depth, lab, mo, play_engine):
    play_settings = lab.views.setting_controls(mo, play_engine.value, depth)
    return (play_settings,)


@app.cell
def _(lab, play_engine, play_hints, play_settings, seat):
    settings = lab.engines.Settings(**play_settings.value)
    seat.configure(play_engine.value, settings, play_hints.value)
    return


@app.cell
def _(mo, new_game, seat):
    play_buttons = mo.ui.array(
        [
            mo.ui.button(label="new game", on_click=lambda _: new_game()),
            mo.ui.button(label="take back", on_click=lambda _: seat.take_back()),
            mo.ui.button(label="stop", kind="warn", on_click=lambda _: seat.stop()),
            mo.ui.button(label="go on", on_click=lambda _: seat.resume()),
        ]
    )
    return (play_buttons,)


@app.cell
def _(lab, mo, moment, news, page, seat):
    mo.stop(page.value != "Play")
    moment(), news()  # this cell runs again whenever something has changed at the table
    mo.Html(lab.views.whose_turn(seat))
    return


@app.cell
def _(lab, mo, moment, seat):
    moment()  # but not for mere news, or a click on a button could be lost
    pictures = lab.views.squares(seat)
    squares = mo.ui.dictionary(
        {
            str(place): mo.ui.button(label=picture, on_click=lambda _, move=move: seat.play(move))
            for place, (move, picture) in enumerate(pictures)
            if move is not None
        }
    )
    play_board = [
        squares[str(place)].text if move is not None else picture
        for place, (move, picture) in enumerate(pictures)
    ]
    return play_board, squares


@app.cell
def _(lab, mo, moment, seat):
    moment()
    other_moves = mo.ui.dictionary(
        {
            str(move): mo.ui.button(
                label=label, kind="success", on_click=lambda _, move=move: seat.play(move)
            )
            for move, label in lab.views.other_moves(seat)
        }
    )
    return (other_moves,)


@app.cell
def _(lab, mo, other_moves, play_board, play_buttons, seat):
    _again, _back, _stop, _go_on = play_buttons
    play_left = mo.vstack(
        [
            mo.Html(lab.views.board(play_board, seat)),
            mo.hstack(
                [
                    *other_moves.elements.values(),
                    _again,
                    _back,
                    *([_stop] if seat.busy else [_go_on] if seat.paused else []),
                ],
                justify="start",
            ),
            mo.Html(lab.views.behind(seat)),
        ],
        gap=1,
    )
    return (play_left,)


@app.cell
def _(lab, mo, play_game, play_starts, size_problem, sizes):
    play_what = [
        play_game,
        mo.hstack(list(sizes.elements.values()), justify="start"),
        mo.Html(lab.views.kindly(size_problem)),
        play_starts,
    ]
    return (play_what,)


@app.cell
def _(mo, play_engine, play_hints, play_settings, play_what):
    play_right = mo.vstack(
        [*play_what, play_engine, *play_settings.elements.values(), play_hints], gap=0.7
    )
    return (play_right,)


@app.cell
def _(lab, mo, page, play_left, play_right):
    mo.stop(page.value != "Play")
    mo.Html(lab.views.columns(play_left.text, play_right.text))
    return


# --- Playground -----------------------------------------------------------------------------------


@app.cell
def _(code, lab, mo):
    ground_moment, set_ground_moment = mo.state(0, allow_self_loops=True)
    ground_runner = lab.jobs.Runner(lambda: set_ground_moment(lambda number: number + 1), mo.Thread)
    ground_position = mo.ui.dropdown(
        list(lab.views.POSITIONS), next(iter(lab.views.POSITIONS)), label="position"
    )
    ground_engine = mo.ui.dropdown(
        list(lab.engines.ENGINES), lab.views.favourite(code()), label="algorithm"
    )
    return ground_engine, ground_moment, ground_position, ground_runner


@app.cell
def _(ground_position, lab, mo):
    ground_rows = mo.ui.text_area(
        "\n".join(lab.views.POSITIONS[ground_position.value]),
        label="the board: X, O and . (to change it, type)",
        rows=6,
        debounce=True,
    )
    return (ground_rows,)


@app.cell
def _(ground_engine, ground_position, lab, mo):
    ground_settings = lab.views.setting_controls(
        mo, ground_engine.value, lab.views.fitting_depth(ground_position.value)
    )
    return (ground_settings,)


@app.cell
def _(ground_position, ground_rows, ground_runner, lab):
    try:
        ground = lab.views.typed_position(ground_position.value, ground_rows.value)
        ground_problem = ""
    except ValueError as problem:
        ground = None
        ground_problem = str(problem)
    ground_runner.clear()
    return ground, ground_problem


@app.cell
def _(ground, ground_engine, ground_runner, ground_settings, lab, mo):
    def _search(_):
        how = lab.engines.Settings(**ground_settings.value)
        ground_runner.start(
            lambda: lab.views.one_search(ground_engine.value, *ground, how), key=(), steps=2
        )

    ground_runner.clear()
    ground_buttons = mo.ui.array(
        [
            mo.ui.button(label="search", kind="success", on_click=_search, disabled=ground is None),
            mo.ui.button(label="stop", kind="warn", on_click=lambda _: ground_runner.stop()),
        ]
    )
    return (ground_buttons,)


@app.cell
def _(ground, ground_moment, ground_problem, ground_runner, lab):
    ground_moment()
    ground_left = lab.views.searched(ground_runner, ground) + lab.views.kindly(ground_problem)
    return (ground_left,)


@app.cell
def _(ground_engine, ground_position, ground_rows, ground_settings):
    ground_choice = [
        ground_position,
        ground_rows,
        ground_engine,
        *ground_settings.elements.values(),
    ]
    return (ground_choice,)


@app.cell
def _(ground_buttons, ground_choice, ground_moment, ground_runner, mo):
    ground_moment()
    _search, _stop = ground_buttons
    _button = _stop if ground_runner.running else _search
    ground_right = mo.vstack([*ground_choice, _button], gap=0.7)
    return (ground_right,)


@app.cell
def _(ground_left, ground_right, lab, mo, page):
    mo.stop(page.value != "Playground")
    mo.Html(lab.views.columns(ground_left, ground_right.text))
    return


# --- Watch the search -----------------------------------------------------------------------------


@app.cell
def _(code, lab, mo):
    watch_tree = mo.ui.dropdown(
        [*lab.views.SMALL, lab.views.OWN], next(iter(lab.views.SMALL)), label="tree"
    )
    first = lab.views.first_to_watch(code())
    watch_search = mo.ui.dropdown(list(lab.views.WATCHED), first, label="search")
    watch_own = mo.ui.text("[[3, 12, 8], [2, 4, 6], [14, 5, 2]]", label="tree", full_width=True)
    growth = mo.ui.dictionary(
        {
            "playouts": mo.ui.slider(1, 60, value=20, label="playouts", show_value=True),
            "C": mo.ui.slider(0, 3, step=0.1, value=1.4, label="C", show_value=True),
        }
    )
    return growth, watch_own, watch_search, watch_tree


@app.cell
def _(growth, lab, mo, watch_own, watch_search, watch_tree):
    _controls = [watch_search, watch_tree]
    if watch_search.value == "MCTS":
        _controls += growth.elements.values()
    _own = [watch_own] if watch_tree.value == lab.views.OWN else []
    watch_what = [mo.hstack(_controls, justify="start", gap=2, wrap=True), *_own]
    watch_position = watch_own.value if _own else watch_tree.value
    return watch_position, watch_what


@app.cell
def _(code, growth, lab, page, watch_position, watch_search):
    code()  # so that reading the files again also watches again
    watched = None
    if page.value == "Watch the search":
        watched = lab.views.watch_kindly(watch_search.value, watch_position, growth.value)
    return (watched,)


@app.cell
def _(mo, watched):
    step = mo.ui.slider(
        0,
        watched.steps if watched and watched.steps else 1,
        value=0,
        label="step",
        show_value=True,
        full_width=True,
    )
    return (step,)


@app.cell
def _(lab, mo, step, watch_what, watched):
    mo.stop(watched is None)
    mo.vstack(
        [
            *watch_what,
            mo.Html(lab.views.kindly(watched.problem)),
            *([step] if watched.steps else []),
            mo.Html(watched.picture(step.value)),
        ],
        gap=1,
    )
    return


# --- Measure --------------------------------------------------------------------------------------


@app.cell
def _(lab, mo):
    measure_moment, set_measure_moment = mo.state(0, allow_self_loops=True)
    runners = {
        name: lab.jobs.Runner(lambda: set_measure_moment(lambda number: number + 1), mo.Thread)
        for name in lab.trials.EXPERIMENTS
    }
    measure_what = mo.ui.dropdown(
        list(lab.trials.EXPERIMENTS), next(iter(lab.trials.EXPERIMENTS)), label="experiment"
    )
    return measure_moment, measure_what, runners


@app.cell
def _(code, lab, measure_what, mo, runners):
    experiment = lab.trials.EXPERIMENTS[measure_what.value]
    runner = runners[measure_what.value]
    measure_controls = experiment.controls(mo, code())
    return experiment, measure_controls, runner


@app.cell
def _(experiment, measure_controls, mo, runner):
    measure_buttons = mo.ui.array(
        [
            mo.ui.button(
                label="run",
                kind="success",
                on_click=lambda _: experiment.start(runner, measure_controls.value),
            ),
            mo.ui.button(label="stop", kind="warn", on_click=lambda _: runner.stop()),
        ]
    )
    return (measure_buttons,)


@app.cell
def _(experiment, measure_buttons, measure_controls, measure_what, mo, page):
    mo.stop(page.value != "Measure")
    mo.vstack(
        [
            measure_what,
            mo.Html(f"<p>{experiment.question}</p>"),
            mo.hstack(list(measure_controls.elements.values()), justify="start", gap=2, wrap=True),
            mo.hstack(list(measure_buttons), justify="start"),
        ],
        gap=0.8,
    )
    return


@app.cell
def _(experiment, lab, measure_moment, mo, page, runner):
    mo.stop(page.value != "Measure")
    measure_moment()
    _parts = [lab.trials.progress(runner), *experiment.picture(runner.rows)]
    mo.vstack(
        [mo.Html(part) if isinstance(part, str) else part for part in _parts], align="stretch"
    )
    return


# --- Check yourself -------------------------------------------------------------------------------


@app.cell
def _(lab, mo):
    answers = mo.ui.array(
        [mo.ui.radio(list(question.answers)) for question in lab.concepts.QUESTIONS]
    )
    return (answers,)


@app.cell
def _(answers, lab, mo, page):
    mo.stop(page.value != "Check yourself")
    _questions = lab.concepts.QUESTIONS
    _parts = [mo.Html(lab.views.tally(_questions, answers.value))]
    for _number, (_question, _radio) in enumerate(zip(_questions, answers), 1):
        _parts.append(
            mo.vstack(
                [
                    mo.md(f"**{_number}.** {_question.text}"),
                    _radio,
                    mo.md(lab.views.verdict(_question, _radio.value)),
                ],
                gap=0.4,
            )
        )
    mo.vstack(_parts, gap=1.6)
    return


if __name__ == "__main__":
    app.run()
