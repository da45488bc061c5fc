"""Fingerprints of a file's tokens, in which names do not count.

Comments, docstrings, layout, brackets and quotes are left out first. Each of the student's own
identifiers is replaced by the distance to its previous use, so renamed code has the same tokens
(Baker's parameterised matching, 1993). Each run of GRAM tokens is hashed, and of WINDOW neighbours
the smallest hash is a fingerprint (winnowing: Schleimer, Wilkerson and Aiken, 2003): two files that
agree on GRAM + WINDOW - 1 tokens share one.
"""

from __future__ import annotations

import ast
import builtins
import importlib.util
import io
import keyword
import tokenize
import zlib
from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from autograder.questions import ROOT

GRAM = 12  # tokens of a fingerprint, about two lines
WINDOW = 6
OPTIONAL = "(),"  # often there or not, by taste
LAYOUT = (
    tokenize.COMMENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
    tokenize.INDENT,
    tokenize.NEWLINE,
    tokenize.NL,
)
MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)  # odd, its bits well mixed


class Prints(NamedTuple):
    """The fingerprints of one file, in its order: the hash of each, and its first and last line."""

    hashes: npt.NDArray[np.uint64]
    first: npt.NDArray[np.int64]
    last: npt.NDArray[np.int64]


class Tokens(NamedTuple):
    """A file's tokens: a number for each, how far back its name stood last (0: new), its line."""

    codes: npt.NDArray[np.uint64]
    back: npt.NDArray[np.int64]
    lines: npt.NDArray[np.int64]


@cache
def fixed_names() -> frozenset[str]:
    """Return the names that nobody can change: Python's and those of the provided modules.

    An attribute's has a dot in front: `.result` belongs to games, a variable `result` does not.
    """
    names = {*keyword.kwlist, *dir(builtins)} - {"_"}
    for path in (ROOT / "starter").rglob("*.py"):
        tree = ast.parse(path.read_bytes())
        names |= {n.name for n in tree.body if isinstance(n, ast.FunctionDef | ast.ClassDef)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute):
                names.add(f".{node.attr}")
            elif isinstance(node, ast.alias):
                names.add(node.asname or node.name)
    return frozenset(names)


def text_of(source: bytes) -> str:
    """Return the text of a file; what Python can't decode is taken for UTF-8."""
    try:
        return importlib.util.decode_source(source)
    except (SyntaxError, LookupError, UnicodeError):
        return source.decode("utf-8-sig", "replace").replace("\r\n", "\n")


def tokens(source: bytes) -> Tokens:
    """Return the tokens that count, as far as the file can be read as Python."""
    codes: list[int] = []
    back: list[int] = []
    lines: list[int] = []
    seen: dict[str, int] = {}  # where a name stood last
    rows = text_of(source).split("\n")
    flat = "\n".join(row.lstrip(" \t\f") for row in rows)  # wrong indentation is no obstacle
    begins, before = True, ""  # does a statement begin here? and the token before
    try:
        for token in tokenize.generate_tokens(io.StringIO(flat).readline):
            if token.type in LAYOUT:
                begins = begins or token.type == tokenize.NEWLINE
                continue
            text, docstring = token.string, begins and token.type == tokenize.STRING
            if begins and not rows[token.start[0] - 1][:1].isspace():
                seen = {}  # in another order, functions remain the same
            begins = False
            name = f".{text}" if before == "." else text
            before, distance = text, 0
            if docstring or text in OPTIONAL:
                continue
            if token.type == tokenize.STRING:
                name = text.strip("'\"")
            elif token.type == tokenize.NAME and name not in fixed_names():
                distance = len(codes) - seen.get(name, len(codes))
                seen[name] = len(codes)
                name = "name"
            codes.append(zlib.crc32(name.encode("utf-8", "replace")))
            back.append(distance)
            lines.append(token.start[0])
    except (tokenize.TokenError, SyntaxError, UnicodeError):
        pass
    return Tokens(np.array(codes, np.uint64), np.array(back, np.int64), np.array(lines, np.int64))


def grams(read: Tokens) -> npt.NDArray[np.uint64]:
    """Return the hash of each run of GRAM tokens; names from before the run count as new ones."""
    count = max(0, len(read.codes) - GRAM + 1)
    hashes = np.zeros(count, np.uint64)
    for place in range(GRAM):
        back = read.back[place : place + count]
        inside = np.where(back <= place, back, 0).astype(np.uint64)
        hashes = hashes * MULTIPLIER + read.codes[place : place + count] + (inside << np.uint64(32))
        hashes ^= hashes >> np.uint64(29)
    return hashes


def fingerprints(source: bytes) -> Prints:
    """Return the fingerprints of a file, by winnowing."""
    read = tokens(source)
    hashes = grams(read)
    if len(hashes) <= WINDOW:
        chosen = np.array([hashes.argmin()] if len(hashes) else [], np.int64)
    else:
        windows = np.lib.stride_tricks.sliding_window_view(hashes, WINDOW)
        chosen = np.unique(windows.argmin(axis=1) + np.arange(len(windows)))
    return Prints(hashes[chosen], read.lines[chosen], read.lines[chosen + GRAM - 1])
