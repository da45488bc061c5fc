"""The handout: what it says is true, can be typed, and gives nothing away."""

import doctest
import importlib
import re
import sys
from collections.abc import Callable
from math import log, sqrt
from pathlib import Path
from types import ModuleType

import pytest

from autograder.author import handout
from autograder.author.handout import HANDOUT, PICTURES, refreshed, without_what_is_off
from autograder.author.pictures import example_iteration, pictures, visits
from autograder.author.stubs import region_lines
from autograder.author.wrong_bank import WRONG, read_entry
from autograder.cases import Cases, SolvedCase
from autograder.questions import QUESTION_FILES, QUESTIONS, ROOT
from autograder.sandbox import LIMITS
from autograder.selftest import test_games
from autograder.selftest.expectations import read_wordings
from autograder.selftest.readme import DOCUMENTS, PASSAGES
from solution.expectiminimax import expectiminimax
from solution.mcts import select, ucb
from starter.games import FIGURE_5_2, SAFE_OR_RISKY, Game, GameTree, Move, State, TicTacToe
from starter.players import CountingGame

WHOLE = HANDOUT.read_text(encoding="utf-8")
TEXT = without_what_is_off(WHOLE)  # as students get it
AGAIN = "run make handout and look at what changed"


def section(title: str) -> str:
    """The text under a heading, up to the next heading of any level."""
    (found,) = re.findall(
        rf"^#+ {re.escape(title)}$\n(.*?)(?=^#+ )", TEXT, re.MULTILINE | re.DOTALL
    )
    return str(found)


def table(title: str, first: str) -> list[list[str]]:
    """The rows of the table in a section whose first column is headed `first`, without the head."""
    (found,) = re.findall(
        rf"^\| {re.escape(first)} \|.*\n\|[-:| ]+\|\n((?:\|.*\n)+)", section(title), re.MULTILINE
    )
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in found.splitlines()]


# --- what is generated ----------------------------------------------------------------------------


@pytest.mark.slow
def test_points_and_transcript_are_up_to_date() -> None:
    assert refreshed(TEXT) == TEXT, AGAIN


