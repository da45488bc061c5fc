"""A headless Chromium with one page, driven by Playwright."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import product
from pathlib import Path
from subprocess import DEVNULL, PIPE
from typing import Any, NamedTuple

import pytest

from autograder.author.handout import copy_grader
from autograder.questions import QUESTION_FILES, ROOT
from autograder.selftest.support.waiting import WAIT_TIMEOUT_S, wait_for
from lab.__main__ import is_listening

PROGRAM_NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")

# The elements that a selector finds, also inside shadow roots, in the order of the page.
DEEP_JS = Path(__file__).with_name("deep.js").read_text(encoding="utf-8")
CHROMIUM = next(filter(None, map(shutil.which, PROGRAM_NAMES)), None)
needs_browser = pytest.mark.skipif(
    CHROMIUM is None, reason="no Chromium: the page was not looked at in a browser"
)


class Browser:
    """A browser with one page, closed at the end of `with`.

    page: Playwright's; its locators see into shadow roots
    """

    def __init__(self, beside: Browser | None = None) -> None:
        """Open a browser; `beside` another one, it is of the same process, with its own storage."""
        from playwright.sync_api import sync_playwright

        self._closing = ExitStack()
        if beside is None:
            playwright = self._closing.enter_context(sync_playwright())
            launch, options = playwright.chromium.launch, ["--no-sandbox"]
            self.chromium = launch(executable_path=CHROMIUM, args=options)
            self._closing.callback(self.chromium.close)
        else:
            self.chromium = beside.chromium
        context = self.chromium.new_context(viewport={"width": 1280, "height": 900})
        context.set_default_timeout(1000 * WAIT_TIMEOUT_S)
        self._closing.callback(context.close)
        self.page = context.new_page()
        self._runs = 0  # of marimo's kernel, finished since the browser began
        self._last_frame = 0.0
        self.page.on("websocket", lambda socket: socket.on("framereceived", self._count_run))

    def __enter__(self) -> Browser:
        return self

    def __exit__(self, *exception: object) -> None:
        self._closing.close()

    def _count_run(self, frame: str | bytes) -> None:
        self._runs += isinstance(frame, str) and frame.startswith('{"op": "completed-run"')
        self._last_frame = time.monotonic()

    @contextmanager
    def expect_rerun(self) -> Iterator[None]:
        """Wait until a notebook has run again and rests. Raises TimeoutError.

        An element clicked before that may be replaced, and the click lost.
        """
        before = self._runs
        yield

        def is_at_rest() -> bool:
            self.page.wait_for_timeout(20)  # lets frames arrive
            return self._runs > before and time.monotonic() - self._last_frame > 0.3

        wait_for(is_at_rest, "the end of a run")

    def press(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).click()

    def see(self, words: str) -> None:
        self.page.get_by_text(words).first.wait_for()

    def vary_look(self, height: int) -> Iterator[tuple[str, int]]:
        """Show the page in light and dark, wide and narrow; yield each scheme and width."""
        for scheme, width in product(("light", "dark"), (1280, 400)):
            self.page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
            self.page.set_viewport_size({"width": width, "height": height})
            yield scheme, width
        self.page.emulate_media(color_scheme="light")
        self.page.set_viewport_size({"width": 1280, "height": 900})

    def find_violations(self) -> list[tuple[str, str]]:
        """Return the accessibility findings of axe: rule and element."""
        from axe_playwright_python.sync_playwright import Axe

        violations = Axe().run(self.page).response["violations"]
        return [(one["id"], node["html"]) for one in violations for node in one["nodes"]]

    def evaluate(self, expression: str) -> Any:
        """Return the value of a JavaScript expression, which may use `deep(selector)`."""
        return self.page.evaluate(f"() => {{ {DEEP_JS} return {expression}; }}")


def copy_student_tree(folder: Path, solved: bool) -> Path:
    """Copy what a student has of the lab, with all functions written if `solved`."""
    copy_grader(folder, "lab")
    shutil.copy(ROOT / "pyproject.toml", folder)
    for file in QUESTION_FILES if solved else ():
        shutil.copy(ROOT / "solution" / file, folder / "starter")
    return folder


class Lab(NamedTuple):
    """A running lab: its address, that for the first visit with its token, and its process."""

    address: str
    entry: str
    process: subprocess.Popen[str]


@contextmanager
def run_lab(tree: Path, stderr: int = DEVNULL) -> Iterator[Lab]:
    """Run the lab in a student's tree; yield its address."""
    command = [sys.executable, "-m", "lab", "--headless"]
    with subprocess.Popen(command, cwd=tree, stdout=PIPE, stderr=stderr, text=True) as process:
        try:
            assert process.stdout
            found = (re.search(r"http://\S+access_token=[\w-]+", line) for line in process.stdout)
            entry = next(filter(None, found))[0]
            address = entry.partition("/?")[0]
            port = int(address.rpartition(":")[2])
            wait_for(lambda: is_listening(port), "the lab's server")
            yield Lab(address, entry, process)
        finally:
            process.kill()


def expect_page_fits(file: Path) -> None:
    """Expect an accessible page with text that fits it, in light and dark, wide and narrow."""
    backgrounds = set()
    with Browser() as browser:
        for scheme, width in browser.vary_look(900):
            browser.page.goto(file.as_uri())
            assert browser.evaluate("document.documentElement.scrollWidth") == width
            assert len(browser.evaluate("document.body.innerText")) > 100
            violations = browser.find_violations()
            assert violations == [], (scheme, violations)
            backgrounds.add(browser.evaluate("getComputedStyle(document.body).backgroundColor"))
            clipped = browser.evaluate(
                "deep('td, th, h2, p, dd, li, summary')"
                ".filter(e => e.scrollWidth > e.clientWidth + 1"
                " && getComputedStyle(e).display !== 'inline').map(e => e.innerText)"
            )
            assert clipped == []
    assert len(backgrounds) == 2
