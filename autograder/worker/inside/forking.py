"""Fork the workers of a grading from one process that has imported everything.

That process never runs student code. It starts workers one after another, on Linux only: there the
grader adopts each of them.
"""

from __future__ import annotations

import os
import socket
import time


def forked(socket_to_grader: int) -> tuple[int, int]:
    """Fork a worker for each pair of pipes from the grader; return the pair in it.

    The grader gets the worker's number. It adopts the worker as soon as the process between them
    has ended; only then the worker can be tied to the grader's life.
    """
    control = socket.socket(fileno=socket_to_grader)
    while True:
        _, pipes, *_ = socket.recv_fds(control, 1, 2)
        if not pipes:
            os._exit(0)  # the grader is gone
        between = os.fork()
        if between:
            os.waitpid(between, 0)
            for pipe in pipes:
                os.close(pipe)
            continue
        between = os.getpid()
        try:
            worker = os.fork()
        except OSError:
            control.send(b"0")
            os._exit(1)
        if worker:
            control.send(str(worker).encode())
            os._exit(0)
        control.close()
        while os.getppid() == between:
            time.sleep(0.0001)
        os.setsid()
        return pipes[0], pipes[1]
