"""Watch a search: its steps, its tree, and what it found."""

import marimo

__generated_with = "0.25.2"
app = marimo.App(
    width="medium", app_title="Watch a search", css_file="../lab.css", html_head_file="../head.html"
)


with app.setup:
    import marimo as mo

    from lab import engines, match, page, positions, recordings, trees
    from lab.jobs import Session

    CHOICE = (
        "The search chooses the first move with the best value; MCTS goes by N, the number of "
        "visits. A bound, such as “at most 2”, is all that the search had to know about a move."
    )


@app.cell
def _():
    session = Session()
    first = page.load_student(session)
    reload = mo.ui.run_button(label="read my files again")
    position = mo.ui.dropdown(
        list(positions.POSITIONS), next(iter(positions.POSITIONS)), label="position"
    )
    algorithm = mo.ui.dropdown(
        [name for name, engine in engines.ENGINES.items() if engine.file],
        page.choose_default_engine(first, next(iter(engines.ENGINES))),
        label="algorithm",
    )
    stop = mo.ui.run_button(label="stop", kind="warn")
    tick = mo.ui.refresh(options=["0.5s"], default_interval="0.5s")  # while a search runs
    return algorithm, first, position, reload, session, stop, tick


@app.cell
def _(first, reload, session):
    code = page.load_student(session) if reload.value else first
    page.make_header("watch", code, reload)
    return (code,)


@app.cell
def _(algorithm, position):
    settings = page.make_setting_controls(
        algorithm.value, positions.find_fitting_depth(position.value)
    )
    text = mo.ui.text_area(
        positions.POSITIONS[position.value],
        label="the position (type to change it)",
        rows=6,
        debounce=True,
    )
    return settings, text


@app.cell
def _(algorithm, position, settings):
    page.arrange(position, algorithm, *settings.elements.values())
    return


@app.cell
def _(algorithm, position, settings, text):
    # The search to run.
    try:
        _game, _state = positions.read_typed_position(position.value, text.value)
    except ValueError as problem:
        mo.stop(True, mo.vstack(page.make_callouts(str(problem))))
    task = engines.Task(algorithm.value, _game, _state, **settings.value, recorded=True)
    return (task,)


@app.cell
def _(code, session, task):
    # The search runs in a separate process; if it is not written, a recorded one is shown.
    missing = engines.ENGINES[task.engine].explain_missing(code)
    recording = recordings.find_recording(task.engine) if missing else None
    job = None if recording else session.run(engines.search, task)
    return job, missing, recording


@app.cell
def _(job, stop, task, tick):
    if stop.value:
        job.stop()
    if job and job.running:
        _words = page.make_status(f"searching … {job.seconds} s", busy=True)
        _hint = "If this goes on, look for a loop, or a call that gets no nearer to a leaf."
        mo.stop(True, page.arrange(_words, stop, tick, mo.md(_hint)))
    if job and job.problem:
        _before = page.show_position(task.game, task.state, task.state.to_move)
        mo.stop(True, mo.vstack([*page.make_callouts(job.problem), _before]))
    finished = True
    return (finished,)


@app.cell
def _(finished, job, missing, recording, task):
    # What is shown from here on.
    assert finished
    shown_task, result = recording or (task, job.result)
    _words = "" if result.steps else "Of this search only the result is recorded."
    if recording:
        _name = recordings.RECORDED_POSITIONS[task.engine]
        _words = f"{missing}. Until then, this is a recorded search by right code: {_name}."
    mo.vstack(page.make_callouts(_words, "info")) if _words else None
    return result, shown_task


@app.cell
def _(result):
    _next, _stops = trees.find_stops(result)
    playback = mo.ui.anywidget(page.Playback(steps=len(result.steps), stops=_stops, next=_next))
    tree = mo.ui.anywidget(page.TreeView())
    playback
    return playback, tree


@app.cell
def _(playback, result, shown_task, tree):
    tree.rows = trees.make_rows_at_step(shown_task, result, playback.step)
    page.make_status(
        trees.describe_last_step(result.steps[: playback.step])
    ) if result.steps else None
    return


@app.cell
def _(result, tree):
    tree if result.steps else None
    return


@app.cell
def _(playback, result, shown_task):
    _figures, _words = trees.make_legend(result, playback.step, shown_task.state.to_move)
    _counts = ", ".join(f"{value:,} {name}" for name, value in _figures.items())
    mo.md(f"**{_counts}.** {_words}") if result.steps else None
    return


@app.cell
def _(result, shown_task):
    # What the search found.
    _side = shown_task.state.to_move
    _after = shown_task.game.result(shown_task.state, result.move)
    mo.vstack(
        [
            page.make_heading(f"{shown_task.engine} plays {result.move}"),
            mo.md(match.describe_result(result, _side)),
            page.make_table([{"move": str(move), **found} for move, found in result.moves]),
            mo.md(CHOICE if result.moves else ""),
            page.arrange(
                page.show_position(shown_task.game, shown_task.state, _side),
                page.show_position(shown_task.game, _after, _side),
            ),
        ]
    )
    return


@app.cell
def _(text):
    text
    return


if __name__ == "__main__":
    app.run()
