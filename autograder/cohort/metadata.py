"""Reads submission_metadata.yml, which Gradescope puts beside the submissions that it exports."""

from __future__ import annotations

import base64
import binascii
import contextlib
import re
from collections.abc import Sequence
from datetime import datetime, timezone
from typing import Any, NamedTuple

import yaml

from autograder.cohort.class_folder import Attempt, Person, moment
from autograder.submission import BadSubmission, printable

METADATA = "submission_metadata.yml"
GRADESCOPE = re.compile(r"submission_(?P<id>\d+)")
MAX_DEPTH = 100  # of nested YAML
MAX_SCORE = 1e6
TIME = re.compile(r"[\dTtZz :.+-]{1,40}")
LATENESS = re.compile(r"\d+:\d\d:\d\d")
EARLIEST = datetime.min.replace(tzinfo=timezone.utc)


class Entry(NamedTuple):
    """One submission in the metadata.

    people:  not empty
    created: in ISO 8601, "" if that is not known
    late:    by how much, in hours, minutes and seconds, "" if it was on time or no due
             date is known
    history: all attempts, the graded one last; empty if there was no other
    """

    people: list[Person]
    created: str = ""
    late: str = ""
    history: Sequence[Attempt] = ()


def read_metadata(content: bytes) -> tuple[dict[str, Entry], list[str]]:
    """Return what is known of each submission, by its folder, and remarks about it.

    Raises BadSubmission if it can't be read.
    """
    try:
        entries = read_yaml(content)
        assignment = next((value for key, value in entries if str(key) == ":assignment"), None)
        found: dict[str, Entry] = {}
        remarks = []
        for key, value in entries:
            place = str(key)
            if place == ":assignment":
                continue
            entry = entry_of(place, value, assignment)
            if place in found:
                remarks.append(
                    f"{METADATA} has two entries for {printable(place)}: the people of both have "
                    "submitted it"
                )
                people = dict.fromkeys(found[place].people + entry.people)
                entry = entry._replace(people=list(people))
            found[place] = entry
    except (yaml.YAMLError, ValueError, TypeError, AttributeError) as error:
        reason = " ".join(str(error).split())[:200]
        raise BadSubmission(
            f"{METADATA} can't be read ({reason}): export the class again"
        ) from None
    return found, remarks


def read_yaml(content: bytes) -> list[tuple[Any, Any]]:
    """Return the entries at the root as plain data, without the results of attempts.

    All scalars are text, and Ruby's symbols that are keys of inner mappings lose their colon. It
    works on events, because a composer recurses and merges: references to references stay one
    object, and nesting is bounded.

    Raises YAMLError, and ValueError where it is something else or nested too deeply.
    """
    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    open_ones: list[tuple[yaml.CollectionStartEvent, list[Any]]] = []  # and what is in them
    anchors: dict[str, Any] = {}
    for event in yaml.parse(content, Loader=loader):
        if isinstance(event, yaml.CollectionStartEvent):
            if len(open_ones) == MAX_DEPTH:
                raise ValueError("it is nested too deeply")
            open_ones.append((event, []))
            continue
        data: Any
        begun = event
        if isinstance(event, yaml.CollectionEndEvent):
            begun, items = open_ones.pop()
            pairs = list(zip(items[::2], items[1::2]))
            if isinstance(begun, yaml.SequenceStartEvent):
                data = items
            elif open_ones:
                data = {key.lstrip(":"): value for key, value in pairs if key != ":results"}
            else:
                return pairs
        elif isinstance(event, yaml.AliasEvent):
            if event.anchor not in anchors:
                raise yaml.YAMLError(f"nothing whole is called {event.anchor}")
            data = anchors[event.anchor]
        elif isinstance(event, yaml.ScalarEvent):
            data = scalar_text(event)
        else:  # a stream or document begins or ends
            continue
        if begun.anchor is not None:
            anchors[begun.anchor] = data
        if not open_ones:
            break
        open_ones[-1][1].append(data)
    raise ValueError("it names no submissions")


def scalar_text(event: yaml.ScalarEvent) -> str:
    text: str = event.value
    if (event.tag or "").endswith("binary"):
        with contextlib.suppress(binascii.Error):
            return base64.b64decode(text).decode(errors="replace")
    return text


def entry_of(place: str, entry: dict[str, Any], assignment: object) -> Entry:
    """Return one entry of the metadata. Whatever is missing there is left empty."""
    submitters = mappings(entry.get("submitters"))
    people = [
        Person(*(text_of(one.get(key)) for key in ("name", "sid", "email"))) for one in submitters
    ]
    number = GRADESCOPE.fullmatch(place)
    created = time_of(entry.get("created_at"))
    history = [
        Attempt(time_of(one.get("created_at")), number_of(one.get("score")))
        for one in mappings(entry.get("history"))
        if not number or text_of(one.get("id")) != number["id"]
    ]
    history.sort(key=lambda attempt: moment(attempt.created) or EARLIEST)
    last = Attempt(created, number_of(entry.get("score")))
    return Entry(
        [person for person in people if any(person)] or [Person(place)],
        created,
        lateness(entry, [*submitters, entry, assignment]),
        [*history, last] if history else (),
    )


def lateness(entry: dict[str, Any], sources: list[object]) -> str:
    """Return how late a submission is: as it is written there, or computed from the due date.

    sources: what may name the due date, itself or in its `assignment`; the first that does counts,
             so a student's extension counts before the date of all
    """
    written = text_of(entry.get("lateness"))
    if LATENESS.fullmatch(written):
        return written if int(written.replace(":", "")) else ""
    created = moment(time_of(entry.get("created_at")))
    for part in [m for one in mappings(sources) for m in mappings([one, one.get("assignment")])]:
        due, last = (moment(time_of(part.get(key))) for key in ("due_date", "late_due_date"))
        if created and due:
            seconds = max(0, int((created - due).total_seconds()))
            late = f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}" if seconds else ""
            return f"{late}, after the late due date" if last and created > last else late
    return ""


def mappings(value: object) -> list[dict[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def text_of(value: object) -> str:
    return value.strip() if isinstance(value, str) and value not in ("~", "null") else ""


def number_of(value: object) -> float | None:
    """Return a score, as far as it may be one: none is infinite."""
    try:
        number = float(text_of(value))
    except ValueError:
        return None
    return number if abs(number) < MAX_SCORE else None


def time_of(value: object) -> str:
    """Return a time in ISO 8601, or the text itself if it is something else."""
    text = text_of(value)
    if not TIME.fullmatch(text):  # YAML that is no time may be anything
        return text
    try:
        known = yaml.safe_load(text)
    except (yaml.YAMLError, ValueError):  # no such day, for one
        return text
    return known.isoformat(timespec="seconds") if isinstance(known, datetime) else text
