"""The clock of a worker's time limit, which excludes waiting for a processor.

It counts the seconds in which the worker computes, and in which the grader computes to serve it.
The wall clock counts too, with a small weight, because code may sleep. On a machine slower than the
one that the limits were set on, the clock runs slower.
"""

import contextlib
import ctypes
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from statistics import median

from autograder.worker.launch import Process

WIDE = 8.0  # seconds of the wall clock that count as one
QUICK, SLOWEST = 0.001, 2.0  # seconds of the measurement at slowness 1; maximum of slowness
LONGEST_GAP = 0.5  # seconds of the wall clock that count between two looks; the grader was late
PROC_PID_RUSAGE_V0 = 0


def measure_processor_time(process: Process) -> float | None:
    """Return the processor time of a child in seconds; None if it is unknown."""
    try:
        if sys.platform == "linux":
            return time.clock_gettime(~process.pid << 3 | 2)  # see clock_getcpuclockid(3)
        if sys.platform == "win32":
            times = (ctypes.c_uint64 * 4)()  # creation, exit, kernel and user time
            places = (ctypes.byref(times, 8 * i) for i in range(4))
            handle = ctypes.c_void_p(int(process._handle))  # type: ignore
            if ctypes.windll.kernel32.GetProcessTimes(handle, *places):  # type: ignore[attr-defined]
                return (times[2] + times[3]) / 1e7
        if sys.platform == "darwin":
            libc = ctypes.CDLL(None)
            usage = (ctypes.c_uint64 * 64)()  # a UUID of two words, user time, kernel time
            unit = (ctypes.c_uint32 * 2)()  # of these times, as a fraction of a nanosecond
            libc.mach_timebase_info(unit)
            if libc.proc_pid_rusage(process.pid, PROC_PID_RUSAGE_V0, usage) == 0:
                return (usage[2] + usage[3]) * unit[0] / unit[1] / 1e9
    except (OSError, AttributeError):
        pass
    return None


def measure_slowness() -> float:
    """Measure how much slower this machine is than the limits' one: 1 to SLOWEST."""
    return min(SLOWEST, max(1.0, compare_speed(time.thread_time)))


def compare_speed(timer: Callable[[], float]) -> float:
    """Return how much longer a loop takes than at slowness 1, by that clock."""
    took = []
    for _ in range(3):
        began = timer()
        sum(number * number % 7 for number in range(20_000))
        took.append(timer() - began)
    return median(took) / QUICK


class Countdown:
    """A limit of this process's own computation, where the system has such a timer.

    At its end it raises an exception in whatever is computed, and again each second, in case that
    was caught.
    """

    def __init__(self, seconds: float, make_error: Callable[[], Exception]) -> None:
        self.left, self.make_error, self.running = seconds, make_error, False

    def switch(self, on: bool) -> bool:
        """Start or stop it, where that is possible; return whether it was running."""
        was_running = self.running
        usable = hasattr(signal, "setitimer") and sys.platform != "emscripten"
        self.running = on and usable and threading.current_thread() is threading.main_thread()
        if self.running:
            signal.signal(signal.SIGVTALRM, self.expire)
            signal.setitimer(signal.ITIMER_VIRTUAL, max(self.left, 0.001), 1.0)
        elif was_running:
            self.left, _ = signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        return was_running

    @contextlib.contextmanager
    def paused(self) -> Iterator[None]:
        """Stop in this context, if it is running."""
        was_running = self.switch(False)
        try:
            yield
        finally:
            self.switch(was_running)

    def expire(self, signum: int, frame: object) -> None:
        raise self.make_error()


class Clock:
    """A clock that runs from its creation, while a worker answers one request."""

    def __init__(self, process: Process, slowness: float, charged: float | None = 0.0) -> None:
        """Start the clock.

        charged: the worker's processor time that earlier answers were charged for; computation
                 since then counts here, even without a request
        """
        self.process, self.slowness = process, slowness
        self.looked = time.monotonic()
        self.computed_before = None if charged is None else charged + time.process_time()
        self.computed = self.waited = 0.0

    def look(self) -> float:
        """Return the seconds that count so far. Call it often: a long gap is not the worker's."""
        now, computing = time.monotonic(), measure_processor_time(self.process)
        self.waited += min(now - self.looked, LONGEST_GAP)
        self.looked = now
        if computing is not None and self.computed_before is not None:
            self.computed = computing + time.process_time() - self.computed_before
        return max(self.computed / self.slowness, self.waited / WIDE)
