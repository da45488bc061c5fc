"""Make text printable that students have written."""

import re
import unicodedata

MOST_MARKS = 3  # marks on one letter; known languages need no more
# Fillers, blanks and selectors that Unicode classifies as letters, marks or symbols.
WITHOUT_INK = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0"
    "\U00013441\U00013442\U00016fe4\U0001d159\U000e0100-\U000e01ef]"
)


def sanitize(text: object) -> str:
    """Return text without invisible, invalid and control characters.

    The number of marks on a letter is limited, so that they do not reach other lines.
    """
    text = str(text)
    if text.isascii() and text.isprintable():
        return text
    shown, marks = [], MOST_MARKS  # a leading mark would modify the character before this text
    for c in text:
        marks = marks + 1 if unicodedata.category(c)[0] == "M" else 0
        fine = c.isprintable() and not WITHOUT_INK.match(c) and marks <= MOST_MARKS
        shown.append(c if fine else "\ufffd")
    return "".join(shown)
