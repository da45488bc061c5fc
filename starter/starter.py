"""Let a question file be run by itself, as editors do.

Python then looks for `starter` in that file's folder, and finds this module. Its `__path__` leads
to the rest.
"""

import sys
from pathlib import Path

__path__ = [str(Path(__file__).parent)]
file = Path(sys.argv[0])
if file.is_file() and file.resolve().parent == Path(__file__).resolve().parent:
    command = r".venv\Scripts\python -m autograder" if sys.platform == "win32" else "make"
    print(
        f"to test {file.name}, in the folder that holds starter/: {command} test", file=sys.stderr
    )
