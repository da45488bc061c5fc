"""Check yourself: questions about the searches, and why an answer is right."""

import marimo

__generated_with = "0.25.2"
app = marimo.App(width="medium", app_title="Check yourself", css_file="../lab.css")


with app.setup:
    import marimo as mo

    from lab import page
    from lab.quiz import QUIZ, verdict


@app.cell
def _():
    page.links("quiz")
    return


@app.cell
def _():
    answers = mo.ui.array(
        [
            mo.ui.radio(list(question.answers), label=f"**{number}.** {question.text}")
            for number, question in enumerate(QUIZ, 1)
        ]
    )
    return (answers,)


@app.cell
def _(answers):
    _right = [answer == question.right_answer for question, answer in zip(QUIZ, answers.value)]
    _given = [answer for answer in answers.value if answer is not None]
    _parts = [page.stats({"questions": len(QUIZ), "answered": len(_given), "right": sum(_right)})]
    for _question, _radio in zip(QUIZ, answers):
        _parts += [_radio, mo.md(verdict(_question, _radio.value))]
    mo.vstack(_parts, gap=0.8)
    return


if __name__ == "__main__":
    app.run()
