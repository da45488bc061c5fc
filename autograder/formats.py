"""The forms in which `make grade` writes a report beside results.json, a row for each."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from autograder.page import page
from autograder.results import Report


class Format(NamedTuple):
    """One form: the ending of its file, what is said of the file, and its text."""

    ending: str
    says: str
    text: Callable[[Report], str]


FORMATS = (Format(".html", "the same with pictures", page),)
