"""The command line: `python -m autograder grade`, `test`, ..."""

import argparse
import contextlib
import importlib
import io
import os
import sys
import warnings
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from autograder.commands import format_command
from autograder.errors import GraderFault, UsageError
from autograder.feedback import terminal
from autograder.feedback.page import GENERATOR, PAGE, make_page
from autograder.feedback.report import (
    PAPER,
    UPLOAD,
    find_next_step,
    list_failing_tests,
    wrap,
    write_atomically,
)
from autograder.feedback.results import Report
from autograder.formats import FORMATS, GRADESCOPE, Format
from autograder.grading.grade import describe_hidden_tests, grade, report_refusal
from autograder.grading.submit import list_unusable, list_unwritten, look_at, write_zip
from autograder.grading.try_case import try_case
from autograder.newer_python import list_newer_parts
from autograder.packaging import BadSubmission
from autograder.printable import sanitize
from autograder.questions import ROOT, find_question
from autograder.serving.case_files import Cases
from autograder.settings import SETTINGS
from autograder.submission import read_submission

SUBMISSION_ZIP = ROOT / "submission.zip"
Output = tuple[Format, Path | None]


def main() -> int:
    """Run one command; return its exit status."""
    # Loading a student's file shows its warnings; the grader's own look at it is no second one.
    warnings.simplefilter("ignore", SyntaxWarning)
    parser = argparse.ArgumentParser(prog="python -m autograder", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)

    grading = commands.add_parser(
        "grade", help=f"grade a submission as {SETTINGS.platform_name} would"
    )
    grading.set_defaults(run=grade_command)
    grading.add_argument("submission", help="a folder or a zip")
    grading.add_argument(
        "--results", type=Path, help="write results.json here, and a page beside it"
    )
    grading.add_argument(
        "--format",
        dest="outputs",
        action="append",
        default=[],
        type=read_output,
        metavar="NAME[=FILE]",
        help="write the results in this format, to FILE, else to --results, else to standard "
        "output; may be given again. "
        + "; ".join(f"{name}: {row.about}" for name, row in FORMATS.items()),
    )
    grading.add_argument(
        "--min",
        type=float,
        metavar="PERCENT",
        help="exit with status 1 below this share of the points without the bonus",
    )

    testing = commands.add_parser("test", help="grade starter/ and show what failed, and why")
    testing.set_defaults(run=test_command)
    only = ("--question", "-q", "--case", "-c")
    about = "only this question (2), test (2.3) or case (2.3/17)"
    testing.add_argument(*only, dest="chosen", metavar="2", help=about)
    testing.add_argument("submission", type=Path, nargs="?", default=ROOT / "starter")

    trying = commands.add_parser("try", help="run a case in your own Python, outside the sandbox")
    trying.set_defaults(run=try_command)
    trying.add_argument("case", metavar="2.3/17", help="one case of one test")

    if (ROOT / "autograder" / "quiz").is_dir():  # Gradescope does not get it
        quizzing = commands.add_parser("quiz", help="answer questions about your own search")
        quizzing.set_defaults(run=quiz_command)
        quizzing.add_argument("--question", "-q", metavar="2", help="only about this question")

    checking = "check the files in starter/ and write submission.zip"
    commands.add_parser("submit", help=checking).set_defaults(run=submit_command)
    if (ROOT / "autograder" / "cohort").is_dir():  # students do not get it
        classes = importlib.import_module("autograder.cohort.command_line")
        classes.add_commands(commands.add_parser("class", help=classes.__doc__))

    args = parser.parse_args()
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a console may lack some characters
    try:
        return int(args.run(args))
    except UsageError as problem:
        terminal.warn(f"{args.command}: {sanitize(problem)}")
        return 2
    except GraderFault as fault:
        terminal.warn(f"the grader failed, not your code: {fault}")
        return 3
    except BrokenPipeError:  # of `make test | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


