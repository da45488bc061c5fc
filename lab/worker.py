"""`python -m lab.worker`: one piece of work with the student's functions, in a process of its own.

Whatever they do, loop for ever, end Python or print, the page lives on, and can end the work. The
work arrives on standard input, and answers leave on standard output, pickled: ("news", ...) any
number of times, then ("result", ...) or ("problem", what to tell the student).
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
import threading
from typing import Any

from lab import student


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the lab, which then ends this
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what the student prints goes to the terminal
    function, folder, arguments = pickle.load(sys.stdin.buffer)
    threading.Thread(target=end_with_the_lab, daemon=True).start()
    sys.stdin = open(os.devnull)

    def tell(kind: str, what: Any) -> None:
        pickle.dump((kind, what), answers)
        answers.flush()

    try:
        code = student.read(folder)
        tell("result", function(code, *arguments, lambda news: tell("news", news)))
    except BaseException as problem:  # sys.exit() too
        tell("problem", student.explain(problem, folder))


def end_with_the_lab() -> None:
    """The lab never writes a second time, so this waits until the lab itself has ended."""
    os.read(0, 1)
    os._exit(1)


if __name__ == "__main__":
    main()
