# /// script
# [tool.marimo.display]
# theme = "system"
# ///
"""The lab: a marimo app. Start it with `python -m lab`; to change it, `marimo edit lab/app.py`."""

import marimo

__generated_with = "0.25.2"
app = marimo.App(width="medium", app_title="The lab", css_file="lab.css")


@app.cell
def _():
    import sys
    from pathlib import Path

    import marimo as mo

    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))  # for lab and starter

    import lab.pages
    import lab.widgets

    return lab, mo


@app.cell
def _(mo):
    # What a reload keeps stands in the address of the page.
    kept = {name: str(value) for name, value in mo.query_params().to_dict().items()}

    def keep(**items):
        for _name, _value in items.items():
            mo.query_params().set(_name, str(_value))

    def kept_choice(name, choices, otherwise):
        return kept[name] if kept.get(name) in choices else otherwise

    return keep, kept, kept_choice


@app.cell
def _(lab, mo):
    window = lab.jobs.Page(mo.Thread)
    code, set_code = mo.state(lab.pages.parts.what_can_be_used(window))
    favourite = lab.pages.parts.favourite(code())  # when the page was opened
    return code, favourite, set_code, window


@app.cell
def _(kept_choice, mo):
    _pages = ("Play", "Playground", "Watch the search", "Measure", "Check yourself")
    page = mo.ui.tabs(dict.fromkeys(_pages, ""), value=kept_choice("page", _pages, "Play"))
    return (page,)


@app.cell
def _(desk, lab, mo, seat, set_code, window):
    def _read() -> None:
        set_code(lab.pages.parts.what_can_be_used(window))
        seat.read_again()
        desk.read_again()

    read_again = mo.ui.button(label="read my files again", on_click=lambda _: _read())
    return (read_again,)


@app.cell
def _(code, keep, lab, mo, page, read_again):
    keep(page=page.value)
    _files = [mo.Html(lab.pages.parts.what_is_written(code())), read_again]
    mo.vstack(
        [mo.Html(lab.pages.parts.HEADING), mo.hstack(_files, align="center", wrap=True), page],
        gap=1,
    )
    return


# --- Play -----------------------------------------------------------------------------------------


@app.cell
def _(lab, mo, window):
    moment, set_moment = mo.state(0, allow_self_loops=True)
    news, set_news = mo.state(0, allow_self_loops=True)
    seat = lab.table.Table(
        window,
        lambda: set_moment(lambda number: number + 1),
        lambda: set_news(lambda number: number + 1),
    )
    play_board = mo.ui.anywidget(lab.widgets.Board(label="the board"))
    play_board.widget.observe(lambda change: seat.play(change["new"][1]), "played")
    walk = mo.ui.anywidget(lab.widgets.Stepper(label="moves of the game"))
    return moment, news, play_board, seat, walk


@app.cell
def _(favourite, kept_choice, lab, mo):
    _games, _engines = lab.boards.BY_NAME, [*lab.engines.ENGINES, lab.table.HUMAN]
    play_game = mo.ui.dropdown(
        list(_games), kept_choice("game", _games, "tic-tac-toe"), label="game"
    )
    play_side = mo.ui.dropdown(
        ["X", "O"], kept_choice("side", ["X", "O"], "X"), label="you are (X starts)"
    )
    play_engine = mo.ui.dropdown(
        _engines, kept_choice("against", _engines, favourite), label="against"
    )
    play_hints = mo.ui.switch(True, label="show what every move is worth")
    return play_engine, play_game, play_hints, play_side


@app.cell
def _(kept, lab, mo, play_game):
    play_kind = lab.boards.BY_NAME[play_game.value]
    sizes = mo.ui.dictionary(
        {
            name: mo.ui.number(1, play_kind.largest(name), value=value, label=name)
            for name, value in lab.pages.kept.kept_sizes(kept, play_kind).items()
        }
    )
    return play_kind, sizes


@app.cell
def _(kept, lab, play_kind, play_side, seat, sizes):
    def new_game(played: list[int] | tuple[()] = ()) -> None:
        _sizes = [value or play_kind.sizes[name] for name, value in sizes.value.items()]
        seat.start(play_kind.make(*_sizes), play_side.value, played)

    depth, size_problem = None, ""
    try:
        new_game()
        depth = play_kind.depth(seat.game)
        if _moves := lab.pages.kept.kept_moves(kept):
            new_game(_moves)
    except ValueError as problem:
        size_problem = str(problem)
    return depth, new_game, size_problem


