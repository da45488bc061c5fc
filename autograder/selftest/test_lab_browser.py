"""The lab in a real browser: a game is played by clicking, a search stepped through, and every page
looked at, light and dark, wide and narrow."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from autograder.selftest.browser import Browser, chromium, wait_for
from autograder.selftest.sample import only_in_proof
from autograder.selftest.screenshots import running_lab

pytest.importorskip("marimo", reason='no marimo here: pip install ".[lab]"')
pytestmark = [
    only_in_proof,
    pytest.mark.skipif(
        chromium() is None, reason="no Chromium here: autograder/selftest/install_chromium.sh"
    ),
]

FREE = "deep('button').filter(button => button.querySelector('.square'))"


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Where the lab runs, with all functions written."""
    with running_lab() as address:
        yield address


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with Browser() as browser:
        yield browser


@pytest.fixture(scope="module")
def lab(browser: Browser, address: str) -> Browser:
    """The lab, opened once; each test turns to the page that it needs."""
    return opened(browser, address)


@pytest.fixture
def fresh_lab(browser: Browser, address: str) -> Browser:
    """The lab as at the first visit."""
    return opened(browser, address)


def opened(browser: Browser, address: str) -> Browser:
    browser.open(address)
    browser.wait(f"{FREE}.length === 9")
    return browser


def turn_to(lab: Browser, page: str, sign: str) -> None:
    """Open a page, and wait until an element that matches `sign` is there."""
    lab.click(f"deep('[role=tab]').find(tab => tab.textContent.trim() === '{page}')")
    lab.wait(f"deep({sign!r}).length")


SIGNS = {
    "Play": ".board",
    "Playground": "textarea",
    "Watch the search": ".tree",
    "Measure": ".wide table.figures, [data-label*=plies], marimo-multiselect",
    "Check yourself": "[role=radio]",
}


def choose(lab: Browser, option: str) -> None:
    """Choose an option in whichever list has it."""
    lab.js(
        "(list => { list.value = [...list.options].find(o => o.text === OPTION).value;"
        " list.dispatchEvent(new Event('change', {bubbles: true})); return 1; })"
        "(deep('select').find(list => [...list.options].some(o => o.text === OPTION)))".replace(
            "OPTION", repr(option)
        )
    )


def stones(lab: Browser) -> str:
    """The squares of the board: X, O, or . if empty."""
    marks = lab.js(
        "deep('.board .square, .square').map(s => s.getAttribute('aria-label').split(': ')[1][0])"
    )
    return "".join("." if mark == "e" else mark for mark in marks)


def wait_for_stones(lab: Browser, number: int) -> None:
    """Wait until the board shows so many stones of the human, X."""
    wait_for(lambda: stones(lab).count("X") == number, 60, f"{number} stones of X")


def at_rest(lab: Browser) -> str:
    """Wait until it is the human's move, with every move rated, or the end; say which.

    The words and the board are not drawn at once, so that neither alone tells.
    """

    def told() -> str:
        text = lab.text()
        if end := re.search(r"A draw\.|\S+ wins\.|You win!", text):
            return end[0]
        rated = f"{FREE}.length && {FREE}.every(button => button.querySelector('text'))"
        return "Your move" if "Your move" in text and lab.js(rated) else ""

    return wait_for(told, 60, "the human's move, or the end of the game")


def test_a_full_game_of_tic_tac_toe_is_played_by_clicking(fresh_lab: Browser) -> None:
    played = 0
    while (told := at_rest(fresh_lab)) == "Your move":
        fresh_lab.click(f"{FREE}[0]")
        played += 1
        wait_for_stones(fresh_lab, played)
    board = Counter(stones(fresh_lab))
    assert played == board["X"] >= 3
    assert board["X"] - board["O"] in (0, 1)
    assert told in ("alpha-beta wins.", "A draw.")
    wait_for(lambda: "cut-offs" in fresh_lab.text(), 60, "what the search cost")


def test_every_move_shows_what_it_is_worth_and_is_taken_back(lab: Browser) -> None:
    turn_to(lab, "Play", ".board")
    lab.wait("deep('.square text').length === 9")
    assert lab.js("deep('.square text').map(t => t.textContent)") == ["0"] * 9
    lab.click(f"{FREE}[4]")
    lab.wait("deep('.square').filter(s => s.ariaLabel?.includes(': O')).length")
    lab.click("deep('button').find(button => button.textContent === 'take back')")
    lab.wait(f"{FREE}.length === 9")


