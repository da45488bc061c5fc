"""What Gradescope tells of an assignment is compared with the points of the tests."""

import json

import pytest

from autograder.feedback.results import Report, Result
from autograder.gradescope.__main__ import points_differ

REPORT = Report(results=[Result("1.1", "one", 60), Result("1.2", "two", 40)])


@pytest.mark.parametrize("points", ["100.0", 100])
def test_an_assignment_of_the_tests_points_needs_no_word(tmp_path, points):
    metadata = tmp_path / "metadata.json"
    metadata.write_text(json.dumps({"assignment": {"total_points": points}}))
    assert points_differ(metadata, REPORT) == []


def test_an_assignment_of_other_points_is_pointed_out(tmp_path):
    metadata = tmp_path / "metadata.json"
    metadata.write_text(json.dumps({"assignment": {"total_points": "50.0"}}))
    (line,) = points_differ(metadata, REPORT)
    assert "set to 50 points on Gradescope, but its tests give 100" in line


@pytest.mark.parametrize(
    "content", [b"", b"[]", b"{", b"\xff", b"{}", b'{"assignment": null}', b"[" * 100_000]
)
def test_metadata_that_can_not_be_read_is_no_obstacle(tmp_path, content):
    metadata = tmp_path / "metadata.json"
    metadata.write_bytes(content)
    assert points_differ(metadata, REPORT) == []
    assert points_differ(tmp_path / "missing.json", REPORT) == []
