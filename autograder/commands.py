"""The commands as students type them."""

import os
import sys

TYPED = "TYPED_COMMAND"  # a variable: "make", which sets it, or "python"


def format_command(what: str, option: str = "", value: str = "") -> str:
    """Return the command for this user, e.g. of ("test", "case", "2.3/17")."""
    windows = sys.platform == "win32"  # few have make there
    if windows or os.environ.get(TYPED) == "python":
        python = r".venv\Scripts\python" if windows else ".venv/bin/python"
        asked = f" -{option[0]} {value}" if option and what != "try" else f" {value}".rstrip()
        return f"{python} -m autograder {what}{asked}"
    return f"make {what}{' Q=' if option == 'question' else ' CASE=' if option else ''}{value}"
