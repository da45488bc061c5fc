"""Which graded test catches which mistake: `python -m autograder.selftest.matrix`.

It prints for each test how many wrong submissions fail it, and how many fail no other: a test that
never decides alone is redundant, unless it gives partial credit. This is read from expected.json.
With --update it grades all wrong submissions on all tests of their questions and writes what they
fail. With --entry it grades one and says what it fails.
"""

from __future__ import annotations

import argparse
import sys
from textwrap import indent

from autograder.author.graded import graded_tests
from autograder.author.wrong_bank import read_expected, read_wrong
from autograder.selftest.expectations import graded_wrong, update


def print_table() -> int:
    failed = [row.fails for row in read_expected().values()]
    print("test   fail  alone  label")
    for test in graded_tests():
        caught = [fails for fails in failed if test.number in fails]
        alone = sum(len(fails) == 1 for fails in caught)
        print(f"{test.number:5} {len(caught):5} {alone:6}  {test.label}")
    return 0


def print_entry(name: str) -> int:
    """Say what one wrong submission fails. Raises ValueError if there is none of that name."""
    bank = [wrong for wrong in read_wrong() if wrong.name == name]
    if not bank:
        raise ValueError(f"there is no autograder/author/wrong/{name}.txt")
    wrong, verdict = graded_wrong(bank)[name]
    for number, words in verdict.words.items():
        print(f"{number} {verdict.codes[number]}\n{indent(words, '    ')}")
    print(f"{name}: fails {' '.join(verdict.failed) or 'nothing'}, for {' '.join(wrong.aim)}")
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m autograder.selftest.matrix")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--update", action="store_true", help="write what is expected")
    what.add_argument("--entry", help="only say what this wrong submission fails")
    args = parser.parse_args()
    try:
        return update() if args.update else print_entry(args.entry) if args.entry else print_table()
    except ValueError as problem:
        print(problem, file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
