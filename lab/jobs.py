"""Runs long work in the background, so that it can be stopped."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable
from typing import Any


class Stopped(BaseException):
    """Raised inside the work when it is to stop. No Exception, lest student code catch it."""


class Job:
    """Work going on in a thread of its own.

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
        self.problem: Exception | None = None
        self._lock = threading.Lock()
        self._working = True
        self._stopped = False
        self._work = work
        self._done = done
        self.thread = thread(target=self._run, daemon=True)
        self.thread.start()

    @property
    def running(self) -> bool:
        return self._working and not self._stopped

    def _run(self) -> None:
        try:
            try:
                self.result = self._work()
            except Exception as problem:
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
