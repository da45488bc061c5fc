"""The assignment in a browser: the built site does what the commands do at home.

Headless Chromium opens the site, which is in a folder below a plain static server. Loading Python
takes as long as most tests, so they share one page.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from html import escape
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from subprocess import DEVNULL
from typing import Any, ClassVar

import pytest

from autograder.author.graded_tests import read_graded_tests
from autograder.author.release import pack_files
from autograder.feedback.page import make_page as report_page
from autograder.grading.grade import grade
from autograder.questions import QUESTION_FILES, ROOT
from autograder.selftest.release.test_page_grading import IN_MINIMAX, with_line
from autograder.selftest.support.banks import SOLUTION_TEXTS as SOLUTION
from autograder.selftest.support.banks import change_solution, choose_tonight, read_wrong_entries
from autograder.selftest.support.browser import Browser, needs_browser
from autograder.selftest.support.waiting import wait_for
from autograder.settings import SETTINGS
from autograder.submission import read_submission
from browser.build import build
from browser.grading import link

pytestmark = [
    pytest.mark.slow,
    needs_browser,
    pytest.mark.skipif(shutil.which("npm") is None, reason="no npm: the site was not built"),
]

# The page has Python 3.14, which words these exceptions differently from older versions.
NEW_WORDS = {
    "float division by zero": "division by zero",
    "math domain error": "expected a positive input",
    "max() arg is an empty sequence": "max() iterable argument is empty",
    "property of &#x27;Node&#x27;": "property &#x27;&lt;lambda&gt;&#x27; of &#x27;Node&#x27;",
    "[Errno 2]": "[Errno 44]",
    "maximum recursion depth exceeded in comparison": "maximum recursion depth exceeded",
}
# These end at a time limit or in a debugger, or depend on the order of a set or on chance.
DIFFERING = {
    "cutoff_depth_never_grows",
    "cutoff_goes_on_in_both",
    "mcts_node_children_in_a_default",
    "mcts_simulate_chooses_from_a_set",
    "mcts_zeros_add_up",
    "minimax_debugger",
}
EACH_NIGHT = 40  # of the wrong entries are compared with their reports at home
STRICT = SOLUTION | {
    "alphabeta.py": change_solution("alphabeta.py", "if v <= alpha:", "if v < alpha:")
}
STUBS = {name: (ROOT / "starter" / name).read_text(encoding="utf-8") for name in QUESTION_FILES}
PANELS = ("Tests", "Watch and play", "Questions", "Console", "Handout", "API")
STORED = "localStorage[new URL('.', location).pathname + '{}']"


class Server(SimpleHTTPRequestHandler):
    """A static server with the settings of some host; `asked` are the paths so far."""

    added: ClassVar[dict[str, str]] = {}  # headers
    asked: ClassVar[list[str]] = []

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def end_headers(self) -> None:
        for name, value in self.added.items():
            self.send_header(name, value)
        super().end_headers()

    def do_GET(self) -> None:
        self.asked.append(self.path)
        super().do_GET()


@contextmanager
def serve(root: Path, **host: Any) -> Iterator[str]:
    """Serve a folder as a host with these settings does; yield the address of the site in it."""
    handler = type("Host", (Server,), host)
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, directory=root)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/course/assignment/"
        server.shutdown()


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("server")
    (root / "course").mkdir()
    build(root / "course" / "assignment")
    return root


@pytest.fixture(scope="module")
def address(root: Path) -> Iterator[str]:
    with serve(root) as address:
        yield address


@pytest.fixture(scope="module")
def browser(address: str) -> Iterator[Browser]:
    """Yield a browser; expect no error, and no request outside of the site."""
    outside: list[str] = []
    with Browser() as browser:
        context = browser.page.context
        context.on("request", lambda request: outside.append(request.url))
        context.on("weberror", lambda error: outside.append(str(error.error)))
        browser.page.goto(address)
        browser.see("Python is ready.")
        yield browser
    inside = (address, "blob:", "data:", "about:", "file:")
    assert [url for url in outside if not url.startswith(inside)] == []


@pytest.fixture
def site(browser: Browser) -> Browser:
    open_files(browser, STUBS)
    return browser


@pytest.fixture
def visitor(browser: Browser, address: str) -> Iterator[Browser]:
    """Yield the page as another visitor sees it while Python does not load."""
    with Browser(browser) as visitor:
        visitor.page.context.route("**/*.wasm", lambda route: route.abort())
        visitor.page.goto(address)
        yield visitor


def turn_to(site: Browser, tab: str) -> None:
    site.page.get_by_role("tab", name=re.compile(f"^{re.escape(tab)}")).click()


def upload(site: Browser, *files: tuple[str, bytes], answer: str = "Replace") -> str:
    """Open files, answer the question if there is one, and return what the page says."""
    asks = "document.getElementById('replace-dialog').open"
    said = "document.getElementById('files-say').textContent"
    site.evaluate(f"{said} = ''")
    chosen = [{"name": name, "mimeType": "", "buffer": content} for name, content in files]
    site.page.set_input_files("#upload", chosen)  # type: ignore[arg-type]
    site.page.wait_for_function(f"() => {asks} || {said} && !{said}.endsWith('…')")
    if site.evaluate(asks):
        site.press(answer)
        site.page.wait_for_function(f"() => {said} && !{said}.endsWith('…')")
    return str(site.evaluate(said))


def open_files(site: Browser, files: dict[str, str]) -> None:
    said = upload(site, *((name, text.encode()) for name, text in files.items()))
    assert said == f"opened: {', '.join(name for name in QUESTION_FILES if name in files)}"


def press_run(site: Browser, what: str) -> None:
    turn_to(site, "Tests")
    site.page.select_option("#chosen", what)
    site.press("Run")


def run(site: Browser, what: str) -> str:
    press_run(site, what)
    site.page.wait_for_selector("#report:visible")
    return str(site.evaluate("document.getElementById('report').srcdoc"))


@pytest.mark.parametrize(
    "questions",
    [
        ("1.1", "4.14", "6.1"),  # a second interpreter answers for 4.14
        pytest.param("123456", marks=pytest.mark.nightly),
    ],
)
def test_solution_gets_all_points(site, questions):
    open_files(site, SOLUTION)
    for number in questions:
        run(site, number)
        tests = [test for test in read_graded_tests() if f"{test.number}.".startswith(f"{number}.")]
        points = f"{sum(test.points for test in tests):g}"
        assert site.page.inner_text("#status").startswith(f"score: {points}/{points}")


def reported(html: str) -> str:
    """Return what a report says, without owner, time, depth, links to the handout, and rounding."""
    body = re.sub(r"<style>.*?</style>", "", html, flags=re.S)
    assert "<section>" in body
    found = re.sub("<p>See also .*?</p>", "", body.partition("<section>")[2])
    found = re.sub("(stopped after|recursion was) .*?</ul>", "stopped", found)
    found = re.sub(r"-?[\d.]+e-1\d", "0", found)
    for words, new in NEW_WORDS.items():
        found = found.replace(words, new)
    return found


def reported_at_home(submission: Any, question: str) -> str:
    return reported(link(report_page(grade(submission, question=question))))


@pytest.mark.nightly
@pytest.mark.parametrize("place", range(EACH_NIGHT))
def test_wrong_entry_gets_the_same_report_as_at_home(site: Browser, place: int) -> None:
    entries = [
        entry
        for entry in read_wrong_entries()  # a site may have no NumPy
        if entry.question in "12345" and b"numpy" not in b"".join(entry.files.values())
    ]
    entry = choose_tonight(entries, EACH_NIGHT)[place]
    open_files(site, SOLUTION | {name: code.decode() for name, code in entry.files.items()})
    in_page = reported(run(site, entry.question))
    same = in_page == reported_at_home(entry.submission, entry.question)
    assert same or entry.name in DIFFERING, entry.name


def test_nothing_is_lost(visitor: Browser, address: str) -> None:
    open_files(visitor, {"minimax.py": SOLUTION["minimax.py"]})
    turn_to(visitor, "alphabeta.py")
    editor = visitor.page.get_by_role("textbox", name="alphabeta.py")
    editor.press("Control+Home")
    editor.type("# mine\n")
    visitor.page.close()
    visitor.page = visitor.page.context.new_page()
    visitor.page.goto(address)
    turn_to(visitor, "alphabeta.py")
    visitor.see("# mine")
    stub, of_alphabeta = STUBS["alphabeta.py"], STORED.format("alphabeta.py")
    assert visitor.evaluate(STORED.format("minimax.py")) == SOLUTION["minimax.py"]
    for version, text in (("as it is given out", stub), ("before an", f"# mine\n{stub}")):
        visitor.press("Versions, reset")
        visitor.page.get_by_text(version).first.click()
        visitor.page.locator("details[open]").get_by_role("button").click()
        assert visitor.evaluate(of_alphabeta) == text
    with visitor.page.expect_download() as download:
        visitor.press("Save this file")
    assert Path(download.value.path()).read_text(encoding="utf-8") == f"# mine\n{stub}"
    # As an older site gave the file out:
    visitor.evaluate(f"{STORED.format('alphabeta.py.stub')} = 'older'")
    visitor.page.reload()
    visitor.see("alphabeta.py was corrected after you began with it. Yours is unchanged.")
    visitor.press("Keep mine")
    assert visitor.evaluate(STORED.format("alphabeta.py.stub")) == stub
    assert visitor.evaluate(of_alphabeta) == f"# mine\n{stub}"
    visitor.press("Remove everything from this computer")
    with visitor.page.expect_navigation():
        visitor.press("Remove")
    assert visitor.evaluate(of_alphabeta) is None


def test_two_tabs_lose_nothing(visitor: Browser, address: str) -> None:
    pages = [visitor.page, visitor.page.context.new_page()]
    pages[1].goto(address)

    def expect(text: str) -> None:
        for page in pages:
            page.wait_for_function("text => " + STORED.format("minimax.py") + " === text", arg=text)
            assert page.locator(".cm-line").first.inner_text() == text.partition("\n")[0]

    text = STUBS["minimax.py"]
    for page, line in zip(pages, ("# one: the quick brown fox\n", "# two: the lazy dog\n")):
        page.get_by_role("textbox", name="minimax.py").press("Control+Home")
        page.keyboard.type(line)
        text = line + text
        expect(text)
    freeze = "for (const end = Date.now() + 1500; Date.now() < end; );"
    pages[1].evaluate("() => { setTimeout(() => { " + freeze + " }) }")
    pages[0].keyboard.press("Control+Home")
    pages[0].keyboard.type("abcde")  # while the other tab is frozen
    pages[1].evaluate("1")
    expect(f"abcde{text}")
    for one, two in zip("12345", "67890"):  # at once
        pages[0].keyboard.press(one)
        pages[1].keyboard.press(two)
    pages[0].wait_for_timeout(500)
    stored = visitor.evaluate(STORED.format("minimax.py") + " + " + STORED.format("versions"))
    assert [digit for digit in "1234567890" if digit not in stored.replace(text, "")] == []


OPENED = {  # the name and the bytes of a file, the answer, what the page says, and what is there
    "a copy": ("minimax (1).py", b"# copied\n", "Replace", "opened: minimax.py", "# copied"),
    "UTF-16": ("minimax.py", "# ß".encode("utf-16"), "Replace", "was saved as UTF-16LE", "# ß"),
    "Latin-1": ("minimax.py", "# ö ".encode("latin-1"), "Replace", "saved as Latin-1", "# ö "),
    "not wanted": ("minimax.py", b"", "Cancel", "nothing was opened", "# ö "),
    "another file": ("homework.py", b"", "", "homework.py is none of minimax.py", "# ö "),
}


def test_opened_files_are_named_and_asked_for(visitor: Browser) -> None:
    open_files(visitor, {"minimax.py": "# my work\n"})
    for name, content, answer, said, text in OPENED.values():
        assert said in upload(visitor, (name, content), answer=answer)
        assert visitor.evaluate(STORED.format("minimax.py")).rstrip("\n") == text
    assert "# my work" in visitor.evaluate(STORED.format("versions"))


SMALL = "<!doctype html><title>A course</title><iframe width=900 height=700 src='{}'{}></iframe>"
NO_STORAGE = (
    "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('denied') } })"
)
HOSTS: dict[str, tuple[dict[str, Any], str, list[str]]] = {  # settings, attributes, the words
    "types that a server does not know, isolation, and a missing file": (
        {
            "extensions_map": {".js": "text/plain", ".wasm": "application/octet-stream"},
            "added": {
                "Cross-Origin-Opener-Policy": "same-origin",
                "Cross-Origin-Embedder-Policy": "require-corp",
            },
        },
        "",
        ["the server answers 503 for python_stdlib.zip"],
    ),
    "a strict policy": (
        {"added": {"Content-Security-Policy": "default-src 'self'"}},
        "",
        ["Content-Security-Policy forbids it"],
    ),
    "a frame without storage": (
        {},
        " sandbox='allow-scripts allow-same-origin'",
        ["is ready.", "This browser stores nothing here", "open it in a tab of its own"],
    ),
    "a frame that blocks all": ({}, " sandbox='allow-scripts'", ["Open it in a tab of its own"]),
}


@pytest.mark.parametrize("host", list(HOSTS))
def test_hosts_work_or_say_what_is_wrong(browser: Browser, root: Path, host: str) -> None:
    settings, attributes, words = HOSTS[host]
    with Browser(browser) as visitor, serve(root, **settings) as address:
        page = visitor.page
        frame = page.main_frame
        if "without storage" in host:
            page.add_init_script(NO_STORAGE)
        if "missing" in host:
            refuse = "**/python_stdlib.zip"
            page.route(refuse, lambda route: route.fulfill(status=503), times=1)
        if attributes:
            (root / "course.html").write_text(SMALL.format(address, attributes), encoding="utf-8")
            above = address.replace("course/assignment/", "course.html")
            page.goto(above.replace("127.0.0.1", "localhost"))
            frame = page.frames[1]
        else:
            page.goto(address)
        for each in words:
            frame.get_by_text(each).first.wait_for()
        assert frame.get_by_role("tab", name="minimax.py", exact=True).is_visible()
        line = frame.locator(".cm-line", has_text="minimax search").first
        look = line.evaluate("line => getComputedStyle(line.parentNode)")
        assert (look["display"], look["whiteSpace"]) == ("block", "pre")
        if "missing" in host:
            frame.get_by_role("button", name="Try again").click()
            frame.get_by_text(re.compile(r"Python is (starting|ready)")).wait_for()


def test_a_page_opened_as_a_file_says_so(visitor: Browser, root: Path) -> None:
    visitor.page.goto((root / "course" / "assignment" / "index.html").as_uri())
    visitor.see("the page was opened as a file")
    visitor.see("Question 1: minimax search")


def test_a_new_version_is_announced_and_the_page_works_offline(site, root, address):
    index = root / "course" / "assignment" / "index.html"
    now = index.read_text(encoding="utf-8")
    (folder,) = set(re.findall("files-[0-9a-f]{10}", now))
    own = set(re.findall(r'(?:src|href)="([^"#]+)"', now))
    assert all(name.startswith(f"{folder}/") for name in own)
    assert escape(SETTINGS.title) in now and escape(SETTINGS.platform_name) in now
    licences = (index.parent / folder / "licences.txt").read_text(encoding="utf-8")
    assert {"@codemirror/view", "d3", "pytest", "pluggy"} <= set(
        re.findall("^=== (.*) ===$", licences, re.M)
    )
    assert "Mozilla Public License 2.0" in licences  # Pyodide's
    site.page.wait_for_function("() => navigator.serviceWorker.controller")
    index.write_text(now.replace(folder, "files-0123456789"), encoding="utf-8")
    site.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    site.see("A new version of this page is there.")
    index.write_text(now, encoding="utf-8")
    context = site.page.context
    context.set_offline(True)
    page = context.new_page()
    page.goto(address)
    page.get_by_text(re.compile(r"Python is (starting|ready)")).wait_for()
    page.get_by_role("tab", name="Handout").click()
    page.frame_locator("#handout").get_by_text("Question 1: minimax").first.wait_for()
    page.close()
    context.set_offline(False)


HOSTILE = """
import js
from pyodide.ffi import to_js
cells = ["<img src=x onerror='top.hacked = 1'>"] * 4
row = {"kind": "result", "data": cells}
js.postMessage(to_js(row, dict_converter=js.Object.fromEntries))
for act in ("js.indexedDB.open('x')", "js.caches.keys", "js.localStorage", "js.document"):
    try:
        eval(act)
        print(act, "succeeds")
    except Exception:
        print(act, "fails")