def test_a_long_search_is_shown_and_stopped(fresh_lab: Browser) -> None:
    choose(fresh_lab, "Connect Four")
    fresh_lab.wait(f"{FREE}.length === 42")
    choose(fresh_lab, "minimax")
    slider = "deep('[role=slider]')[0]"

    def as_deep_as_it_goes() -> bool:
        """Until it is there: the slider is made anew for minimax, and then has no focus."""
        if fresh_lab.js(f"{slider} && {slider}.ariaValueNow === {slider}.ariaValueMax"):
            return True
        fresh_lab.click(slider)
        fresh_lab.press("End")
        time.sleep(0.5)
        return False

    fresh_lab.wait("deep('[role=slider]').length === 1")
    stop = "deep('button').find(button => button.textContent === 'stop')"
    thinking = f"{stop} && deep('.thinking').some(t => t.innerText.includes('positions'))"

    def begun() -> bool:
        """Move as long as one can: slider and answers may still be those of the old engine."""
        if fresh_lab.js(f"{FREE}.length") and as_deep_as_it_goes():
            fresh_lab.click(f"{FREE}[3]")
            time.sleep(1)
        return bool(fresh_lab.js(thinking))

    wait_for(begun, 60, thinking)
    fresh_lab.click(stop)
    fresh_lab.wait("deep('button').some(button => button.textContent === 'go on')")
    fresh_lab.wait("deep('.thinking').length === 0")


def test_nothing_is_fetched_from_elsewhere(lab: Browser, address: str) -> None:
    sources = lab.js("performance.getEntriesByType('resource').map(entry => entry.name)")
    assert sources
    assert [source for source in sources if not source.startswith((address, "data:"))] == []


def test_the_search_is_stepped_through(lab: Browser) -> None:
    turn_to(lab, "Watch the search", ".tree")
    cut = "deep('.tree .node.faded').length"
    assert lab.js(cut) == 0
    lab.click("deep('[role=slider]')[0]")
    lab.press("Home")
    for step in (
        "The search enters the root",
        "The search enters a1, MIN",
        "The search enters a1/b1",
    ):
        lab.press("ArrowRight")
        lab.wait(f"deep('p').some(p => p.innerText.startsWith({step!r}))")
    lab.press("End")
    lab.wait(f"{cut} === 2")
    assert "the root is worth 3 to MAX." in lab.text()


def test_the_tree_of_mcts_grows(lab: Browser) -> None:
    turn_to(lab, "Watch the search", ".tree")
    choose(lab, "MCTS")
    lab.wait("deep('[role=slider]').length === 3")
    lab.click("deep('[role=slider]')[2]")
    lab.press("End")
    lab.wait("deep('.tree text').some(t => t.textContent === 'N = 20')")
    assert not overlapping(lab, ".tree .node")


def test_an_experiment_is_measured_and_plotted(lab: Browser) -> None:
    turn_to(lab, "Measure", "marimo-multiselect")
    lab.click("deep('button').find(button => button.textContent === 'run')")
    lab.wait("deep('table.figures tbody tr').length === 6 && !deep('.thinking').length")
    lab.wait("deep('canvas').length === 1")


def test_a_question_is_answered_and_explained(lab: Browser) -> None:
    turn_to(lab, "Check yourself", "[role=radio]")
    lab.click("deep('[role=radio]')[1]")
    lab.wait("deep('*').some(e => e.childElementCount === 0 && /Right\\./.test(e.textContent))")


@pytest.mark.parametrize("page", list(SIGNS))
def test_every_page_looks_right(lab: Browser, tmp_path: Path, page: str) -> None:
    turn_to(lab, page, SIGNS[page])
    for scheme in ("light", "dark"):
        for width in (1200, 480):
            lab.prefer(scheme)
            lab.resize(width, 900)
            lab.wait("!deep('.thinking').length")
            time.sleep(0.3)  # for what moves into its place
            look = f"{page}-{scheme}-{width}"
            colours = lab.colours(lab.screenshot(tmp_path / f"{look}.png"))
            (paper, most), *_ = colours.most_common(1)
            assert (min(paper) > 200) if scheme == "light" else (max(paper) < 60), look
            assert most < 0.995 * colours.total(), f"{look} is empty"
            assert len(colours) > 50, look
            assert not overlapping(lab, CONTENT), look
            assert not overlapping(lab, ".tree .node"), look
            wide = lab.js("document.documentElement.scrollWidth")
            assert wide <= width, f"{look}: {wide} pixels"


CONTENT = "button, select, input, textarea, .facts, .board, p, h1, .chips"


def overlapping(lab: Browser, selector: str) -> list[str]:
    """The visible elements that lie over each other although neither holds the other."""
    found: list[str] = lab.js(
        """(() => {
          const holds = (a, b) => { for (let e = b; e; e = e.parentNode ?? e.host) if (e === a)
            return true; return false; };
          const seen = deep(SELECTOR).map(e => [e, e.getBoundingClientRect()])
            .filter(([e, r]) => r.width > 2 && r.height > 2 && e.checkVisibility()
              && getComputedStyle(e).opacity !== '0' && getComputedStyle(e).position !== 'fixed'
              && !e.closest('[aria-hidden=true]'));
          const found = [];
          seen.forEach(([a, p], i) => seen.slice(i + 1).forEach(([b, q]) => {
            const w = Math.min(p.right, q.right) - Math.max(p.left, q.left);
            const h = Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top);
            if (w > 1.5 && h > 1.5 && !holds(a, b) && !holds(b, a))
              found.push(`${a.outerHTML.slice(0, 90)} | ${b.outerHTML.slice(0, 90)}`);
          }));
          return found;
        })()""".replace("SELECTOR", repr(selector))
    )
    return found
