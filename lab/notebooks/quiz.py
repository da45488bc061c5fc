"""Check yourself: questions about your own search and in general, and why an answer is right."""

import marimo

__generated_with = "0.25.2"
app = marimo.App(
    width="medium", app_title="Check yourself", css_file="../lab.css", html_head_file="../head.html"
)


with app.setup:
    import secrets
    from itertools import count

    import marimo as mo

    from autograder.quiz.kinds import list_concepts
    from lab import own_questions, page
    from lab.jobs import Session


@app.cell
def _():
    session = Session()
    more = mo.ui.run_button(label="other questions")
    concepts = list_concepts()
    answers = mo.ui.array([own_questions.make_control(concept) for concept in concepts])
    page.make_links("quiz")
    return answers, concepts, more, session


@app.cell
def _(more, session):
    with mo.status.spinner("testing your files, for questions about them"):
        more.value  # a click asks for others
        items, why_none = own_questions.load_items(session, secrets.token_hex(8))
    controls = mo.ui.array([own_questions.make_control(item) for item in items])
    return controls, items, why_none


@app.cell
def _(controls, items, more, why_none):
    mo.vstack(
        [
            page.make_heading("About your own search"),
            *page.make_callouts(why_none, "neutral"),
            *map(own_questions.show_item, count(1), items, controls),
            more,
        ],
        gap=0.8,
    )
    return


@app.cell
def _(answers, concepts):
    _shown = map(own_questions.show_item, count(1), concepts, answers)
    mo.vstack([page.make_heading("In general"), *_shown], gap=0.8)
    return


if __name__ == "__main__":
    app.run()
