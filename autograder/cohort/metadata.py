"""Read submission_metadata.yml, which Gradescope adds to exported submissions."""

import re
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import yaml

from autograder.cohort.class_folder import Person, Row, parse_time
from autograder.packaging import BadSubmission
from autograder.settings import SETTINGS
from autograder.submission import Submission

METADATA = "submission_metadata.yml"
GRADESCOPE = re.compile(r"submission_(?P<id>\d+)")
SHORTEST = 4  # bytes of an entry in a list: "- a" and the end of the line
LATENESS = re.compile(r"\d+:\d\d:\d\d")
TIME = re.compile(r"\d{4}-\d\d?-\d\d?[Tt \t]")
LOADER = getattr(yaml, "CBaseLoader", yaml.BaseLoader)  # reads all scalars as text


@dataclass
class Upload:
    """One submission in an export.

    place:      its name in the export
    people:     the people who submitted it; never empty
    address:    see `Person`
    row:        its row in the class's folder, as far as the export has it
    submission: what to grade; None if it can't be graded, see `row.problem`
    """

    place: str
    people: list[Person]
    address: str = ""
    row: Row = field(default_factory=Row)
    submission: Submission | None = None

    @property
    def owners(self) -> list[Person]:
        """The people, with the address of this submission."""
        return [person._replace(address=self.address) for person in self.people]


def read_metadata(content: bytes) -> dict[str, Upload]:
    """Return the upload of each submission, by its folder. Raises BadSubmission."""
    try:
        entries = dict(yaml.load(content, Loader=LOADER))
        assignment = entries.pop(":assignment", None)
        keys = (":submitters", ":history")
        parts = sum(len(entry.get(key) or ()) for entry in entries.values() for key in keys)
        if SHORTEST * parts > len(content):
            raise ValueError("its aliases stand for more people than it has room for")
        return {place: make_upload(place, entry, assignment) for place, entry in entries.items()}
    except (yaml.YAMLError, ValueError, TypeError, AttributeError, RecursionError) as error:
        reason = " ".join(str(error).split())[:200]
        raise BadSubmission(
            f"{METADATA} can't be read ({reason}): export the class again"
        ) from None


def make_upload(place: str, entry: dict[str, Any], assignment: object) -> Upload:
    """Return the upload of an entry in the metadata; missing fields stay empty."""
    submitters = select_mappings(entry.get(":submitters"))
    people = [
        Person(*(read_text(one.get(key)) for key in (":name", ":sid", ":email")))
        for one in submitters
    ]
    created = read_time(entry.get(":created_at"))
    history = [read_time(one.get(":created_at")) for one in select_mappings(entry.get(":history"))]
    history.sort(key=lambda text: when.timestamp() if (when := parse_time(text)) else 0)
    return Upload(
        place,
        [person for person in people if any(person)] or [Person(place)],
        row=Row(
            created=created,
            late=compute_lateness(entry, select_mappings([*submitters, entry, assignment])),
            history=[*history, created] if created else history,
        ),
    )


def compute_lateness(entry: dict[str, Any], sources: list[dict[str, Any]]) -> str:
    """Return by how much a submission is late, "" if nothing says that it is.

    sources: they may name due dates, also in their `assignment`; the first date counts, so a
             student's extension comes before the class's date. The extensions of `assignment.toml`
             come before these dates, its dates after them.
    """
    parts = [part for one in sources for part in select_mappings([one, one.get(":assignment")])]
    ids = {read_text(one.get(key)).casefold() for one in sources for key in (":email", ":sid")}
    extensions = [when for name, when in SETTINGS.extensions.items() if name in ids]
    extensions.sort(key=datetime.fromisoformat, reverse=True)
    text = read_text(entry.get(":lateness"))
    if LATENESS.fullmatch(text) and not extensions:
        return text if int(text.replace(":", "")) else ""
    parts = [*({":due_date": when} for when in extensions), *parts]
    parts.append({":due_date": SETTINGS.dates["due"], ":late_due_date": SETTINGS.dates["late"]})

    def find_first(key: str) -> datetime | None:
        times = (parse_time(read_time(part.get(key))) for part in parts)
        return next(filter(None, times), None)

    created, last = parse_time(read_time(entry.get(":created_at"))), find_first(":late_due_date")
    due = find_first(":due_date") or last
    if not created or not due or created <= due:
        return ""
    minutes, seconds = divmod(int((created - due).total_seconds()), 60)
    late = f"{minutes // 60}:{minutes % 60:02}:{seconds:02}"
    return f"{late}, after the late due date" if last and created > last else late


def select_mappings(value: object) -> list[dict[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def read_text(value: object) -> str:
    return value.strip() if isinstance(value, str) and value not in ("~", "null") else ""


def read_time(value: object) -> str:
    """Return a time in ISO 8601, or the text itself if it is something else."""
    text = read_text(value)
    try:
        known = yaml.safe_load(text) if TIME.match(text) else None
    except (yaml.YAMLError, ValueError, OverflowError):  # e.g. no such day
        return text
    return known.isoformat(" ", "seconds") if isinstance(known, datetime) else text
