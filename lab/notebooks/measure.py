"""Measure what searches cost and find; compare runs."""

import marimo

__generated_with = "0.25.2"
app = marimo.App(
    width="medium", app_title="Measure", css_file="../lab.css", html_head_file="../head.html"
)


with app.setup:
    import marimo as mo

    from lab import measure, page
    from lab.jobs import Session


@app.cell
def _():
    session = Session()
    reload = mo.ui.run_button(label="read my files again")
    name = mo.ui.dropdown(measure.EXPERIMENTS, next(iter(measure.EXPERIMENTS)), label="experiment")
    start = mo.ui.run_button(label="run")
    stop = mo.ui.run_button(label="stop", kind="warn")
    tick = mo.ui.refresh(options=["0.5s"], default_interval="0.5s")  # while a run goes on
    get_runs, set_runs = mo.state(())  # the newest first
    return get_runs, name, reload, session, set_runs, start, stop, tick


@app.cell
def _(reload, session):
    reload.value
    code = page.load_student(session)
    page.make_header("measure", code, reload)
    return (code,)


@app.cell
def _(code, name):
    experiment = name.value
    controls = mo.ui.dictionary(experiment.make_controls(code))
    return controls, experiment


@app.cell
def _(controls, experiment, name, start):
    mo.vstack([name, mo.md(experiment.question), *measure.arrange_controls(controls), start])
    return


@app.cell
def _(controls, experiment, session, set_runs, start):
    if start.value:
        _job = session.run(experiment.measure, **controls.value)
        _run = measure.Run(experiment, controls.value, _job)
        set_runs(lambda old: (_run, *old))
    return


@app.cell
def _(get_runs, stop, tick):
    tick.value
    _runs = get_runs()
    if stop.value and _runs:
        _runs[0].job.stop()
    _busy = bool(_runs) and _runs[0].job.running
    _status = [page.arrange(page.make_status("working …", busy=True), stop, tick)] * _busy
    _numbers = range(len(_runs), 0, -1)
    mo.vstack([*_status, *map(measure.show_run, _numbers, _runs)])
    return


if __name__ == "__main__":
    app.run()
