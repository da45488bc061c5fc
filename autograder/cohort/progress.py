"""Shows how far a class or a tournament is: a bar on a terminal, a line now and then in a log."""

from __future__ import annotations

import sys
import time
from typing import Any

from tqdm import tqdm

LOG_EVERY_S = 60.0


class LogLines:
    """Prints a line a minute to stderr, with what tqdm's bar would show; short work prints none."""

    def __init__(self, total: int, initial: int, desc: str, unit: str) -> None:
        self.total, self.n, self.before = total, initial, initial
        self.desc, self.unit, self.postfix = desc, unit, ""
        self.start = self.printed = time.monotonic()

    def __enter__(self) -> LogLines:
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def update(self, n: int = 1) -> None:
        self.n += n
        self.refresh()

    def set_postfix_str(self, text: str) -> None:
        self.postfix = f"; {text}" if text else ""

    def refresh(self) -> None:
        now = time.monotonic()
        if now - self.printed < LOG_EVERY_S or self.n == self.total:
            return
        self.printed = now
        line = f"{self.desc}: {self.n} of {self.total} {self.unit}s"
        if done := self.n - self.before:
            minutes = (now - self.start) / done * (self.total - self.n) / 60
            line += f", about {minutes:.0f} min left"
        print(line + self.postfix, file=sys.stderr, flush=True)


def progress(total: int, desc: str, unit: str, initial: int = 0) -> Any:
    if sys.stderr.isatty():
        return tqdm(total=total, initial=initial, desc=desc, unit=unit, dynamic_ncols=True)
    return LogLines(total, initial, desc, unit)
