"""`python -m lab`: open the lab in the browser."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import secrets
import subprocess
import sys
from pathlib import Path

LAB = Path(__file__).resolve().parent


def main() -> int:
    if not all(map(importlib.util.find_spec, ("marimo", "altair", "anywidget"))):
        print('The lab needs marimo, altair and anywidget: pip install ".[lab]"', file=sys.stderr)
        return 2
    print("The lab opens in your browser, at the address below. To end it: Ctrl-C.", flush=True)
    # A page that was closed may come back for so many seconds; then its searches end.
    options = ["--session-ttl", "5"]
    # The lab runs the student's code: other users of this machine must not get in. The token
    # goes through a pipe, as everybody sees the words of a command.
    options += ["--token-password-file", "-"]
    token = secrets.token_urlsafe(16)
    program = [
        sys.executable,
        "-m",
        "marimo",
        "run",
        str(LAB / "notebooks"),
        *options,
        *sys.argv[1:],
    ]
    if os.name == "nt":  # where exec would return to the prompt at once
        with contextlib.suppress(KeyboardInterrupt):
            return subprocess.run(program, input=token, text=True).returncode
        return 0
    reader, writer = os.pipe()
    os.write(writer, token.encode())
    os.close(writer)
    os.dup2(reader, 0)
    os.execv(sys.executable, program)


if __name__ == "__main__":
    sys.exit(main())
