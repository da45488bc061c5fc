"""The report's page is complete, loads nothing, and shows student text as text."""

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from datetime import datetime
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from autograder.checks.ask.finding import Finding, Hint
from autograder.diagram import Board, Node, Picture, Tree, describe_tree
from autograder.feedback.page import make_page
from autograder.feedback.report import format_message
from autograder.feedback.results import Outcome, Report, Result
from autograder.feedback.svg import draw, draw_file
from autograder.selftest.support.browser import expect_page_fits, needs_browser
from autograder.serving.case import Case
from starter.games import FIGURE_5_2, ConnectFour, TicTacToe, TreeState

SVG = "{http://www.w3.org/2000/svg}"


def searched() -> Tree:
    """Return Figure 5.2's tree after a search that misses a prune."""
    order = iter(range(100))

    def decorate(node: Node, state: TreeState) -> None:
        pruned = state.path in (("a2", "c2"), ("a2", "c3"))
        node.look, node.order = ("faded", None) if pruned else ("", next(order))
        if state.path == ("a2",):
            node.texts.append("alpha = 3, beta = 2")
            node.mark = "a cut-off is due"

    return describe_tree(FIGURE_5_2, FIGURE_5_2.initial, decorate=decorate)


def statistics() -> Tree:
    """Return a search tree wider than any screen."""
    root = Node("root", texts=["U = 3", "N = 90"])
    for i in range(40):
        root.children.append(Node(f"({i}, {i})", texts=["U = -1.25", "N = 12", "UCB = 0.8742"]))
    root.children[7].mark = "the leaf to select"
    return Tree(root)


BOARD = TicTacToe().state(["XO.", ".X.", "O.."])
PICTURES: list[Picture] = [
    searched(),
    statistics(),
    Board(BOARD, "what was tried:", good=frozenset({(2, 2)}), bad=frozenset({(0, 2)})),
    Board(ConnectFour().initial),
]
NASTY = "<script>alert(1)</script> & \"quotes\" 'too' \033[31m \u202e"


def results() -> list[Result]:
    case = Case(number="2.3", game=["TicTacToe"], state="".join(str(i * 7919) for i in range(300)))
    facts = {"to_move": NASTY, "value": NASTY, "player": NASTY, "got": "x" * 400}
    hints = (Hint("game-played", {"moves": NASTY}),)
    finding = Finding("wrong-value", facts, hints, tuple(PICTURES))
    stub = Finding("not-written", {"what": "write select in mcts.py"}, stop=True)
    failed: dict[str, Any] = {"outcome": Outcome.FAILED}
    return [
        Result("1.1", "Passed", 3, outcome=Outcome.PASSED),
        Result("2.3", NASTY, 12, finding=finding, case=case, printed=f"{NASTY}\n" * 60, **failed),
        Result("3.1", "The grader's fault", 4, outcome=Outcome.FAULT, reason="a missing file"),
        Result("3.2", "Not reached", 4, outcome=Outcome.NOT_RUN),
        Result("4.1", "A stub with quite a long label, as labels are", 8, finding=stub, **failed),
    ]


def whole_page() -> str:
    report = Report(results=results(), notes=["a note"], seconds=12.3)
    report.name, report.when = "ann/starter", datetime(2026, 5, 4, 9, 8)
    return make_page(report)


@pytest.mark.parametrize("code", ["generated/twice", "utility/twice"])
@pytest.mark.parametrize("there", [True, False])
def test_a_failure_links_to_the_place_of_the_handout_that_explains_it(
    code: str, there: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page links only to a handout beside it; the text always names the place."""
    monkeypatch.setattr("autograder.feedback.page.ROOT", tmp_path)
    if there:
        (tmp_path / "handout.html").touch()
    finding = Finding(code, {"node": "a", "nodes": 1})
    failed = Result("2.7", "Order", 2, outcome=Outcome.FAILED, finding=finding)
    explained = code == "generated/twice"
    assert ('href="handout.html#generated-twice"' in make_page(Report(results=[failed]))) == (
        explained and there
    )
    assert ("see also: handout.html#generated-twice" in format_message(failed)) == explained


def test_page_shows_the_whole_report() -> None:
    text = unescape(re.sub("<[^>]*>", "", whole_page()))
    for part in (
        "Not graded: run it again",
        "a note",
        "ann/starter, graded on 2026-05-04, 09:08, in 12 s",
        "next: fix 2.3 (make test Q=2.3)",
        "question 2: 0/12",
        "write select in mcts.py",
        "a missing file",
        "not run",
        "your code printed",
        "make test CASE=2.3/~",
        "alpha = 3, beta = 2",
        "UCB = 0.8742",
        "the leaf to select",
    ):
        assert part in text


def test_page_loads_nothing_and_runs_nothing() -> None:
    """Student text is only text."""
    page = whole_page()
    assert {"html", "table", "svg"} <= set(re.findall(r"<(\w+)", page))
    assert not re.search(r"<(script|link|img|iframe|object|embed)|url\(|@import", page)
    assert not re.search(r"<[^>]* (on\w+|src)=", page)
    links, places = (set(re.findall(rf' {name}="([^"]*)"', page)) for name in ("href", "id"))
    assert links and links <= {f"#{place}" for place in places}
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "\033" not in page and "\u202e" not in page


def find_boxes(element: ET.Element, x: float = 0, y: float = 0) -> Iterator[list[float]]:
    if moved := re.match(r"translate\((\S+) (\S+)\)", element.get("transform", "")):
        x, y = x + float(moved[1]), y + float(moved[2])
    if element.tag == f"{SVG}rect":
        left, top, wide, high = (float(element.get(it, 0)) for it in ("x", "y", "width", "height"))
        yield [x + left, y + top, x + left + wide, y + top + high]
    for child in element:
        yield from find_boxes(child, x, y)


@pytest.mark.parametrize("picture", PICTURES)
def test_svg_is_well_formed_and_holds_all_inside(picture: Picture) -> None:
    for text in (draw(picture), draw_file(picture)):
        root = ET.fromstring(text)
        assert root.tag == f"{SVG}svg"
        width, height = float(root.get("width", 0)), float(root.get("height", 0))
        boxes = list(find_boxes(root))
        assert boxes
        for left, top, right, bottom in boxes:
            assert 0 <= left <= right <= width and 0 <= top <= bottom <= height


def test_svg_of_a_board_shows_every_stone_and_the_marked_squares() -> None:
    root = ET.fromstring(draw(PICTURES[2]))
    stones = [element.get("class") for element in root.iter() if element.get("class") in ("x", "o")]
    assert (stones.count("x"), stones.count("o")) == (2, 2)
    marked = [rect.get("class") for rect in root.iter(f"{SVG}rect") if rect.get("class")]
    assert marked == ["bad", "good"]


@pytest.mark.slow
@needs_browser
def test_page_fits_a_phone(tmp_path: Path) -> None:
    file = tmp_path / "results.html"
    file.write_text(whole_page(), encoding="utf-8")
    expect_page_fits(file)
