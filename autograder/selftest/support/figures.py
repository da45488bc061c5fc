"""What was measured for the README, in figures.json; the commands that measure write it."""

import json
from pathlib import Path

from autograder.feedback.report import write_whole

FIGURES = Path(__file__).with_name("figures.json")


def figures_kept() -> dict[str, float]:
    """Return all that is known, by name."""
    known: dict[str, float] = json.loads(FIGURES.read_text(encoding="utf-8"))
    return known


def keep_figures(**measured: float) -> None:
    """Write down what was measured, rounded; what else is known stays."""
    known = figures_kept() | {name: round(value) for name, value in measured.items()}
    write_whole(FIGURES, json.dumps(known, indent=2, sort_keys=True) + "\n")
