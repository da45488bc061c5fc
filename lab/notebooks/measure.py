# /// script
# [tool.marimo.display]
# theme = "system"
# ///
"""Measure what searches cost and find; compare runs."""

import marimo

__generated_with = "0.25.2"
app = marimo.App(width="medium", app_title="Measure", css_file="../lab.css")


@app.cell
def _():
    import sys
    from pathlib import Path

    import marimo as mo

    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # for lab and starter

    from lab import page
    from lab.experiments import EXPERIMENTS, runs
    from lab.jobs import Session

    session = Session()
    first = page.load_student(session)
    reload = mo.ui.run_button(label="read my files again")
    return EXPERIMENTS, first, mo, page, reload, runs, session


@app.cell
def _(first, mo, page, reload, session):
    code = page.load_student(session) if reload.value else first
    page.header(mo, "measure", code, reload)
    return (code,)


@app.cell
def _(EXPERIMENTS, mo):
    name = mo.ui.dropdown(list(EXPERIMENTS), next(iter(EXPERIMENTS)), label="experiment")
    start = mo.ui.run_button(label="run")
    stop = mo.ui.run_button(label="stop", kind="warn")
    keep = mo.ui.switch(True, label="keep earlier runs")
    tick = mo.ui.refresh(options=["0.5s"], default_interval="0.5s")  # while a run goes on
    get_runs, set_runs = mo.state(())
    return get_runs, keep, name, set_runs, start, stop, tick


@app.cell
def _(EXPERIMENTS, code, mo, name):
    experiment = EXPERIMENTS[name.value]
    controls = mo.ui.dictionary(experiment.controls(mo, code))
    return controls, experiment


@app.cell
def _(controls, experiment, keep, mo, name, page, start):
    mo.vstack(
        [
            name,
            mo.md(experiment.question),
            *page.control_rows(mo, controls),
            page.row(mo, start, keep),
        ]
    )
    return


@app.cell
def _(controls, experiment, keep, runs, session, set_runs, start):
    if start.value:
        _run = runs.start(session, experiment, controls.value)
        set_runs(lambda old: (_run, *old) if keep.value else (_run,))
    return


@app.cell
def _(get_runs, mo, page, runs, stop, tick):
    tick.value
    if stop.value and get_runs():
        get_runs()[0].job.stop()
    _busy = bool(get_runs()) and get_runs()[0].job.running
    mo.vstack(
        [
            *([page.row(mo, page.status(mo, "working …", busy=True), stop, tick)] if _busy else []),
            *[page.run(mo, number, run) for number, run in runs.numbered(get_runs())],
        ]
    )
    return


if __name__ == "__main__":
    app.run()