@app.cell
def _(depth, lab, mo, play_engine):
    play_settings = lab.pages.parts.setting_controls(mo, play_engine.value, depth)
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
def _(keep, lab, moment, play_board, play_kind, seat, sizes, walk):
    moment()  # this cell runs again whenever something has changed at the table
    if walk.names != (_names := lab.pages.play.names_of(seat)):
        walk.names = _names
        walk.steps = walk.step = len(_names)
    play_board.columns = lab.pages.play.columns_of(seat)
    play_board.row = lab.pages.play.width_of(seat)
    play_board.squares = lab.pages.play.squares(seat, walk.step)
    keep(
        game=play_kind.name,
        sizes=".".join(map(str, sizes.value.values())),
        side=seat.human,
        against=seat.engine,
        moves=".".join(map(str, seat.played)),
    )
    return


@app.cell
def _(lab, mo, moment, news, page, seat, walk):
    mo.stop(page.value != "Play")
    moment(), news()
    mo.Html(f'<div class="turn" role="status">{lab.pages.play.whose_turn(seat, walk.step)}</div>')
    return


@app.cell
def _(lab, mo, moment, play_board, play_buttons, seat, walk):
    moment()
    _again, _back, _stop, _go_on = play_buttons
    _buttons = [_again, _back, *([_stop] if seat.busy else [_go_on] if seat.paused else [])]
    play_left = mo.vstack(
        [
            play_board,
            mo.hstack(_buttons, justify="start"),
            walk,
            mo.Html(lab.pages.play.behind(seat)),
        ],
        gap=1,
    )
    return (play_left,)


@app.cell
def _(lab, mo, play_engine, play_game, play_hints, play_settings, play_side, size_problem, sizes):
    play_right = mo.vstack(
        [
            play_game,
            mo.hstack(list(sizes.elements.values()), justify="start"),
            mo.Html(lab.pages.parts.kindly(size_problem)),
            play_side,
            play_engine,
            *play_settings.elements.values(),
            play_hints,
        ],
        gap=0.7,
    )
    return (play_right,)


@app.cell
def _(lab, mo, page, play_left, play_right):
    mo.stop(page.value != "Play")
    mo.Html(lab.pages.parts.columns(play_left.text, play_right.text))
    return


# --- Playground, and Watch the search: one search, its result and its steps -----------------------


@app.cell
def _(favourite, lab, mo, window):
    desk_moment, set_desk_moment = mo.state(0, allow_self_loops=True)
    desk = lab.table.Desk(window, lambda: set_desk_moment(lambda number: number + 1))
    desk_start = mo.ui.dropdown(
        list(lab.pages.positions.POSITIONS),
        next(iter(lab.pages.positions.POSITIONS)),
        label="position",
    )
    _searches = [name for name, engine in lab.engines.ENGINES.items() if engine.file]
    _first = favourite if favourite in _searches else _searches[0]
    desk_engine = mo.ui.dropdown(_searches, _first, label="algorithm")
    return desk, desk_engine, desk_moment, desk_start


@app.cell
def _(desk_start, lab, mo):
    desk_text = mo.ui.text_area(
        lab.pages.positions.POSITIONS[desk_start.value],
        label="the position (to change it, type)",
        rows=6,
        debounce=True,
    )
    return (desk_text,)


@app.cell
def _(desk_engine, desk_start, lab, mo):
    desk_settings = lab.pages.parts.setting_controls(
        mo, desk_engine.value, lab.pages.positions.fitting_depth(desk_start.value)
    )
    return (desk_settings,)


@app.cell
def _(code, desk, desk_engine, desk_settings, desk_start, desk_text, lab, mo, page):
    mo.stop(page.value not in ("Playground", "Watch the search"))
    code()  # this cell runs again once the files have been read again
    _task, desk_problem = None, ""
    try:
        _position = lab.pages.positions.typed_position(desk_start.value, desk_text.value)
        _settings = lab.engines.Settings(**desk_settings.value)
        _task = lab.engines.Task(desk_engine.value, *_position, _settings)
    except ValueError as problem:
        desk_problem = str(problem)
    desk.ask(_task, (desk_start.value, desk_text.value, desk_engine.value, desk_settings.value))
    return (desk_problem,)


@app.cell
def _(desk, lab, mo):
    desk_buttons = mo.ui.array(
        [
            mo.ui.button(label="search again", on_click=lambda _: desk.search()),
            mo.ui.button(label="stop", kind="warn", on_click=lambda _: desk.stop()),
        ]
    )
    pace = mo.ui.anywidget(lab.widgets.Stepper(label="steps of the search"))
    tree_view = mo.ui.anywidget(lab.widgets.TreeView(label="the search so far"))
    return desk_buttons, pace, tree_view


@app.cell
def _(desk, desk_buttons, desk_engine, desk_moment, desk_settings, desk_start, desk_text, mo):
    desk_moment()
    _again, _stop = desk_buttons
    desk_what = [desk_start, desk_engine, *desk_settings.elements.values()]
    desk_what += [_stop if desk.running else _again, desk_text]
    return (desk_what,)


