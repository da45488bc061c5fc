"""The kinds of items, and items of a submission: one of a kind, or several of different kinds."""

import json
from collections import defaultdict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from itertools import chain, zip_longest
from pathlib import Path
from random import Random
from typing import NamedTuple

from autograder.checks.ask.finding import Failed
from autograder.questions import QUESTIONS
from autograder.quiz import code_items, mcts_items, search_items
from autograder.quiz.item import LETTERS, Item, NotAsked, expect
from autograder.quiz.subject import Subject

MAX_TRIES = 40  # trees that are drawn for one item
CONCEPTS = Path(__file__).with_name("concepts.json")


class Kind(NamedTuple):
    """A kind of item.

    name:  in reports, such as "alphabeta-window"
    topic: in a few words
    needs: the tests without which it is not asked
    make:  makes one, or raises NotAsked or Failed
    """

    name: str
    topic: str
    needs: str
    make: Callable[[Subject, Random], Item]

    @property
    def file(self) -> str:
        """Return the question file that it is about, "" for none."""
        return self.name.partition("-")[0] if self.needs else ""

    def is_open(self, subject: Subject) -> bool:
        """Does the submission pass what the kind needs, as far as it was tested?"""
        tested = [subject.passes[test] for test in self.needs.split() if test in subject.passes]
        on = any(question.name == self.file for question in QUESTIONS)
        return on and tested != [] and all(tested)


def list_concepts() -> list[Item]:
    """Return the general questions that are about nothing which is off."""
    names = {"", *(question.name for question in QUESTIONS)}
    found = []
    for concept in json.loads(CONCEPTS.read_text(encoding="utf-8")):
        if concept.get("about", "") in names:
            choices = tuple(concept["answers"])
            answer = choices[concept["right"]]
            wrong = {choice: "" for choice in choices if choice != answer}
            text, why = concept["text"], concept["why"]
            found.append(Item("choice", answer, wrong, text, why, choices, kind="concept"))
    return found


MINIMAX, ALPHABETA = "1.1 1.2 1.3 1.4", "2.1 2.3 2.4 2.5 2.6 2.7"
CUTOFF, MCTS = "3.1 3.2 3.3 3.5 3.6", "4.1 4.2 4.3 4.5 4.7"
KINDS = {
    row[0]: Kind(*row)
    for row in (
        ("minimax-value", "values", MINIMAX, search_items.ask_value),
        ("minimax-move", "moves", MINIMAX, search_items.ask_move),
        ("minimax-change", "what a leaf changes", MINIMAX, search_items.ask_change),
        ("minimax-line-count", "your own lines", MINIMAX, code_items.ask_count),
        ("alphabeta-window", "alpha and beta", ALPHABETA, search_items.ask_window),
        ("alphabeta-pruned", "pruned leaves", ALPHABETA, search_items.ask_pruned),
        ("alphabeta-threshold", "what a bound decides", ALPHABETA, search_items.ask_threshold),
        ("alphabeta-return-line", "your own lines", ALPHABETA, code_items.ask_return),
        ("alphabeta-line-change", "your own lines", ALPHABETA, code_items.ask_changed_line),
        ("cutoff-depth", "depth", CUTOFF, search_items.ask_depth),
        ("cutoff-estimates", "where h is called", CUTOFF, search_items.ask_estimates),
        ("mcts-select", "selection", MCTS, mcts_items.ask_selection),
        ("mcts-backprop", "backpropagation", MCTS, mcts_items.ask_backprop),
        ("mcts-final", "the final choice", "4.1 4.5 4.7 4.8", mcts_items.ask_final_choice),
        ("concept", "concepts", "", lambda subject, rng: rng.choice(list_concepts())),
    )
}
NEEDED_TESTS = {test for one in KINDS.values() for test in one.needs.split()}


def make_item(subject: Subject, name: str, seed: str) -> Item | None:
    """Make an item of a kind, which depends on the submission and the seed only.

    A choice has the first three wrong answers. Return None if no tree makes a good one.
    """
    for attempt in range(MAX_TRIES):
        rng = Random(f"{seed}/{name}/{attempt}")
        with suppress(NotAsked, Failed):
            item = KINDS[name].make(subject, rng)
            wrong = {text: words for text, words in item.wrong.items() if text != item.answer}
            choices = []
            if item.form == "choice":
                wrong = dict(list(wrong.items())[: len(LETTERS) - 1])
                choices = rng.sample([item.answer, *wrong], len(wrong) + 1)
            expect(wrong != {} and len(choices) in (0, len(item.choices) or len(LETTERS)))
            return replace(item, wrong=wrong, choices=tuple(choices), kind=name)
    return None


def make_items(subject: Subject, seed: str, count: int, file: str = "") -> list[Item]:
    """Make items of different kinds, first of different topics of the submission.

    file: only about this question file

    General questions fill up what the submission leaves open.
    """
    rng = Random(seed)
    groups: dict[str, list[Kind]] = defaultdict(list)
    for one in rng.sample([*KINDS.values()], len(KINDS)):
        if one.is_open(subject) and file in ("", one.file):
            groups[one.file].append(one)
    found: list[Item] = []
    for kind in chain(*zip_longest(*groups.values())):  # about each file before a second about one
        if kind and len(found) < count and (item := make_item(subject, kind.name, seed)):
            found.append(item)
    for number in range(0 if file else MAX_TRIES):
        item = make_item(subject, "concept", f"{seed}/{number}")
        if item and len(found) < count and item.text not in [other.text for other in found]:
            found.append(item)
    order = [*(question.name for question in QUESTIONS), ""]
    return sorted(found, key=lambda item: order.index(KINDS[item.kind].file))
