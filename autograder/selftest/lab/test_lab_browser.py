"""The lab in a browser: games by mouse and keyboard, searches in steps, layout."""

import contextlib
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from autograder.selftest.support.banks import SOLUTION_TEXTS, change_solution
from autograder.selftest.support.browser import (
    Browser,
    Lab,
    copy_student_tree,
    needs_browser,
    run_lab,
)
from autograder.selftest.support.waiting import wait_for
from lab.page import PAGES

pytestmark = [pytest.mark.slow, needs_browser]

SQUARE = ".board button:not(.wide)"
FREE = ".board button[aria-disabled=false]"


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copy_student_tree(tmp_path_factory.mktemp("lab"), solved=True)


@pytest.fixture(scope="module")
def server(tree: Path) -> Iterator[Lab]:
    with run_lab(tree) as server:
        yield server


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with Browser() as browser:
        yield browser


@pytest.fixture
def lab(browser: Browser, server: Lab) -> Browser:
    return opened(browser, server, "play")


@pytest.fixture
def watch(browser: Browser, server: Lab) -> Browser:
    return opened(browser, server, "watch")


def opened(browser: Browser, server: Lab, page: str) -> Browser:
    with browser.expect_rerun():
        browser.page.goto(f"{server.entry}&file={page}.py")
    browser.page.wait_for_selector(SIGNS[page])
    return browser


def turn_to(lab: Browser, page: str) -> None:
    with lab.expect_rerun():
        lab.page.get_by_role("link", name=PAGES[page], exact=True).click()
    lab.page.wait_for_selector(SIGNS[page])


SIGNS = {
    "play": SQUARE,
    "watch": ".tree .node",
    "measure": "text=up to plies",
    "quiz": "[role=radio]",
}


def choose(lab: Browser, label: str, option: str) -> None:
    control = lab.page.get_by_label(label, exact=True)
    if control.evaluate("control => control.selectedOptions[0].label") != option:
        with lab.expect_rerun():
            control.select_option(option)


def go_to_step(lab: Browser, step: int, words: str) -> None:
    """Bring the search to a step and wait for these words about it."""
    slider = lab.page.get_by_role("slider", name="steps of the search")

    def is_shown() -> bool:
        slider.fill(str(step))  # again if the page was drawn again meanwhile
        return lab.page.get_by_text(words).first.is_visible()

    wait_for(is_shown, words)


def stones(lab: Browser) -> str:
    said: list[str] = lab.page.locator(SQUARE).evaluate_all("all => all.map(one => one.ariaLabel)")
    return "".join(words.split(": ")[1][0] for words in said).replace("e", ".")


def wait_for_stones(lab: Browser, number: int) -> None:
    wait_for(lambda: stones(lab).count("X") == number, f"{number} stones of X")


def at_rest(lab: Browser) -> str:
    """Wait for the human's move, with all moves rated, or the end; return which."""

    def result() -> str:
        words = lab.page.locator(".turn").inner_text()
        if end := re.search(r"A draw\.|\S+ wins\.|You win!", words):
            return end[0]
        rated = lab.page.locator(FREE).evaluate_all("all => all.every(one => one.innerText)")
        free = lab.page.locator(FREE).count()
        return "Your move" if words.startswith("Your move") and free and rated else ""

    return wait_for(result, "the human's move, or the end of the game")


def test_a_full_game_of_tic_tac_toe_is_played_by_clicking(lab: Browser) -> None:
    at_rest(lab)
    assert lab.page.locator(SQUARE).all_inner_texts() == ["0"] * 9  # what each move is worth
    lab.page.locator(SQUARE).nth(4).click()
    wait_for(lambda: "O" in stones(lab), "the answer")
    lab.press("take back")
    wait_for(lambda: stones(lab) == "." * 9, "an empty board")
    played = 0
    while (end := at_rest(lab)) == "Your move":
        lab.page.locator(FREE).first.click()
        played += 1
        wait_for_stones(lab, played)
    board = Counter(stones(lab))
    assert played == board["X"] >= 3
    assert board["X"] - board["O"] in (0, 1)
    assert end in ("alpha-beta wins.", "A draw.")
    assert lab.page.locator(".board .won").count() == (3 if end == "alpha-beta wins." else 0)
    lab.see("prunes")


def test_the_keyboard_alone_plays_a_game(lab: Browser) -> None:
    keyboard = lab.page.keyboard
    at_rest(lab)
    lab.page.get_by_role("link", name="Play", exact=True).focus()
    while lab.evaluate("deep('.board button:focus').length") == 0:
        keyboard.press("Tab")
    for keys, place in (("ArrowDown ArrowRight", 4), ("ArrowLeft ArrowUp", 0)):
        for key in keys.split():
            keyboard.press(key)
        assert lab.evaluate(f"deep({SQUARE!r})[{place}].matches(':focus')")
        if stones(lab)[place] == ".":
            played = stones(lab).count("X")
            keyboard.press("Enter")
            wait_for_stones(lab, played + 1)
            at_rest(lab)
    assert lab.evaluate("deep('.board button:focus').length") == 1  # the focus stays where it was