@app.cell
def _(desk, desk_moment, lab, pace):
    desk_moment()
    _next, _stops = lab.pages.watch.stops(desk)
    if (pace.steps, pace.stops) != (len(desk.steps), _stops):
        pace.next, pace.stops, pace.steps = _next, _stops, len(desk.steps)
        pace.step = min(pace.step, pace.steps)
    return


@app.cell
def _(desk, desk_moment, lab, pace, page, tree_view):
    desk_moment()
    if page.value == "Watch the search":
        tree_view.rows = lab.pages.watch.rows(desk, pace.step)
    return


@app.cell
def _(desk, desk_moment, desk_problem, desk_what, lab, mo, pace, page, tree_view):
    mo.stop(page.value not in ("Playground", "Watch the search"))
    desk_moment()
    _problem = lab.pages.parts.kindly(desk_problem)
    if page.value == "Playground":
        _what = mo.vstack(desk_what, gap=0.7).text
        _parts = [
            mo.Html(lab.pages.parts.columns(_problem + lab.pages.playground.searched(desk), _what))
        ]
    else:
        *_what, _text = desk_what
        _row = mo.hstack(_what, justify="start", align="center", gap=1.5, wrap=True)
        _said = mo.Html(_problem + lab.pages.watch.watched(desk, pace.step))
        _legend = mo.Html(lab.pages.watch.legend(desk, pace.step))
        _parts = [_row, pace, _said, tree_view, _legend, _text]
    mo.vstack(_parts, gap=1)
    return


# --- Measure --------------------------------------------------------------------------------------


@app.cell
def _(lab, mo, window):
    measure_moment, set_measure_moment = mo.state(0, allow_self_loops=True)
    runner = lab.experiments.runs.Runner(
        window, lambda: set_measure_moment(lambda number: number + 1)
    )
    measure_what = mo.ui.dropdown(
        list(lab.experiments.EXPERIMENTS),
        next(iter(lab.experiments.EXPERIMENTS)),
        label="experiment",
    )
    return measure_moment, measure_what, runner


@app.cell
def _(code, lab, measure_what, mo):
    experiment = lab.experiments.EXPERIMENTS[measure_what.value]
    measure_controls = mo.ui.dictionary(experiment.controls(mo, code()))
    return experiment, measure_controls


@app.cell
def _(experiment, measure_controls, mo, runner):
    measure_buttons = mo.ui.array(
        [
            mo.ui.button(
                label="run", on_click=lambda _: runner.start(experiment, measure_controls.value)
            ),
            mo.ui.button(label="stop", kind="warn", on_click=lambda _: runner.stop()),
            mo.ui.button(label="clear", on_click=lambda _: runner.clear()),
        ]
    )
    return (measure_buttons,)


@app.cell
def _(experiment, lab, measure_buttons, measure_controls, measure_what, mo, page):
    mo.stop(page.value != "Measure")
    mo.vstack(
        [
            measure_what,
            mo.Html(f"<p>{experiment.question}</p>"),
            *lab.pages.measure.in_rows(mo, measure_controls),
            mo.hstack(list(measure_buttons), justify="start"),
        ],
        gap=0.8,
    )
    return


@app.cell
def _(lab, measure_moment, mo, page, runner):
    mo.stop(page.value != "Measure")
    measure_moment()
    _runs = [lab.pages.measure.shown(mo, number, run) for number, run in enumerate(runner.runs, 1)]
    mo.Html(f'<div class="runs">{"".join(_runs)}</div>')
    return


# --- Check yourself -------------------------------------------------------------------------------


@app.cell
def _(kept, lab, mo):
    _questions = lab.concepts.QUESTIONS
    answers = mo.ui.array(
        [
            mo.ui.radio(list(question.answers), value, label=f"**{number}.** {question.text}")
            for number, (question, value) in enumerate(
                zip(_questions, lab.pages.kept.kept_answers(kept, _questions)), 1
            )
        ]
    )
    return (answers,)


@app.cell
def _(answers, keep, lab, mo, page):
    mo.stop(page.value != "Check yourself")
    _questions = lab.concepts.QUESTIONS
    keep(answers=lab.pages.kept.as_kept(_questions, answers.value))
    _parts = [mo.Html(lab.pages.check_yourself.tally(_questions, answers.value))]
    for _question, _radio in zip(_questions, answers):
        _parts += [_radio, mo.md(lab.pages.check_yourself.verdict(_question, _radio.value))]
    mo.vstack(_parts, gap=0.8)
    return


if __name__ == "__main__":
    app.run()
