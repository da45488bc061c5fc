"""What each platform demands of a result, written from its documents and not from our code."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

import jsonschema  # type: ignore[import-untyped]

from autograder.questions import ROOT

GRADESCOPE = json.loads((ROOT / "docs" / "results.schema.json").read_text())
WHOLE = {"type": "integer", "minimum": 0}
TEXT = {"type": "string", "minLength": 1}
TIME = {"type": "string", "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$"}
CLASSROOM50 = {
    "type": "object",
    "additionalProperties": False,
    "required": [
        *("schema", "classroom", "assignment", "assignment_type", "owner", "submission", "commit"),
        *("release", "review", "datetime", "score", "max-score", "tests"),
    ],
    "properties": {
        **dict.fromkeys(("classroom", "assignment", "owner", "commit", "release", "review"), TEXT),
        "schema": {"const": "classroom50/result/v1"},
        "assignment_type": {"enum": ["individual", "group", "team"]},
        "submission": {"type": "string", "pattern": "^submit/"},
        "datetime": TIME,
        "graded_at": TIME,
        "score": WHOLE,
        "max-score": WHOLE,
        "tests": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["test-name", "passed", "score", "max-score"],
                "properties": {
                    "test-name": TEXT,
                    "passed": {"type": "boolean"},
                    "score": WHOLE,
                    "max-score": WHOLE,
                },
            },
        },
    },
}
IMAGE = {
    "type": "object",
    "required": ["url"],
    "properties": {"url": {"pattern": r"^data:image/(png|jpeg|gif|svg\+xml);base64,"}},
}
PRAIRIELEARN = {
    "type": "object",
    "properties": {
        "gradable": {"type": "boolean"},
        "format_errors": {"type": ["string", "array"]},
        "score": {"type": "number", "minimum": 0, "maximum": 1},
        "message": {"type": "string"},
        "output": {"type": "string"},
        "tests": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["name", "points", "max_points"],
                "properties": {
                    "name": TEXT,
                    "points": {"type": "number"},
                    "max_points": {"type": "number"},
                    "output": {"type": "string"},
                    "images": {"type": "array", "items": IMAGE},
                },
            },
        },
    },
    "if": {"properties": {"gradable": {"const": False}}, "required": ["gradable"]},
    "then": {"required": ["format_errors"]},
    "else": {"required": ["score"]},
}
SUBMITTY = {
    "type": "object",
    "required": ["status"],
    "if": {"properties": {"status": {"const": "success"}}},
    "then": {
        "required": ["data"],
        "properties": {
            "data": {
                "type": "object",
                "required": ["score", "message"],
                "properties": {
                    "score": {"type": "number", "minimum": 0, "maximum": 1},
                    "message": {
                        "type": "array",
                        "minItems": 1,
                        "items": {
                            "required": ["message", "status"],
                            "properties": {
                                "message": {"type": "string"},
                                "status": {
                                    "enum": ["information", "failure", "warning", "success"]
                                },
                            },
                        },
                    },
                },
            }
        },
    },
    "else": {"properties": {"status": {"const": "failure"}, "message": TEXT}},
}


def check_classroom50(text: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(text)
    jsonschema.validate(found, CLASSROOM50)
    assert len(text.encode()) < 10_000_000
    for one in (found, *found["tests"]):
        assert one["score"] <= one["max-score"]
        assert bool not in (type(one["score"]), type(one["max-score"]))
    return found


def check_prairielearn(text: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(text)
    jsonschema.validate(found, PRAIRIELEARN)
    assert len(text.encode()) < 1_000_000
    return found


def check_autolab(text: str) -> dict[str, Any]:
    """Return the last line's content, {} if it is no JSON: then there is no score."""
    *_, last = text.splitlines()
    try:
        found: dict[str, Any] = json.loads(last)
    except ValueError:
        return {}
    assert set(found) <= {"scores", "scoreboard"}
    assert all(isinstance(points, (int, float)) for points in found["scores"].values())
    assert isinstance(found.get("scoreboard", []), list)
    return found


def check_submitty(text: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(text)
    for one in found.values():
        jsonschema.validate(one, SUBMITTY)
    return found


def check_junit(text: str) -> ElementTree.Element:
    """Check elements, attributes and counts as Jenkins' schema and GitLab want them."""
    found = ElementTree.fromstring(text.encode())
    assert found.tag == "testsuites"
    for suite in found:
        assert suite.tag == "testsuite"
        cases = suite.findall("testcase")
        assert int(suite.attrib["tests"]) == len(cases)
        for element, name in (("failure", "failures"), ("error", "errors"), ("skipped", "skipped")):
            assert int(suite.attrib[name]) == sum(case.find(element) is not None for case in cases)
        for case in cases:
            assert {"classname", "name", "time"} == set(case.attrib)
            assert float(case.attrib["time"]) >= 0
            assert {child.tag for child in case} <= {"failure", "error", "skipped"}
    return found


def check_gradescope(text: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(text)
    jsonschema.validate(found, GRADESCOPE)
    return found


def check_markdown(text: str) -> str:
    """Check the size, and that each fence is closed."""
    assert len(text.encode()) <= 1 << 20
    fences = re.findall(r"^(`{3,})(text)?$", text, re.M)
    opened = ""
    for fence, opens in fences:
        if opens and not opened:
            opened = fence
        elif len(fence) >= len(opened) and not opens:
            opened = ""
    assert not opened
    return text


def check_vpl(text: str) -> float:
    """Return the grade of Moodle's VPL: every line is a comment but the last."""
    *lines, last = text.splitlines()
    assert all(line.startswith("Comment :=>>") for line in lines)
    match = re.fullmatch(r"Grade :=>> (\d+(?:\.\d+)?)", last)
    assert match or last.startswith("Comment :=>>")
    return float(match[1]) if match else -1.0


CONTRACTS: dict[str, Callable[[str], Any]] = {
    "gradescope": check_gradescope,
    "junit": check_junit,
    "markdown": check_markdown,
    "classroom50": check_classroom50,
    "prairielearn": check_prairielearn,
    "autolab": check_autolab,
    "submitty": check_submitty,
    "vpl": check_vpl,
}
