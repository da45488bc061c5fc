"""The worker's channel to the grader, and replacements of the standard streams."""

from __future__ import annotations

import _thread
import io
import json
import os
from typing import Any

from autograder.worker.inside.protocol import LONGEST_PRINTED, MAX_NOTED


class Channel:
    """The private channel to the grader, detached from the standard streams."""

    def __init__(self, incoming: int, outgoing: int) -> None:
        self.incoming, self.outgoing = open(incoming, "rb"), outgoing
        self.sending = _thread.allocate_lock()
        self.noted: list[str] = []  # requests to send ahead of the next line

    def send(self, line: str) -> None:
        with self.sending:
            noted, self.noted = self.noted, []
            if noted:
                line = f"[{', '.join(noted)}]\n{line}"
            data = line.encode() + b"\n"
            while data:
                data = data[os.write(self.outgoing, data) :]

    def receive(self) -> Any:
        line = self.incoming.readline()
        if not line:
            os._exit(0)  # the grader is gone
        return json.loads(line.decode())

    def request(self, line: str) -> Any:
        self.send(line)
        return self.receive()

    def note(self, line: str) -> None:
        """Send a request whose reply is known; it may be sent later, but in order."""
        self.noted.append(line)
        if len(self.noted) == MAX_NOTED:
            last = self.noted.pop()
            self.request(last)


class Printed(io.TextIOBase):
    """A text stream that stores the beginning of the output and drops the rest.

    It supports the calls that make a console write UTF-8.
    """

    encoding = "utf-8"

    def __init__(self) -> None:
        self.text = ""
        self.buffer = PrintedBytes(self)

    def detach(self) -> PrintedBytes:  # type: ignore[override]
        return self.buffer

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        if len(self.text) < LONGEST_PRINTED:
            self.text += text[: LONGEST_PRINTED - len(self.text)]
        return len(text)

    def fileno(self) -> int:
        return 2  # also discarded

    def reconfigure(self, **options: Any) -> None:
        pass


class PrintedBytes(io.RawIOBase):
    """The same for bytes, as the buffer of the text stream."""

    def __init__(self, printed: Printed) -> None:
        self.printed = printed

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self.printed.write(bytes(data).decode("utf-8", "replace"))
        return len(data)
