"""Pipes to and from a worker, with a time limit for each wait.

If the system can poll pipes, one thread suffices. Otherwise (on Windows) one thread waits for input
and one until the output is taken.
"""

import os
import select
import threading
from queue import Empty, SimpleQueue

from autograder.worker.launch import Process

PIECE = 65_536  # bytes that are read or written at a time


class PolledPipes:
    """The polled pipes of a process."""

    def __init__(self, process: Process) -> None:
        assert process.stdin and process.stdout
        self.files = process.stdin, process.stdout
        self.to_worker, self.from_worker = (file.fileno() for file in self.files)
        os.set_blocking(self.to_worker, False)  # it may not read its input
        self.readable, self.writable = select.poll(), select.poll()
        self.readable.register(self.from_worker, select.POLLIN)
        self.writable.register(self.to_worker, select.POLLOUT)

    def receive(self, seconds: float) -> bytes | None:
        """Return received bytes, b"" at the end of the stream, None after a timeout."""
        if not self.readable.poll(seconds * 1000):
            return None
        return os.read(self.from_worker, PIECE)

    def send(self, data: bytes, seconds: float) -> bytes:
        """Send as much as fits; return the rest. Raises OSError if the reader is gone."""
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

    def __init__(self, process: Process) -> None:
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
            except OSError:  # the reader is gone, so no reply follows
                return

    def receive(self, seconds: float) -> bytes | None:
        """Return received bytes, b"" at the end of the stream, None after a timeout."""
        try:
            return self.received.get(timeout=max(0.0, seconds))
        except Empty:
            return None

    def send(self, data: bytes, seconds: float) -> bytes:
        """Send all; return the empty rest."""
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


def open_pipes(process: Process) -> Pipes:
    return PolledPipes(process) if hasattr(select, "poll") else ThreadedPipes(process)