def grade_command(args: argparse.Namespace) -> int:
    if not args.submission:
        raise UsageError("no submission is named: give a folder or a zip")
    if not os.path.lexists(args.submission):
        raise UsageError(f"{args.submission} does not exist")
    if args.min is not None and not 0 <= args.min <= 100:
        raise UsageError(f"--min {args.min} is not a number from 0 to 100")
    outputs = [(row, file or args.results) for row, file in args.outputs]
    if not outputs and args.results:
        outputs = [(GRADESCOPE, args.results)]
    for row, file in outputs:
        if file:
            prepare_results(row, file, with_page=file == args.results)
    to_screen = [row for row, file in outputs if not file]
    # What else is printed must not get between the lines of a format.
    with contextlib.redirect_stdout(sys.stderr if to_screen else sys.stdout):
        report = grade_in_formats(Path(args.submission), outputs)
        page = write_page(report, args.results.with_suffix(".html")) if args.results else ""
        advice = (page, name_hidden_tests(report), report.exposure)
        status = terminal.finish(report, report.results, advice, PAPER.height)
    for row in to_screen:
        print(row.render(report), end="")
    if report.refused:
        status = 0
    reached = args.min is None or report.earned >= args.min / 100 * report.max_points
    return status if status or reached else 1


def grade_in_formats(path: Path, outputs: list[Output]) -> Report:
    """Grade a submission; write the results to the files of these outputs.

    Only Gradescope's format is written while tests run. Where another one is asked for, a
    submission that can't be graded has results, too: every test fails.
    """
    print(f"grading {sanitize(path)}")
    at_once = next((file for row, file in outputs if row is GRADESCOPE), None)
    try:
        report = grade(path, at_once, progress=terminal.LineByLine())
    except BadSubmission as problem:
        if all(row is GRADESCOPE for row, _ in outputs):
            raise
        report = report_refusal(problem)
    for row, file in outputs:
        if file and row is not GRADESCOPE:
            write_result(file, row.render(report))
    return report


def write_result(file: Path, content: str) -> None:
    """Write results to a file. Raises UsageError if that fails."""
    try:
        write_atomically(file, content)
    except FileNotFoundError:
        raise UsageError(f"the folder of {file} does not exist: make it first") from None
    except OSError as error:
        raise UsageError(f"{file} can't be written: {error.strerror}") from None


def name_hidden_tests(report: Report) -> str:
    """Return a line about the tests that are hidden from students, "" if there are none."""
    hidden = [r.number for r in report.results if r.visibility != "visible"]
    return f"hidden from students: {', '.join(hidden)} (assignment.toml)" if hidden else ""


def expect_not_hidden(chosen: str) -> bool:
    """Is a test, question or case hidden from students? Instructors may run it all the same.

    Raises UsageError on a student's machine, which does not have it.
    """
    number = chosen.partition("/")[0]
    when = SETTINGS.hides(number) if number else ""
    if when and not (ROOT / "autograder" / "author").is_dir():
        raise UsageError(f"{number} is hidden {when}")
    return bool(when)


def read_output(text: str) -> Output:
    """Return the format and the file of an option; raise what argparse expects."""
    name, _, file = text.partition("=")
    if name not in FORMATS:
        known = ", ".join(FORMATS)
        raise argparse.ArgumentTypeError(f"there is no format {name}; there is {known}")
    return FORMATS[name], Path(file) if file else None


def prepare_results(row: Format, results: Path, with_page: bool) -> None:
    """Start a file of results, and the page beside it if there will be one.

    Raises UsageError if one of them can't be written, or if the page is somebody else's.
    """
    suffix = Path(row.file).suffix
    if results.suffix != suffix:
        raise UsageError(f"results go to a file, such as results{suffix}, not to {results}")
    page, begun = results.with_suffix(".html"), Report(problem="grading did not begin")
    if with_page:
        with contextlib.suppress(OSError):
            if page.exists() and GENERATOR not in page.read_text(errors="replace"):
                raise UsageError(f"{page} is no page of this grader: choose another name")
        write_result(page, make_page(begun))
    write_result(results, row.render(begun))


