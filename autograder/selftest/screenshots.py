"""Takes the README's pictures of a class: `python -m autograder.selftest.screenshots`.

The class is made up (see `graded_class.py`); its pseudonyms are new each time.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from autograder.classes.report import report
from autograder.questions import ROOT
from autograder.selftest.browser import Browser
from autograder.selftest.graded_class import write_graded_class

PICTURES = ROOT / "docs" / "pictures"


def main() -> None:
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as name, Browser(1000, 860) as browser:
        folder = Path(name) / "class"
        write_graded_class(folder, 60)
        report(folder)
        for page, picture, at in (
            ("report.html", "class-report", "deep('body')[0]"),
            ("report.html", "class-mistakes", "deep('details')[0].parentElement"),
        ):
            browser.open((folder / page).as_uri())
            browser.wait("document.readyState === 'complete'")
            browser.js("deep('details').forEach((e, i) => { e.open = i === 0 })")
            browser.js(f"{at}.scrollIntoView()")
            (PICTURES / f"{picture}.png").write_bytes(browser.screenshot())


if __name__ == "__main__":
    main()
