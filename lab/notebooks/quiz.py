"""Check yourself: questions about the searches, and why an answer is right."""

import marimo

__generated_with = "0.25.2"
app = marimo.App(width="medium", app_title="Check yourself", css_file="../lab.css")


with app.setup:
    import json
    from pathlib import Path

    import marimo as mo

    from lab import page
    from lab.student import FUNCTIONS


@app.cell
def _():
    page.make_links("quiz")
    return


@app.cell
def _():
    # The file has each question, its answers, the index of the right one, and the reason.
    _file = Path(__file__).parents[1] / "quiz.json"
    _all = json.loads(_file.read_text(encoding="utf-8"))
    quiz = [question for question in _all if question.get("about", "") in ("", *FUNCTIONS)]
    answers = mo.ui.array(
        [
            mo.ui.radio(question["answers"], label=f"**{number}.** {question['text']}")
            for number, question in enumerate(quiz, 1)
        ]
    )
    return answers, quiz


@app.cell
def _(answers, quiz):
    _parts, _right = [], 0
    for _question, _radio in zip(quiz, answers):
        _parts.append(_radio)
        if _radio.value == _question["answers"][_question["right"]]:
            _right += 1
            _parts.append(mo.callout(mo.md(f"**Right.** {_question['why']}"), "success"))
        elif _radio.value is not None:
            _parts.append(mo.callout(mo.md(f"**Not so.** {_question['why']}"), "danger"))
    _answered = sum(answer is not None for answer in answers.value)
    _stats = page.make_stats({"questions": len(quiz), "answered": _answered, "right": _right})
    mo.vstack([_stats, *_parts], gap=0.8)
    return


if __name__ == "__main__":
    app.run()
