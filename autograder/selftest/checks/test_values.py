"""Numbers in messages have the digits that tell them apart, and no more."""

import pytest

from autograder.checks.values import distinct


@pytest.mark.parametrize(
    "due, found, shown",
    [
        (0.2, 0.2, ("0.2", "0.2")),
        (1 / 3, 0.25, ("0.3333", "0.25")),
        (0.123456, 0.123457, ("0.123456", "0.123457")),
    ],
)
def test_only_as_many_digits_as_differ(due: float, found: float, shown: tuple[str, str]) -> None:
    assert distinct(due, found) == shown
