"""Show the progress of long work: on a terminal always, in a log once a minute."""

from __future__ import annotations

import sys
import time

LOG_EVERY_S = 60.0
CLEAR = "\r\x1b[K"  # go to the beginning of the line, and delete it


class ProgressLine:
    """A line on stderr with the number of finished jobs and the estimated time left."""

    def __init__(self, total: int, what: str, done: int = 0) -> None:
        """Start a line like `what`, in which {} stands for the numbers: "3 of 20"."""
        self.total, self.what, self.done, self.before = total, what, done, done
        self.terminal = sys.stderr.isatty()
        self.start = self.printed = time.monotonic()

    def __enter__(self) -> ProgressLine:
        self.update(0)
        return self

    def __exit__(self, *error: object) -> None:
        if self.terminal:
            print(file=sys.stderr)

    def update(self, more: int = 1) -> None:
        """Count finished jobs; print the line again if it is due."""
        self.done += more
        now = time.monotonic()
        line = self.what.format(f"{self.done} of {self.total}")
        if self.total > self.done > self.before:
            each = (now - self.start) / (self.done - self.before)
            line += f", about {each * (self.total - self.done) / 60:.0f} min left"
        if self.terminal:
            print(f"{CLEAR}{line}", end="", file=sys.stderr, flush=True)
        elif now - self.printed >= LOG_EVERY_S and self.done < self.total:
            self.printed = now
            print(line, file=sys.stderr, flush=True)