def test_command(args: argparse.Namespace) -> int:
    hidden = expect_not_hidden(args.chosen or "")
    if not hidden and (all_hidden := describe_hidden_tests()):
        print(f"{all_hidden}; to check your files: {format_command('submit')}")
        return 0
    if str(args.submission)[0].isdigit() and not args.submission.exists():
        raise UsageError(f"there is no folder {args.submission}: for a test, write -q before it")
    submission = read_submission(args.submission)
    progress = terminal.LineByLine(at_home=not hidden)
    report = grade(submission, question=args.chosen, progress=progress)
    if report.stopped:
        raise KeyboardInterrupt
    if not report.alone:
        terminal.print_points(report)
    return finish_at_home(report, submission.files, find_next_step(report))


def finish_at_home(report: Report, files: Mapping[str, bytes], step: str) -> int:
    """Print the first message and the last lines; return the exit status."""
    faulty = [result for result in report.results if not result.judged]
    first = [report.to_look_at] if report.to_look_at else []
    tested = {find_question(result.question).file for result in report.results}
    newer = list_newer_parts({name: files[name] for name in files if name in tested})
    page = write_page(replace(report, notes=[*report.notes, *newer]), PAGE)
    advice = (*newer, list_failing_tests(report), step, page, name_hidden_tests(report))
    return terminal.finish(report, [*faulty[:1], *first], advice)


def write_page(report: Report, file: Path) -> str:
    """Write the page of a report; return a line that says so, or why it can't be written."""
    name = file.name if Path.cwd() == file.parent else sanitize(file)
    try:
        write_atomically(file, make_page(report))
    except OSError as error:
        return f"{name} can't be written: {error.strerror}"
    return f"with pictures, in a browser: {name}"


def try_command(args: argparse.Namespace) -> int:
    expect_not_hidden(args.case)
    return try_case(Cases().only(args.case))


def quiz_command(args: argparse.Namespace) -> int:
    quiz = importlib.import_module("autograder.quiz.terminal")
    return int(quiz.run_quiz(ROOT / "starter", args.question))


def submit_command(args: argparse.Namespace) -> int:
    submission = read_submission(ROOT / "starter")
    archive = SUBMISSION_ZIP
    print("looking at the files in starter/")
    problems = look_at(submission)
    for file, problem in problems.items():
        unwritten = ", ".join(list_unwritten(submission, file))
        rest = f"; not written yet: {unwritten}" if unwritten else ", with all its functions"
        print(terminal.colour(f"  {file:<18} {problem or f'can be loaded{rest}'}", terminal.DIM))
    if missing := list_unusable(submission):
        have = "has" if len(missing) == 1 else "have"
        print(f"no {archive.name} was written: {', '.join(missing)} {have} to be fixed first")
        if archive.exists():
            print(f"the {archive.name} that is there is an older one")
        return 2
    report = Report()
    if not (all_hidden := describe_hidden_tests()):
        print(f"\ntesting them, as {format_command('test')} does", flush=True)
        report = grade(submission, progress=terminal.CurrentTest(at_home=True))
    if report.stopped:
        print(f"{archive.name} was not written", file=sys.stderr)
        raise KeyboardInterrupt
    try:
        write_zip(submission, archive)
    except OSError as error:
        hint = f"{archive.name} can't be written: {error.strerror}; is it open in another program?"
        terminal.warn(hint)
        return 2
    if not all_hidden:
        terminal.print_points(report)
    print(f"\n{archive.name} is written")
    broken = {file: problem for file, problem in problems.items() if problem}
    for file, problem in broken.items():
        text = f"but {file} will earn nothing as it is: {problem}"
        lines = wrap(text, terminal.measure_screen().width, max_lines=12)
        print(terminal.colour("\n".join(lines), terminal.RED))
    again = f"next: fix {', '.join(broken)}, then: {format_command('submit')}"
    step = again if broken else UPLOAD
    if not broken and (open_test := report.to_look_at) and not open_test.bonus:
        step += f"; points are left: {find_next_step(report).removeprefix('next: ')}"
    if all_hidden:
        print(f"{all_hidden}: your files were loaded, but not tested")
        print(terminal.colour(step, terminal.BOLD))
        return 0
    return finish_at_home(report, submission.files, step)
