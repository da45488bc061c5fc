"""The command line: `python -m autograder grade`, `test`, ..."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from autograder.grade import ROOT, Report, faults, grade
from autograder.plugin import FAILED
from autograder.report import as_text, score
from autograder.submission import BadSubmission

BOLD, RED, GREEN, DIM, PLAIN = "\033[1m", "\033[31m", "\033[32m", "\033[2m", "\033[0m"


def main() -> int:
    """Run one command; return its exit status."""
    parser = argparse.ArgumentParser(prog="python -m autograder", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)

    grading = commands.add_parser("grade", help="grade a submission as Gradescope would")
    grading.add_argument("submission", type=Path, help="a folder or a zip")
    grading.add_argument(
        "--results", type=Path, help="write results.json here, and a page beside it"
    )

    testing = commands.add_parser("test", help="grade starter/ and show what failed, and why")
    testing.add_argument("--question", "-q", metavar="2", help="only this question or test")
    testing.add_argument("--case", "-c", metavar="2.3/17", help="only this case of one test")
    testing.add_argument("submission", type=Path, nargs="?", default=ROOT / "starter")

    args = parser.parse_args()
    try:
        return {"grade": grade_command, "test": test_command}[args.command](args)
    except (BadSubmission, ValueError) as problem:
        print(colour(f"{args.command} can't begin: {problem}", RED), file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130


def colour(text: str, code: str) -> str:
    """Colour for a terminal that shows it; see https://no-color.org."""
    wanted = (
        sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    )
    return f"{code}{text}{PLAIN}" if wanted else text


def say(line: str) -> None:
    code = RED if " FAIL " in line or " GRADER " in line else GREEN if " pass " in line else DIM
    print(colour(line, code), flush=True)


def grade_command(args: argparse.Namespace) -> int:
    if args.results and not args.results.resolve().parent.is_dir():
        raise ValueError(f"the folder of {args.results} does not exist: make it first")
    print(f"grading {args.submission}")
    told = grade(args.submission, args.results, say=say)
    show_messages(told, told.results)
    return finish(told)


def test_command(args: argparse.Namespace) -> int:
    told = grade(args.submission, question=args.question, case_name=args.case, say=say)
    failed = [result for result in told.results if result.outcome == FAILED]
    written = [result for result in failed if not result.stub]
    show_messages(told, written[:1] or failed[:1])
    return finish(told)


def show_messages(told: Report, results: list) -> None:
    for result in results:
        text = as_text(result)
        if text:
            print(colour(f"\n{result.number}  {result.label}", BOLD))
            print(text)


def finish(told: Report) -> int:
    """Print what is left to say, and the score, which is the last line."""
    print()
    for line in [told.trouble, *told.notes]:
        if line:
            print(line)
    print(colour(score(told.results), BOLD))
    return 3 if told.trouble or faults(told.results) else 0


if __name__ == "__main__":
    sys.exit(main())