@pytest.mark.slow
@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_what_is_generated_for_instructors_is_up_to_date(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    assert refreshed(text, lambda name: PASSAGES[name]()) == text, "run make handout"


@pytest.mark.parametrize(
    ("found", "put", "said"),
    [
        ("generated: points 2", "points of 2", "handout.md has no table of points of question 2"),
        ("generated: questions", "generated: transcript", "`make test Q=2` fails: is `make cases`"),
    ],
)
def test_what_cannot_be_generated_is_one_line_and_nothing_is_lost(
    found: str,
    put: str,
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    text = TEXT.replace(found, put)
    (tmp_path / "handout.md").write_text(text, encoding="utf-8")
    monkeypatch.setattr(handout, "HANDOUT", tmp_path / "handout.md")
    monkeypatch.setattr(handout, "no_cut_at_min", lambda folder: None)  # nothing to grade there
    assert handout.main() == 2
    assert capsys.readouterr().err.startswith(f"nothing was written: {said}")
    assert (tmp_path / "handout.md").read_text(encoding="utf-8") == text


def test_there_is_a_table_of_points_for_every_question() -> None:
    shown = re.findall(r"<!-- generated: points (\d+) -->", TEXT)
    assert shown == [question.number for question in QUESTIONS]


@pytest.mark.parametrize("name", pictures())
def test_pictures_are_up_to_date(name: str) -> None:
    assert (PICTURES / name).read_text(encoding="utf-8") == pictures()[name], AGAIN


def test_every_picture_is_shown() -> None:
    shown = re.findall(r'(?:src|srcset)="handout/([^"]+)"', WHOLE)
    assert sorted(shown) == sorted(pictures()) == sorted(path.name for path in PICTURES.iterdir())


# --- what can be typed ----------------------------------------------------------------------------


@pytest.mark.slow
def test_the_sessions_work_once_the_questions_are_written(monkeypatch: pytest.MonkeyPatch) -> None:
    for question in QUESTIONS:
        module = importlib.import_module(f"solution.{question.name}")
        monkeypatch.setitem(sys.modules, f"starter.{question.name}", module)
    sessions = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
    assert len(sessions) >= 5
    session = doctest.DocTestParser().get_doctest(
        "\n".join(sessions), {}, HANDOUT.name, str(HANDOUT), 0
    )
    assert doctest.DocTestRunner().run(session) == (0, len(session.examples))


def test_the_commands_exist() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for command in set(re.findall(r"`make (\w+)", TEXT)):
        assert re.search(rf"^{command}:", makefile, re.MULTILINE), command


def test_links_lead_somewhere() -> None:
    headings = re.findall(r"^#+ (.*)$", TEXT, re.MULTILINE)
    anchors = {re.sub(r"[^\w\- ]", "", heading).lower().replace(" ", "-") for heading in headings}
    links = re.findall(r"\]\(([^)]+)\)", TEXT)
    assert links
    assert {link.removeprefix("#") for link in links} <= anchors


# --- alpha-beta -----------------------------------------------------------------------------------


def test_the_worked_example_is_what_the_solution_does() -> None:
    rows = table("A worked example", "Step")
    seen = visits(FIGURE_5_2)
    assert [row[0] for row in rows] == [f"#{visit.order}" for visit in seen.values()]
    for (_, position, alpha, beta, v, _), (key, visit) in zip(rows, seen.items(), strict=True):
        assert position == (key or "root")
        assert (float(alpha), float(beta)) == (visit.alpha, visit.beta), position
        assert v == (str(visit.value) if "/" in key else ""), position
    for key in ("a1", "a2", "a3"):
        assert f"`{key}` returns {seen[key].value}" in section("A worked example")


@pytest.mark.skipif("expectiminimax.py" not in QUESTION_FILES, reason="its question is off")
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
    alike = sum(value for _, value in values) / len(values)
    assert f"finds {alike:g}" in said
    assert expectiminimax(game, game.initial, "X") == (4, "safe")
    assert mean < 4 < alike


COUNTS = {  # of positions, by the wrong submission that looks at so many
    "alphabeta_no_pruning": 549_946,
    "alphabeta_strict": 146_120,
    "alphabeta_no_cutoff_at_min_nodes": 56_783,
    "alphabeta_root_never_raises_alpha": 30_710,
    "alphabeta_no_cutoff_at_max_nodes": 29_431,
    "alphabeta_shallow_only": 29_257,
    "alphabeta_generated_first": 25_227,
}


def search_in(source: str) -> Callable[[Game, State], tuple[float, Move]]:
    """The alpha-beta search that a file holds."""
    module = ModuleType("file")
    exec(source, vars(module))
    search: Callable[[Game, State], tuple[float, Move]] = module.alphabeta_search
    return search


@pytest.mark.slow
@pytest.mark.parametrize("name", COUNTS)
def test_wrong_search_looks_at_so_many_positions(name: str) -> None:
    game = CountingGame(TicTacToe())
    value, _ = search_in(read_entry(WRONG / f"{name}.txt").source)(game, game.initial)
    assert value == 0
    assert game.generated + 1 == COUNTS[name]


def test_the_table_of_counts_has_these() -> None:
    shown = [row[0] for row in table("Why equality prunes here", "Positions")]
    assert shown == [f"{count:,}" for count in (*COUNTS.values(), test_games.BY_ALPHABETA)]


def test_every_other_figure_is_a_count_that_the_games_have() -> None:
    figures = {int(shown.replace(",", "")) for shown in re.findall(r"\d+(?:,\d{3})+", TEXT)}
    counted = {count for count in test_games.COUNTS.values() if count >= 1_000}
    assert figures == {*COUNTS.values(), test_games.BY_ALPHABETA, *counted}


def test_an_equal_value_replaces_nothing() -> None:
    """The advice about `>` and `>=`: with `>=` the value stays right and the move goes wrong."""
    game = GameTree([[3, 5], [3, -9]])
    source = (ROOT / "solution" / "alphabeta.py").read_text(encoding="utf-8")
    right, wrong = search_in(source), search_in(source.replace("if v2 > v:", "if v2 >= v:"))
    assert right(game, game.initial) == (3, "a")
    assert wrong(game, game.initial) == (3, "b")


# --- Monte Carlo tree search ----------------------------------------------------------------------


def test_the_iteration_by_hand_begins_with_these_numbers() -> None:
    it = example_iteration()
    text = section("One iteration by hand")
    assert "\n".join(f"    {line}" for line in str(it.root.state).splitlines()) in text
    assert it.before[it.root][1] == 6 and f"ln 6 is about {log(6):.3f}" in text
    expected = []
    for child in it.root.children.values():
        U, N = it.before[child]
        mean, bonus = U / N, 1.4 * sqrt(log(6) / N)
        assert it.bounds[child] == pytest.approx(mean + bonus)
        numbers = (f"{mean:.3f}", f"{bonus:.3f}", f"{mean + bonus:.3f}")
        expected.append([str(child.move), f"{U:g}", str(N), *numbers])
    assert table("One iteration by hand", "Move") == expected


def test_the_iteration_by_hand_does_what_it_says() -> None:
    it = example_iteration()
    text = section("One iteration by hand")
    squares = [str(child.move) for child in it.leaf.children.values()]
    assert f"**Select.** {it.leaf.move} has the largest UCB" in text
    assert it.leaf.parent is it.root and max(it.bounds, key=lambda node: it.bounds[node]) is it.leaf
    assert f"children {squares[0]}, {squares[1]} and {squares[2]}" in text.replace("\n   ", "")
    assert it.child is next(iter(it.leaf.children.values())) and it.child.state.to_move == "O"
    first, second = it.moves
    assert f"O plays {first}, X plays {second}" in text
    assert f"The result is {it.utility}, for X" in text

    rows, result = [], it.utility
    for node, name in (
        (it.child, f"{it.leaf.move}, then {it.child.move}"),
        (it.leaf, str(it.leaf.move)),
        (it.root, "root"),
    ):
        U, N = it.before.get(node, (0.0, 0))
        assert (U + result, N + 1) == (node.U, node.N)
        side = "X" if node.state.to_move == "O" else "O"
        rows.append([name, side, str(result), f"{U:g} to {node.U:g}", f"{N} to {node.N}"])
        result = -result
    assert table("One iteration by hand", "Node") == rows

    assert f"{it.leaf.move}: it now has U/N = {it.leaf.U / it.leaf.N:g}" in text
    following = max(it.root.children.values(), key=ucb)
    assert f"the next playout goes to {following.move}" in text
    assert following is not it.leaf and select(it.root) in following.children.values()


# --- the rest -------------------------------------------------------------------------------------


def test_no_line_of_the_solution_is_given_away() -> None:
    given = {
        line.strip()
        for path in (ROOT / "starter").glob("*.py")
        for line in path.read_text(encoding="utf-8").splitlines()
    }
    secret = 0
    for name in QUESTION_FILES:
        source = (ROOT / "solution" / name).read_text(encoding="utf-8")
        for line in map(str.strip, region_lines(source)):
            # Short lines such as `return node` stand in any text.
            if len(line) > 12 and not line.startswith("#") and line not in given:
                secret += 1
                assert line not in TEXT, f"the handout gives away {line!r} of {name}"
    assert secret > 20


def test_so_many_positions_have_to_be_kept_and_so_much_memory_is_there() -> None:
    text = " ".join(section("Question 6: a player of your own").split())
    least = [
        case.least
        for number in ("6.3", "6.4", "6.5")
        for case in Cases().load(number)
        if isinstance(case, SolvedCase)
    ]
    told = re.search(
        r"Of (\d+) positions (\d+) have to be kept in 6.3, (\d+) in 6.4 and (\d+) in", text
    )
    assert told
    assert [int(number) for number in told.groups()] == [16, *least]
    assert f"{LIMITS['AS'] >> 20} MB of memory" in text
    assert f"{LIMITS['AS'] >> 20} MB of memory" in section("Questions often asked")


def test_messages_that_are_quoted_are_messages_that_are_given() -> None:
    questions = re.findall(
        r"^\*\*.*?\*\*", section("Questions often asked"), re.MULTILINE | re.DOTALL
    )
    assert len(questions) >= 12
    quoted = {part.strip(" .") for text in questions for part in re.findall(r'"([^"]+)"', text)}
    given = "\n".join(example.words for example in read_wordings().values())
    for message in quoted - {"math domain error"}:
        for words in message.split(" ... "):
            assert words in given, f'no finding in wordings.txt says "{words}": edit handout.md'
