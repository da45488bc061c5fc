# This is appended to a copy of the student's file, in the worker. It counts the lines that run in a
# search, and notes for each pair that is returned the node's number and the line. At the end it
# prints "ran LINE COUNT" and "returned NODE LINE", one in each line of the output.


from typing import Any


def _count_lines(_search: Any) -> Any:
    import sys

    def counted(game: Any, state: Any, *arguments: Any, **options: Any) -> Any:
        ran: dict[int, int] = {}
        returned: list[tuple[int, int]] = []
        served = type(state)

        def step(frame: Any, event: str, value: Any) -> Any:
            if frame.f_code.co_filename != __file__:
                return None
            line = frame.f_lineno
            if event == "line":
                ran[line] = ran.get(line, 0) + 1
            elif event == "return" and isinstance(value, tuple) and len(value) == 2:
                states = [one for one in frame.f_locals.values() if type(one) is served]
                returned.append((states[0].number if states else -1, line))
            return step

        sys.settrace(step)
        try:
            return _search(game, state, *arguments, **options)
        finally:
            sys.settrace(None)
            rows = [("ran", *row) for row in ran.items()]
            rows += [("returned", *row) for row in returned]
            print("\n".join(["", *(" ".join(map(str, row)) for row in rows)]))

    return counted
