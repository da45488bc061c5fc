"""The worker's channel to the grader, and replacements of the standard streams."""

import _thread
import codecs
import io
import json
import os
import time
from collections.abc import Callable
from typing import Any

from autograder.worker.inside.protocol import LONGEST_PRINTED, MAX_NOTED

DECODER = json.JSONDecoder()  # its `raw_decode` is faster than `json.loads`
REPORT_S = 0.2  # seconds between two reports of the call that begins


class Channel:
    """The private channel to the grader, detached from the standard streams."""

    def __init__(self, incoming: int, outgoing: int) -> None:
        self.incoming, self.outgoing = open(incoming, "rb"), outgoing
        self.sending = _thread.allocate_lock()
        self.noted: list[str] = []  # requests to send ahead of the next line
        self.next_report = 0.0  # when to report again which call begins

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
        return DECODER.raw_decode(line.decode())[0]

    def request(self, line: str) -> Any:
        self.send(line)
        return self.receive()

    def begin_call(self, index: int) -> None:
        """Report that a call of the request begins, unless the last report is recent."""
        if time.monotonic() > self.next_report:
            self.next_report = time.monotonic() + REPORT_S
            self.send(f'{{"call": {index}}}')

    def show(self, text: str) -> None:
        """Send what student code prints."""
        self.send(json.dumps({"printed": text}))

    def note(self, line: str) -> None:
        """Send a request whose reply is known; it may be sent later, but in order."""
        self.noted.append(line)
        if len(self.noted) == MAX_NOTED:
            last = self.noted.pop()
            self.request(last)


class Printed(io.BytesIO):
    """Shows the beginning of the text written to its `stream` at once; the rest is dropped.

    So the text before a crash or an endless loop is shown, too.
    """

    def __init__(self, show: Callable[[str], None]) -> None:
        super().__init__()
        self.show, self.room = show, LONGEST_PRINTED
        self.decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self.stream = io.TextIOWrapper(
            self, "utf-8", "backslashreplace", newline="", write_through=True
        )

    def write(self, data: Any) -> int:
        if self.room and (text := self.decoder.decode(bytes(data[: 4 * self.room]))[: self.room]):
            self.room -= len(text)
            self.show(text)
        return len(data)

    def fileno(self) -> int:
        return 2  # also discarded
