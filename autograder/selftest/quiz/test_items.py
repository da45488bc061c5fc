"""Each item's answer is right, its wrong answers are wrong, and none can be guessed."""

from collections import Counter
from math import inf
from random import Random

import pytest

from autograder.author.bank import Entry
from autograder.quiz.code_items import show_lines
from autograder.quiz.item import Item
from autograder.quiz.kinds import KINDS, NEEDED_TESTS, list_concepts, make_item
from autograder.quiz.subject import Subject
from autograder.quiz.tree_rules import WRONG_PRUNING, ExplicitTree, PruningRule, draw_explicit
from autograder.selftest.support.banks import (
    SOLUTION_FILES,
    choose_tonight,
    read_right_entries,
    read_wrong_entries,
)
from autograder.selftest.support.golden import read_expectations
from autograder.selftest.support.quiz_oracle import ORACLES, WatchedTree, load
from autograder.submission import Submission

EACH_NIGHT = 20  # of the entries are asked 20 items of each kind
OWN = [name for name, kind in KINDS.items() if kind.file]
EXPECTED = read_expectations()
SOLUTION = Submission(dict(SOLUTION_FILES))


def choose_entries(entries: list[Entry], count: int) -> list[Entry]:
    rng, files = Random(0), sorted({f"{KINDS[name].file}.py" for name in OWN})
    chosen: list[Entry] = []
    for number in range(count):
        file = files[number % len(files)]
        left = [one for one in entries if file in one.files and one not in chosen]
        chosen += rng.sample(left, min(1, len(left)))
    return chosen


def find_failed(entry: Entry) -> set[str]:
    """Return the needed tests that an entry of the wrong bank may fail."""
    return NEEDED_TESTS & {*EXPECTED[entry.name].fails, *entry.fails, *entry.may_fail}


RIGHT = choose_entries(read_right_entries(), 41)
RIGHT = [one for one in RIGHT if one.name != "importing_each_other"]  # oracles load one file
# Those that fail nothing that is needed come first: only the rules protect their items.
PARTLY = choose_entries(
    sorted(read_wrong_entries(), key=lambda entry: len(find_failed(entry)))[:200], 40
)


def check_item(item: Item, files: dict[str, bytes]) -> None:
    assert ORACLES[item.kind](item, files) == item.answer, item
    assert item.answer not in item.wrong
    assert item.judge(item.write(item.answer))[1] is True
    for wrong in item.wrong:
        assert item.judge(item.write(wrong))[1] is False
    if item.form == "choice":
        assert sorted(item.choices) == sorted({item.answer, *item.wrong})
        assert len(item.choices) == 4
    assert item.wrong and item.why and item.picture
    for value in item.facts.get("h", {}).values():
        assert f"h = {value}" in str(item.picture)


def check_entry(entry: Entry, seeds: int) -> int:
    """Check the items about an entry's own files; return their number."""
    files, count = {**SOLUTION_FILES, **entry.files}, 0
    failed = find_failed(entry) if entry in PARTLY else set()
    passes = {test: test not in failed for test in NEEDED_TESTS}
    with Subject(entry.submission, passes) as subject:
        for name in OWN:
            kind = KINDS[name]
            if f"{kind.file}.py" not in entry.files or not kind.is_open(subject):
                continue
            for seed in range(seeds):
                if item := make_item(subject, name, f"{entry.name}/{seed}"):
                    check_item(item, files)
                    count += 1
    return count


@pytest.mark.parametrize("name", OWN)
def test_item_about_solution_agrees_with_oracle(name: str) -> None:
    with Subject(SOLUTION, dict.fromkeys(NEEDED_TESTS, True)) as subject:
        assert KINDS[name].is_open(subject)
        for seed in range(2):
            item = make_item(subject, name, str(seed))
            assert item is not None
            check_item(item, dict(SOLUTION_FILES))


# The others, and those with NumPy or fractions, which take a minute each, are in the nightly test.
QUICKER = [*RIGHT[:4], *RIGHT[6:10], *PARTLY[:8]]


@pytest.mark.slow
@pytest.mark.parametrize("entry", QUICKER, ids=lambda entry: entry.name)
def test_items_about_entry_agree_with_oracle(entry: Entry) -> None:
    assert check_entry(entry, 2) > 0 or entry in PARTLY


@pytest.mark.nightly
@pytest.mark.parametrize("place", range(EACH_NIGHT))
def test_twenty_items_of_each_kind_agree_with_oracle(place: int) -> None:
    entry = choose_tonight([*RIGHT, *PARTLY], EACH_NIGHT)[place]
    assert check_entry(entry, 20) > 0 or entry in PARTLY


@pytest.mark.nightly
@pytest.mark.parametrize("name", OWN)
def test_kind_has_200_questions_and_no_frequent_answer(name: str) -> None:
    with Subject(SOLUTION, dict.fromkeys(NEEDED_TESTS, True)) as subject:
        assert KINDS[name].is_open(subject)
        made = [make_item(subject, name, str(seed)) for seed in range(210)]
    items = list({repr((item.text, item.facts)): item for item in made if item}.values())[:200]
    assert len(items) == 200
    for answers in (
        Counter(item.write(item.answer) for item in items),
        Counter(item.answer for item in items),
    ):
        ((answer, count),) = answers.most_common(1)
        print(f"{name}: {answer!r} in {count} of {len(items)}")
        assert count <= 0.4 * len(items)


FILE = b"""
def max_value(game, state, player, alpha, beta):
    # a comment
    if game.is_terminal(state):
        return game.utility(state, player), None
    v = 1

    return v, None
"""


def test_lines_of_code_are_shown_with_gaps_marked() -> None:
    shown = show_lines(Subject(Submission({"alphabeta.py": FILE}), {}), "alphabeta", [4, 8], 1)
    assert shown.split("\n") == [
        "",
        "alphabeta.py:",
        "      2  def max_value(game, state, player, alpha, beta):",
        "      4      if game.is_terminal(state):",
        "         ...",
        "      6      v = 1",
        "      8      return v, None",
    ]


ABOVE, BELOW = "v >= beta", "v <= alpha"
CALLS = {"player, alpha, beta)\n        if v2 >": "player, alpha, inf)\n        if v2 >"}
CALLS |= {"player, alpha, beta)\n        if v2 <": "player, -inf, beta)\n        if v2 <"}


@pytest.mark.parametrize(
    ("rule", "changes"),
    [
        (PruningRule(max=1, min=1), {ABOVE: "v > beta", BELOW: "v < alpha"}),
        (PruningRule(min=inf), {BELOW: "False"}),
        (PruningRule(max=inf), {ABOVE: "False"}),
        (PruningRule(deep=False), CALLS),
        (PruningRule(max=inf, min=inf), {ABOVE: "False", BELOW: "False"}),
    ],
)
def test_wrong_pruning_rule_prunes_as_that_mistake_does(rule, changes):
    source = SOLUTION_FILES["alphabeta.py"].decode()
    for before, after in changes.items():
        assert before in source
        source = source.replace(before, after)
    assert rule in WRONG_PRUNING
    rng = Random(1)
    with load(source.encode()) as module:
        for _ in range(200):
            tree: ExplicitTree = draw_explicit(rng, 3, span=3)
            game = WatchedTree(tree.tree, tree.to_move)
            module.alphabeta_search(game, game.initial)
            assert [leaf for leaf in tree.leaves if not tree.is_pruned(leaf, rule)] == game.asked


def test_each_concept_has_the_answer_that_is_right():
    assert "".join("ABC"[it.choices.index(it.answer)] for it in list_concepts()) == "BABBAAABBBACA"
