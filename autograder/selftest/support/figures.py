"""Read and write measurements for the README, in figures.json."""

import json
from pathlib import Path

from autograder.feedback.report import write_whole

FIGURES = Path(__file__).with_name("figures.json")


def stored_figures() -> dict[str, float]:
    """Return all measurements by name."""
    known: dict[str, float] = json.loads(FIGURES.read_text(encoding="utf-8"))
    return known


def store_figures(**measured: float) -> None:
    """Store rounded measurements; keep the others."""
    known = stored_figures() | {name: round(value) for name, value in measured.items()}
    write_whole(FIGURES, json.dumps(known, indent=2, sort_keys=True) + "\n")
