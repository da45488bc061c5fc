"""Two submissions side by side, with what they share marked: the page of a pair."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from autograder.cohort.fingerprints import Prints
from autograder.feedback.page import document, words

NEAR = 6  # lines between two shared places that still make them one passage
STYLE = (
    "main{max-width:1500px}.pair{display:grid;grid-template-columns:1fr 1fr;gap:.8rem}"
    ".pair>div{min-width:0}"
    ".code{background:var(--page);border-radius:6px;padding:.4rem 0;"
    "font:12.5px/1.45 ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace}"
    ".code ol{margin:0;padding:0 0 0 3.2rem}.code li::marker{color:var(--soft)}"
    ".code li{white-space:pre-wrap;overflow-wrap:anywhere;padding:0 .6rem;scroll-margin:5rem}"
    ".code li.same{background:var(--max)}.code li:target{outline:2px solid var(--x)}"
    "p a,.code a{color:var(--x)}.code a{margin-left:1.5rem}"
    "@media(max-width:800px){.pair{grid-template-columns:1fr}"
    ".code{max-height:60vh;overflow-y:auto}}"
    "@media print{.code{max-height:none}*{print-color-adjust:exact}}"
)

Marks = dict[int, int]  # of each line that is shared, by its number: the number of the passage


def shared_lines(left: Prints, right: Prints, weighs: npt.NDArray[np.bool_]) -> tuple[Marks, Marks]:
    """Return which lines of two files are shared, and to which passage each belongs.

    weighs: of the left one's fingerprints, which of them count
    """
    places = {hash: lines for hash, *lines in zip(*(part.tolist() for part in right))}
    marks: tuple[Marks, Marks] = {}, {}
    passage, before = 0, (-NEAR, -NEAR)  # the last lines of the place before, in both files
    marked: tuple[set[range], set[range]] = set(), set()
    for hash, first, last in zip(*(part[weighs].tolist() for part in left)):
        if hash not in places:
            continue
        there, end = places[hash]
        if not (first <= before[0] + NEAR and before[1] - 2 * NEAR <= there <= before[1] + NEAR):
            passage += 1
        before = last, end
        both = range(first, last + 1), range(there, end + 1)
        for side, done, lines in zip(marks, marked, both):
            for line in lines if lines not in done else ():
                side.setdefault(line, passage)
            done.add(lines)
    return marks


def pair_page(
    heads: tuple[str, str],
    said: str,
    files: Iterable[tuple[str, tuple[str, str], tuple[Marks, Marks]]],
) -> str:
    """Return the page: for each file its name, both sources and the lines they share."""
    sections = []
    for name, sources, marks in files:
        linked = {*marks[0].values()} & {*marks[1].values()}
        sides = [
            f'<div><p class="soft">{words(head)}</p>'
            f"{listing(name, source, mark, side, linked)}</div>"
            for side, head, source, mark in zip("ab", heads, sources, marks)
        ]
        sections.append(
            f"<section><h2>{words(name)}</h2><p>shared: {contents(name, marks[0])}</p>"
            f'<div class="pair">{"".join(sides)}</div></section>'
        )
    title = " and ".join(map(words, heads))
    head = f'<p><a href="../similar.html">all pairs</a></p><h1>{title}</h1><p>{said}</p>'
    return document(title, head + "".join(sections), STYLE)


def contents(name: str, marks: Marks) -> str:
    """Links to the passages, by the lines that they take up in the left file."""
    lines: dict[int, list[int]] = {}
    for line, passage in sorted(marks.items()):
        lines.setdefault(passage, []).append(line)
    return ", ".join(
        f'<a href="#{words(name)}-{passage}a">lines {taken[0]} to {taken[-1]}</a>'
        for passage, taken in lines.items()
    )


def listing(name: str, source: str, marks: Marks, side: str, linked: set[int]) -> str:
    """One file with its line numbers; each linked passage leads to the same in the other."""
    rows, other, shown = [], "ba"["ab".index(side)], set()
    for number, line in enumerate(source.expandtabs(4).split("\n"), 1):  # as Python counts lines
        passage = marks.get(number)
        if passage is None:
            rows.append(f"<li>{words(line)}</li>")
            continue
        link = place = ""
        if passage not in shown:
            shown.add(passage)
            at = f"{name}-{passage}"
            place = f' id="{words(at + side)}"'
            link = f'<a href="#{words(at + other)}">{passage}</a>' if passage in linked else ""
        rows.append(f'<li class="same"{place}>{words(line)}{link}</li>')
    return f'<div class="code" tabindex="0"><ol>{"".join(rows)}</ol></div>'
