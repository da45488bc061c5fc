"""The command line: `python -m autograder grade`, `test`, ..."""

from __future__ import annotations

import argparse
import io
import os
import sys
import textwrap
from pathlib import Path

from autograder.grade import ROOT, Report, faults, grade
from autograder.page import page
from autograder.plugin import FAILED, PASSED, Result
from autograder.report import (
    LABEL,
    as_text,
    by_question,
    next_step,
    points,
    score,
    to_look_at,
    write_whole,
)
from autograder.submission import BadSubmission, read_submission
from autograder.submit import look_at, write_zip

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

    commands.add_parser("submit", help="check the files in starter/ and write submission.zip")

    args = parser.parse_args()
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a console need not know every character
    run = {"grade": grade_command, "test": test_command, "submit": submit_command}
    try:
        return run[args.command](args)
    except (BadSubmission, ValueError) as problem:
        print(colour(f"{args.command} can't begin: {problem}", RED), file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130


def colour(text: str, code: str) -> str:
    """Colour for a terminal that shows it; see https://no-color.org."""
    windows = os.name != "nt" or "WT_SESSION" in os.environ  # its old console shows the codes
    dumb = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return f"{code}{text}{PLAIN}" if sys.stdout.isatty() and windows and not dumb else text


def starts(result: Result) -> None:
    """Show which test is running, until its line comes."""
    if sys.stdout.isatty():
        label = textwrap.shorten(result.label, LABEL, placeholder=" ...")
        print(f"{result.number:>5}  {label:<{LABEL}} ...", end="\r", flush=True)


def say(line: str) -> None:
    code = RED if " FAIL " in line or " GRADER " in line else GREEN if " pass " in line else DIM
    print(colour(line, code), flush=True)


def grade_command(args: argparse.Namespace) -> int:
    if args.results and not args.results.resolve().parent.is_dir():
        raise ValueError(f"the folder of {args.results} does not exist: make it first")
    beside = args.results.with_suffix(".html") if args.results else None
    if beside:
        if beside == args.results:
            raise ValueError("--results names the JSON file; the page is written beside it")
        beside.unlink(missing_ok=True)
    print(f"grading {args.submission}")
    told = grade(args.submission, args.results, say=say, starts=starts)
    show_messages(told, told.results)
    if beside:
        write_whole(beside, page(told.results, told.notes, told.trouble, told.seconds))
        print(f"\nthe same with pictures: {beside}")
    return finish(told)


def test_command(args: argparse.Namespace) -> int:
    told = grade(
        args.submission, question=args.question, case_name=args.case, say=say, starts=starts
    )
    table = by_question(told.results).items()
    parts = (f"question {q}: {points(earned)}/{points(most)}" for q, (earned, most) in table)
    print("\n" + "   ".join(parts))
    first = to_look_at(told.results)
    faulty = [result for result in told.results if result.outcome not in (PASSED, FAILED)]
    show_messages(told, [*([first] if first else []), *faulty[:1]])
    return finish(told, next_step(told.results))


def submit_command(args: argparse.Namespace) -> int:
    submission = read_submission(ROOT / "starter")
    print("looking at the files in starter/")
    for file, problem in look_at(submission).items():
        print(colour(f"  {file:<14}{problem or 'can be loaded, with all its functions'}", DIM))
    if submission.problems:
        print("no submission.zip was written: all four files have to be there")
        return 2
    print("\ntesting them with the public cases")
    told = grade(submission, say=say, starts=starts)
    archive = ROOT / "submission.zip"
    write_zip(submission, archive)
    print(f"\n{archive.name} is written: upload it to Gradescope")
    return finish(told)


def show_messages(told: Report, results: list[Result]) -> None:
    for result in results:
        text = as_text(result)
        if text:
            print(colour(f"\n{result.number}  {result.label}", BOLD))
            print("\n".join(map(painted, text.splitlines())))


def painted(line: str) -> str:
    """Colour a line of a message: what was expected, what came, what is marked in a drawing."""
    if line.startswith("  expected:"):
        return colour(line, GREEN)
    if line.startswith("  got:"):
        return colour(line, RED)
    if line.lstrip().startswith("-  "):  # never searched
        return colour(line, DIM)
    drawing, arrow, mark = line.partition("<-- ")
    return drawing + (colour(arrow + mark, RED) if arrow else "")


def finish(told: Report, advice: str = "") -> int:
    """Print what is left to say, and the score, which is the last line."""
    print()
    if told.trouble:
        print(colour(told.trouble, RED))
    for note in told.notes:
        print(colour(note, DIM))
    if advice:
        print(colour(advice, BOLD))
    print(colour(score(told.results), BOLD))
    return 3 if told.trouble or faults(told.results) else 0


if __name__ == "__main__":
    sys.exit(main())
