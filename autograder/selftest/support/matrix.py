"""Show which graded test catches which mistake: `make matrix`.

It prints for each test how many wrong submissions fail it, and how many fail no other test. A test
that never decides alone is redundant, unless it gives partial credit. The numbers come from the
golden file. With --entry it grades one wrong submission and prints what it fails; with --update it
writes the golden files for all wrong submissions, for those of a question or for one.
"""

import argparse
import sys
from textwrap import indent

from autograder.author.grade_batch import GradingJob, grade_jobs
from autograder.author.graded_tests import read_graded_tests
from autograder.selftest.support.banks import read_wrong_entries
from autograder.selftest.support.golden import read_expectations, update_golden_files


def print_table() -> None:
    failed = [row.fails for row in read_expectations().values()]
    print("test   fail  alone  label")
    for test in read_graded_tests():
        caught = [fails for fails in failed if test.number in fails]
        alone = sum(len(fails) == 1 for fails in caught)
        print(f"{test.number:5} {len(caught):5} {alone:6}  {test.label}")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m autograder.selftest.support.matrix")
    parser.add_argument("--update", action="store_true", help="write what is expected")
    parser.add_argument("--entry", default="", help="of this wrong submission only")
    parser.add_argument("--question", default="", help="of this question only")
    args = parser.parse_args()
    if not args.update and not args.entry:
        print_table()
        return 0
    bank = [
        entry
        for entry in read_wrong_entries()
        if args.question in ("", entry.question) and args.entry in ("", entry.name)
    ]
    if not bank:
        print("there is no such wrong submission", file=sys.stderr)
        return 2
    verdicts = grade_jobs([GradingJob(entry.submission, entry.question) for entry in bank])
    for entry, verdict in zip(bank, verdicts):
        if verdict.fault:
            print(f"{entry.name}: the grader failed: {verdict.fault}", file=sys.stderr)
            return 2
        for number, words in [] if args.update else verdict.words.items():
            print(f"{number} {verdict.codes[number]}\n{indent(words, '    ')}")
        if not args.update or not {*entry.fails} <= {*verdict.failed}:
            failed = " ".join(verdict.failed) or "nothing"
            print(f"{entry.name}: fails {failed}, for {' '.join(entry.fails)}")
    if not args.update:
        return 0
    update_golden_files({entry.name: (entry, it) for entry, it in zip(bank, verdicts)})
    print(f"{len(bank)} wrong submissions graded: review the diff of the golden files")
    return int(any(not {*one.fails} <= {*it.failed} for one, it in zip(bank, verdicts)))


if __name__ == "__main__":
    sys.exit(main())