request = js.XMLHttpRequest.new()
try:
    request.open("GET", "ADDRESS", False)
    request.send()
    print("a request succeeds")
except Exception:
    print("a request fails")
"""
FORGED_BOARD = """
import js
from pyodide.ffi import to_js
note = "<img src=x onerror='top.hacked = 1'>"
squares = [{"note": note, "move": "", "look": "", "says": "board"}]
answer = {"kind": "answer", "data": {"squares": squares, "columns": 1, "row": 1, "played": []}}
js.postMessage(to_js(answer, dict_converter=js.Object.fromEntries))
"""


def enter(site: Browser, line: str) -> None:
    turn_to(site, "Console")
    site.page.fill("#line", line)
    site.press("Enter")


def test_student_code_reaches_neither_page_nor_network(site: Browser, address: str) -> None:
    code = HOSTILE.replace("ADDRESS", address)
    open_files(site, {"minimax.py": SOLUTION["minimax.py"] + code})
    enter(site, "import starter.minimax")
    site.page.locator("#printed", has_text="a request ").wait_for()
    printed = site.page.inner_text("#printed")
    assert "a request fails" in printed and "succeeds" not in printed
    watching = "seen = '', new MutationObserver(() => seen += results.innerHTML)"
    site.evaluate(f"{watching}.observe(results, {{childList: true}})")
    run(site, "1.1")  # its report replaces the rows
    seen = site.evaluate("window.hacked === undefined && seen")
    assert "&lt;img" in seen and "<img" not in seen
    sandboxed = "document.getElementById('report').getAttribute('sandbox')"
    assert site.evaluate(sandboxed) == "allow-same-origin"
    open_files(site, {"minimax.py": SOLUTION["minimax.py"] + FORGED_BOARD})
    turn_to(site, "Watch and play")
    site.press("New game")
    site.page.locator("#board span").first.wait_for()
    assert "<img" in site.page.inner_text("#board span")


def test_submission_from_the_page_is_graded_the_same(site: Browser, tmp_path: Path) -> None:
    packed = pack_files({f"starter/{name}": text.encode() for name, text in STRICT.items()})
    assert "zip" in upload(site, ("mine.zip", b"PK"))
    assert "opened: " in upload(site, ("mine.zip", packed))
    with site.page.expect_download() as download:
        site.press("submission.zip")
    archive_path = tmp_path / "submission.zip"
    download.value.save_as(archive_path)
    submission = read_submission(archive_path)
    assert sorted(submission.files) == sorted(QUESTION_FILES)
    report = run(site, "2.6")
    assert "failed" in report
    assert reported(report) == reported_at_home(submission, "2.6")
    open_files(site, {"minimax.py": "def minimax_search(:\n"})
    with site.page.expect_download():
        site.press("submission.zip")
    site.see("minimax.py will earn nothing as it is")


LOOP = "while v: v = v + 1"
RECURSION = "import sys; sys.setrecursionlimit(10**9); return min_value(game, state, player)"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (LOOP, "did not end: it was stopped after"),
        (RECURSION, "calls deep: does it stop at terminal states"),
    ],
)
def test_endless_code_is_stopped_and_its_line_named(site: Browser, line: str, message: str) -> None:
    open_files(site, with_line(line))
    report = run(site, "1.1")
    assert message in report and "minimax.py, line" in report


@pytest.mark.nightly
def test_python_that_hangs_or_crashes_is_started_again(site: Browser) -> None:
    for line, words in (  # no interrupt reaches C code
        ("import itertools; sum(itertools.repeat(0))", ": your code did not end in time"),
        ("import os; os._exit(3)", "Python ended, and was started again"),
    ):
        open_files(site, with_line(line))
        press_run(site, "1.3")
        site.see(words)
        assert re.match("1.3, case |Python", site.page.inner_text("#status"))
    open_files(site, SOLUTION)
    assert "passed" in run(site, "1.3")


def test_stop_button_stops(site: Browser) -> None:
    frames = "deep('iframe[sandbox=allow-scripts]')"
    site.evaluate(f"{frames}[0].old = true")
    open_files(site, with_line(LOOP))
    press_run(site, "1")
    site.see("running 1.1")
    site.press("Stop")
    site.see("stopped")
    assert site.evaluate(f"{frames}.map(frame => !frame.old)") == [True], "the old Python is gone"
    press_run(site, "1.1")  # it ends while the search waits, which can then be stopped
    turn_to(site, "Watch and play")
    site.page.select_option("#search select >> nth=1", "minimax")
    for button, words in (("Watch", "#words"), ("New game", "#turn")):
        if words == "#turn":
            site.page.select_option("#game select >> nth=2", "minimax")
        site.press(button)
        site.page.locator(words, has_text="…").wait_for()
        site.page.locator("#status", has_text="score: 0/").wait_for(state="attached")
        site.press("Stop")
        site.page.locator(words, has_text="stopped").wait_for()
    open_files(site, {"minimax.py": SOLUTION["minimax.py"]})
    assert "passed" in run(site, "1.1")


def test_the_whole_loop_is_in_the_page(site: Browser) -> None:
    mark = "#editor > div:not([hidden]) .cm-lint-marker-error"
    open_files(site, {**with_line("print(undefined)"), "alphabeta.py": "def broken(:\n"})
    assert "CASE" not in run(site, "1.6")
    report = site.page.frame_locator("#report")
    line = SOLUTION["minimax.py"].split(IN_MINIMAX)[0].count("\n") + 2
    report.get_by_role("link", name=f"minimax.py, line {line}").first.click()
    active = site.page.locator("#editor > div:not([hidden]) .cm-activeLineGutter")
    assert str(line) in active.all_inner_texts()
    site.page.locator(mark).wait_for()
    report.get_by_role("link", name="run this case").first.click()
    site.see("no score: only one case was run")
    report.get_by_text("One case of 1.6").wait_for()
    assert report.get_by_text("make ").count() == 0  # a page has neither make nor a debugger
    turn_to(site, "alphabeta.py")
    site.page.locator(mark).wait_for()  # as typed
    turn_to(site, "minimax.py")
    zero = IN_MINIMAX.replace("inf", "0")
    open_files(site, {"minimax.py": change_solution("minimax.py", IN_MINIMAX, zero)})
    site.page.locator(mark).wait_for(state="detached")
    site.press("Versions, reset")
    site.page.get_by_text("run of 1.6").first.click()
    site.see("+    print(undefined)")
    site.press("Close")
    (case,) = set(re.findall(r"#run/(1\.2/[^\"]+)", run(site, "1.2")))
    site.page.fill("#case", f"make test CASE={case}")
    site.press("Run")
    site.see("no score: only one case was run")
    report.get_by_role("link", name="watch this case").first.click()
    site.see("The search has not begun.")
    lines = "from starter.games import FIGURE_5_2\nfrom starter.minimax import minimax_search"
    enter(site, f"{lines}\n>>> minimax_search(FIGURE_5_2, FIGURE_5_2.initial)")
    site.page.locator("#printed", has_text="(0, ").wait_for()
    turn_to(site, "cutoff.py")
    turn_to(site, "Handout")
    assert "#question-3" in site.evaluate("document.getElementById('handout').dataset.url")


def test_searches_are_watched_and_every_panel_can_be_used_by_everybody(site: Browser) -> None:
    open_files(site, STRICT)
    run(site, "2.6")
    turn_to(site, "Questions")
    site.press("Ask me five")
    site.page.locator("#asked fieldset").first.wait_for()
    turn_to(site, "Watch and play")
    for engine, stop, words in (
        ("MCTS", "next playout", "Playout 1, select"),
        ("alpha-beta", "next prune", "v = 2 <= alpha = 3 at a2: pruned."),
    ):
        site.page.select_option("#search select >> nth=1", engine)
        site.press("Watch")
        site.page.locator("#steps").get_by_role("button", name=stop).click()
        site.see(words)
    assert site.page.locator("#tree .place").count() == 13
    site.page.select_option("#game select >> nth=2", "alpha-beta")
    site.press("New game")
    site.see("Your move: you are X.")
    site.page.locator("#board button").nth(4).click()
    site.page.locator("#board .o").wait_for()
    site.page.get_by_role("tab", name="Watch and play").press("Home")
    for panel in PANELS:
        assert site.page.get_by_role("tab", name=panel).get_attribute("aria-selected") == "true"
        for scheme, width in site.vary_look(900):
            wide = site.evaluate("document.documentElement.scrollWidth")
            assert wide <= width, f"{panel} is {wide} wide"
            if (scheme, width) == (("light", 1280), ("dark", 400))[PANELS.index(panel) % 2]:
                assert site.find_violations() == []
        site.page.keyboard.press("ArrowRight")


# Runs question 1 of the solution in a page, and asks the server for the score.
DRIVE = Path(__file__).with_name("drive.js").read_text(encoding="utf-8")


@pytest.mark.nightly  # it repeats a test in another browser
@pytest.mark.skipif(shutil.which("firefox") is None, reason="no Firefox")
def test_firefox_runs_question_1(root: Path, tmp_path: Path) -> None:
    site = shutil.copytree(root / "course", tmp_path / "course") / "assignment"
    drive = DRIVE.replace("STORED", STORED.format("minimax.py"))
    (site / "drive.js").write_text(drive.replace("SOLUTION", json.dumps(SOLUTION["minimax.py"])))
    index = (site / "index.html").read_text(encoding="utf-8")
    driven = index.replace("<script ", '<script src="drive.js"></script><script ', 1)
    (site / "index.html").write_text(driven, encoding="utf-8")
    points = sum(test.points for test in read_graded_tests() if test.number.startswith("1."))
    asked: list[str] = []
    with serve(tmp_path, asked=asked) as address:
        options = ["--headless", "--no-remote", "--profile", str(tmp_path), address]
        with subprocess.Popen(["firefox", *options], stdout=DEVNULL, stderr=DEVNULL) as firefox:
            try:
                scores = wait_for(lambda: [path for path in asked if "?" in path], "a score")
            finally:
                firefox.terminate()
    assert scores[0].endswith(f"?{points:g}/{points:g}")
