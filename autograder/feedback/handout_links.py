"""Find the section of the handout that explains a finding, by the finding's code."""

from __future__ import annotations

from autograder.checks.finding import places

ANCHORS = {
    "backprop/inverted": "sign",
    "backprop/no-flip": "sign",
    "cutoff/wrong-depth": "depth",
    "earlier-search": "remember",
    "generated/twice": "generated-twice",
    "h/wrong-side": "h-side",
    "heuristic/kept": "remember",
    "heuristic/out-of-range": "win-in-one",
    "match/lost": "mcts-loses",
    "missed-cut/both": "a-worked-example",
    "missed-cut/deep": "deep-pruning",
    "missed-cut/equal": "why-equality-prunes-here",
    "missed-cut/max": "a-worked-example",
    "missed-cut/min": "a-worked-example",
    "moves-reordered": "order",
    "no-move": "no-move",
    "not-a-pair": "pair",
    "not-loaded/ModuleNotFoundError": "imports",
    "not-repeatable": "same-rng",
    "raised/RecursionError": "too-slow",
    "seed-ignored": "same-rng",
    "select/wrong-leaf": "one-iteration-by-hand",
    "simulate/other-side": "sign",
    "state-kept": "remember",
    "terminal/cutoff": "terminal-first",
    "terminal/h": "terminal-first",
    "too-many-positions": "why-equality-prunes-here",
    "too-slow": "too-slow",
    "value/infinite": "infinite",
    "wrong-move/equal-bound": "equal-values",
    "wrong-value/kept": "remember",
    "wrong-value/side": "wrong-side",
}


def place_in_handout(code: str) -> str:
    """Return the file and anchor that explain findings with this code, or ''."""
    anchor = next((ANCHORS[place] for place in places(code) if place in ANCHORS), "")
    return f"handout.html#{anchor}" if anchor else ""
