"""Runs long work in the background, so that it can be stopped."""

from __future__ import annotations

import ctypes
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any


class Stopped(BaseException):
    """Raised inside the work to stop it. Not an Exception, which student code might catch."""


class Job:
    """Work to be done in a thread of its own, from `start` on.

    work:    called without arguments; what it returns is the `result`
    done:    called with the job in that thread at the end, unless it was stopped
    thread:  the class of the thread
    """

    def __init__(
        self,
        work: Callable[[], Any],
        done: Callable[[Job], None] = lambda job: None,
        thread: Callable[..., threading.Thread] = threading.Thread,
    ) -> None:
        self.result: Any = None
        self.problem: BaseException | None = None
        self._lock = threading.Lock()
        self._working = self._stopped = False
        self._work = work
        self._done = done
        self.thread = thread(target=self._run, daemon=True)

    def start(self) -> None:
        self._working = True
        self.thread.start()

    @property
    def running(self) -> bool:
        return self._working and not self._stopped

    def _run(self) -> None:
        try:
            try:
                self.result = self._work()
            except (Exception, SystemExit) as problem:
                self.problem = problem
            finally:
                with self._lock:
                    self._working = False
        except Stopped:
            self._working = False
        if not self._stopped:
            self._done(self)

    def stop(self) -> None:
        """Stop the work, wherever it is. Its result is lost."""
        with self._lock:
            self._stopped = True
            if self._working and self.thread.ident is not None:
                ctypes.pythonapi.PyThreadState_SetAsyncExc(
                    ctypes.c_ulong(self.thread.ident), ctypes.py_object(Stopped)
                )


def soon(work: Callable[[], Any], seconds: float = 5) -> Any:
    """What the work returns, if it does so soon. Raises what it raises, and TimeoutError."""
    job = Job(work)
    job.start()
    job.thread.join(seconds)
    if job.running:
        job.stop()
        raise TimeoutError(f"no end within {seconds:g} seconds, so it was stopped")
    if job.problem:
        raise job.problem
    return job.result


class Runner:
    """An experiment in the background, whose table grows while one watches.

    changed: called, from any thread, when there is something new to show (a few times a second)
    thread:  the class of the thread
    """

    def __init__(
        self,
        changed: Callable[[], None],
        thread: Callable[..., threading.Thread] = threading.Thread,
    ) -> None:
        self.rows: list[dict[str, Any]] = []
        self.problem: BaseException | None = None
        self.progress = 0.0  # from 0 to 1
        self._changed = changed
        self._thread = thread
        self._job: Job | None = None

    @property
    def running(self) -> bool:
        return self._job is not None and self._job.running

    def start(
        self, rows: Callable[[], Iterator[dict[str, Any]]], key: Sequence[str], steps: int
    ) -> None:
        """Run an experiment afresh. A row that agrees with the one before in the fields `key`
        replaces it; `steps` rows are expected in all."""
        self.clear()
        table = self.rows

        def work() -> None:
            shown = 0.0
            for step, row in enumerate(rows(), 1):
                if table and all(table[-1][name] == row[name] for name in key):
                    table[-1] = row
                else:
                    table.append(row)
                if self.rows is table:
                    self.progress = step / steps
                if time.monotonic() > shown + 0.4:
                    shown = time.monotonic()
                    self._changed()

        def done(job: Job) -> None:
            if self.rows is table:  # otherwise another experiment has begun
                self.problem = job.problem
                self._changed()

        self._job = Job(work, done, self._thread)
        self._job.start()
        self._changed()

    def clear(self) -> None:
        """Forget everything."""
        self.stop()
        self.rows, self.problem, self.progress = [], None, 0.0

    def stop(self) -> None:
        if self.running and self._job:
            self._job.stop()
            self._changed()
