"""Grade a whole class, and see what the results show."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from autograder.errors import UsageError


def add_commands(parser: argparse.ArgumentParser) -> None:
    """Add grade, report, similar, publish and tournament."""
    commands = parser.add_subparsers(dest="what", required=True)

    grading = commands.add_parser("grade", help="grade all submissions of an export")
    grading.add_argument("export", help="from Gradescope, Moodle or Canvas; folder or zip")
    grading.add_argument("--out", required=True, metavar="DIR", help="the class's folder")
    grading.add_argument(
        "--jobs", type=int, metavar="N", help="how many at a time (default: one per core)"
    )
    grading.add_argument("--scheduler", metavar="ADDRESS", help="of a Dask cluster, or its file")
    grading.add_argument(
        "--only", metavar="failed|older|ID,...|TEST", help="grade these again: see docs/class.md"
    )

    rescoring = commands.add_parser("rescore", help="sum points again after they were changed")
    rescoring.add_argument("directory", type=Path, metavar="DIR")

    reporting = commands.add_parser("report", help="write what the results of a class show")
    reporting.add_argument("directory", type=Path, metavar="DIR")
    reporting.add_argument("--names", action="store_true", help="names instead of pseudonyms")
    reporting.add_argument("--before", type=Path, metavar="DIR", help="an older grading, beside it")

    comparing = commands.add_parser("similar", help="show pairs that share unusual code")
    comparing.add_argument("directory", type=Path, metavar="DIR")
    comparing.add_argument(
        "--archive", type=Path, metavar="FOLDER", help="folder with submissions of former years"
    )
    comparing.add_argument(
        "--layout", type=Path, metavar="FOLDER", help="only write the files for other tools, there"
    )

    publishing = commands.add_parser(
        "publish", help="write points or pages for Canvas, Moodle or people"
    )
    publishing.add_argument("directory", type=Path, metavar="DIR")
    publishing.add_argument("--to", required=True, choices=("csv", "canvas", "moodle", "pages"))
    publishing.add_argument(
        "--template", type=Path, metavar="FILE", help="your Canvas or Moodle file"
    )

    playing = commands.add_parser("tournament", help="let the players of question 6 meet")
    playing.add_argument("directory", type=Path, metavar="DIR")
    playing.add_argument("--rounds", type=int, metavar="N", help="before the finals")
    playing.add_argument(
        "--jobs", type=int, metavar="N", help="how many pairs at a time (default: one per core)"
    )
    playing.add_argument("--scheduler", metavar="ADDRESS", help="of a Dask cluster, or its file")

    for command in (grading, playing):
        command.add_argument(
            "--unconfined",
            action="store_true",
            help="even if student code could read what other students have submitted",
        )


def run(args: argparse.Namespace) -> int:
    """Run one of them; return its exit status.

    Raises UsageError for what is not installed, or can't be read or written.
    """
    if args.what in ("grade", "tournament"):
        if sys.platform == "win32":
            raise UsageError("a class is graded on Linux or macOS, or in WSL")
        if args.jobs is not None and args.jobs < 1:
            raise UsageError(f"{args.jobs} jobs can't do anything: give --jobs a number from 1 on")
    try:
        if args.what == "grade":
            from autograder.cohort.grading import grade_class

            if not args.export or not args.out:
                raise UsageError("name a class and a folder: EXPORT=folder-or-zip OUT=folder")
            export, out = Path(args.export), Path(args.out)
            return grade_class(export, out, args.jobs, args.scheduler, args.only, args.unconfined)
        if args.what == "rescore":
            from autograder.cohort.grading import rescore

            return rescore(args.directory)
        if args.what == "report":
            from autograder.cohort.report import report

            return report(args.directory, args.names, args.before)
        if args.what == "tournament":
            from autograder.cohort.tournament import tournament

            return tournament(
                args.directory, args.rounds, args.jobs, args.scheduler, args.unconfined
            )
        if args.what == "similar":
            from autograder.cohort.similar import similar

            return similar(args.directory, args.archive, args.layout)
        from autograder.cohort.publish import publish

        return publish(args.directory, args.to, args.template)
    except ModuleNotFoundError as missing:
        extra = "cluster" if missing.name in ("dask", "distributed") else "class"
        raise UsageError(
            f"{missing.name} is not installed: {sys.executable} -m pip install '.[{extra}]'"
        ) from None
    except OSError as error:
        name = error.filename2 or error.filename or "a file"
        raise UsageError(f"{name} can't be used: {error.strerror or error}") from None
