"""General questions, with fixed answers: the concept check of the lab."""

from __future__ import annotations

import json
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


@kind("concept", "concepts")
def ask_concept(subject: Subject, rng: Random) -> Item:
    """Ask one of the general questions."""
    concept = rng.choice(read_concepts())
    answers = concept["answers"]
    answer = answers[concept["right"]]
    choices = rng.sample(answers, len(answers))
    return Item(
        kind="concept",
        text=concept["text"],
        answer=answer,
        why=concept["why"],
        wrong={other: "" for other in answers if other != answer},
        form="choice",
        choices=tuple(choices),
        facts={"text": concept["text"]},
    )
