"""Tells a known mistake by its fingerprints: marks of all that was observed of a test's cases."""

from __future__ import annotations

import hashlib
import json
from typing import Any


def fingerprint(observed: list[Any]) -> str:
    """Return a short mark of everything that was observed of one case, "" for nothing.

    Numbers count as equal when their first six digits are: 1 and 1.0, float32 and float, and sums
    of floats, which Python's versions round differently.
    """
    if not observed:
        return ""
    return hashlib.sha256(json.dumps(rounded(observed)).encode()).hexdigest()[:10]


def rounded(plain: Any) -> Any:
    if isinstance(plain, int | float):
        return float(f"{plain:.6g}") + 0.0  # not -0.0
    if isinstance(plain, dict):
        return {key: rounded(value) for key, value in plain.items()}
    return [rounded(part) for part in plain] if isinstance(plain, list | tuple) else plain


def mark_of(prints: list[str]) -> str:
    """Return one mark for a test, "" if nothing could be observed of one of its cases."""
    return fingerprint(prints) if all(prints) else ""
