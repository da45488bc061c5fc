"""Launch worker processes, and read from and write to them with a time limit.

On Linux one process, which never runs student code, imports everything and forks the workers of a
grading; that takes a tenth of the time of a new Python. Elsewhere each worker is a new Python.
"""

import contextlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
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


class ForkedProcess:
    """A worker that a parent forks, with the attributes of Popen that are needed."""

    def __init__(self, control: socket.socket) -> None:
        """Let the parent at the other end fork it. Raises OSError."""
        (its_input, stdin), (stdout, its_output) = os.pipe(), os.pipe()
        self.stdin, self.stdout = open(stdin, "wb", 0), open(stdout, "rb", 0)
        try:
            socket.send_fds(control, [b"\0"], [its_input, its_output])
        finally:
            os.close(its_input)
            os.close(its_output)
        self.control = control
        self.returncode: int | None = None
        self.pid = int(control.recv(20) or 0)
        if not self.pid:
            raise OSError("no worker could be forked")

    def poll(self) -> int | None:
        with contextlib.suppress(subprocess.TimeoutExpired):
            return self.wait(0)
        return None

    def wait(self, timeout: float) -> int | None:
        """Return the exit status, which the parent reports. Raises TimeoutExpired."""
        if self.returncode is None:
            if not select.select([self.control], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired("a worker", timeout)
            # A parent that has died has reported nothing, and no worker outlives it.
            self.returncode = int(self.control.recv(20) or -signal.SIGKILL)
        return self.returncode

    def kill(self) -> None:
        if self.poll() is None:
            os.kill(self.pid, signal.SIGKILL)


class Parent:
    """The process that forks the workers of one sandbox, one after the other."""

    running: ClassVar[set[int]] = set()  # the process numbers of all parents in this grader

    def __init__(self, stage: Path, work: Path, setting: dict[str, Any], errors: IO[bytes]) -> None:
        """Start the process. Raises OSError."""
        # One message is one report, because packets keep their bounds.
        self.control, theirs = socket.socketpair(type=socket.SOCK_SEQPACKET)
        self.control.settimeout(4 * START_S)  # wall time; the machine may be busy
        with theirs:
            stdin, stdout = theirs.fileno(), subprocess.DEVNULL
            self.process = launch(stage, work, setting, stdin, stdout, errors)
        self.running.add(self.process.pid)

    def close(self) -> None:
        self.control.close()
        self.process.kill()
        self.process.wait()
        self.running.discard(self.process.pid)


Process = subprocess.Popen[bytes] | ForkedProcess

PIECE = 65_536  # bytes that are read or written at a time


class Pipes:
    def __init__(self, process: Process) -> None:
        assert process.stdin and process.stdout
        self.to_worker, self.from_worker = process.stdin, process.stdout
        os.set_blocking(self.to_worker.fileno(), False)  # it may not read its input
        self.readable = select.poll()  # faster than `select.select`
        self.readable.register(self.from_worker, select.POLLIN)

    def receive(self, seconds: float) -> bytes | None:
        """Return received bytes, b"" at the end of the stream, None after a timeout."""
        if not self.readable.poll(seconds * 1000):
            return None
        return os.read(self.from_worker.fileno(), PIECE)

    def send(self, data: bytes, seconds: float) -> bytes:
        """Send as much as fits; return the rest. Raises OSError if the reader is gone."""
        try:
            return data[os.write(self.to_worker.fileno(), data) :]
        except BlockingIOError:
            select.select([], [self.to_worker], [], seconds)
            return data

    def close(self) -> None:
        self.to_worker.close()
        self.from_worker.close()


class ThreadedPipes(Pipes):
    """The pipes of a process on Windows, where only a thread can wait for one."""

    def __init__(self, process: Process) -> None:
        assert process.stdin and process.stdout
        self.to_worker, self.from_worker = process.stdin, process.stdout
        self.received: SimpleQueue[bytes] = SimpleQueue()
        self.thread = threading.Thread(target=self.read_all, daemon=True)
        self.thread.start()

    def read_all(self) -> None:
        piece = b"-"
        while piece:
            try:
                piece = os.read(self.from_worker.fileno(), PIECE)
            except OSError:
                piece = b""
            self.received.put(piece)

    def receive(self, seconds: float) -> bytes | None:
        try:
            return self.received.get(timeout=seconds)
        except Empty:
            return None

    def close(self) -> None:
        """Close the pipes, unless something still holds the other end."""
        self.to_worker.close()
        self.thread.join(1)
        if not self.thread.is_alive():
            self.from_worker.close()