def test_an_answer_of_the_quiz_is_explained(lab: Browser) -> None:
    turn_to(lab, "quiz")
    lab.see("About your own search")
    lab.page.get_by_role("radio", name="O, at every leaf").click()
    lab.see("Right.")
    lab.page.get_by_role("radio", name="Always X").click()
    lab.see("Not so: O, at every leaf.")


def test_a_search_is_stepped_through_and_its_moves_are_ranked(watch: Browser) -> None:
    cells = watch.page.locator("marimo-table td")
    found = "a1 3 a2 at most 2 a3 2"
    wait_for(lambda: " ".join(" ".join(cells.all_inner_texts()).split()) == found, "the moves")
    assert watch.page.locator(".tree .node.faded").count() == 0
    watch.page.get_by_role("button", name="step", exact=True).focus()
    for words in ("The search enters the root", "The search enters a1, MIN", "enters a1/b1"):
        watch.page.keyboard.press("Enter")
        watch.see(words)
    watch.press("next prune")
    watch.see("v = 2 <= alpha = 3 at a2: pruned. Never looked at: c2, c3.")
    assert watch.page.locator(".tree .node.faded").count() == 2
    watch.press("back")
    watch.see("a2/c1 is worth 2 to MAX. At a2 v becomes 2, beta becomes 2.")
    watch.press("play")
    watch.see("the root is worth 3 to MAX.")
    watch.page.get_by_role("button", name="play", exact=True).wait_for()
    watch.page.get_by_role("slider", name="steps of the search").focus()
    watch.page.keyboard.press("ArrowLeft")
    watch.see("a3 is worth 2 to MAX")


def test_heuristic_search_of_a_typed_board_is_watched(watch: Browser) -> None:
    choose(watch, "position", "Connect Four, empty")
    choose(watch, "algorithm", "heuristic alpha-beta")
    with watch.expect_rerun():
        watch.page.get_by_role("textbox").fill("....\n....\n.O..\nXX..")
        watch.page.get_by_role("textbox").blur()
    with watch.expect_rerun():
        for key in ("Home", "ArrowRight"):
            watch.page.get_by_role("slider").first.press(key)
    watch.see("0 of 40")
    watch.press("next prune")
    watch.see("pruned. Never looked at")
    assert watch.page.locator(".tree text", has_text="h = ").count() > 0


# The nodes of the tree that lie within its window.
INSIDE = """deep('.tree .node').filter(node => {
  const [outer, inner] = [deep('svg.tree')[0], node].map(e => e.getBoundingClientRect());
  return inner.left >= outer.left - 1 && inner.right <= outer.right + 1
    && inner.top >= outer.top - 1 && inner.bottom <= outer.bottom + 1; })"""


@pytest.mark.parametrize("width", [1280, 400])
@pytest.mark.parametrize(
    ("position", "algorithm"), [("Connect Four, empty", "MCTS"), ("Othello, start", "alpha-beta")]
)
def test_a_large_tree_is_followed_fitted_zoomed_and_moved(watch, width, position, algorithm):
    choose(watch, "position", position)
    choose(watch, "algorithm", algorithm)
    watch.page.set_viewport_size({"width": width, "height": 900})
    slider = watch.page.get_by_role("slider", name="steps of the search")
    wait_for(lambda: slider.is_visible() and int(slider.get_attribute("max") or 0) > 100, "steps")
    go_to_step(watch, 77, "77 of")
    lit = f"{INSIDE}.filter(node => node.matches('.lit')).length"
    wait_for(lambda: watch.evaluate(lit), "the active node in sight")
    tall = "deep('.tree .node.lit')[0].getBoundingClientRect().height"
    assert watch.evaluate(tall) > 20

    watch.press("fit")
    wait_for(
        lambda: watch.evaluate(f"{INSIDE}.length === deep('.tree .node').length"), "the whole tree"
    )
    assert watch.evaluate(OVERLAPPING) == 0
    watch.press("zoom in")
    wait_for(
        lambda: watch.evaluate(f"{INSIDE}.length < deep('.tree .node').length"), "a part of it"
    )
    watch.page.locator("svg.tree").focus()
    before = watch.evaluate("deep('svg.tree > g')[0].getAttribute('transform')")
    watch.page.keyboard.press("ArrowLeft")
    wait_for(
        lambda: watch.evaluate("deep('svg.tree > g')[0].getAttribute('transform')") != before,
        "a move",
    )
    watch.press("follow")
    wait_for(lambda: watch.evaluate(lit), "the active node in sight again")
    watch.page.set_viewport_size({"width": 1280, "height": 900})


