"""Show which graded test catches which mistake: `make matrix`.

It prints for each test how many wrong submissions fail it, and how many fail no other test. A test
that never decides alone is redundant, unless it gives partial credit. The numbers come from the
golden file. With --entry it grades one wrong submission and prints what it fails; with --update it
writes the golden files for all wrong submissions, for those of a question or for one.
"""

import argparse
import sys
from textwrap import indent

from autograder.author.graded_tests import read_graded_tests
from autograder.selftest.support.banks import read_wrong_entries
from autograder.selftest.support.golden import (
    grade_wrong_entries,
    read_expectations,
    update_golden_files,
)


def print_table() -> int:
    failed = [row.fails for row in read_expectations().values()]
    print("test   fail  alone  label")
    for test in read_graded_tests():
        caught = [fails for fails in failed if test.number in fails]
        alone = sum(len(fails) == 1 for fails in caught)
        print(f"{test.number:5} {len(caught):5} {alone:6}  {test.label}")
    return 0


def print_entry(name: str) -> int:
    """Grade one wrong submission and print what it fails."""
    entry, verdict = grade_wrong_entries(
        [entry for entry in read_wrong_entries() if entry.name == name]
    )[name]
    for number, words in verdict.words.items():
        print(f"{number} {verdict.codes[number]}\n{indent(words, '    ')}")
    print(f"{name}: fails {' '.join(verdict.failed) or 'nothing'}, for {' '.join(entry.fails)}")
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m autograder.selftest.support.matrix")
    parser.add_argument("--update", action="store_true", help="write what is expected")
    parser.add_argument("--entry", default="", help="of this wrong submission only")
    parser.add_argument("--question", default="", help="of this question only")
    args = parser.parse_args()
    if args.entry and args.entry not in {entry.name for entry in read_wrong_entries()}:
        print(f"there is no wrong submission of the name {args.entry}", file=sys.stderr)
        return 2
    try:
        if args.update:
            return update_golden_files(args.question, args.entry)
        return print_entry(args.entry) if args.entry else print_table()
    except ValueError as problem:
        print(problem, file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
