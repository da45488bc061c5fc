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
    from html import escape
    from pathlib import Path

    import marimo as mo

    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))  # for lab and starter

    from lab import concepts, drawing, engines, experiments, student, table, trials, views
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
        trials,
        views,
    )


@app.cell
def _(mo, student):
    code, set_code = mo.state(student.read())
    read_again = mo.ui.button(
        label="read my files again", kind="neutral", on_click=lambda _: set_code(student.read())
    )
    return code, read_again


@app.cell
def _(mo):
    page = mo.ui.tabs(
        dict.fromkeys(("Play", "Playground", "Watch the search", "Measure", "Check yourself"), "")
    )
    return (page,)


@app.cell
def _(code, mo, page, read_again, views):
    mo.vstack(
        [
            mo.Html(views.HEADING),
            mo.hstack(
                [mo.Html(views.what_is_written(code())), read_again], align="center", wrap=True
            ),
            page,
        ],
        gap=1,
    )
    return


# --- Play -----------------------------------------------------------------------------------------


@app.cell
def _(mo, table):
    moment, set_moment = mo.state(0, allow_self_loops=True)
    news, set_news = mo.state(0, allow_self_loops=True)
    seat = table.Table(
        lambda: set_moment(lambda number: number + 1),
        lambda: set_news(lambda number: number + 1),
        mo.Thread,
    )
    return moment, news, seat


@app.cell
def _(ENGINES, code, mo, table, views):
    play_game = mo.ui.dropdown(["tic-tac-toe", "Connect Four"], "tic-tac-toe", label="game")
    play_starts = mo.ui.dropdown(["you", "the computer"], "you", label="who starts")
    play_engine = mo.ui.dropdown([*ENGINES, table.HUMAN], views.favourite(code()), label="against")
    play_hints = mo.ui.switch(True, label="show what every move is worth")
    return play_engine, play_game, play_hints, play_starts


@app.cell
def _(mo, play_game):
    _large = play_game.value == "Connect Four"
    sizes = mo.ui.dictionary(
        {
            name: mo.ui.number(1, 15, value=value, label=label)
            for name, value, label in (
                ("height", 6 if _large else 3, "height"),
                ("width", 7 if _large else 3, "width"),
                ("k", 4 if _large else 3, "k"),
            )
        }
    )
    return (sizes,)


@app.cell
def _(mo, play_engine, sizes, views):
    _large = sizes.value["height"] * sizes.value["width"] > 9
    play_settings = views.setting_controls(mo, play_engine.value, _large)
    return (play_settings,)


@app.cell
def _(Settings, play_engine, play_hints, play_settings, seat):
    seat.configure(play_engine.value, Settings(**play_settings.value), play_hints.value)
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
            mo.ui.button(label="stop", kind="warn", on_click=lambda _: seat.stop()),
            mo.ui.button(label="go on", on_click=lambda _: seat.resume()),
        ]
    )
    return play_buttons, size_problem


@app.cell
def _(mo, moment, news, page, seat, views):
    mo.stop(page.value != "Play")
    moment(), news()  # this cell runs again whenever something has changed at the table
    mo.Html(views.whose_turn(seat))
    return


@app.cell
def _(mo, moment, seat, views):
    moment()  # but not at mere news, lest a click on a button be lost
    pictures = views.squares(seat)
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
    return (play_board, squares)


