"""Put findings into words, from `messages.ini`, with one section per code."""

import string
from collections import ChainMap
from collections.abc import Mapping
from configparser import ConfigParser
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from autograder.checks.ask.finding import FIRST_WRONG_CALL, LONGEST_TEXT, Finding, lookup_keys
from autograder.diagram import format_value

TABLE = Path(__file__).with_name("messages.ini")
# Hints that leave open what a known mistake says; their names begin so.
GUESSES = ("another-return", "call-bound-never", "margin", "wrong-side-")


class Words(NamedTuple):
    """A finding in words. All but `message` may be empty."""

    message: str
    expected: str = ""
    got: str = ""
    hints: tuple[str, ...] = ()


@cache
def read_table() -> ConfigParser:
    entries = ConfigParser(delimiters=("=",), comment_prefixes=("#",), interpolation=None)
    entries.optionxform = str  # type: ignore[assignment,method-assign] # names are case-sensitive
    entries.read_string(TABLE.read_text(encoding="utf-8"))
    return entries


class Formatter(string.Formatter):
    """A formatter for facts: `{v}` shortens a number, `{count:node}` adds its noun."""

    def format_field(self, value: Any, noun: str) -> str:
        if not noun:
            return format_value(value)
        return f"{value:,} {noun}" if value == 1 else f"{value:,} {noun}s"


def find_parts(code: str) -> dict[str, str]:
    """Return the lines about a code by name; its family fills gaps in its section."""
    table = read_table()
    return dict(ChainMap(*(table[section] for section in lookup_keys(code) if section in table)))


def put_into_words(finding: Finding, guesses: bool = True) -> Words:
    words = read_table()["hints"]
    parts = find_parts(finding.code)
    if finding.code.startswith(FIRST_WRONG_CALL):
        parts["message"] = words[finding.code.removeprefix(FIRST_WRONG_CALL)]
    assert "message" in parts, f"{TABLE.name} has no section for {finding.code}"
    filled = {name: fill_in(line, finding.facts)[:LONGEST_TEXT] for name, line in parts.items()}
    shown = [hint for hint in finding.hints if guesses or not hint.name.startswith(GUESSES)]
    hints = [fill_in(words[hint.name], hint.facts) for hint in shown]
    hints += [filled.pop("hint")] if "hint" in filled else []
    return Words(hints=tuple(hints), **filled)


def fill_in(line: str, facts: Mapping[str, Any]) -> str:
    """Fill in the placeholders. Raises KeyError if a fact is missing."""
    return Formatter().vformat(line.replace("\n", " "), (), facts)


def look_up(section: str, code: str) -> str:
    """Return what a section has about a code, or ""."""
    entries = read_table()[section]
    return next((entries[place] for place in lookup_keys(code) if place in entries), "")


def find_place_in_handout(code: str) -> str:
    """Return the file and anchor that explain findings with this code, or ''."""
    anchor = look_up("see", code)
    return f"handout.html#{anchor}" if anchor else ""
