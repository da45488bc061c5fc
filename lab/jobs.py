"""Work with the student's functions, each piece in a process of its own (see `worker.py`)."""

from __future__ import annotations

import pickle
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from typing import IO, Any

from autograder.questions import ROOT
from lab import student

FURTHER: SimpleQueue[Any] = SimpleQueue()  # where the work is done: what its job has sent since


class Page:
    """A page in a browser, shown by one thread of the lab. When that ends, the page is closed, and
    all work for it ends."""

    def __init__(self, thread: Callable[..., threading.Thread] = threading.Thread) -> None:
        """thread: the class of threads that may change the page"""
        self.thread = thread
        self.jobs: set[Job] = set()
        threading.Thread(target=self._close, args=[threading.current_thread()], daemon=True).start()

    def start_job(
        self,
        function: Callable[..., Any],
        arguments: tuple[Any, ...],
        told: Callable[[Any], None],
        done: Callable[[Job], None],
    ) -> Job:
        """Begin work in the background (see `Job`)."""
        return Job(self, function, arguments, told, done)

    def _close(self, shown_by: threading.Thread) -> None:
        shown_by.join()
        for job in list(self.jobs):
            job.stop()


class Job:
    """Work in the background: `function(code, *arguments, tell)`, where `code` are the student's
    functions as they are now. The function stands in a module of the lab.

    told: called with what the function tells on its way
    done: called with the job at the end, unless it was stopped
    """

    def __init__(
        self,
        page: Page,
        function: Callable[..., Any],
        arguments: tuple[Any, ...] = (),
        told: Callable[[Any], None] = lambda news: None,
        done: Callable[[Job], None] = lambda job: None,
    ) -> None:
        self.result: Any = None
        self.problem = ""  # why there is no result
        self.running = True
        self._page, self._told, self._done = page, told, done
        self.process = subprocess.Popen(
            [sys.executable, "-m", "lab.worker"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self.send((function, student.FOLDER, arguments))
        page.jobs.add(self)
        self._listener = page.thread(target=self._listen, daemon=True)
        self._listener.start()

    def send(self, what: Any) -> None:
        """Hand on something more; the work finds it in FURTHER."""
        with suppress(OSError, ValueError):  # it has ended, as will be told
            assert self.process.stdin
            pickle.dump(what, self.process.stdin)
            self.process.stdin.flush()

    def stop(self) -> None:
        """End the work, wherever it is."""
        self.running = False
        self.process.kill()

    def wait(self, seconds: float) -> Any:
        """The result. Raises TimeoutError, or RuntimeError with the problem."""
        self._listener.join(seconds)
        if self.running:
            self.stop()
            raise TimeoutError(f"no end within {seconds:g} seconds, so it was stopped")
        if self.problem:
            raise RuntimeError(self.problem)
        return self.result

    def _listen(self) -> None:
        kind, what = "problem", ""
        with suppress(OSError, EOFError, pickle.UnpicklingError), self.process as process:
            assert process.stdout
            kind, what = self._next(process.stdout)
            while kind == "news" and self.running:
                self._told(what)
                kind, what = "problem", ""  # in case it ends now
                kind, what = self._next(process.stdout)
        self._page.jobs.discard(self)
        if self.running:
            if kind == "result":
                self.result = what
            else:
                status = self.process.returncode
                self.problem = what or f"your functions have ended Python, with status {status}"
            self.running = False
            self._done(self)

    def _next(self, answers: IO[bytes]) -> tuple[str, Any]:
        """What the process tells next. Raises OSError, EOFError or UnpicklingError at its end."""
        try:
            kind, what = pickle.load(answers)
            return kind, what
        except (OSError, EOFError, pickle.UnpicklingError):
            raise
        except Exception as why:  # as it has a class that only the student's file knows
            self.process.kill()
            return "problem", f"what your functions returned can't be shown here: {why}"
