"""Count the cases that expose each mistake.

Run `python -m autograder.author.cases.margins 20` for 20 seeds.
"""

import argparse
from collections.abc import Sequence
from statistics import median

from autograder.author.bank import read_known_mistakes
from autograder.author.cases.registry import load_makers, make_cases
from autograder.author.programs import Program
from autograder.questions import find_question


def count_exposing_cases(number: str, seeds: Sequence[int]) -> dict[str, list[int]]:
    """Return the number of secret cases that expose each mistake, by seed."""
    programs = {
        entry.name: Program(entry.submission, find_question(number).name)
        for entry in read_known_mistakes()
        if number in entry.fails
    }
    found: dict[str, list[int]] = {name: [] for name in programs}
    for seed in seeds if programs else ():
        cases = make_cases(number, seed, secret=True)
        for name, program in programs.items():
            found[name].append(sum(outcome.failed for outcome in program.run_cases(cases)))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m autograder.author.cases.margins")
    parser.add_argument("seeds", type=int, help="how many seeds")
    parser.add_argument("tests", nargs="*", help="numbers of tests; by default all")
    args = parser.parse_args()
    print("test  minimum  median  mistake")
    for number in args.tests or load_makers():
        found = count_exposing_cases(number, range(args.seeds))
        if args.tests and not found:
            print(f"no known mistake names {number} in its `fails:`")
        for name, counts in found.items():
            print(f"{number:4}  {min(counts):7}  {median(counts):6}  {name}", flush=True)


if __name__ == "__main__":
    main()
