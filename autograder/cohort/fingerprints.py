"""Fingerprints of a file's tokens, in which names do not count.

Comments, docstrings, layout, brackets and quotes are left out first. Each of the student's own
identifiers is replaced by the distance to its previous use, so renamed code has the same tokens
(Baker's parameterised matching, 1993). Each run of GRAM tokens is hashed, and of WINDOW neighbours
the smallest hash is a fingerprint (winnowing: Schleimer, Wilkerson and Aiken, 2003): two files that
agree on GRAM + WINDOW - 1 tokens share one.
"""

import ast
import builtins
import io
import keyword
import re
import tokenize
from collections.abc import Iterator, Sequence
from functools import cache
from hashlib import blake2b
from typing import NamedTuple

from autograder.questions import ROOT

GRAM = 12  # tokens of a fingerprint, about two lines
WINDOW = 6
PREFIXES = "bBfFrRtTuU"  # of strings
EXPRESSION = re.compile(r"\{[^{}]*\}")  # in an f-string; how it is read depends on Python
OPTIONAL = "(),"  # optional in many places, a matter of taste
LAYOUT = {"COMMENT", "DEDENT", "ENDMARKER", "INDENT", "NEWLINE", "NL"}  # types of tokens


class Fingerprint(NamedTuple):
    """A fingerprint, with its first and last line."""

    hash: bytes
    first: int
    last: int


class Token(NamedTuple):
    """A token that counts: text, distance to its name's last use (0: none), line."""

    text: str
    back: int
    line: int


@cache
def collect_fixed_names() -> frozenset[str]:
    """Return the names that students can't change: Python's and the provided ones.

    An attribute's name has a dot in front: `.result` belongs to games, a variable `result` does
    not.
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


def decode_source(source: bytes) -> str:
    return source.decode("utf-8-sig", "replace").replace("\r\n", "\n")


def generate_tokens(source: str) -> Iterator[tokenize.TokenInfo]:
    """Yield the tokens of a source; an f-string is one, as before Python 3.12."""
    depth, begin, lines = 0, (0, 0), source.split("\n")
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        name = tokenize.tok_name[token.type]
        if name.endswith("STRING_START"):
            begin = begin if depth else token.start
            depth += 1
        if not depth:
            yield token
        elif name.endswith("STRING_END"):
            depth -= 1
            if not depth:
                rows = lines[begin[0] - 1 : token.end[0]]
                rows[-1] = rows[-1][: token.end[1]]
                text = "\n".join(rows)[begin[1] :]
                yield tokenize.TokenInfo(tokenize.STRING, text, begin, token.end, "")


def normalise_string(text: str) -> str:
    """Return a string's text without quotes, an f-string's without expressions."""
    prefix, text = text[: len(text) - len(text.lstrip(PREFIXES))].lower(), text.lstrip(PREFIXES)
    found = 1 if "f" in prefix else 0
    text = text.strip("'\"")
    while found:
        text, found = EXPRESSION.subn("", text)
    return prefix + text


def read_tokens(source: bytes) -> list[Token]:
    """Return the tokens that count, as far as the file can be read as Python."""
    found: list[Token] = []
    seen: dict[str, int] = {}  # the place of each name's last use
    rows = decode_source(source).split("\n")
    flat = "\n".join(row.lstrip(" \t\f") for row in rows)  # wrong indentation is no obstacle
    begins, before = True, ""  # does a statement begin here? the token before
    try:
        for token in generate_tokens(flat):
            if tokenize.tok_name[token.type] in LAYOUT:
                begins = begins or token.type == tokenize.NEWLINE
                continue
            text, docstring = token.string, begins and token.type == tokenize.STRING
            if token.type == tokenize.ERRORTOKEN and token.string not in "?$! ":
                break  # where newer versions of Python read no further
            if token.string.isspace():
                continue
            if begins and not rows[token.start[0] - 1][:1].isspace():
                seen = {}  # so functions have the same tokens in any order
            begins = False
            name = f".{text}" if before == "." else text
            before, back = text, 0
            if docstring or text in OPTIONAL:
                continue
            if token.type == tokenize.STRING:
                name = normalise_string(text)
            elif token.type == tokenize.NAME and name not in collect_fixed_names():
                back = len(found) - seen.get(name, len(found))
                seen[name] = len(found)
                name = "name"
            found.append(Token(name, back, token.start[0]))
    except (tokenize.TokenError, SyntaxError, ValueError, RecursionError, MemoryError):
        pass
    return found


def hash_grams(tokens: Sequence[Token]) -> list[bytes]:
    """Return the hash of each run of GRAM tokens; uses before a run do not count."""
    found = []
    for begin in range(len(tokens) - GRAM + 1):
        run = tokens[begin : begin + GRAM]
        text = "\n".join(
            f"{token.text} {token.back if token.back <= place else 0}"
            for place, token in enumerate(run)
        )
        found.append(blake2b(text.encode("utf-8", "replace"), digest_size=8).digest())
    return found


def make_fingerprints(source: bytes) -> list[Fingerprint]:
    """Return the fingerprints of a file, in order, by winnowing."""
    tokens = read_tokens(source)
    hashes = hash_grams(tokens)
    windows = range(max(1, len(hashes) - WINDOW + 1)) if hashes else ()
    chosen = {min(range(i, min(i + WINDOW, len(hashes))), key=hashes.__getitem__) for i in windows}
    return [
        Fingerprint(hashes[i], tokens[i].line, tokens[i + GRAM - 1].line) for i in sorted(chosen)
    ]
