"""Code that counts the lines of a search, to be appended to a copy of the student's file."""

# It is text, because the browser version has no sources. At the end of a search it prints "ran LINE
# COUNT" for each line, and "returned NODE LINE" for each pair that is returned.
SOURCE = """

def _count_lines(_search):
    import sys

    def counted(game, state, *arguments, **options):
        ran, returned = {}, []
        served = type(state)

        def step(frame, event, value):
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
            print("\\n".join(["", *(" ".join(map(str, row)) for row in rows)]))

    return counted
"""
