"""The handout is true, works as typed, fits a phone and gives nothing away."""

import base64
import doctest
import importlib
import inspect
import itertools
import re
import sys
from collections import Counter
from math import log, sqrt
from pathlib import Path
from unittest import mock

import pytest

import solution.cutoff
import solution.minimax
from autograder.author import handout
from autograder.author.handout import (
    HANDOUT,
    PICTURES,
    find_outdated_passages,
    make_student_text,
    refresh,
    render_handout,
)
from autograder.author.pictures import (
    EXAMPLE_C,
    HEURISTIC_ROWS,
    draw_pictures,
    run_example_iteration,
)
from autograder.author.release_check import find_solution_lines
from autograder.feedback import messages
from autograder.questions import ROWS
from autograder.quiz.tree_rules import ExplicitTree
from autograder.selftest.support.browser import expect_page_fits, needs_browser
from autograder.selftest.support.golden import read_wordings
from autograder.selftest.support.readme import DOCUMENTS, PASSAGES
from autograder.settings import SETTINGS
from solution.expectiminimax import expectiminimax
from starter.games import FIGURE_5_2, SAFE_OR_RISKY, BoardState, Game, GameTree, TicTacToe, other
from starter.players import CountingGame

WHOLE = HANDOUT.read_text(encoding="utf-8")
MARK = re.compile(r"^<!-- (?:only with|end of) .* -->\n| <!-- only with .* -->", re.MULTILINE)
ALL = MARK.sub("", WHOLE)  # as if every question was on
PSEUDOCODE = ("minimax", "alphabeta", "cutoff", "mcts")
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


