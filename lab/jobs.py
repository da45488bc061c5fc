"""Run the student's functions, each job in a separate process, which `python -m lab.jobs` is.

If they loop forever, end Python or print, the page goes on and can end the job. `multiprocessing`
would run the notebook again in each process. The job arrives on standard input. Answers leave on
standard output, pickled: ("row", ...) for each value that a generator yields, then ("result", ...)
or ("problem", what to tell the student).
"""

import os
import pickle
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from time import monotonic
from typing import Any

from autograder.questions import ROOT
from lab import student


class Job:
    """A call in the background: `function(code, *arguments, **keywords)`.

    `code` is the `StudentCode` in the files now. The function must be in a module of the lab.

    rows:    what the function has yielded so far, if it is a generator
    problem: why there is no result
    """

    def __init__(self, function: Callable[..., Any], *arguments: Any, **keywords: Any) -> None:
        self.rows: list[Any] = []
        self.result: Any = None
        self._begun = monotonic()
        self.problem = ""
        self.running = True
        self.process = subprocess.Popen(
            [sys.executable, "-m", "lab.jobs"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        with suppress(OSError):  # the process has ended: `_listen` reports it
            assert self.process.stdin
            pickle.dump((function, student.FOLDER, arguments, keywords), self.process.stdin)
            self.process.stdin.flush()
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    @property
    def seconds(self) -> int:
        """Return the whole seconds since the job began."""
        return int(monotonic() - self._begun)

    def stop(self) -> None:
        """End the job at once."""
        if self.running:
            self.running, self.problem = False, "stopped"
            self.process.kill()

    def wait(self, seconds: float) -> bool:
        """Wait for the end, at most `seconds`. Return whether the job has ended."""
        self._listener.join(seconds)
        return not self.running

    def _listen(self) -> None:
        kind, what = "problem", ""
        with suppress(Exception), self.process as process:  # it may end amid an answer
            assert process.stdout
            while (answer := pickle.load(process.stdout))[0] == "row" and self.running:
                self.rows.append(answer[1])
            kind, what = answer
        if self.running:
            if kind == "result":
                self.result = what
            else:
                status = self.process.returncode
                self.problem = what or f"your functions have ended Python, with status {status}"
            self.running = False


class Session:
    """The jobs of one page in a browser, one at a time.

    When the page is closed, the thread that shows it ends. The session then stops its job.
    """

    def __init__(self) -> None:
        self._job: Job | None = None
        threading.Thread(target=self._close, args=[threading.current_thread()], daemon=True).start()

    def run(self, function: Callable[..., Any], *arguments: Any, **keywords: Any) -> Job:
        """Stop the previous job, start another, and wait for it a moment."""
        self.stop()
        self._job = Job(function, *arguments, **keywords)
        self._job.wait(0.4)
        return self._job

    def stop(self) -> None:
        """Stop the job, if there is one."""
        if self._job:
            self._job.stop()

    def _close(self, page: threading.Thread) -> None:
        page.join()
        self.stop()


def main() -> None:
    """Do a job: call a function with the student's functions."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the lab, which then ends this
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what the student prints goes to the terminal
    requests, sys.stdin = sys.stdin.buffer, open(os.devnull, encoding="utf-8")
    function, folder, arguments, keywords = pickle.load(requests)

    def end_with_the_lab() -> None:
        requests.read()
        os._exit(1)

    threading.Thread(target=end_with_the_lab, daemon=True).start()

    def send(kind: str, what: Any) -> None:
        pickle.dump((kind, what), answers)
        answers.flush()

    try:
        result = function(student.read_code(folder), *arguments, **keywords)
        if isinstance(result, Iterator):
            for row in result:
                send("row", row)
            result = None
        send("result", result)
    except BaseException as problem:  # sys.exit() too
        send("problem", student.explain_exception(problem, folder))
    with suppress(Exception):  # the student may have replaced it
        sys.stdout.flush()
    os._exit(0)  # at once, even if a thread still runs


if __name__ == "__main__":
    main()
