# /// script
# [tool.marimo.display]
# theme = "system"
# ///
"""Watch a search: its steps, its tree, and what it found."""

import marimo

__generated_with = "0.25.2"
app = marimo.App(width="medium", app_title="Watch a search", css_file="../lab.css")


@app.cell
def _():
    import sys
    from pathlib import Path

    import marimo as mo

    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # for lab and starter

    from lab import engines, explain, page, positions, recordings, trees, widgets
    from lab.jobs import Session

    session = Session()
    first = page.load_student(session)
    reload = mo.ui.run_button(label="read my files again")
    return engines, explain, first, mo, page, positions, recordings, reload, session, trees, widgets


@app.cell
def _(first, mo, page, reload, session):
    code = page.load_student(session) if reload.value else first
    page.header(mo, "watch", code, reload)
    return (code,)


@app.cell
def _(engines, first, mo, page, positions):
    position = mo.ui.dropdown(
        list(positions.POSITIONS), next(iter(positions.POSITIONS)), label="position"
    )
    algorithm = mo.ui.dropdown(
        [name for name, engine in engines.ENGINES.items() if engine.file],
        page.default_engine(first),
        label="algorithm",
    )
    again = mo.ui.run_button(label="search again")
    stop = mo.ui.run_button(label="stop", kind="warn")
    tick = mo.ui.refresh(options=["0.5s"], default_interval="0.5s")  # while a search runs
    return again, algorithm, position, stop, tick


@app.cell
def _(algorithm, mo, page, position, positions):
    settings = page.setting_controls(mo, algorithm.value, positions.fitting_depth(position.value))
    text = mo.ui.text_area(
        positions.POSITIONS[position.value],
        label="the position (to change it, type)",
        rows=6,
        debounce=True,
    )
    return settings, text


@app.cell
def _(again, algorithm, mo, page, position, settings):
    page.row(mo, position, algorithm, *settings.elements.values(), again)
    return


@app.cell
def _(algorithm, engines, mo, page, position, positions, settings, text):
    # What is to be searched.
    try:
        _game, _state = positions.typed_position(position.value, text.value)
    except ValueError as problem:
        mo.stop(True, mo.vstack(page.callouts(mo, str(problem))))
    _settings = engines.Settings(**settings.value)
    task = engines.Task(algorithm.value, _game, _state, _settings, recorded=True)
    return (task,)


@app.cell
def _(again, code, engines, recordings, session, task):
    # The search runs in a separate process; where it is not written, a recorded one is shown.
    again.value
    missing = engines.ENGINES[task.engine].missing_reason(code)
    recorded = recordings.recorded_search(task.engine) if missing else None
    job = None if recorded else session.run(engines.search, task)
    return job, missing, recorded


@app.cell
def _(explain, job, mo, page, positions, stop, task, tick):
    if stop.value:
        job.stop()
    if job and job.running:
        _long = explain.running_long(task, job.seconds, positions.tree_size(task.game, task.state))
        _words = page.status(mo, f"searching … {job.progress}", busy=True)
        mo.stop(True, mo.vstack([page.row(mo, _words, stop, tick), *page.callouts(mo, _long)]))
    if job and job.problem:
        _before = page.picture(mo, task.game, task.state, task.state.to_move)
        mo.stop(True, mo.vstack([*page.callouts(mo, job.problem), _before]))
    finished = True
    return (finished,)


@app.cell
def _(
    engines, explain, finished, job, missing, mo, page, position, recorded, recordings, task, text
):
    # What is shown from here on.
    assert finished
    shown_task, result = recorded or (task, job.result)
    if recorded:
        _name, values = recordings.RECORDED[task.engine], {}
        _words = f"{missing}. Until then, this is a recorded search by right code: {_name}."
    else:
        _words = "" if result.steps else page.why_no_steps(task.engine)
        values = recordings.true_values(position.value, text.value, task.settings.plies)
    # A search with the right answer may hold its values on another scale: then nothing is marked.
    _right = values and explain.verdict(result, shown_task.state, values)[1]
    truth = None if _right else values
    mo.vstack(page.callouts(mo, _words, "info")) if _words else None
    return result, shown_task, truth, values


@app.cell
def _(mo, result, trees, widgets):
    _next, _stops = trees.stops(result.steps)
    playback = mo.ui.anywidget(
        widgets.Playback(
            label="steps of the search", steps=len(result.steps), stops=_stops, next=_next
        )
    )
    tree = mo.ui.anywidget(widgets.TreeView(label="the tree of the search so far"))
    playback
    return playback, tree


@app.cell
def _(explain, mo, page, playback, result, shown_task, tree, trees, truth):
    _done = result.steps[: playback.step]
    tree.rows = trees.rows_after(shown_task, result.steps, playback.step, truth)
    page.status(mo, explain.describe(_done, shown_task.game, shown_task.state)) if (
        result.steps
    ) else None
    return


@app.cell
def _(result, tree):
    tree if result.steps else None
    return


@app.cell
def _(explain, mo, page, playback, result, shown_task):
    _figures, _words = explain.legend(result, playback.step, shown_task.state.to_move)
    mo.vstack([page.stats(mo, _figures), mo.md(_words)]) if result.steps else None
    return


@app.cell
def _(explain, mo, page, result, shown_task, values):
    # What the search found.
    _side = shown_task.state.to_move
    _after = shown_task.game.result(shown_task.state, result.move)
    _words, _right = explain.verdict(result, shown_task.state, values)
    mo.vstack(
        [
            page.heading(mo, f"{shown_task.engine} plays {result.move}"),
            *page.callouts(mo, _words, "success" if _right else "danger"),
            page.stats(mo, page.cost(result, _side)),
            page.table(mo, explain.ranking(result, shown_task.state, values)),
            mo.md(explain.choice(result)),
            page.row(
                mo,
                page.picture(mo, shown_task.game, shown_task.state, _side),
                page.picture(mo, shown_task.game, _after, _side),
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
