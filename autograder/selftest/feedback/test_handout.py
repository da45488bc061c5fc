"""The handout is true, works as typed, fits a phone and gives nothing away."""

import doctest
import importlib
import inspect
import re
import sys
from math import log, sqrt
from pathlib import Path

import pytest

from autograder.author.handout import HANDOUT, PICTURES, make_student_text, refresh, render_terminal
from autograder.author.handout_page import render_handout
from autograder.author.pictures import (
    EXAMPLE_C,
    draw_pictures,
    run_example_iteration,
    trace_alphabeta,
)
from autograder.author.release import find_solution_lines
from autograder.feedback import messages
from autograder.questions import ROOT, ROWS
from autograder.selftest.support import needs
from autograder.selftest.support.browser import expect_page_fits, needs_browser
from autograder.selftest.support.commands import run_python
from autograder.selftest.support.golden import read_wordings
from autograder.selftest.support.readme import DOCUMENTS, PASSAGES
from solution.expectiminimax import expectiminimax
from starter.games import FIGURE_5_2, SAFE_OR_RISKY

WHOLE = HANDOUT.read_text(encoding="utf-8")
TEXT = make_student_text(WHOLE)  # as students get it
MARK = re.compile(r"^<!-- (?:only with|end of) .* -->\n| <!-- only with .* -->", re.MULTILINE)
ALL = MARK.sub("", WHOLE)  # as if every question was on
PSEUDOCODE = ("minimax", "alphabeta", "cutoff", "mcts")
FIRST_PAGE, _, REST = TEXT.partition("## How to work\n")
AGAIN = "run make handout and look at what changed"


def section(title: str) -> str:
    """Return the text under a heading, up to the next heading of any level."""
    (found,) = re.findall(rf"^#+ {re.escape(title)}$\n(.*?)(?=^#+ )", ALL, re.MULTILINE | re.DOTALL)
    return str(found)


def table(title: str, first: str) -> list[list[str]]:
    """Return the rows of a section's table whose first column is `first`."""
    (found,) = re.findall(
        rf"^\| {re.escape(first)} \|.*\n\|[-:| ]+\|\n((?:\|.*\n)+)", section(title), re.MULTILINE
    )
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in found.splitlines()]


# --- its parts ------------------------------------------------------------------------------------


def test_the_pseudocode_is_one_to_one_with_the_stubs() -> None:
    blocks = re.findall(r"```text\n(.*?)```", section("Pseudocode"), re.DOTALL)
    for name, block in zip(PSEUDOCODE, blocks, strict=True):
        module = importlib.import_module(f"solution.{name}")
        (place,) = re.findall(r"4th edition, (\w+ [\d.]+)\.\n", str(module.__doc__))
        assert place in block.splitlines()[0]
        functions = re.findall(r"^(\w+)\(([^)]*)\)$", block, re.MULTILINE)
        assert functions
        for name, parameters in functions:
            of_stub = inspect.signature(getattr(module, name)).parameters
            assert re.split(r",\s*", parameters) == list(of_stub), name


# --- what is generated ----------------------------------------------------------------------------


def test_points_and_transcript_are_up_to_date() -> None:
    assert refresh(WHOLE) == WHOLE, AGAIN


