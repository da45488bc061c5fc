"""Group what a class lost by mistake, and by topic: the place of the handout that explains it."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any

from autograder.feedback.messages import find_place_in_handout
from autograder.feedback.results import sort_key
from autograder.questions import ROOT, ROWS

HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)
ANCHOR = re.compile(r'^((?:<a id="[\w-]+"></a>)+)\*\*(.+?)\*\*', re.MULTILINE | re.DOTALL)
NOT_WRITTEN = "Not written, or not loaded"

Results = Mapping[str, dict[str, Any]]  # the results.json of each submission


@cache
def read_titles() -> dict[str, str]:
    """Return what the handout says at each of its anchors: a heading, or a bold sentence."""
    text = (ROOT / "handout.md").read_text(encoding="utf-8")
    titles = {}
    for heading in HEADING.findall(text):
        titles[re.sub(r"[^\w\- ]", "", heading).lower().replace(" ", "-")] = heading
    for anchors, bold in ANCHOR.findall(text):
        for anchor in re.findall(r'id="([\w-]+)"', anchors):
            titles[anchor] = " ".join(bold.split()).rstrip(".")
    return titles


def name_topic(test: dict[str, Any]) -> tuple[str, str] | None:
    """Return the topic of a failed test: its title, and its place; None if it has passed."""
    code = test["extra_data"]["code"]
    if not code:
        return None
    if code.split("/")[0] in ("not-written", "not-loaded", "missing"):
        return NOT_WRITTEN, ""
    _, _, place = find_place_in_handout(code).partition("#")
    if place in read_titles():
        return read_titles()[place], place
    number = test["number"].split(".")[0]
    title = next((f", {row.title}" for row in ROWS if row.number == number), "")  # also if off now
    return f"Question {number}{title}: other mistakes", ""


def group_failures(
    results: Results, name: Callable[[dict[str, Any]], Any]
) -> Iterator[tuple[Any, list[tuple[str, dict[str, Any]]], dict[str, list[str]]]]:
    """Yield what `name` returns of failed tests, its failures, and their tests and submissions.

    A failure is the id of a submission and its test.
    """
    found: dict[Any, list[tuple[str, dict[str, Any]]]] = defaultdict(list)
    for id, result in results.items():
        for test in result["tests"]:
            if key := name(test):
                found[key].append((id, test))
    for key, failures in found.items():
        submissions, tests = zip(*failures)
        numbers = sorted({test["number"] for test in tests}, key=sort_key)
        yield key, failures, {"tests": numbers, "submissions": sorted(set(submissions))}


def group_by_topic(results: Results, scores: Mapping[str, float]) -> list[dict[str, Any]]:
    """Group the lost points of results by topic, the most expensive first.

    place:   the topic's anchor in the handout, "" if no place explains it
    lost:    the points that the class lost in its tests
    example: the submission and the test whose drawing shows it: of the one with most points
    """
    topics = []
    for (title, place), failures, group in group_failures(results, name_topic):
        lost = sum(test["max_score"] - test["score"] for _, test in failures)
        id, test = max(failures, key=lambda one: (scores[one[0]], one[0]))
        example = id, test["number"]
        topics.append({"title": title, "place": place, "lost": lost, **group, "example": example})
    return sorted(topics, key=lambda one: (-one["lost"], one["title"]))
