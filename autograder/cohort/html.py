"""Renders the pages of a class from the templates in `templates/`; everything is escaped."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from autograder.feedback.page import CSS
from autograder.feedback.report import points
from autograder.feedback.svg import LIGHT
from autograder.printable import printable
from autograder.settings import SETTINGS


def finalize(value: Any) -> Any:
    """Replace characters that a page would obey or nobody can see, line by line."""
    if isinstance(value, str) and not isinstance(value, Markup):
        return "\n".join(map(printable, value.split("\n")))
    return value


def count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def number(value: float, form: str) -> str:
    """Format a number, with a minus sign in place of a hyphen."""
    return (form % value).replace("-", "−")


ENVIRONMENT = Environment(
    loader=FileSystemLoader(Path(__file__).with_name("templates")),
    autoescape=True,
    finalize=finalize,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
ENVIRONMENT.filters |= {"count": count, "number": number, "points": points}
ENVIRONMENT.globals |= {"common_css": Markup(CSS), "light": Markup(LIGHT), "settings": SETTINGS}


def render(template: str, **data: Any) -> str:
    return ENVIRONMENT.get_template(template).render(data)
