"""The assignment in a browser: the built site does what the commands do at home.

Headless Chromium opens the site, which is in a folder below a plain static server.
"""

from __future__ import annotations

import io
import random
import re
import shutil
import threading
import zipfile
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from autograder.author.bank import Entry, read_known_mistakes
from autograder.author.graded_tests import read_graded_tests
from autograder.feedback.page import make_page as report_page
from autograder.feedback.report import format_score, format_score_line
from autograder.grading.grade import grade
from autograder.questions import QUESTION_FILES, QUESTIONS, ROOT
from autograder.selftest.support.banks import SOLUTION_FILES
from autograder.selftest.support.browser import Browser, needs_browser
from autograder.selftest.support.waiting import WAIT_TIMEOUT_S
from autograder.submission import read_submission
from browser.build import build
from browser.grading import LEFT_OUT

pytestmark = [
    pytest.mark.slow,
    needs_browser,
    pytest.mark.skipif(shutil.which("npm") is None, reason="no npm: the site was not built"),
    pytest.mark.skipif(
        find_spec("axe_playwright_python") is None, reason='no axe: pip install ".[check]"'
    ),
]

SEED = 47  # chooses the wrong entries that are compared
SOLUTION = {name: content.decode() for name, content in SOLUTION_FILES.items()}
# The page has Python 3.14, which words these exceptions differently from older versions.
NEW_WORDS = {
    "float division by zero": "division by zero",
    "math domain error": "expected a positive input",
    "max() arg is an empty sequence": "max() iterable argument is empty",
}
# These end at a time limit, which differs in the page.
DIFFERING = {"cutoff_depth_never_grows", "cutoff_goes_on_in_both"}
STUBS = {name: (ROOT / "starter" / name).read_text(encoding="utf-8") for name in QUESTION_FILES}
PANELS = ("Tests", "Watch and play", "Handout", "API")
IN_MINIMAX = "    v, best_move = inf, None\n"  # in min_value


class Server(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Yield the site's address, in a subfolder of a static server."""
    root = tmp_path_factory.mktemp("server")
    build(root / "course" / "assignment")
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Server, directory=root)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/course/assignment/"
        server.shutdown()


@pytest.fixture(scope="module")
def browser(address: str) -> Iterator[Browser]:
    """Yield a browser; expect no error, and no request outside of the site."""
    outside: list[str] = []
    with Browser(1280, 900) as browser:
        chromium = browser.page.context.browser
        assert chromium is not None
        context = chromium.new_context(viewport={"width": 1280, "height": 900})
        context.set_default_timeout(1000 * WAIT_TIMEOUT_S)
        browser.page = context.new_page()  # another page can share its storage
        context.on("request", lambda request: outside.append(request.url))
        context.on("weberror", lambda error: outside.append(str(error.error)))
        browser.open(address)
        browser.see("Python is ready.")
        yield browser
    inside = (address, "blob:", "data:", "about:")
    assert [url for url in outside if not url.startswith(inside)] == []


@pytest.fixture
def site(browser: Browser) -> Browser:
    """Return the page with the stubs in its editor.

    All tests share the page, because loading Python takes as long as most tests.
    """
    open_files(browser, STUBS)
    return browser


def turn_to(site: Browser, tab: str) -> None:
    site.page.get_by_role("tab", name=tab, exact=True).click()


def open_files(site: Browser, files: dict[str, str]) -> None:
    upload = [
        {"name": name, "mimeType": "text/x-python", "buffer": text.encode()}
        for name, text in files.items()
    ]
    site.page.set_input_files("#upload", upload)  # type: ignore[arg-type]
    site.see(f"opened: {list(files)[-1]}")
    site.evaluate("document.getElementById('files-say').textContent = ''")


def run(site: Browser, what: str = "") -> str:
    """Run a question, a test or all; return the report, once it is there."""
    turn_to(site, "Tests")
    site.page.select_option("#chosen", what)
    site.press("Run")
    site.page.wait_for_selector("#report:visible")
    return str(site.evaluate("document.getElementById('report').srcdoc"))


def text_in_editor(site: Browser, name: str) -> str:
    return str(site.evaluate(f"localStorage.getItem(new URL('.', location).pathname + '{name}')"))


def changed(file: str, old: str, new: str) -> dict[str, str]:
    assert SOLUTION[file].count(old) == 1
    return {file: SOLUTION[file].replace(old, new)}


