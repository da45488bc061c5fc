"""The kill matrix: which test catches which mistake; `python -m autograder.selftest.matrix`.

With --update it grades the wrong submissions only, and writes down what came of them. With --entry
it says what one of them fails.

Rows are the wrong submissions and the mutants, columns the graded tests of their question. A test
decides alone where it is the only one to fail. One that never does costs points twice for the same
mistake: it wants sharpening, or a reason to be there, as partial credit is one.
"""

from __future__ import annotations

import argparse
import html
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from textwrap import indent

from autograder.author.graded import graded_tests
from autograder.author.parallel import Job
from autograder.author.wrong_bank import read_expected, read_wrong
from autograder.questions import QUESTIONS, ROOT
from autograder.results import sort_key
from autograder.selftest.expectations import graded_wrong, update
from autograder.selftest.mutants import all_mutants
from autograder.selftest.verdicts import verdicts_on

DIST = ROOT / "dist"
TITLE = "Kill matrix"
ALONE, CAUGHT, PASSED = "●", "x", ""


@dataclass(frozen=True)
class Row:
    """One submission that is not right, and the tests that it fails."""

    kind: str
    name: str
    question: str
    failed: tuple[str, ...]


@dataclass(frozen=True)
class Table:
    title: str
    head: list[str]
    rows: list[list[str]]


def judged_rows() -> list[Row]:
    """Grade everything, in full, and say how far it is."""
    rows = []
    wrong, mutants = read_wrong(), all_mutants()
    for entry, verdict in graded_wrong(wrong):
        rows.append(Row("wrong", entry.name, entry.question, tuple(verdict.failed)))
    jobs = [Job(mutant.submission, mutant.question) for mutant in mutants]
    for i, verdict in verdicts_on(jobs, lambda _, verdict: bool(verdict.failed)):
        if verdict.fault:
            raise ValueError(f"{mutants[i].name}: the grader failed: {verdict.fault}")
        rows.append(Row("mutant", mutants[i].name, mutants[i].question, tuple(verdict.failed)))
        if len(rows) % 25 == 0:
            print(f"{len(rows)} of {len(wrong) + len(mutants)}", flush=True)
    return rows


def by_test(rows: list[Row], labels: dict[str, str]) -> Table:
    """For each test: how many it catches, and how many it alone."""
    lines = []
    for number, label in labels.items():
        counts = []
        for kind in ("wrong", "mutant"):
            caught = [row for row in rows if row.kind == kind and number in row.failed]
            counts += [len(caught), sum(len(row.failed) == 1 for row in caught)]
        lines.append([number, label, *map(str, counts)])
    head = ["test", "looks at", "wrong", "alone", "mutants", "alone"]
    return Table("What each test catches", head, lines)


def by_submission(rows: list[Row], labels: dict[str, str], question: str) -> Table:
    numbers = [number for number in labels if number.startswith(f"{question}.")]
    lines = []
    for row in rows:
        if row.question == question and row.failed:
            mark = ALONE if len(row.failed) == 1 else CAUGHT
            marks = [mark if number in row.failed else PASSED for number in numbers]
            lines.append([row.kind, row.name, *marks])
    title = f"Question {question}: {CAUGHT} fails, {ALONE} is the only one that fails"
    return Table(title, ["", "", *numbers], lines)


def summary(rows: list[Row], labels: dict[str, str]) -> list[str]:
    """What is worth knowing, in a few lines."""
    lines = []
    for kind, words in (("wrong", "wrong submissions"), ("mutant", "mutants")):
        own = [row for row in rows if row.kind == kind]
        caught = [row for row in own if row.failed]
        alone = sum(len(row.failed) == 1 for row in caught)
        lines.append(
            f"{len(own)} {words}: {len(caught)} lose points, {alone} of them on one test alone"
        )
    deciding = {row.failed[0] for row in rows if len(row.failed) == 1}
    never = [number for number in labels if number not in deciding]
    lines.append(f"never the only test to fail: {', '.join(never) or 'none'}")
    unneeded = [
        number for number in labels if number not in {test for row in rows for test in row.failed}
    ]
    lines.append(f"never fail: {', '.join(unneeded) or 'none'}")
    return lines


def surprises(rows: list[Row]) -> list[str]:
    """Return one line for each wrong submission that fails other tests than expected."""
    expected = read_expected()
    failed = {row.name: row.failed for row in rows if row.kind == "wrong"}
    return [
        f"not as expected: {wrong.name} fails {', '.join(sorted(failed[wrong.name], key=sort_key))}"
        for wrong in read_wrong()
        if wrong.certain(failed[wrong.name]) != set(expected[wrong.name].fails)
    ]


def as_markdown(lines: Iterable[str], tables: Iterable[Table]) -> str:
    def row(cells: list[str]) -> str:
        return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"

    parts = [f"# {TITLE}", "", *(f"- {line}" for line in lines)]
    for table in tables:
        parts += ["", f"## {table.title}", "", row(table.head), row(["---"] * len(table.head))]
        parts += map(row, table.rows)
    return "\n".join(parts) + "\n"


def as_html(lines: Iterable[str], tables: Iterable[Table]) -> str:
    def row(tag: str, cells: list[str]) -> str:
        return "<tr>" + "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells) + "</tr>"

    parts = [
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{TITLE}</title>',
        "<style>body { font: 14px sans-serif; margin: 2em }",
        "table { border-collapse: collapse } th, td { border: 1px solid #8888; padding: 2px 6px }",
        "th { position: sticky; top: 0; background: Canvas } :root { color-scheme: light dark }",
        f"</style><h1>{TITLE}</h1><ul>",
        *(f"<li>{html.escape(line)}</li>" for line in lines),
        "</ul>",
    ]
    for table in tables:
        parts.append(f"<h2>{html.escape(table.title)}</h2><table>")
        parts.append(row("th", table.head))
        parts += [row("td", cells) for cells in table.rows]
        parts.append("</table>")
    return "\n".join(parts) + "</html>\n"


def tell() -> int:
    """Grade everything, write both forms of the matrix and say what is worth knowing."""
    rows = judged_rows()
    labels = {test.number: test.label for test in graded_tests()}
    wrong = surprises(rows)
    lines = [*summary(rows, labels), *wrong]
    tables = [by_test(rows, labels)]
    tables += [by_submission(rows, labels, question.number) for question in QUESTIONS]
    DIST.mkdir(exist_ok=True)
    (DIST / "matrix.md").write_text(as_markdown(lines, tables), encoding="utf-8")
    (DIST / "matrix.html").write_text(as_html(lines, tables), encoding="utf-8")
    print("\n".join([*lines, "", "dist/matrix.md and dist/matrix.html tell the rest"]))
    return 1 if wrong else 0


def tell_of(name: str) -> int:
    """Say what one wrong submission fails. Raises ValueError if there is none of that name."""
    bank = [wrong for wrong in read_wrong() if wrong.name == name]
    if not bank:
        raise ValueError(f"there is no autograder/author/wrong/{name}.txt")
    for wrong, verdict in graded_wrong(bank):
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
        return update() if args.update else tell_of(args.entry) if args.entry else tell()
    except ValueError as problem:
        kept = "" if args.entry else "nothing was written, but verdicts are kept: "
        print(f"{kept}{problem}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
