"""Lets a question file be run by itself, as editors do.

Python then looks for modules in the folder of that file, finds this one under the name `starter`,
and finds what is in it here.
"""

import sys
from pathlib import Path

__path__ = [str(Path(__file__).parent)]
if sys.argv[0]:
    print(f"to test {Path(sys.argv[0]).name}, in the folder above: make test", file=sys.stderr)