@pytest.fixture
def hung(tree: Path) -> Iterator[None]:
    file = tree / "starter" / "minimax.py"
    file.write_text(change_solution("minimax.py", "player = state.to_move", "while True: pass"))
    yield
    file.write_text(SOLUTION_TEXTS["minimax.py"])


def workers(server: Lab) -> int:
    psutil = pytest.importorskip("psutil", reason="no psutil here, which comes with the lab")
    count = 0
    for child in psutil.Process(server.process.pid).children(recursive=True):
        with contextlib.suppress(psutil.NoSuchProcess):  # a zombie has ended, too
            count += "lab.jobs" in child.cmdline()
    return count


def test_a_closed_page_ends_its_search(browser: Browser, server: Lab, hung: None) -> None:
    assert browser.page.context.browser
    page = browser.page.context.browser.new_page()
    page.goto(f"{server.entry}&file=watch.py")
    page.get_by_label("algorithm", exact=True).select_option("minimax")
    page.get_by_text("searching").wait_for()
    assert wait_for(lambda: workers(server), "a search")
    page.close()
    wait_for(lambda: workers(server) == 0, "the end of the search")


def test_page_outlives_a_function_that_ends_python(watch: Browser, tree: Path, hung: None) -> None:
    file = tree / "starter" / "minimax.py"
    file.write_text(file.read_text().replace("while True: pass", "import os; os._exit(4)"))
    choose(watch, "algorithm", "minimax")
    watch.see("your functions have ended Python, with status 4")
    file.write_text(SOLUTION_TEXTS["minimax.py"])
    watch.press("read my files again")
    watch.see("The search has not begun.")
    assert watch.page.get_by_label("algorithm", exact=True).input_value() == "minimax"


def test_a_search_without_end_is_stopped(lab: Browser, hung: None) -> None:
    choose(lab, "against", "minimax")
    lab.see("Rating your moves")
    lab.press("stop")
    lab.page.get_by_role("button", name="go on", exact=True).wait_for()
    turn_to(lab, "watch")
    choose(lab, "algorithm", "minimax")
    lab.press("stop")
    lab.see("stopped")
    wait_for(lambda: not lab.page.locator(".busy").count(), "an end of the search")


def test_recorded_search_can_be_watched_at_the_first_visit(browser, tmp_path):
    with run_lab(copy_student_tree(tmp_path, solved=False)) as server:
        lab = opened(browser, server, "watch")
        lab.see("write min_value in minimax.py. Until then, this is a recorded search")
        go_to_step(lab, 8, "a1/b3 is worth 8 to MAX")
        turn_to(lab, "quiz")
        lab.see("Your files pass too few tests yet")


@pytest.mark.parametrize("page", list(PAGES))
def test_every_page_looks_right_and_fetches_from_its_server_alone(lab, server, page):
    turn_to(lab, page)
    if page == "measure":
        lab.press("run")
        lab.page.wait_for_selector("canvas")
    for scheme, width in lab.vary_look(2000):  # the page scrolls inside of marimo's own frame
        wait_for(lambda: not lab.page.locator(".busy").count(), "rest")
        look = f"{page}-{scheme}-{width}"
        wait_for(lambda: len({lab.page.screenshot(full_page=True) for _ in "12"}) == 1, "rest")
        assert lab.evaluate(OVERLAPPING) == 0, look
        assert not cut_off(lab, width), look
        names = lab.evaluate("deep('[aria-label]').map(e => e.ariaLabel)")
        assert not [name for name in names if "<" in name], look
        assert lab.find_violations() == [], look
    sources = lab.evaluate("performance.getEntriesByType('resource').map(entry => entry.name)")
    own = (server.address, "data:", "blob:")
    assert sources and not [source for source in sources if not source.startswith(own)]


def cut_off(lab: Browser, width: int) -> list[str]:
    """Return the elements that reach beyond the window and can't be scrolled to."""
    found: list[str] = lab.evaluate(
        """deep("button, select, input, textarea, p, h1, h2, small, svg, canvas, [role=tab]")
          .filter(e => e.checkVisibility()
            && !e.closest('.scroll, .wide, .tree, [aria-hidden=true]')
            && e.getRootNode().host?.localName !== 'marimo-table'
            && e.getBoundingClientRect().right > WIDTH + 1)
          .map(e => e.outerHTML.slice(0, 120))""".replace("WIDTH", str(width))
    )
    return found


# The nodes of the tree of which a part lies below another node.
OVERLAPPING = """deep('.tree .node').map(e => e.getBoundingClientRect()).filter((p, i, all) =>
  all.slice(i + 1).some(q => Math.min(p.right, q.right) - Math.max(p.left, q.left) > 1.5
    && Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top) > 1.5)).length"""
