"""What messages claim about a search holds in its record, read by other code."""

import re
from collections.abc import Callable

import pytest

from autograder.author.bank import Entry
from autograder.checks.ask.finding import Failed
from autograder.checks.search.call_check import explain_by_calls
from autograder.diagram import is_tree
from autograder.feedback.messages import put_into_words
from autograder.grading.try_case import find_graded_test
from autograder.selftest.support.banks import SOLUTION_FILES, read_wrong_entries
from autograder.selftest.support.students import start_student
from autograder.serving.case_files import Cases
from autograder.serving.cases import SearchCase
from autograder.serving.game_server import GameServer

ENTRIES = [
    entry
    for entry in read_wrong_entries()
    if entry.question in "1235" and "endless" not in entry.name
]
NODE, NUMBER = r"(the root|[a-z](?:/[a-z])*)(?: \(#\d+\))?", r"(-?inf|-?[\d.]+(?:e[-+]\d+)?)"


def find(server: GameServer, name: str) -> list[int]:
    """Return the nodes that a name stands for: several, if it was generated again."""
    key = "" if name == "the root" else name
    return [n for n, node in enumerate(server.nodes) if node.state.key == key]


def near(one: float | None, other: str) -> bool:
    return one is not None and one == pytest.approx(float(other), rel=0.01, abs=0.001)


def returned(server: GameServer, name: str, value: str) -> bool:
    return any(near(server.find_return(n), value) for n in find(server, name))


def was_called(server: GameServer, name: str, *window: str) -> bool:
    calls = [server.call_args.get(n, {}) for n in find(server, name)]
    return any(
        all(near(call.get(k), v) for k, v in zip(("alpha", "beta"), window)) for call in calls
    )


def is_unsearched(server: GameServer, above: str, names: str) -> bool:
    """Was no move made at these nodes, and the utility asked at none where the game is over?"""
    active = {server.nodes[event.number].parent for event in server.find_requests("result")}
    active |= {e.number for e in server.find_requests("utility") if server.is_over(e.number)}
    named = [number for name in names.split(", ") if name != "..." for number in find(server, name)]
    return bool(find(server, above)) and active.isdisjoint(named)


def was_asked_early(server: GameServer, kind: str, name: str) -> bool:
    """Was the utility asked before the end, or h where cutoff said that the search goes on?"""
    on = {event.number for event in server.find_requests("cutoff") if not event.answer}
    asked = {event.number for event in server.find_requests(kind)}
    return any(
        number in asked and not server.is_over(number) and (kind == "utility" or number in on)
        for number in find(server, name)
    )


CLAIMS: dict[str, Callable[..., bool]] = {
    rf"{NODE} returned {NUMBER}; expected": returned,
    rf"^(?:utility|h) was \S+ at {NODE}, but {NUMBER} was returned": returned,
    rf"^{NODE} was called with alpha = {NUMBER}, beta = {NUMBER}": was_called,
    rf"done with {NODE} without searching ([a-z/.]+(?:, [a-z/.]+)*)": is_unsearched,
    rf"{NODE} was generated twice": lambda server, name: len(find(server, name)) > 1,
    rf"at {NODE} your code called utility\(state, '(.)'\)": lambda server, name, said: any(
        e.number in find(server, name) and e.said == said for e in server.find_requests("utility")
    ),
    rf"^(h|utility) was called at {NODE}, where (?:cutoff said|the game is not)": was_asked_early,
    r"in every call it is ([XO])": lambda server, said: all(
        event.said == said for event in server.find_requests("utility")
    ),
    rf"returned {NUMBER}; expected .*\n(?:.*\n)*?that is what {NODE} returned before": (
        lambda server, value, name: returned(server, name, value)
    ),
    rf"^{NODE} returned {NUMBER}(?:, but none of its| without making a) move": returned,
    rf"still that of {NODE}, which returned {NUMBER} before": returned,
}


@pytest.mark.parametrize(
    "entry",
    [
        pytest.param(
            entry, id=f"{entry.question}.{entry.name}", marks=pytest.mark.nightly if i % 40 else ()
        )
        for i, entry in enumerate(ENTRIES)
    ],
)
def test_claims_hold_in_the_record(entry: Entry) -> None:
    with start_student({**SOLUTION_FILES, **entry.submission.files}, watch=True) as student:
        for number in entry.fails:
            for case in Cases().load(number):
                student.begin(5)
                try:
                    find_graded_test(number)(student=student, case=case)
                except Failed as failed:
                    finding, server = failed.finding, student.log.server
                else:
                    continue
                if isinstance(case, SearchCase) and server and is_tree(server.root):
                    words = put_into_words(explain_by_calls(finding, case, server))
                    text = "\n".join([words.message, *words.hints])
                    assert "{" not in f"{words.message}{words.expected}{words.got}"
                    for pattern, holds in CLAIMS.items():
                        for claim in re.finditer(pattern, text, re.MULTILINE):
                            assert holds(server, *claim.groups()), f"{case.name}: {claim[0]}"
                break