@app.cell
def _(
    mo,
    page,
    play_board,
    play_buttons,
    play_engine,
    play_game,
    play_hints,
    play_settings,
    play_starts,
    seat,
    size_problem,
    sizes,
    views,
):
    mo.stop(page.value != "Play")
    _again, _back, _stop, _go_on = play_buttons
    _left = mo.vstack(
        [
            mo.Html(views.board(play_board, seat.state.shape[1])),
            mo.hstack(
                [_again, _back, *([_stop] if seat.busy else [_go_on] if seat.paused else [])],
                justify="start",
            ),
            mo.Html(views.behind(seat)),
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
    mo.Html(views.columns(_left.text, _right.text))
    return


# --- Playground -----------------------------------------------------------------------------------


@app.cell
def _(ENGINES, Runner, code, mo, views):
    ground_moment, set_ground_moment = mo.state(0, allow_self_loops=True)
    ground_runner = Runner(lambda: set_ground_moment(lambda number: number + 1), mo.Thread)
    ground_position = mo.ui.dropdown(
        list(views.POSITIONS), next(iter(views.POSITIONS)), label="position"
    )
    ground_engine = mo.ui.dropdown(list(ENGINES), views.favourite(code()), label="algorithm")
    return ground_engine, ground_moment, ground_position, ground_runner


@app.cell
def _(ground_engine, ground_position, mo, views):
    ground_rows = mo.ui.text_area(
        "\n".join(views.POSITIONS[ground_position.value]),
        label="the board: X, O and . (to change it, type)",
        rows=6,
        debounce=True,
    )
    ground_settings = views.setting_controls(
        mo, ground_engine.value, ground_position.value.startswith("Connect")
    )
    return ground_rows, ground_settings


@app.cell
def _(
    ground_engine,
    ground_position,
    ground_rows,
    ground_runner,
    ground_settings,
    mo,
    Settings,
    views,
):
    try:
        ground_game, ground_state = views.typed_position(ground_position.value, ground_rows.value)
        ground_problem = ""
    except ValueError as problem:
        ground_game = ground_state = None
        ground_problem = str(problem)

    def _search(_):
        how = Settings(**ground_settings.value)
        ground_runner.start(
            lambda: views.one_search(ground_engine.value, ground_game, ground_state, how),
            key=(),
            steps=2,
        )

    ground_buttons = mo.ui.array(
        [
            mo.ui.button(
                label="search", kind="success", on_click=_search, disabled=ground_state is None
            ),
            mo.ui.button(label="stop", kind="warn", on_click=lambda _: ground_runner.stop()),
        ]
    )
    ground_runner.clear()
    return ground_buttons, ground_problem, ground_state


@app.cell
def _(
    ground_buttons,
    ground_engine,
    ground_moment,
    ground_position,
    ground_problem,
    ground_rows,
    ground_runner,
    ground_settings,
    ground_state,
    mo,
    page,
    views,
):
    mo.stop(page.value != "Playground")
    ground_moment()
    _left = views.searched(ground_runner, ground_state) + views.kindly(ground_problem)
    _right = mo.vstack(
        [
            ground_position,
            ground_rows,
            ground_engine,
            *ground_settings.elements.values(),
            ground_buttons[1] if ground_runner.running else ground_buttons[0],
        ],
        gap=0.7,
    )
    mo.Html(views.columns(_left, _right.text))
    return


# --- Watch the search -----------------------------------------------------------------------------


@app.cell
def _(code, mo, views):
    own = "a tree of my own"
    watch_tree = mo.ui.dropdown([*views.SMALL, own], next(iter(views.SMALL)), label="tree")
    first = views.first_to_watch(code())
    watch_search = mo.ui.dropdown(list(views.WATCHED), first, label="search")
    watch_own = mo.ui.text("[[3, 12, 8], [2, 4, 6], [14, 5, 2]]", label="tree", full_width=True)
    watch_C = mo.ui.slider(0, 3, step=0.1, value=1.4, label="C", show_value=True)
    watch_playouts = mo.ui.slider(1, 60, value=20, label="playouts", show_value=True)
    return own, watch_C, watch_own, watch_playouts, watch_search, watch_tree


@app.cell
def _(
    code,
    mo,
    own,
    page,
    soon,
    student,
    views,
    watch_C,
    watch_own,
    watch_playouts,
    watch_search,
    watch_tree,
):
    mo.stop(page.value != "Watch the search")
    code()  # so that reading the files again also watches again
    watched, unsearched, watch_problem = None, "", ""
    try:
        _position = (
            views.own_tree(watch_own.value)
            if watch_tree.value == own
            else views.SMALL[watch_tree.value]()
        )
        unsearched = views.unsearched(_position)
        watched = views.watch(
            watch_search.value, _position, watch_playouts.value, watch_C.value, soon
        )
    except Exception as problem:
        watch_problem = student.explain(problem)
    return unsearched, watch_problem, watched


@app.cell
def _(mo, watched):
    step = mo.ui.slider(
        0, watched.steps if watched else 1, value=0, label="step", show_value=True, full_width=True
    )
    return (step,)


@app.cell
def _(
    mo,
    own,
    page,
    step,
    unsearched,
    views,
    watch_C,
    watch_own,
    watch_playouts,
    watch_problem,
    watch_search,
    watch_tree,
    watched,
):
    mo.stop(page.value != "Watch the search")
    _controls = [watch_search, watch_tree]
    if watch_search.value == "MCTS":
        _controls += [watch_playouts, watch_C]
    mo.vstack(
        [
            mo.hstack(_controls, justify="start", gap=2, wrap=True),
            *([watch_own] if watch_tree.value == own else []),
            mo.Html(views.kindly(watch_problem)),
            *([step, mo.Html(watched.picture(step.value))] if watched else [mo.Html(unsearched)]),
        ],
        gap=1,
    )
    return


# --- Measure --------------------------------------------------------------------------------------


@app.cell
def _(Runner, mo, trials):
    measure_moment, set_measure_moment = mo.state(0, allow_self_loops=True)
    runners = {
        name: Runner(lambda: set_measure_moment(lambda number: number + 1), mo.Thread)
        for name in trials.EXPERIMENTS
    }
    measure_what = mo.ui.dropdown(
        list(trials.EXPERIMENTS), next(iter(trials.EXPERIMENTS)), label="experiment"
    )
    return measure_moment, measure_what, runners


@app.cell
def _(code, measure_what, mo, trials):
    experiment = trials.EXPERIMENTS[measure_what.value]
    measure_controls = experiment.controls(mo, code())
    return experiment, measure_controls


@app.cell
def _(experiment, measure_controls, measure_what, mo, runners):
    runner = runners[measure_what.value]
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
    return measure_buttons, runner


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
def _(experiment, measure_moment, mo, page, runner, trials):
    mo.stop(page.value != "Measure")
    measure_moment()
    mo.vstack([mo.Html(trials.progress(runner)), mo.Html(experiment.picture(runner.rows))])
    return


# --- Check yourself -------------------------------------------------------------------------------


@app.cell
def _(concepts, mo):
    answers = mo.ui.array([mo.ui.radio(list(question.answers)) for question in concepts.QUESTIONS])
    return (answers,)


@app.cell
def _(answers, concepts, mo, page, views):
    mo.stop(page.value != "Check yourself")
    _parts = [mo.Html(views.tally(concepts.QUESTIONS, answers.value))]
    for _number, (_question, _radio) in enumerate(zip(concepts.QUESTIONS, answers), 1):
        _parts.append(
            mo.vstack(
                [
                    mo.md(f"**{_number}.** {_question.text}"),
                    _radio,
                    mo.md(views.verdict(_question, _radio.value)),
                ],
                gap=0.4,
            )
        )
    mo.vstack(_parts, gap=1.6)
    return


if __name__ == "__main__":
    app.run()
