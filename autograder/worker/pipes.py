"""The pipes to and from a worker: no wait on them is longer than it is told to be.

Where the system can poll them, one thread does all. Elsewhere (on Windows) two threads wait, one
for what comes and one until what is sent has been taken.
"""

from __future__ import annotations

import os
import select
import threading
from queue import Empty, SimpleQueue
from subprocess import Popen

PIECE = 65_536  # bytes that are read or written at a time


class PolledPipes:
    """The pipes of a process, polled."""

    def __init__(self, process: Popen[bytes]) -> None:
        assert process.stdin and process.stdout
        self.files = process.stdin, process.stdout
        self.to_worker, self.from_worker = (file.fileno() for file in self.files)
        os.set_blocking(self.to_worker, False)  # it need not read what it is sent
        self.readable, self.writable = select.poll(), select.poll()
        self.readable.register(self.from_worker, select.POLLIN)
        self.writable.register(self.to_worker, select.POLLOUT)

    def receive(self, seconds: float) -> bytes | None:
        """Return what has come, b"" when the other end is closed, None if nothing comes."""
        if not self.readable.poll(seconds * 1000):
            return None
        return os.read(self.from_worker, PIECE)

    def send(self, data: bytes, seconds: float) -> bytes:
        """Send what there is room for; return the rest. Raises OSError when nobody reads."""
        try:
            return data[os.write(self.to_worker, data) :]
        except BlockingIOError:
            self.writable.poll(seconds * 1000)
            return data

    def close(self) -> None:
        for file in self.files:
            file.close()


class ThreadedPipes:
    """The pipes of a process, each with a thread that waits for it."""

    def __init__(self, process: Popen[bytes]) -> None:
        """Raises RuntimeError if no thread can be started."""
        assert process.stdin and process.stdout
        self.files = process.stdin, process.stdout
        self.received: SimpleQueue[bytes] = SimpleQueue()
        self.sent: SimpleQueue[bytes | None] = SimpleQueue()
        self.threads = [
            threading.Thread(target=work, daemon=True) for work in (self.read_all, self.write_all)
        ]
        for thread in self.threads:
            thread.start()

    def read_all(self) -> None:
        piece = b"-"
        while piece:
            try:
                piece = os.read(self.files[1].fileno(), PIECE)
            except OSError:
                piece = b""
            self.received.put(piece)

    def write_all(self) -> None:
        for data in iter(self.sent.get, None):
            try:
                while data:
                    data = data[os.write(self.files[0].fileno(), data) :]
            except OSError:  # nobody reads: then nothing comes either
                return

    def receive(self, seconds: float) -> bytes | None:
        """Return what has come, b"" when the other end is closed, None if nothing comes."""
        try:
            return self.received.get(timeout=max(0.0, seconds))
        except Empty:
            return None

    def send(self, data: bytes, seconds: float) -> bytes:
        """Send all; return the rest, which is nothing."""
        self.sent.put(data)
        return b""

    def close(self) -> None:
        """Close the pipes, unless something still holds the other ends."""
        self.sent.put(None)
        for thread, file in zip(self.threads, reversed(self.files)):
            thread.join(1)
            if not thread.is_alive():
                file.close()


Pipes = PolledPipes | ThreadedPipes


def pipes_of(process: Popen[bytes]) -> Pipes:
    """Raises RuntimeError if it takes a thread and none can be started."""
    return PolledPipes(process) if hasattr(select, "poll") else ThreadedPipes(process)