def test_solution_gets_all_points(site: Browser) -> None:
    open_files(site, SOLUTION)
    run(site)
    here = [test for test in read_graded_tests() if not test.number.startswith(LEFT_OUT)]
    bonus = {question.number: question.bonus for question in QUESTIONS}
    sums = [
        sum(test.points for test in here if bonus[test.number.split(".")[0]] is wanted)
        for wanted in (False, True)
    ]
    assert site.page.inner_text("#status") == format_score_line(sums[0], *sums)


def sample(count: int) -> list[Entry]:
    entries = [
        entry
        for entry in read_known_mistakes()
        if entry.says and not LEFT_OUT.startswith(entry.question)
    ]
    return random.Random(SEED).sample(sorted(entries, key=lambda entry: entry.name), count)


def reported(html: str) -> str:
    """Return what a report says, without its owner and its time."""
    body = re.sub(r"<style>.*?</style>", "", html, flags=re.S)
    assert "<section>" in body
    found = body.partition("<section>")[2]
    for words, new in NEW_WORDS.items():
        found = found.replace(words, new)
    return found


def differing(site: Browser, entries: list[Entry]) -> list[str]:
    """Return the entries whose report on the page differs from the one at home."""
    open_files(site, SOLUTION)
    found = []
    for entry in entries:
        files = {name: content.decode() for name, content in entry.files.items()}
        open_files(site, files)
        here = run(site, entry.question)
        home = report_page(grade(entry.submission, question=entry.question))
        if reported(here) != reported(home):
            found.append(entry.name)
        open_files(site, {name: SOLUTION[name] for name in files})
    return found


@pytest.mark.nightly
def test_hundred_wrong_entries_get_the_same_report_as_at_home(site: Browser) -> None:
    assert set(differing(site, sample(100))) <= DIFFERING


def test_nothing_is_lost(site: Browser, address: str) -> None:
    open_files(site, {"minimax.py": SOLUTION["minimax.py"]})
    turn_to(site, "alphabeta.py")
    editor = site.page.get_by_role("textbox", name="alphabeta.py")
    editor.click()
    editor.press("Control+Home")
    editor.type("# mine\n")
    site.page.reload()
    turn_to(site, "alphabeta.py")
    site.see("# mine")
    context = site.page.context
    site.page.close()
    site.page = context.new_page()
    site.open(address)
    turn_to(site, "alphabeta.py")
    site.see("# mine")
    assert text_in_editor(site, "minimax.py") == SOLUTION["minimax.py"]
    site.page.once("dialog", lambda dialog: dialog.accept())
    site.press("Reset this file")
    stub = STUBS["alphabeta.py"]
    assert text_in_editor(site, "alphabeta.py") == stub
    with site.page.expect_download() as download:
        site.press("Save this file")
    assert Path(download.value.path()).read_text(encoding="utf-8") == stub


def test_submission_from_the_page_is_graded_the_same(site: Browser, tmp_path: Path) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:  # a zip can be opened, too
        for name, text in (
            SOLUTION | changed("alphabeta.py", "if v <= alpha:", "if v < alpha:")
        ).items():
            archive.writestr(f"starter/{name}", text)
    zipped = {"name": "mine.zip", "mimeType": "application/zip", "buffer": packed.getvalue()}
    site.page.set_input_files("#upload", zipped)  # type: ignore[arg-type]
    site.see("opened: ")
    with site.page.expect_download() as download:
        site.press("submission.zip")
    archive_path = tmp_path / "submission.zip"
    download.value.save_as(archive_path)
    submission = read_submission(archive_path)
    assert sorted(submission.files) == sorted(QUESTION_FILES)
    here = run(site, "2")
    home = grade(submission, question="2")
    assert format_score(home) != "score: 25/25"
    assert reported(here) == reported(report_page(home))


ENDLESS = {  # a test, the files and the message
    "a loop": (
        "1.1",
        changed("minimax.py", IN_MINIMAX, f"{IN_MINIMAX}    while v: v = v + 1\n"),
        "did not end: it was stopped after",
    ),
    "a recursion": (
        "1.1",
        changed(
            "minimax.py",
            IN_MINIMAX,
            "    import sys; sys.setrecursionlimit(10**9)\n"
            "    return min_value(game, state, player)\n",
        ),
        "calls deep: does it stop at terminal states?",
    ),
}
if "mcts.py" in SOLUTION:
    ENDLESS["playouts"] = (
        "4.10",
        changed("mcts.py", "    for _ in range(playouts):\n", "    while True:\n"),
        "did not end: it was stopped after",
    )


