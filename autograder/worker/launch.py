"""Launch worker processes, and read from and write to them with a time limit.

On Linux one process, which never runs student code, imports everything and forks the workers of a
grading; that takes a tenth of the time of a new Python. Elsewhere each worker is a new Python.
"""

import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from math import inf
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import IO, Any, ClassVar

START_S = 30.0  # for a worker to start; it takes less than a tenth
# A worker's folder is last on its path, so that it hides no module of Python.
BEGIN = (
    "import sys; sys.path.append(sys.argv[1]); "
    "from autograder.worker.inside.worker import main; main(*sys.argv[1:])"
)
# Otherwise NumPy's libraries would start threads, which a worker may not have.
ONE_THREAD = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS")


def launch(
    stage: Path, work: Path, setting: dict[str, Any], stdin: int, stdout: int, errors: IO[bytes]
) -> subprocess.Popen[bytes]:
    """Start Python with the worker's code in folder `work`, in a minimal environment."""
    environment = {
        "PATH": os.defpath,
        "LANG": "C.UTF-8",
        "HOME": str(work),
        "TMPDIR": str(work),
        **dict.fromkeys(ONE_THREAD, "1"),
    }
    python, apart = sys.executable, dict[str, Any]()
    if sys.platform == "win32":
        environment["SYSTEMROOT"] = os.environ["SYSTEMROOT"]
        environment["TEMP"] = str(work)
        # A venv's Python only starts the real one, whose time would not be counted.
        environment["__PYVENV_LAUNCHER__"] = python
        python = sys._base_executable
    else:
        apart.update(start_new_session=True, umask=0o077)
    return subprocess.Popen(
        [python, "-I", "-c", BEGIN, str(stage), json.dumps(setting)],
        bufsize=0,
        stdin=stdin,
        stdout=stdout,
        stderr=errors,
        cwd=work,
        env=environment,
        **apart,
    )


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


class ForkedProcess:
    """A forked and adopted process, with the methods of Popen that are needed."""

    def __init__(self, pid: int, stdin: int, stdout: int) -> None:
        self.pid = pid
        self.returncode: int | None = None
        self.adopted = False  # its number is its own until it is reaped
        self.stdin, self.stdout = open(stdin, "wb", 0), open(stdout, "rb", 0)

    def poll(self) -> int | None:
        if self.returncode is None:
            try:
                done, status = os.waitpid(self.pid, os.WNOHANG)
            except ChildProcessError:  # it is not adopted yet, or a sweep has reaped it
                if self.adopted or not is_running(self.pid):
                    self.returncode = -signal.SIGKILL
                return self.returncode
            self.adopted = True
            self.returncode = os.waitstatus_to_exitcode(status) if done else None
        return self.returncode

    def wait(self, timeout: float = inf) -> None:
        """Wait for the process to end. Raises TimeoutExpired.

        The sleeps count, not the clock: while the whole machine stands still, nothing can end.
        """
        left = timeout
        while self.poll() is None:
            if left < 0:
                raise subprocess.TimeoutExpired("a worker", timeout)
            time.sleep(0.0005)
            left -= 0.0005

    def kill(self) -> None:
        if self.poll() is None:
            os.kill(self.pid, signal.SIGKILL)


class Parent:
    """The process that forks the workers of one sandbox."""

    running: ClassVar[set[int]] = set()  # the process numbers of all parents in this grader

    def __init__(self, stage: Path, work: Path, setting: dict[str, Any], errors: IO[bytes]) -> None:
        """Start the process. Raises OSError."""
        self.control, theirs = socket.socketpair()
        self.control.settimeout(4 * START_S)  # wall time; the machine may be busy
        try:
            with theirs:
                self.process = launch(
                    stage, work, setting, theirs.fileno(), subprocess.DEVNULL, errors
                )
        except OSError:
            self.control.close()
            raise
        self.running.add(self.process.pid)

    def fork(self) -> ForkedProcess:
        """Start a worker. Raises OSError."""
        (its_input, stdin), (stdout, its_output) = os.pipe(), os.pipe()
        try:
            socket.send_fds(self.control, [b"\0"], [its_input, its_output])
            pid = self.control.recv(20)
            if not pid or pid == b"0":
                raise OSError("no worker could be forked")
            process = ForkedProcess(int(pid), stdin, stdout)
        except OSError:
            os.close(stdin)
            os.close(stdout)
            raise
        finally:
            os.close(its_input)
            os.close(its_output)
        return process

    def close(self) -> None:
        self.control.close()
        self.process.kill()
        self.process.wait()
        self.running.discard(self.process.pid)


Process = subprocess.Popen[bytes] | ForkedProcess


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
