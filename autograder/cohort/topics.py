"""Group what a class lost by topic: by the place of the handout that explains a finding."""

import re
from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

from autograder.feedback.messages import find_place_in_handout
from autograder.feedback.results import sort_key
from autograder.questions import ROOT, find_question

HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)
ANCHOR = re.compile(r'^((?:<a id="[\w-]+"></a>)+)\*\*(.+?)\*\*', re.MULTILINE | re.DOTALL)
NOT_WRITTEN = "Not written, or not loaded"


class Topic(NamedTuple):
    """A topic, and what it cost the class.

    place:       its anchor in the handout, "" if no place explains it
    lost:        the points that the class lost in its tests
    submissions: who lost them, by id; tests: the tests, by number
    example:     the submission and the test whose drawing shows it: of the one with most points
    """

    title: str
    place: str
    lost: float
    submissions: list[str]
    tests: list[str]
    example: tuple[str, str]


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


def name_topic(code: str, number: str) -> tuple[str, str]:
    """Return the topic of a finding in a test: its title, and its place."""
    if code.split("/")[0] in ("not-written", "not-loaded", "missing"):
        return NOT_WRITTEN, ""
    _, _, place = find_place_in_handout(code).partition("#")
    if place in read_titles():
        return read_titles()[place], place
    question = find_question(number)
    return f"Question {question.number}, {question.title}: other mistakes", ""


def group_by_topic(
    results: Mapping[str, dict[str, Any]], scores: Mapping[str, float]
) -> list[Topic]:
    """Group the lost points of results by topic, the most expensive first.

    results: the results.json of each submission; scores: its points
    """
    found: dict[tuple[str, str], list[tuple[str, str, float]]] = defaultdict(list)
    for id, result in results.items():
        for test in result["tests"]:
            if code := test["extra_data"]["code"]:
                lost = test["max_score"] - test["score"]
                found[name_topic(code, test["number"])].append((id, test["number"], lost))
    topics = []
    for (title, place), failures in found.items():
        submissions, tests, lost = zip(*failures)
        best = max(failures, key=lambda one: (scores[one[0]], one[0]))
        who, where = sorted(set(submissions)), sorted(set(tests), key=sort_key)
        topics.append(Topic(title, place, sum(lost), who, where, best[:2]))
    return sorted(topics, key=lambda one: (-one.lost, one.title))
