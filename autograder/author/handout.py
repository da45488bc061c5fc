"""Update generated passages of documents: `python -m autograder.author.handout`. Make their page.

These are the pictures in `handout/`, and in `handout.md` the parts from `assignment.toml`, the
table of questions and the transcript, each between `<!-- generated: name -->` and `<!-- end -->`.
The README has such passages too: see `autograder/selftest/support/readme.py`.

Text about one question is between `<!-- only with question 4 -->` and `<!-- end of question 4 -->`,
or in a line that ends in the first of these marks. A line about the bonus ends in `<!-- only with a
bonus -->`; likewise a leaderboard. Students get the text without questions that are off.
"""

import ast
import base64
import inspect
import os
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path

from markdown import Markdown
from markdown.extensions.toc import TocExtension

from autograder.author.bank import KNOWN_MISTAKES, read_entry
from autograder.author.graded_tests import (
    read_graded_tests,
    read_student_tests,
    sum_points,
    sum_question_points,
)
from autograder.author.pictures import draw_pictures
from autograder.author.platforms import write_files
from autograder.commands import TYPED
from autograder.feedback.report import write_atomically
from autograder.feedback.svg import DARK, LIGHT
from autograder.questions import QUESTIONS, ROOT
from autograder.settings import SETTINGS, SHIPPED, WHEN_SHOWN
from starter.games import GAMES, Game

HANDOUT = ROOT / "handout.md"
PICTURES = ROOT / "handout"
OF_QUESTIONS = r"question (?P<on>\d+(?: or \d+)*)"
PYTHON = re.compile(r"Python 3\.\d+ with NumPy [\d.]*\d")
BLOCK = re.compile(
    rf"^<!-- only with {OF_QUESTIONS} -->\n(?P<text>.*?)\n<!-- end of question (?P=on) -->\n",
    re.DOTALL | re.MULTILINE,
)
MARK = rf"<!-- only with (?:{OF_QUESTIONS}|a (?P<what>bonus|leaderboard)) -->"
LINE = re.compile(rf"^(?P<text>.*) {MARK}\n", re.MULTILINE)
GAMES_OF_QUESTIONS = ("TicTacToe", "ConnectFour", "GameTree")
SHOWN_ROWS = 4  # of the table in the transcript: the first tests, up to the failing one
COLOURS = f":root {{ {LIGHT} }} @media (prefers-color-scheme: dark) {{ :root {{ {DARK} }} }}"
CSS = COLOURS + Path(__file__).with_name("handout.css").read_text(encoding="utf-8")
PASSAGE = re.compile("(<!-- generated: .*?<!-- end -->)", re.DOTALL)
GENERATED = re.compile(r"(<!-- generated: ([\w. ]+) -->\n).*?(<!-- end -->)", re.DOTALL)


def render_question_table() -> str:
    """Return the questions' functions, points and hours, and their order by points per hour."""
    rows = ["| Question | You write, in `starter/` | Points | Hours |", "|---|---|---:|---:|"]
    hours, rates = {True: 0.0, False: 0.0}, {}
    for question in QUESTIONS:
        number, title = question.number, question.title
        points = sum_question_points(number)
        link = f"[{number} {title}](#question-{number}-{title.lower().replace(' ', '-')})"
        written = ", ".join(find_functions_to_write(question.file))
        worth = f"{'+' if question.bonus else ''}{points:g}"
        rows.append(f"| {link} | `{question.file}`: {written} | {worth} | {question.hours:g} |")
        hours[question.bonus] += question.hours
        rates[number] = points / question.hours
    extra = f" +{sum_points(bonus=True):g}" if sum_points(bonus=True) else ""
    more = f" +{hours[True]:g}" if hours[True] else ""
    rows.append(f"| all | | **{sum_points():g}**{extra} | **{hours[False]:g}**{more} |")
    order = ", ".join(f"{n} ({rates[n]:.2g})" for n in sorted(rates, key=lambda n: -rates[n]))
    little_time = fill_lines(
        "**Little time?** Each file is graded by itself, and no question needs another one to be "
        f"finished. Points per hour: question {order}."
    )
    return "\n".join([*rows, "", little_time])


