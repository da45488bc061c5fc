"""General questions, with fixed answers: the concept check of the lab."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

from autograder.questions import QUESTIONS
from autograder.quiz.item import Item
from autograder.quiz.kinds import kind
from autograder.quiz.subject import Subject

FILE = Path(__file__).with_name("concepts.json")


def read_concepts() -> list[dict[str, Any]]:
    """Return the questions that need no question which is off."""
    names = {question.name for question in QUESTIONS}
    concepts = json.loads(FILE.read_text(encoding="utf-8"))
    return [one for one in concepts if one.get("about", "") in ("", *names)]


def list_concepts() -> list[Item]:
    """Return all general questions, each with its answers in the order of the file."""
    return [make_concept(concept, concept["answers"]) for concept in read_concepts()]


def make_concept(concept: dict[str, Any], choices: Sequence[str]) -> Item:
    """Return the item of a general question, with its answers in this order."""
    answer = concept["answers"][concept["right"]]
    return Item(
        kind="concept",
        text=concept["text"],
        answer=answer,
        why=concept["why"],
        wrong={other: "" for other in choices if other != answer},
        form="choice",
        choices=tuple(choices),
    )


@kind("concept", "concepts")
def ask_concept(subject: Subject, rng: Random) -> Item:
    """Ask one of the general questions."""
    concept = rng.choice(read_concepts())
    return make_concept(concept, rng.sample(concept["answers"], len(concept["answers"])))
