"""Grade a whole class, and see what the results show."""

import argparse
import sys
from importlib import import_module
from pathlib import Path

from autograder.errors import UsageError


def add_commands(parser: argparse.ArgumentParser) -> None:
    """Add grade, rescore, report, similar, publish, tournament, questions and show.

    Each calls the function that `call` names, with its options.
    """
    parser.set_defaults(run=run_command)
    commands = parser.add_subparsers(dest="what", required=True)

    def add(name: str, call: str, help: str) -> argparse.ArgumentParser:
        command = commands.add_parser(name, help=help)
        command.set_defaults(call=call)
        if name != "grade":
            command.add_argument("directory", type=Path, metavar="DIR")
        return command

    grading = add("grade", "grading.grade_class", "grade all submissions of an export")
    grading.add_argument("export", help="from a platform; folder or zip: see docs/class.md")
    grading.add_argument("--out", required=True, metavar="DIR", help="the class's folder")
    grading.add_argument(
        "--only", metavar="older|ID,...", help="grade these again: see docs/class.md"
    )
    grading.add_argument(
        "--roster", type=Path, metavar="FILE", help="the platform's list of accounts and names"
    )
    add("rescore", "grading.rescore", "sum points again after they were changed")
    reporting = add("report", "report.write_report", "write what the results of a class show")
    reporting.add_argument("--names", action="store_true", help="names instead of pseudonyms")
    reporting.add_argument("--before", type=Path, metavar="DIR", help="an older grading, beside it")
    comparing = add("similar", "similar.compare_class", "show pairs that share unusual code")
    comparing.add_argument(
        "--archive", type=Path, metavar="FOLDER", help="folder with submissions of former years"
    )
    publishing = add("publish", "publish.publish", "write points or pages for a platform or people")
    publishing.add_argument("--to", required=True, choices=PUBLISHED)
    publishing.add_argument(
        "--template",
        type=Path,
        metavar="FILE",
        help="your file from Canvas, Moodle or PrairieLearn",
    )
    playing = add("tournament", "tournament.play_tournament", "let the players of question 6 meet")
    asking = add(
        "questions", "class_questions.write_questions", "ask each student about the own search"
    )
    asking.add_argument("--minutes", type=int, default=10, metavar="N", help="3 to 10")
    asking.add_argument("--names", action="store_true", help="names on the pages, too")
    asking.add_argument("--answers", type=Path, metavar="FILE", help="read the answers of a class")
    showing = add("show", "show.show_person", "show one student's page, files and attempts")
    showing.add_argument("who", help="a mail address, number, name or pseudonym")
    for command in (grading, playing):
        command.add_argument(
            "--jobs", type=int, metavar="N", help="how many at a time (default: one per core)"
        )
        command.add_argument(
            "--scheduler", metavar="ADDRESS", help="of a Dask cluster, or its file"
        )
    for command in (grading, playing, asking):
        command.add_argument(
            "--unconfined",
            action="store_true",
            help="even if student code could read what other students have submitted",
        )


def run_command(args: argparse.Namespace) -> int:
    """Run one of these commands; return its exit status.

    Raises UsageError if a package is missing, or a file can't be read or written.
    """
    options = {name: value for name, value in vars(args).items() if name not in NOT_OPTIONS}
    if args.what in ("grade", "tournament"):
        if sys.platform == "win32":
            raise UsageError("a class is graded on Linux or macOS, or in WSL")
        if args.jobs is not None and args.jobs < 1:
            raise UsageError(f"{args.jobs} jobs can't do anything: give --jobs a number from 1 on")
    if args.what == "grade":
        if not args.export or not args.out:
            raise UsageError("name a class and a folder: EXPORT=folder-or-zip OUT=folder")
        options |= {"export": Path(args.export), "out": Path(args.out)}
    module, function = args.call.split(".")
    try:
        status: int = getattr(import_module(f"autograder.cohort.{module}"), function)(**options)
    except ModuleNotFoundError as missing:
        extra = "cluster" if missing.name in ("dask", "distributed") else "class"
        raise UsageError(
            f"{missing.name} is not installed: {sys.executable} -m pip install '.[{extra}]'"
        ) from None
    except BrokenPipeError:  # the reader of our output has ended
        raise
    except OSError as error:
        name = error.filename2 or error.filename or "a file"
        raise UsageError(f"{name} can't be used: {error.strerror or error}") from None
    return status


PUBLISHED = ("csv", "canvas", "moodle", "prairielearn", "autolab", "pages")
NOT_OPTIONS = ("run", "call", "command", "what")
