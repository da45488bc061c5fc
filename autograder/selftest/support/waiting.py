"""Wait patiently for what another process does on a busy machine."""

import time
from collections.abc import Callable
from typing import TypeVar

WAIT_TIMEOUT_S = 300.0  # seconds until a test gives up

Answer = TypeVar("Answer")


def wait_for(condition: Callable[[], Answer], what: str = "what this line waits for") -> Answer:
    """Return the value of the condition once it is true. Raises TimeoutError."""
    end = time.monotonic() + WAIT_TIMEOUT_S
    while not (answer := condition()):
        if time.monotonic() > end:
            raise TimeoutError(f"not within {WAIT_TIMEOUT_S:.0f} s: {what}")
        time.sleep(0.05)
    return answer
