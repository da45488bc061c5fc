"""Render the pages and tables of a class, in which students' text is harmless."""

import csv
import io
import re
import unicodedata
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from autograder.feedback.page import CSS
from autograder.feedback.svg import LIGHT, STYLE
from autograder.printable import sanitize
from autograder.settings import SETTINGS


def finalize(value: Any) -> Any:
    """Remove control characters and invisible ones from text, line by line."""
    if isinstance(value, str) and not isinstance(value, Markup):
        return "\n".join(map(sanitize, value.split("\n")))
    return value


def format_count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


ENVIRONMENT = Environment(
    loader=FileSystemLoader(Path(__file__).with_name("templates")),
    autoescape=True,
    finalize=finalize,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
ENVIRONMENT.filters |= {"count": format_count, "points": "{:g}".format}
ENVIRONMENT.globals |= {
    "common_css": Markup(CSS),
    "light": Markup(LIGHT),
    "drawing_css": Markup(STYLE),
    "settings": SETTINGS,
}


def render(template: str, **data: Any) -> str:
    return ENVIRONMENT.get_template(template).render(data)


def make_csv(rows: Iterable[Iterable[object]]) -> str:
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    for row in rows:
        table.writerow([escape_cell(cell) if isinstance(cell, str) else cell for cell in row])
    return text.getvalue()


FORMULA = ("=", "+", "-", "@")  # what one begins with


def escape_cell(text: str) -> str:
    """Return text as a cell of one line that no spreadsheet takes for a formula.

    The same holds for its parts, because a spreadsheet may split the text at a delimiter.
    """
    parts = re.split("([;,|])", sanitize(" ".join(text.split())))
    begins = [unicodedata.normalize("NFKC", part.lstrip(" \"'")[:1]) for part in parts]
    return "".join(f"'{part}" if begin in FORMULA else part for begin, part in zip(begins, parts))
