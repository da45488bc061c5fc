"""The clock of a worker's time limit: it stands still while the machine is busy with others.

It counts the seconds in which the worker computes, those in which the grader computes to serve it,
and those in which both only sleep. Time spent waiting for a processor does not count, and time
spent waiting for a disk only when it is more than any import takes. Where a system does not tell
what sleeps, the wall clock counts too, but much less. On a machine that computes slower than the
one that limits were set on, the clock goes slower, too.
"""

import ctypes
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from subprocess import Popen
from typing import TypeVar

LEAST = 2.0  # seconds of this clock that a graded test has, unless it asks for more
WIDE = 8.0  # seconds of the wall clock that count as one, where the system tells nothing better
QUICK, SLOWEST = 0.001, 2.0  # seconds that `slowness` measures where it is 1; what it is at most
LONGEST_NAP = 0.5  # seconds that one sample stands for at most, if the next one is late
DISK = 10.0  # seconds of one answer in which a disk may be waited for; code can do so on purpose
PROC_PID_RUSAGE_V0 = 0
Test = TypeVar("Test", bound=Callable[..., None])


def limit(seconds: float) -> Callable[[Test], Test]:
    """Decorate a graded test with the seconds that its cases may take together.

    After these the worker is stopped. The solution needs less than a tenth of them.
    """

    def decorate(test: Test) -> Test:
        setattr(test, "__limit__", seconds)  # noqa: B010
        return test

    return decorate


def limit_of(test: Callable[..., None]) -> float:
    return getattr(test, "__limit__", LEAST)


def processor_time(process: "Popen[bytes]") -> float | None:
    """Return the seconds that a child has computed; None where that is not known."""
    try:
        if sys.platform == "linux":
            return time.clock_gettime(~process.pid << 3 | 2)  # see clock_getcpuclockid(3)
        if sys.platform == "win32":
            times = (ctypes.c_uint64 * 4)()  # created, ended, in the kernel, in user code
            places = (ctypes.byref(times, 8 * i) for i in range(4))
            handle = ctypes.c_void_p(int(process._handle))  # type: ignore[attr-defined]
            if ctypes.windll.kernel32.GetProcessTimes(handle, *places):  # type: ignore[attr-defined]
                return (times[2] + times[3]) / 1e7
        if sys.platform == "darwin":
            libc = ctypes.CDLL(None)
            usage = (ctypes.c_uint64 * 64)()  # a UUID of two words, in user code, in the kernel
            unit = (ctypes.c_uint32 * 2)()  # of those, as a fraction of a nanosecond
            libc.mach_timebase_info(unit)
            if libc.proc_pid_rusage(process.pid, PROC_PID_RUSAGE_V0, usage) == 0:
                return (usage[2] + usage[3]) * unit[0] / unit[1] / 1e9
    except (OSError, AttributeError):
        pass
    return None


def state_of(task: Path) -> bytes:
    """Return what a thread does, by its folder in /proc: R computes or waits for a processor, D
    waits for a disk, S and others sleep."""
    try:
        return (task / "stat").read_bytes().rpartition(b")")[2].split()[0]
    except (OSError, IndexError):  # it has ended
        return b"S"


def slowness() -> float:
    """By what factor this machine now computes slower than that of the limits: 1 to SLOWEST."""
    took = []
    for _ in range(3):
        began = time.thread_time()
        sum(number * number % 7 for number in range(20_000))
        took.append(time.thread_time() - began)
    return min(SLOWEST, max(1.0, median(took) / QUICK))


class Clock:
    """Runs from its creation, while a worker answers one question."""

    def __init__(
        self, process: "Popen[bytes]", slowness: float, charged: float | None = 0.0
    ) -> None:
        """charged: the worker's processor time that has counted before. What it has computed since
        then counts here, though nothing was asked."""
        self.process, self.slowness = process, slowness
        self.began = self.looked = time.monotonic()
        self.computed_before = None if charged is None else charged + time.process_time()
        self.computed = self.slept = self.at_disk = 0.0

    def computing(self) -> float | None:
        worker = processor_time(self.process)
        return None if worker is None else worker + time.process_time()

    def look(self, idle: bool = False) -> float:
        """Return the seconds that count so far. To be called often: sleep is sampled.

        idle: the grader waits for the worker at this moment; otherwise nobody sleeps in vain
        """
        now, computing = time.monotonic(), self.computing()
        passed, self.looked = now - self.looked, now
        if computing is not None and self.computed_before is not None:
            computed = computing - self.computed_before
            passed, self.computed = passed - (computed - self.computed), computed
        counts = self.computed / self.slowness
        if sys.platform != "linux":
            return max(counts, (now - self.began) / WIDE)
        states = self.states() if idle else {b"R"}
        if b"R" not in states:
            passed = min(max(0.0, passed), LONGEST_NAP)
            if b"D" in states:
                self.at_disk += passed
            else:
                self.slept += passed
        return counts + self.slept + max(0.0, self.at_disk - DISK)

    def states(self) -> set[bytes]:
        """Return what the worker's threads do."""
        try:
            return set(map(state_of, Path(f"/proc/{self.process.pid}/task").iterdir()))
        except OSError:  # it has ended
            return set()
