"""What each platform demands of a result, written from its documents and not from our code."""

import json
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import jsonschema  # type: ignore[import-untyped]

from autograder.questions import ROOT

SCHEMAS = json.loads(Path(__file__).with_name("contracts.json").read_text(encoding="utf-8"))
RESULTS = json.loads((ROOT / "docs" / "results.schema.json").read_text(encoding="utf-8"))


def check_schema(schema: Any, max_bytes: int, text: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(text)
    jsonschema.validate(found, schema)
    assert len(text.encode()) < max_bytes
    return found


def check_classroom50(text: str) -> dict[str, Any]:
    found = check_schema(SCHEMAS["classroom50"], 10_000_000, text)
    for one in (found, *found["tests"]):
        assert one["score"] <= one["max-score"]
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
        jsonschema.validate(one, SCHEMAS["submitty"])
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
    "gradescope": partial(check_schema, RESULTS, 10_000_000),
    "junit": check_junit,
    "markdown": check_markdown,
    "classroom50": check_classroom50,
    "prairielearn": partial(check_schema, SCHEMAS["prairielearn"], 1_000_000),
    "autolab": check_autolab,
    "submitty": check_submitty,
    "vpl": check_vpl,
}