@pytest.mark.parametrize("name", list(ENDLESS))
def test_endless_code_is_stopped_and_its_line_named(site: Browser, name: str) -> None:
    what, files, message = ENDLESS[name]
    open_files(site, files)
    report = run(site, what)
    assert message in report
    (file,) = files
    named = site.page.frame_locator("#report").get_by_role("link", name=f"{file}, line")
    named.last.click()
    site.page.locator(".cm-activeLineGutter .cm-lint-marker-error").wait_for()


@pytest.mark.nightly
def test_python_that_hangs_or_crashes_is_started_again(site: Browser) -> None:
    forever = "    import itertools; sum(itertools.repeat(0))\n"  # no interrupt reaches C code
    for line, words in (
        (forever, "your code did not end in time: Python was started again"),
        ("    import os; os._exit(3)\n", "Python ended, and was started again"),
    ):
        open_files(site, changed("minimax.py", IN_MINIMAX, IN_MINIMAX + line))
        site.page.select_option("#chosen", "1.3")
        site.press("Run")
        site.see(words)
    open_files(site, SOLUTION)
    assert "passed" in run(site, "1.3")


def test_stop_button_stops(site: Browser) -> None:
    open_files(site, ENDLESS["a loop"][1])
    site.page.select_option("#chosen", "1")
    site.press("Run")
    site.see("running 1.1")
    site.press("Stop")
    site.see("stopped")
    open_files(site, {"minimax.py": SOLUTION["minimax.py"]})
    assert "passed" in run(site, "1.1")


def test_lines_and_cases_of_a_report_lead_on(site: Browser) -> None:
    open_files(site, changed("minimax.py", IN_MINIMAX, f"{IN_MINIMAX}    print(undefined)\n"))
    assert "CASE=1.6/~" in run(site, "1.6")  # the case is named by its text
    report = site.page.frame_locator("#report")
    line = SOLUTION["minimax.py"].split(IN_MINIMAX)[0].count("\n") + 2
    report.get_by_role("link", name=f"minimax.py, line {line}").first.click()
    active = site.page.locator("#editor > div:not([hidden]) .cm-activeLineGutter")
    assert str(line) in active.all_inner_texts()
    report.get_by_role("link", name="run this case").first.click()
    site.see("no score: only one case was run")
    report.get_by_text("One case of 1.6").wait_for()
    assert report.get_by_text("make ").count() == 0  # a page has neither make nor a debugger


def test_missing_numpy_is_explained(site: Browser) -> None:
    open_files(site, {"minimax.py": "import numpy\n" + SOLUTION["minimax.py"]})
    assert "NumPy is not part of the browser version: use state.rows here" in run(site, "1.1")


def test_searches_are_watched_and_played_against(site: Browser) -> None:
    open_files(site, SOLUTION)
    turn_to(site, "Watch and play")
    site.press("Watch")
    step = site.page.locator("#steps").get_by_role("button", name="next prune")
    step.click()
    site.see("v = 2 <= alpha = 3 at a2: pruned.")
    assert site.page.locator("#tree .place").count() == 13
    site.page.select_option("#search select >> nth=1", "MCTS")
    site.press("Watch")
    site.page.locator("#steps").get_by_role("button", name="next playout").click()
    site.see("Playout 1, select")
    site.press("New game")
    site.see("Your move: you are X.")
    site.page.locator("#board button").nth(4).click()
    site.page.locator("#board .o").wait_for()


def test_every_panel_can_be_used_by_everybody(site: Browser) -> None:
    open_files(site, changed("alphabeta.py", "if v <= alpha:", "if v < alpha:"))
    run(site, "2.6")
    turn_to(site, "Watch and play")
    site.page.select_option("#search select >> nth=1", "alpha-beta")
    site.press("Watch")
    site.see("The search has not begun.")
    site.page.get_by_role("tab", name="Watch and play").press("ArrowLeft")
    for panel in PANELS:
        assert site.page.get_by_role("tab", name=panel).get_attribute("aria-selected") == "true"
        for _, width in site.vary_look(900):
            wide = site.evaluate("document.documentElement.scrollWidth")
            assert wide <= width, f"{panel} is {wide} wide"
            assert site.find_violations() == []
        site.page.keyboard.press("ArrowRight")
    turn_to(site, "Tests")


def test_stubs_and_unreadable_files_are_reported(site: Browser) -> None:
    assert "to do" in run(site, "1.1")
    open_files(site, {"minimax.py": "def minimax_search(:\n"})
    run(site, "1.1")
    assert site.page.locator(".cm-lint-marker-error").count() == 1
    with site.page.expect_download():
        site.press("submission.zip")
    site.see("minimax.py will earn nothing as it is")
