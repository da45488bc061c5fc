"""A CSV file as the cells it is written in, so that a few can be changed and all else stays.

Byte order mark, line ends, delimiter and the quotes around cells remain as they are, byte for byte.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator

from autograder.errors import UsageError

DELIMITERS = ",;\t"


class BadSheet(UsageError):
    """The text is no CSV file; the message says why."""


class Sheet:
    """The rows of a CSV file. `rows[i][k]` is the text of a cell, without quotes."""

    def __init__(self, content: bytes) -> None:
        """Raises BadSheet."""
        if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            raise BadSheet("it is UTF-16: save it as CSV in UTF-8")
        try:
            content.decode()
            self.encoding = "utf-8"
        except UnicodeDecodeError:
            self.encoding = "latin-1"  # every byte stays what it is
        text = content.decode(self.encoding)
        self.mark = "\ufeff" if text.startswith("\ufeff") else ""
        first = re.split(r"[\r\n]", text, maxsplit=1)[0]
        self.delimiter = max(DELIMITERS, key=first.count)
        self.raw: list[list[str]] = []  # the cells as they are written
        self.ends: list[str] = []  # of the lines
        for cells, end in self.read(text[len(self.mark) :]):
            self.raw.append(cells)
            self.ends.append(end)
        self.rows = [[unquoted(cell) for cell in cells] for cells in self.raw]

    def read(self, text: str) -> Iterator[tuple[list[str], str]]:
        """Yield each row as it is written, and its line end."""
        cut = re.escape(self.delimiter)
        cell = re.compile(
            rf'(?P<raw>"(?:[^"]|"")*"|[^"{cut}\r\n][^{cut}\r\n]*|)(?P<end>{cut}|\r\n|\r|\n|\Z)'
        )
        cells: list[str] = []
        at = 0
        while at < len(text) or cells:
            found = cell.match(text, at)
            if found is None:
                line = text.count("\n", 0, at) + 1
                raise BadSheet(f"line {line} can't be read: a quote is open, or in a wrong place")
            cells.append(found["raw"])
            at = found.end()
            if found["end"] != self.delimiter:
                yield cells, found["end"]
                cells = []

    def column(self, name: str) -> int | None:
        """Return the place of a column, by its heading in the first row."""
        heads = [head.strip().lower() for head in self.rows[0]] if self.rows else []
        return heads.index(name.lower()) if name.lower() in heads else None

    def cell(self, row: int, name: str) -> str:
        """Return the text of a cell, "" where the row or the table has none."""
        place = self.column(name)
        return "" if place is None else self.at(row, place)

    def at(self, row: int, place: int) -> str:
        return self.rows[row][place].strip() if place < len(self.rows[row]) else ""

    def change(self, row: int, place: int, text: str) -> None:
        """Write another text into a cell; it is quoted if it was, or has to be."""
        old = self.raw[row][place]
        if old.startswith('"') or any(mark in text for mark in (self.delimiter, '"', "\n", "\r")):
            text = '"' + text.replace('"', '""') + '"'
        self.raw[row][place] = text

    def content(self) -> bytes:
        lines = (self.delimiter.join(cells) + end for cells, end in zip(self.raw, self.ends))
        return (self.mark + "".join(lines)).encode(self.encoding)


def unquoted(raw: str) -> str:
    return raw[1:-1].replace('""', '"') if raw.startswith('"') else raw
