"""`python -m lab.worker`: call a function with the student's functions.

This is a separate process: if the student's functions loop forever, end Python or print, the page
goes on and can end the job. The job arrives on standard input. Answers leave on standard output,
pickled: ("row", ...) for each value that a generator yields, then ("result", ...) or ("problem",
what to tell the student).
"""

import os
import pickle
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from lab import student


def main() -> None:
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
