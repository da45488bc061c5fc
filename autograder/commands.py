"""The commands as students type them."""

from __future__ import annotations

import sys


def format_command(what: str, option: str = "", value: str = "") -> str:
    """Return the command for this system, e.g. of ("test", "case", "2.3/17")."""
    if sys.platform == "win32":  # few have make
        asked = f" --{option} {value}" if option and what != "try" else f" {value}".rstrip()
        return rf".venv\Scripts\python -m autograder {what}{asked}"
    return f"make {what}{' Q=' if option == 'question' else ' CASE=' if option else ''}{value}"