def find_functions_to_write(file: str) -> list[str]:
    """Return the functions of a stub that students complete."""
    found = []
    for node in ast.walk(ast.parse((ROOT / "starter" / file).read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef) and isinstance(node.body[-1], ast.Raise):
            whole = len(node.body) == 2  # a docstring, and the raise
            found.append(f"`{node.name}`" if whole else f"the end of `{node.name}`")
    return found


MISTAKE = "alphabeta_no_cutoff_at_min_nodes"
EXAMPLES = {  # known mistakes; the message of one of them is the handout's example
    MISTAKE: "This student forgot to prune in `min_value`:",
    "minimax_copy_of_max": "In this student's file `min_value` is a copy of `max_value`:",
    "expectiminimax_both_are_max": "In this student's file MIN looks for the largest value, too:",
}
ABOUT_CASES = (
    "Cases go from small to large, and this is the first that fails: follow it with pencil and "
    "paper, fix your code, and run that case alone. In other drawings `worth` is a node's true "
    "value."
)


def render_example() -> str:
    """Return the first example whose message students see at home, "" if they see none."""
    for name, about in EXAMPLES.items():
        mistake = read_entry(KNOWN_MISTAKES / f"{name}.txt")
        if mistake.parts and read_student_tests(mistake.question):
            shown = render_transcript(mistake.question, name)
            if "make test CASE=" in shown:
                return f"{about}\n\n{shown}\n{fill_lines(ABOUT_CASES)}"
    return ""


def copy_grader(folder: Path, *more: str) -> Path:
    """Copy what grading needs, and more folders; return the copy."""
    unused = shutil.ignore_patterns("selftest", "author", "cohort")
    for name in ("autograder", "starter", "tests", *more):
        shutil.copytree(ROOT / name, folder / name, ignore=unused)
    shutil.copy(ROOT / "assignment.toml", folder)
    return folder


def render_transcript(question: str, mistake: str = MISTAKE) -> str:
    """Return the output of `make test Q=...` on the solution with a known mistake.

    It is run in a copy, because it writes results.html. Of the table of tests the
    first rows are enough. Raises ValueError when grading fails.
    """
    with tempfile.TemporaryDirectory() as folder:
        wrong = Path(folder, "wrong")
        write_files(wrong, read_entry(KNOWN_MISTAKES / f"{mistake}.txt").submission.files)
        done = subprocess.run(
            [sys.executable, "-m", "autograder", "test", "--question", question, str(wrong)],
            cwd=copy_grader(Path(folder, "project")),
            env=os.environ | {"COLUMNS": "80", "LINES": "40", TYPED: "make"},
            capture_output=True,
            text=True,
        )
    if done.returncode:
        raise ValueError(f"`make test Q={question}` fails: is `make cases` due?\n{done.stdout}")
    table, blank, rest = done.stdout.partition("\n\n")
    rows = table.split("\n")
    if len(rows) > SHOWN_ROWS:
        rows[SHOWN_ROWS:] = ["  ..."]
    table = "\n".join(rows)
    return f"```text\n$ make test Q={question}\n{table}{blank}{rest}```\n"


def render_title() -> str:
    """Return the heading: the assignment's title, and the course if it is named."""
    course = f"\n*{SETTINGS.course}*\n" if SETTINGS.course else ""
    return f"# {SETTINGS.title}\n{course}"


def render_C() -> str:
    """Return the paragraph about the exploration constant."""
    return f"A larger C explores more: about √2 is usual, and the default here is {SETTINGS.C:g}.\n"


def render_submitting() -> str:
    """Return the paragraph about attempts, dates and where to ask."""
    dates, often = SETTINGS.dates, SETTINGS.attempts or "as often as you like"
    lines = [f"You may submit {often}{'' if dates['due'] else ' until the deadline'}."]
    if dates["due"]:
        lines.append(f"**Due:** {format_date(dates['due'])}.")
    if dates["late"]:
        lines.append(f"What comes later, until {format_date(dates['late'])}, is marked as late.")
    if SETTINGS.contact:
        lines.append(f"**Questions:** {SETTINGS.contact}.")
    return fill_lines(" ".join(lines))


def format_date(text: str) -> str:
    """Return a time in ISO 8601 as people read it."""
    when = datetime.fromisoformat(text)
    return f"{when:%A}, {when.day} {when:%B %Y, %H:%M} ({when.tzname()})"


def render_hidden_tests() -> str:
    """Return the passage about tests that Gradescope hides."""
    lines, numbers = [], [test.number for test in read_graded_tests()]
    for when, until in WHEN_SHOWN.items():
        if tests := [number for number in numbers if SETTINGS.visibility(number) == when]:
            if SETTINGS.platform_name != SHIPPED.platform_name:  # no other shows a test later
                until = WHEN_SHOWN["hidden"]
            lines.append(f"{SETTINGS.platform_name} hides {name_tests(tests)} {until}.")
    if lines:
        runs = "runs" if SETTINGS.students_get_hidden else "does not run"
        lines.append(f"At home `make test` {runs} what is hidden.")
    counted = []
    for row in QUESTIONS:
        points, here = (sum_question_points(row.number, at_home) for at_home in (False, True))
        if here < points:
            counted.append(f"{here:g} of the {points:g} of question {row.number}")
    if counted:
        lines.append(f"So of all points `make test` counts {', '.join(counted)}.")
    tests = [number for number in numbers if SETTINGS.lists("pass_fail_only", number)]
    if tests:
        lines.append(f"Of {name_tests(tests)} you see only whether it passes.")
    return fill_lines(" ".join(lines)) if lines else ""


def render_other_games(chance: bool = False) -> str:
    """Return the summary of each game that no question is about, from its class."""
    lines = []
    for name, game in GAMES.items():
        if name not in GAMES_OF_QUESTIONS and (game.outcomes is not Game.outcomes) == chance:
            parameters = inspect.signature(game).parameters.values()
            sizes = [str(it.replace(annotation=it.empty)) for it in parameters]
            summary = (inspect.getdoc(game) or "").partition("\n")[0]
            lines.append(fill_lines(f"- `{name}({', '.join(sizes)})`: {summary}", 2))
    return "".join(lines)


def fill_lines(text: str, indent: int = 0) -> str:
    """Break the text into lines as long as those of the handout."""
    lines = textwrap.TextWrapper(
        120, subsequent_indent=" " * indent, break_on_hyphens=False, break_long_words=False
    )
    return f"{lines.fill(text)}\n"


def name_tests(tests: list[str]) -> str:
    """Name tests in a sentence; all tests of a question by the question's number."""
    shown = {test.number.split(".")[0] for test in read_graded_tests() if test.number not in tests}
    whole = [row.number for row in QUESTIONS if row.number not in shown]
    others = [number for number in tests if number.split(".")[0] not in whole]
    return " and ".join(
        f"{name}{'s' * (len(numbers) > 1)} {', '.join(numbers)}"
        for name, numbers in (("all tests of question", whole), ("test", others))
        if numbers
    )


PASSAGES = {
    "title": render_title,
    "questions": render_question_table,
    "transcript": render_example,
    "hidden": render_hidden_tests,
    "other games": render_other_games,
    "games of chance": lambda: render_other_games(chance=True),
    "rules": lambda: f"{SETTINGS.rules}\n",
    "C": render_C,
    "submitting": render_submitting,
}


def refresh(text: str, passages: Mapping[str, Callable[[], str]] = PASSAGES) -> str:
    """Return the text with all passages generated again, without questions off."""
    return GENERATED.sub(lambda old: f"{old[1]}\n{passages[old[2]]()}\n{old[3]}", text)


def find_outdated_passages(text: str) -> list[str]:
    """Return the names of outdated passages; the transcript takes a grading."""
    now = {found[2]: found[0] for found in GENERATED.finditer(text)}
    again = refresh(GENERATED.sub(lambda old: "" if old[2] == "transcript" else old[0], text))
    return [found[2] for found in GENERATED.finditer(again) if found[0] != now[found[2]]]


def make_student_text(text: str) -> str:
    """Return the text without marks of parts, and without parts that are off."""
    on = {question.number for question in QUESTIONS}
    others = {"bonus": sum_points(bonus=True) > 0, "leaderboard": SETTINGS.leaderboard}

    def keep_part(found: re.Match[str]) -> str:
        numbers = found["on"]  # None: about something else
        wanted = on.intersection(numbers.split(" or ")) if numbers else others[found["what"]]
        return f"{found['text']}\n" if wanted else ""

    parts = PASSAGE.split(LINE.sub(keep_part, BLOCK.sub(keep_part, text)))
    parts[::2] = map(follow_settings, parts[::2])  # passages do, and hold the instructor's words
    return "".join(parts)


def follow_settings(text: str) -> str:
    """Return the text with the platform, its Python and the first question to test at home."""
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    older, newer = re.findall(r'"numpy==([\d.]+); python_version [<>=]+ \'3\.14\'"', project)
    numpy = newer if SETTINGS.python == "3.14" else older
    text = PYTHON.sub(f"Python {SETTINGS.python} with NumPy {numpy}", text)
    tests = read_student_tests() or read_graded_tests()
    text = re.sub(r"(Q=|CASE=|-[qc] |try )1\b", rf"\g<1>{tests[0].number.split('.')[0]}", text)
    return text.replace(SHIPPED.platform_name, SETTINGS.platform_name)


def render_handout(text: str) -> str:
    """Return the page. Raises OSError if one of its pictures is missing."""
    reader = Markdown(
        extensions=[
            *("tables", "fenced_code", "md_in_html"),
            "sane_lists",  # a list begins with the number that is written
            TocExtension(toc_depth="2-2"),
        ]
    )
    text = re.sub(r"<!--.*?-->\n", "", text)  # otherwise a mark would end its paragraph
    body = re.sub(r"handout/[\w-]+\.svg", embed_picture, reader.convert(text))
    body = body.replace("<pre>", '<pre tabindex="0">')  # can be scrolled by keyboard
    title = re.search(r"<h1[^>]*>(.*?)</h1>", body)
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{title[1] if title else 'Handout'}</title><style>{CSS}</style></head>"
        f'<body><nav aria-label="Contents">{reader.toc}</nav><main>{body}</main></body></html>\n'
    )


def embed_picture(name: re.Match[str]) -> str:
    content = base64.b64encode((ROOT / name[0]).read_bytes()).decode()
    return f"data:image/svg+xml;base64,{content}"


def main() -> int:
    text = HANDOUT.read_text(encoding="utf-8")
    try:
        new = refresh(text)
    except ValueError as problem:
        print(f"nothing was written: {problem}", file=sys.stderr)
        return 2
    write_atomically(HANDOUT, new)
    PICTURES.mkdir(exist_ok=True)
    for name, drawn in draw_pictures().items():
        write_atomically(PICTURES / name, drawn)
    print("written: handout.md, handout/")
    return 0


if __name__ == "__main__":
    sys.exit(main())
