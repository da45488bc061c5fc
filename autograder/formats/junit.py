"""JUnit XML, which most systems for continuous integration read.

A suite is a question; its property `points` has the points. A test that the grader did not judge
is an error, and one that it did not reach is skipped. Attributes and elements are those of
Jenkins' schema.
"""

import re
from itertools import groupby
from xml.etree import ElementTree

from autograder.feedback.results import Outcome, Report, Result
from autograder.feedback.results_json import format_output
from autograder.formats.text import describe_score, list_remarks, name_test
from autograder.questions import QUESTIONS

# XML 1.0 has no way to write these.
NOT_IN_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
ELEMENTS = {Outcome.FAILED: "failure", Outcome.FAULT: "error", Outcome.NOT_RUN: "skipped"}


def render(report: Report) -> str:
    """Return the tests that are shown as JUnit XML."""
    shown, titles = report.shown, {row.number: row.title for row in QUESTIONS}
    sums = shown.by_question
    whole = ElementTree.Element("testsuites", count_outcomes(shown.results))
    for question, group in groupby(shown.results, lambda result: result.question):
        results = list(group)
        attributes = {"name": f"question {question}: {titles[question]}", **count_outcomes(results)}
        attributes["timestamp"] = f"{report.when:%Y-%m-%dT%H:%M:%S}"
        suite = ElementTree.SubElement(whole, "testsuite", attributes)
        points = "{:g}/{:g}".format(*sums[question])
        properties = ElementTree.SubElement(suite, "properties")
        ElementTree.SubElement(properties, "property", name="points", value=points)
        for result in results:
            add_case(suite, result)
    if len(whole):
        said = "\n".join([*list_remarks(report), describe_score(report)])
        ElementTree.SubElement(whole[-1], "system-out").text = said
    ElementTree.indent(whole)
    text = NOT_IN_XML.sub("\ufffd", ElementTree.tostring(whole, encoding="unicode"))
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


def add_case(suite: ElementTree.Element, result: Result) -> None:
    """Add a test, with its message unless it passed."""
    case = ElementTree.SubElement(
        suite,
        "testcase",
        classname=f"question_{result.question}",
        name=f"{name_test(result)} [{result.max_points:g}]",
        time=f"{result.seconds:.3f}",
    )
    if result.outcome in ELEMENTS:
        text = format_output(result)
        # A stand-alone first line is what most viewers list.
        why = ElementTree.SubElement(case, ELEMENTS[result.outcome])
        why.set("message", text.split("\n", 1)[0])
        if result.outcome is not Outcome.NOT_RUN:
            why.set("type", result.outcome.value)
        why.text = text


def count_outcomes(results: list[Result]) -> dict[str, str]:
    """Return the attributes that count the outcomes and the seconds."""
    outcomes = [result.outcome for result in results]
    return {
        "tests": str(len(results)),
        "failures": str(outcomes.count(Outcome.FAILED)),
        "errors": str(outcomes.count(Outcome.FAULT)),
        "skipped": str(outcomes.count(Outcome.NOT_RUN)),
        "time": f"{sum(result.seconds for result in results):.3f}",
    }
