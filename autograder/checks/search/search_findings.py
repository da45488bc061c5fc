"""Find everything that is wrong with one served search, in a fixed order."""

from dataclasses import replace
from fnmatch import fnmatchcase
from itertools import chain
from typing import Any

from autograder.checks.ask.finding import Failed, Finding, Hint
from autograder.checks.ask.plain_answers import Search
from autograder.checks.ask.student import Student
from autograder.checks.ask.values import Values
from autograder.checks.search.answer import answer_findings
from autograder.checks.search.completeness import completeness_findings, request_findings
from autograder.checks.search.pruning import order_findings, pruning_findings, report_too_many
from autograder.checks.search.replay import DEFAULT_DEPTH, SearchRun, find_second_copies
from autograder.checks.search.search_diagram import name_node
from autograder.questions import SEARCHES
from autograder.serving.cases import CutoffCase, NodeCountCase, SearchCase
from autograder.serving.game_server import TOO_MANY_NODES, GameServer

# Groups of codes, as patterns, that must be absent from a right search.
SKIPPED = ("not-searched", "left-out/*", "left-too-early*")  # such a search is no evidence
WRONG_ANSWER = ("wrong-*", "not-a-pair", "value/*", "illegal-move*")
UNPRUNED = ("missed-cut/both", *SKIPPED)  # without any prune there is no evidence about one kind
ENDLESS = ("too-slow*", "no-answer/too-many-*")
# The parts of the analysis, each with the first words of its codes.
PARTS = (
    (request_findings, ("utility/", "cutoff/", "terminal/", "h/")),
    (order_findings, ("generated/", "utility/twice", "moves-reordered")),
    (pruning_findings, ("missed-cut/", "too-many-positions")),
    (answer_findings, ("wrong-", "not-a-pair", "value/", "illegal-move", "move-at-chance")),
    (completeness_findings, ("not-searched", "left-out/", "left-too-early")),
)


def check(
    student: Student,
    case: SearchCase,
    function: str,
    *,
    absent: tuple[str, ...],
    values: Values | None = None,
) -> None:
    """Run a search on a served game; raise the first finding that the test forbids.

    absent: patterns of codes, none of which a right search has
    values: the true values for MAX, if the case does not hold them

    Raises ValueError for a test that would never fail: of pruning without values, or with a pattern
    that fits no part of the analysis.
    """
    for pattern in absent:
        if not any(pattern.startswith(heads) for _, heads in PARTS):
            raise ValueError(f"no finding about a search has a code like {pattern!r}")
    if needs_values(case, absent) and values is None:
        raise ValueError("a test of pruning needs the value of each position in its cases")
    search = run_served_search(student, case, case.function or function)
    run = SearchRun(function.split(".")[0], case, search, values)
    parts = [part for part, heads in PARTS if any(it.startswith(heads) for it in absent)]
    for finding in chain.from_iterable(part(run) for part in parts):
        if any(fnmatchcase(finding.code, pattern) for pattern in absent):
            raise Failed(add_call(add_default_depth(finding, run), case))


def needs_values(case: SearchCase, absent: tuple[str, ...]) -> bool:
    """Is the test about missed prunes, although the case holds no values?"""
    judged = any(pattern.startswith("missed-cut/") for pattern in absent)
    return judged and not case.values and not case.make_game().is_terminal(case.make_state())


def run_served_search(student: Student, case: SearchCase, function: str) -> Search:
    """Call a search, or a function below it with the case's player and window."""
    arguments: list[Any] = [] if function.split(".")[1] in SEARCHES else [case.player]
    if case.function:  # from the widest window several mistakes look the same
        arguments += [case.alpha, case.beta]
    options = {}
    if isinstance(case, CutoffCase):
        options = {"cutoff": {"cutoff": "served"}, "h": {"h": "served"}}
    try:
        return student.serve(function, case, *arguments, **options)
    except Failed as failed:
        if isinstance(case, NodeCountCase) and failed.finding.code == TOO_MANY_NODES:
            assert student.log.server is not None
            count = f"more than {len(student.log.server.nodes):,}"
            raise Failed(report_too_many(case, student.log.server, count)) from None
        raise Failed(add_searched_twice(failed.finding, student.log.server)) from None


def add_searched_twice(finding: Finding, server: GameServer | None) -> Finding:
    """Say where an endless search began to search its nodes again, if it did."""
    if server is None or not any(fnmatchcase(finding.code, pattern) for pattern in ENDLESS):
        return finding
    again = find_second_copies(server)
    if not again:
        return finding
    facts = {**finding.facts, "node": name_node(server, again[0])}
    return replace(finding, code=f"{finding.code.split('/')[0]}/searched-twice", facts=facts)


def add_call(finding: Finding, case: SearchCase) -> Finding:
    """Say first that the case calls a function itself, if the message does not."""
    if not case.function or "alpha" in finding.facts:
        return finding
    function = case.function.rpartition(".")[2]
    facts = {"function": function, "player": case.player, "alpha": case.alpha, "beta": case.beta}
    return replace(finding, hints=(Hint("direct-call", facts), *finding.hints))


def add_default_depth(finding: Finding, run: SearchRun) -> Finding:
    """Say how deep the search went, if it was called without a cutoff."""
    deepest = max(node.depth for node in run.server.nodes)
    if run.horizon != DEFAULT_DEPTH or deepest == DEFAULT_DEPTH + 1:
        return finding
    facts = {"deepest": deepest, "limit": DEFAULT_DEPTH, "due": DEFAULT_DEPTH + 1}
    return finding.with_hints(Hint("default-depth", facts))
