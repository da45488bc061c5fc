"""`python -m lab`: open the lab in the browser."""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path

LAB = Path(__file__).resolve().parent


def main() -> int:
    if not all(map(importlib.util.find_spec, ("marimo", "altair"))):
        print('The lab needs marimo and altair: pip install ".[lab]"', file=sys.stderr)
        return 2
    print("The lab opens in your browser, at the address below. To end it: Ctrl-C.", flush=True)
    program = [sys.executable, "-m", "marimo", "run", str(LAB / "app.py"), *sys.argv[1:]]
    if os.name == "nt":  # where exec would return to the prompt at once
        import subprocess

        return subprocess.call(program)
    os.execv(sys.executable, program)


if __name__ == "__main__":
    sys.exit(main())
