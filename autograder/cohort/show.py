"""`class show`: one student's submission, page, files and attempts."""

from collections.abc import Iterator
from pathlib import Path

from autograder.__main__ import PYTHON
from autograder.cohort.class_folder import STATES, ClassFolder, Person, Row, Status
from autograder.errors import UsageError
from autograder.printable import sanitize


def show_person(directory: Path, who: str) -> int:
    """Print what the class's folder holds about a student; return the exit status.

    who: a mail address, a number, a name, a pseudonym, or the id of a submission

    Raises UsageError if nobody is found, or several people are.
    """
    folder = ClassFolder(directory)
    key, statuses, wanted = folder.read_key(), folder.read_statuses(), who.strip().casefold()
    found = {
        one: key.get(one, Person())
        for row in folder.rows
        for one in row.people
        if wanted in {text.casefold() for text in (one, row.id, *key.get(one, Person()).fields)}
    }
    if not found:
        raise UsageError(f"{directory} has nobody with the address, number or name {who}")
    rows = [row for row in folder.rows if found.keys() & set(row.people)]
    if len(found) > 1 and len(rows) > 1:
        names = ", ".join(one.email or one.sid or pseudonym for pseudonym, one in found.items())
        raise UsageError(f"{who} names several people: {names}; name one of these")
    for pseudonym, person in found.items():
        print(sanitize(", ".join(filter(None, [*person.fields, pseudonym]))))
    for row in rows:
        for line in describe_row(folder, row, statuses[row.id]):
            print(sanitize(line))
    return 0


def describe_row(folder: ClassFolder, row: Row, status: Status) -> Iterator[str]:
    """Yield lines about a submission of that person."""
    result = status.result or {}
    yield ": ".join(filter(None, (f"submission {row.id}", STATES[status.state], status.problem)))
    if "score" in result:
        yield f"  score: {result['score']:g}"
    if row.late:
        yield f"  late: {row.late}"
    if row.history:
        yield f"  attempts: {len(row.history)}, {', '.join(row.history)}"
    if (page := folder.result_file(row.content, ".html")).exists():
        yield f"  page: {page}"
    if (files := folder.path / "files" / row.content).exists():
        yield f"  files: {files}"
        yield f"  a case again: {PYTHON} -m autograder test -c CASE {files}"
