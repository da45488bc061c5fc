"""`python -m lab`: open the lab in the browser."""

from __future__ import annotations

import importlib.util
import runpy
import secrets
import sys
from pathlib import Path

NOTEBOOKS = Path(__file__).resolve().parent / "notebooks"


def main() -> int:
    if not all(map(importlib.util.find_spec, ("marimo", "altair", "anywidget"))):
        print('The lab needs marimo, altair and anywidget: pip install ".[lab]"', file=sys.stderr)
        return 2
    print("The lab opens in your browser, at the address below. To end it: Ctrl-C.", flush=True)
    # A closed page may reconnect within this number of seconds; then its searches end.
    options = ["--session-ttl", "5"]
    # The lab runs the student's code: other users of this machine must not get in. They see the
    # command line, but not the options added here.
    options += ["--token-password", secrets.token_urlsafe(16)]
    sys.argv[:1] = ["marimo", "run", str(NOTEBOOKS), *options]
    runpy.run_module("marimo", run_name="__main__", alter_sys=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