@needs("minimax")
@pytest.mark.parametrize("folder", ["starter", "solution"], ids=["before", "after"])
def test_transcripts_match_the_terminal(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "52")
    done = run_python("-m", "autograder", "test", "--question", "1", ROOT / folder)
    before, after = render_terminal("1").split("\n\n")
    shown = (before if folder == "starter" else after).splitlines()
    lines = [line for line in shown if not line.startswith(("```", "$ ", "  ..."))]
    assert len(lines) >= 2 and lines[-1].startswith("score: ")
    assert set(lines) <= set(done.stdout.splitlines())


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_generated_documents_are_up_to_date(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    assert refresh(text, lambda name: PASSAGES[name]()) == text, "run make handout"


@pytest.mark.parametrize("name", draw_pictures())
def test_pictures_are_up_to_date(name: str) -> None:
    assert (PICTURES / name).read_text(encoding="utf-8") == draw_pictures()[name], AGAIN


# --- what can be typed ----------------------------------------------------------------------------


@pytest.mark.slow
def test_the_sessions_work_once_the_questions_are_written(monkeypatch: pytest.MonkeyPatch) -> None:
    for question in ROWS:
        module = importlib.import_module(f"solution.{question.name}")
        monkeypatch.setitem(sys.modules, f"starter.{question.name}", module)
    sessions = re.findall(r"```python\n(.*?)```", ALL, re.DOTALL)
    assert len(sessions) >= 5
    session = doctest.DocTestParser().get_doctest(
        "\n".join(sessions), {}, HANDOUT.name, str(HANDOUT), 0
    )
    assert doctest.DocTestRunner().run(session) == (0, len(session.examples))


def test_the_commands_exist() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for command in set(re.findall(r"`make (\w+)", TEXT)):
        assert re.search(rf"^{command}:", makefile, re.MULTILINE), command


def anchors(text: str = TEXT) -> set[str]:
    """Return all places to which a link may lead."""
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    slugs = {re.sub(r"[^\w\- ]", "", heading).lower().replace(" ", "-") for heading in headings}
    return slugs | set(re.findall(r'<a id="([\w-]+)"></a>', text))


def test_links_lead_somewhere() -> None:
    links = re.findall(r"\]\(([^)]+)\)", TEXT)
    assert links
    assert {link.removeprefix("#") for link in links} <= anchors()


def test_messages_link_to_places_of_the_handout() -> None:
    see = messages.read_table()["see"]
    assert set(see) <= {example.code for example in read_wordings()}, "a code that no finding has"
    assert set(see.values()) <= anchors(ALL)


# --- alpha-beta -----------------------------------------------------------------------------------


def test_the_worked_example_is_what_the_solution_does() -> None:
    rows = table("A worked example", "Leaf")
    seen = trace_alphabeta(FIGURE_5_2)
    leaves = {key: visit for key, visit in seen.items() if "/" in key}
    for (leaf, alpha, beta, v, _), (key, visit) in zip(rows, leaves.items(), strict=True):
        assert leaf == f"#{visit.order} {key}"
        assert (float(alpha), float(beta)) == (visit.alpha, visit.beta), leaf
        assert v == str(visit.value), leaf
    for key in ("a1", "a2", "a3"):
        assert f"`{key}` returns {seen[key].value}" in section("A worked example")


def test_the_tree_with_chance_is_worked_out_as_the_solution_does() -> None:
    said = section("The tree with chance, worked out")
    game = SAFE_OR_RISKY
    risky = game.result(game.initial, "risky")
    values = [
        (chance, expectiminimax(game, game.result(risky, move), "X")[0])
        for chance, move in game.outcomes(risky)
    ]
    mean = sum(chance * value for chance, value in values)
    assert " + ".join(f"{p} · {v}" for p, v in values) + f" = {float(mean):g}" in said
    equal_weights = sum(value for _, value in values) / len(values)
    assert f"finds {equal_weights:g}" in said
    assert expectiminimax(game, game.initial, "X") == (4, "safe")
    assert mean < 4 < equal_weights


# --- Monte Carlo tree search ----------------------------------------------------------------------


def test_the_iteration_by_hand_begins_with_these_numbers() -> None:
    it = run_example_iteration()
    text = section("One iteration by hand")
    assert "\n".join(f"    {line}" for line in str(it.root.state).splitlines()) in text
    assert it.before[it.root][1] == 6 and f"ln 6 is about {log(6):.3f}" in text
    expected = []
    for child in it.root.children.values():
        U, N = it.before[child]
        mean, bonus = U / N, EXAMPLE_C * sqrt(log(6) / N)
        assert it.bounds[child] == pytest.approx(mean + bonus)
        numbers = (f"{mean:.3f}", f"{bonus:.3f}", f"{mean + bonus:.3f}")
        expected.append([str(child.move), f"{U:g}", str(N), *numbers])
    assert table("One iteration by hand", "Move") == expected


# --- the rest -------------------------------------------------------------------------------------


def test_no_line_of_the_solution_is_given_away() -> None:
    """Not even in a sentence, where a release does not look for it."""
    secret = find_solution_lines()
    assert len(secret) > 20
    assert [line for line in secret if line in TEXT] == []


def test_handout_quotes_existing_messages() -> None:
    questions = re.findall(
        r"\*\*.*?\*\*", section("Frequently asked questions"), re.MULTILINE | re.DOTALL
    )
    assert len(questions) >= 12
    quoted = {part.strip(" .") for text in questions for part in re.findall(r'"([^"]+)"', text)}
    given = "\n".join(example.words for example in read_wordings())
    for message in quoted - {"math domain error"}:
        for words in message.split(" ... "):
            assert words in given, f'no finding in wordings.txt says "{words}": edit handout.md'


# --- the page -------------------------------------------------------------------------------------


@needs_browser
@pytest.mark.slow
@pytest.mark.parametrize("width", [400, 1280])
def test_everything_can_be_read_on_a_phone_and_on_a_screen(width: int, tmp_path: Path) -> None:
    page = tmp_path / "handout.html"
    page.write_text(render_handout(TEXT), encoding="utf-8")
    expect_page_fits(page, width)
