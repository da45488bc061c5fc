"""Reads submission_metadata.yml, which Gradescope puts beside the submissions that it exports."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import yaml

from autograder.cohort.class_folder import Person, Row
from autograder.packaging import BadSubmission
from autograder.submission import Submission

METADATA = "submission_metadata.yml"
GRADESCOPE = re.compile(r"submission_(?P<id>\d+)")
LOADER = getattr(yaml, "CBaseLoader", yaml.BaseLoader)  # reads all scalars as text


@dataclass
class Upload:
    """One submission in an export.

    place:      its name in the export
    people:     those who submitted it; never empty
    row:        what the class's folder stores of it, as far as the export says
    submission: what is to be graded, None if it can't be: `row.problem` says why
    """

    place: str
    people: list[Person]
    row: Row = field(default_factory=Row)
    submission: Submission | None = None


def read_metadata(content: bytes) -> dict[str, Upload]:
    """Return what is known of each submission, by its folder. Raises BadSubmission."""
    try:
        entries = dict(yaml.load(content, Loader=LOADER))
        return {place: upload_of(place, entry) for place, entry in entries.items()}
    except (yaml.YAMLError, ValueError, TypeError, AttributeError, RecursionError) as error:
        reason = " ".join(str(error).split())[:200]
        raise BadSubmission(
            f"{METADATA} can't be read ({reason}): export the class again"
        ) from None


def upload_of(place: str, entry: dict[str, Any]) -> Upload:
    """Return what an entry of the metadata says; whatever is missing there is left empty."""
    people = [
        Person(*((one.get(key) or "").strip() for key in (":name", ":sid", ":email")))
        for one in entry.get(":submitters") or []
    ]
    created = time_of(entry.get(":created_at", ""))
    history = [time_of(one.get(":created_at", "")) for one in entry.get(":history") or []]
    history.sort(key=datetime.fromisoformat)
    return Upload(
        place,
        [person for person in people if any(person)] or [Person(place)],
        Row(created=created, history=[*history, created] if history else []),
    )


def time_of(text: str) -> str:
    """Return a time in ISO 8601, "" if there is none."""
    known = yaml.safe_load(text)
    return known.isoformat(timespec="seconds") if isinstance(known, datetime) else ""
