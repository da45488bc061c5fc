"""The command line: `python -m autograder grade`, `test`, ..."""

from __future__ import annotations

import argparse
import importlib
import io
import os
import sys
import textwrap
from pathlib import Path

from autograder.cases import Cases
from autograder.formats import FORMATS
from autograder.grade import grade
from autograder.plugin import Progress
from autograder.questions import QUESTIONS, ROOT
from autograder.report import (
    LABEL,
    as_text,
    next_step,
    points,
    said_at_once,
    score,
    table_line,
    write_json,
    write_whole,
)
from autograder.results import Outcome, Report, Result
from autograder.sandbox import GraderFault
from autograder.submission import BadSubmission, printable, read_submission
from autograder.submit import look_at, write_zip

BOLD, RED, GREEN, DIM, PLAIN = "\033[1m", "\033[31m", "\033[32m", "\033[2m", "\033[0m"


def main() -> int:
    """Run one command; return its exit status."""
    parser = argparse.ArgumentParser(prog="python -m autograder", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)

    grading = commands.add_parser("grade", help="grade a submission as Gradescope would")
    grading.add_argument("submission", help="a folder or a zip")
    grading.add_argument(
        "--results", type=Path, help="write results.json here, and a page beside it"
    )

    testing = commands.add_parser("test", help="grade starter/ and show what failed, and why")
    testing.add_argument("--question", "-q", metavar="2", help="only this question or test")
    testing.add_argument("--case", "-c", metavar="2.3/17", help="only this case of one test")
    testing.add_argument("submission", type=Path, nargs="?", default=ROOT / "starter")

    commands.add_parser("submit", help="check the files in starter/ and write submission.zip")
    run = {"grade": grade_command, "test": test_command, "submit": submit_command}
    if (ROOT / "autograder" / "classes").is_dir():  # students do not have it
        classes = importlib.import_module("autograder.classes.command_line")
        classes.add_commands(commands.add_parser("class", help=classes.__doc__))
        run["class"] = classes.run

    args = parser.parse_args()
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a console need not know every character
    try:
        return run[args.command](args)
    except (BadSubmission, ValueError) as problem:
        print(colour(f"{args.command} can't begin: {printable(problem)}", RED), file=sys.stderr)
        return 2
    except GraderFault as fault:
        print(colour(f"the grader failed, not your code: {fault}", RED), file=sys.stderr)
        return 3
    except BrokenPipeError:  # of `make test | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        return 130


def colour(text: str, code: str) -> str:
    """Colour, if the terminal shows it; see https://no-color.org."""
    able = os.name != "nt" or "WT_SESSION" in os.environ  # Windows' old console shows the codes
    dumb = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return f"{code}{text}{PLAIN}" if sys.stdout.isatty() and able and not dumb else text


class Table(Progress):
    """Prints each line of the table as it comes."""

    def starts(self, result: Result) -> None:
        """Show which test is running, until its line comes."""
        if sys.stdout.isatty():
            label = textwrap.shorten(result.label, LABEL, placeholder=" ...")
            print(f"{result.number:>5}  {label:<{LABEL}} ...", end="\r", flush=True)

    def finished(self, result: Result) -> None:
        code = {Outcome.PASSED: GREEN, Outcome.NOT_RUN: DIM}.get(result.outcome, RED)
        print(colour(table_line(result), DIM if result.stub else code), flush=True)
        for line in said_at_once(result):
            print(colour(line, DIM), flush=True)


def grade_command(args: argparse.Namespace) -> int:
    if not args.submission:
        raise ValueError("no submission is named: give a folder or a zip")
    if args.results:
        ready_for_results(args.results)
    print(f"grading {printable(args.submission)}")
    report = grade(Path(args.submission), args.results, progress=Table())
    show_messages(report.results)
    for form in FORMATS if args.results else ():
        file = args.results.with_suffix(form.ending)
        try:
            write_whole(file, form.text(report))
            print(f"\n{form.says}: {printable(file)}")
        except OSError as error:
            print(f"{printable(file)} can't be written: {error.strerror}", file=sys.stderr)
    return finish(report)


def ready_for_results(results: Path) -> None:
    """Begin results.json, and remove older reports beside it.

    Raises ValueError where one of them can't be written.
    """
    if results.suffix != ".json":
        raise ValueError(f"results go to a file, such as results.json, not to {results}")
    beside = [results.with_suffix(form.ending) for form in FORMATS]
    for file in (results, *beside):
        try:
            write_json(file, Report(trouble="grading did not begin"))
        except FileNotFoundError:
            raise ValueError(f"the folder of {file} does not exist: make it first") from None
        except OSError as error:
            raise ValueError(f"{file} can't be written: {error.strerror}") from None
    for file in beside:
        file.unlink()


def test_command(args: argparse.Namespace) -> int:
    cases = Cases().only(args.case) if args.case is not None else Cases()
    report = grade(args.submission, None, args.question, cases, Table())
    table = report.by_question.items()
    parts = (f"question {q}: {points(earned)}/{points(most)}" for q, (earned, most) in table)
    print("\n" + "   ".join(parts))
    first = report.to_look_at
    judged = (Outcome.PASSED, Outcome.FAILED)
    faulty = [result for result in report.results if result.outcome not in judged]
    show_messages([*([first] if first else []), *faulty[:1]])
    return finish(report, next_step(report))


def submit_command(args: argparse.Namespace) -> int:
    submission = read_submission(ROOT / "starter")
    archive = ROOT / "submission.zip"
    print("looking at the files in starter/")
    problems = look_at(submission)
    for file, problem in problems.items():
        print(colour(f"  {file:<18} {problem or 'can be loaded, with all its functions'}", DIM))
    if submission.problems:
        needed = [question.file for question in QUESTIONS if not question.bonus]
        print(f"no submission.zip was written: {', '.join(needed)} have to be there")
        if archive.exists():
            print(f"the {archive.name} that is there is an older one")
        return 2
    print("\ntesting them with the public cases")
    report = grade(submission, progress=Table())
    try:
        write_zip(submission, archive)
    except OSError as error:
        raise ValueError(
            f"{archive.name} can't be written: {error.strerror}; is it open in another program?"
        ) from None
    print(f"\n{archive.name} is written: upload it to Gradescope")
    for file, problem in problems.items():
        if problem:
            print(colour(f"but {file} will earn nothing as it is: {problem}", RED))
    return finish(report, next_step(report))


def show_messages(results: list[Result]) -> None:
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


def finish(report: Report, advice: str = "") -> int:
    """Print what is left to say, and the score, which is the last line."""
    print()
    if report.trouble:
        print(colour(report.trouble, RED))
    for note in report.notes:
        print(colour(note, DIM))
    if advice:
        print(colour(advice, BOLD))
    print(colour(score(report), BOLD))
    return 3 if report.trouble or report.faulty else 0
