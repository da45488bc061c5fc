"""Every finding has a code that names its kind of mistake."""

import re

from autograder.checks.ask.finding import lookup_keys, name_exception
from autograder.feedback.messages import read_table
from autograder.selftest.support.golden import read_expectations, read_wordings

CODE = re.compile(r"[a-z]+(-[a-z]+)*(/[A-Za-z]+(-[a-z]+)*){0,2}")
CODES = {example.code for example in read_wordings()}
CODES |= {code for row in read_expectations().values() for code in row.codes.values()}
# Sections of the messages that no entry of the bank shows, but separate tests do.
NOT_IN_THE_BANK = {
    "player/no-move",
    "expand/terminal",
    "no-file",
    "not-judged",
    "not-loaded/not-python",
    "search-tree/wrong-node",
    "too-slow/loading",
    "too-slow/searched-twice",
    "too-slow/one-call",
    "too-much-to-judge",
    "tree/too-deep",
}


def test_every_message_is_shown_by_an_entry() -> None:
    sections = set(read_table().sections()) - {"hints", "reasons", "see"}
    shown = {place for code in CODES for place in lookup_keys(code)}
    assert sections - shown == NOT_IN_THE_BANK, (
        "write an entry that shows it, then make matrix UPDATE=1 ENTRY=its_name"
    )


def test_strange_exception_makes_no_strange_code() -> None:
    assert name_exception("ValueError") == "ValueError"
    for kind in ("", "a b", "<script>", "x" * 500, "Fehler\u202e"):
        assert CODE.fullmatch(f"raised/{name_exception(kind)}")