def test_points_and_transcript_are_up_to_date(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LINES", "20")  # the height of a screen changes nothing
    assert refresh(WHOLE) == WHOLE, AGAIN
    monkeypatch.delitem(handout.PASSAGES, "transcript")  # it takes a grading
    changed = WHOLE.replace(f"# {SETTINGS.title}\n", "# Another\n", 1)
    assert find_outdated_passages(WHOLE) == [] != find_outdated_passages(changed) == ["title"]


def test_a_transcript_that_fails_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    failed = mock.Mock(return_value=mock.Mock(returncode=1, stdout="no cases"))
    monkeypatch.setattr("subprocess.run", failed)
    with pytest.raises(ValueError, match=r"`make test Q=2` fails: is `make cases` due\?\nno"):
        handout.render_transcript("2")


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_generated_documents_are_up_to_date(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    assert refresh(text, PASSAGES) == text, "run make handout"


@pytest.mark.parametrize("name", draw_pictures())
def test_pictures_are_up_to_date(name: str) -> None:
    assert (PICTURES / name).read_text(encoding="utf-8") == draw_pictures()[name], AGAIN


@pytest.mark.slow
def test_the_sessions_work_once_the_questions_are_written(monkeypatch: pytest.MonkeyPatch) -> None:
    for question in ROWS:
        module = importlib.import_module(f"solution.{question.name}")
        monkeypatch.setitem(sys.modules, f"starter.{question.name}", module)
    examples = 0
    for part in re.split(r"^## ", ALL, flags=re.MULTILINE):  # each runs in a new Python
        sessions = re.findall(r"```python\n(.*?)```", part, re.DOTALL)
        session = doctest.DocTestParser().get_doctest(
            "\n".join(sessions), {}, HANDOUT.name, str(HANDOUT), 0
        )
        assert doctest.DocTestRunner().run(session) == (0, len(session.examples))
        examples += len(session.examples)
    assert examples > 20


def test_page_has_contents_and_a_list_begins_with_its_number() -> None:
    picture = next(PICTURES.glob("*.svg"))
    text = f"# A\n<!-- mark -->\n\n## B\n![d](handout/{picture.name})\n\n"
    page = render_handout(f"{text}```text\nc\n```\n3. three\n4. four\n")
    embedded = base64.b64encode(picture.read_bytes()).decode()
    expected = Path(__file__).with_name("small_handout.html").read_text(encoding="utf-8")
    assert page.replace(handout.CSS, "").replace(embedded, "PICTURE") == expected
    assert "<title>Handout</title>" in render_handout("no heading")


def test_messages_link_to_places_of_the_handout() -> None:
    see = messages.read_table()["see"]
    assert set(see) <= {example.code for example in read_wordings()}, "a code that no finding has"
    assert set(see.values()) <= set(re.findall(r' id="([^"]+)"', render_handout(ALL)))


def test_the_worked_example_is_what_the_rules_say() -> None:
    rows = table("A worked example", "Leaf")
    tree = ExplicitTree(FIGURE_5_2._tree, "X")
    searched = [node for node in tree.states if not tree.is_pruned(node)]
    leaves = [node for node in searched if node in tree.leaves]
    for (leaf, alpha, beta, v, _), node in zip(rows, leaves, strict=True):
        assert leaf == f"#{searched.index(node)} {node}"
        assert (float(alpha), float(beta)) == tree.window(node), leaf
        assert v == str(tree.values[node]), leaf
    for node in ("a1", "a2", "a3"):
        assert f"`{node}` returns {tree.values[node]}" in section("A worked example")


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


def list_lines(height: int, width: int, k: int) -> list[list[tuple[int, int]]]:
    steps = ((0, 1), (1, 0), (1, 1), (1, -1))
    lines = [
        [(r + i * down, c + i * right) for i in range(k)]
        for r in range(height)
        for c in range(width)
        for down, right in steps
    ]
    return [line for line in lines if all(r < height and 0 <= c < width for r, c in line)]


def test_the_heuristic_is_computed_on_the_board_that_is_drawn() -> None:
    lines = list_lines(6, 7, 4)
    counts = {"X": Counter[int](), "O": Counter[int]()}
    for line in lines:
        stones = "".join(HEURISTIC_ROWS[r][c] for r, c in line).replace(".", "")
        if len(set(stones)) == 1:
            counts[stones[0]][len(stones)] += 1
    assert counts == {"X": {3: 1, 2: 1, 1: 4}, "O": {1: 9}} and len(lines) == 69
    points = {side: sum(n * 3 ** (k - 1) for k, n in counts[side].items()) for side in "XO"}
    said = " ".join(section("A heuristic for Connect Four").split())
    assert f"9 + 3 + 4 = {points['X']} for X and {points['O']} for O" in said
    assert f"({points['X']} - {points['O']}) / 700" in said and (16 - 9) / 700 == 0.01


def count_open_lines(state: BoardState, player: str) -> float:
    """Return the open lines of `player` minus the opponent's, divided by 8."""
    texts = [{state.rows[r][c] for r, c in line} for line in list_lines(3, 3, 3)]
    return (sum(other(player) not in t for t in texts) - sum(player not in t for t in texts)) / 8


def test_the_search_by_hand_is_what_the_solution_does() -> None:
    game, rows = TicTacToe(), table("One search by hand", "Node")
    state = game.state([".XO", "X..", "OOX"])
    assert "\n".join(f"    {line}" for line in str(state).splitlines()) in section(
        "One search by hand"
    )
    watched: list[tuple[BoardState, int]] = []

    def cutoff(game: Game, state: BoardState, depth: int) -> bool:
        watched.append((state, depth))
        return depth > 1

    counted = CountingGame(game)
    found = solution.cutoff.h_alphabeta_search(counted, state, cutoff, count_open_lines)
    assert f"`{found}`" in section("One search by hand") and counted.generated == len(rows)
    for path, depth, happens, _ in rows:
        node = state
        for move in re.findall(r"\((\d), (\d)\)", path):
            node = game.result(node, (int(move[0]), int(move[1])))
        if game.is_terminal(node):
            assert happens == f"terminal: O has won, utility {game.utility(node, 'X')}"
        else:
            assert (node, int(depth)) in watched
            h = f"cutoff: h = {count_open_lines(node, 'X'):g}"
            assert happens == (h if int(depth) > 1 else "not terminal, no cutoff")
    (shallow, *_) = solution.cutoff.h_alphabeta_search(game, state, solution.cutoff.cutoff_depth(0))
    assert shallow == 0


def test_exercises_have_these_answers() -> None:
    tree = [[4, [9, 1]], [3, 8]]
    search = solution.minimax.minimax_search
    assert search(GameTree(tree), GameTree(tree).initial) == (4, "a")
    assert search(GameTree(tree, "O"), GameTree(tree, "O").initial) == (-4, "a")
    for leaf, best in ((4, "a"), (4.5, "b")):
        game = GameTree([tree[0], [leaf, 8]])
        assert search(game, game.initial)[1] == best

    pruned = {}
    for order in itertools.permutations("abc"):
        leaves = {"a": [3, 12], "b": [2, 9], "c": [7, 5]}
        ordered = ExplicitTree([leaves[move] for move in order], "X")
        assert ordered.values[""] == 5
        pruned["".join(order)] = len(ordered.list_pruned())
        if order == ("a", "b", "c"):
            assert ordered.is_pruned("b/b") and ordered.window("c/b") == (3, 7)
    assert pruned["abc"] == 1
    assert {order for order, leaves in pruned.items() if leaves == 2} == {"cab", "cba"}

    bounds = [f"{U / N + 1.4 * sqrt(log(10) / N):.3f}" for U, N in ((2, 4), (1, 2), (0, 4))]
    assert bounds == ["1.562", "2.002", "1.062"]
    said = section("Exercises on Monte Carlo tree search")
    assert all(bound in said for bound in bounds)


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


@pytest.mark.parametrize("number", "12345")
def test_a_question_leads_to_the_lab_and_to_its_quiz(number: str) -> None:
    text = ALL.partition(f"\n## Question {number}: ")[2].partition("\n## ")[0]
    assert "`make lab`" in text and (f"`make quiz Q={number}`" in text) == (number != "5")


def test_no_line_of_the_solution_is_given_away() -> None:
    """Not even in a sentence, where a release does not look for it."""
    secret = find_solution_lines()
    assert len(secret) > 20
    text = make_student_text(WHOLE)
    assert [line for line in secret if line in text] == []


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


@needs_browser
@pytest.mark.slow
def test_everything_can_be_read_on_a_phone_and_on_a_screen(tmp_path: Path) -> None:
    page = tmp_path / "handout.html"
    page.write_text(render_handout(make_student_text(WHOLE)), encoding="utf-8")
    expect_page_fits(page)
