"""`python -m bench`: print the table of speeds, and write the ratios to figures.json.

Every figure is the median of several rounds. A round does each work once by each contestant in
turn, so that a slow spell of the machine falls on all of them; only the ratios mean something.
"""

import gc
import json
import platform
import sys
from collections import defaultdict
from pathlib import Path
from statistics import median
from time import perf_counter

from autograder.feedback.report import write_whole
from bench.others import easyai_work, openspiel_states_work, openspiel_work
from bench.work import MCTS_CONNECT_FOUR, MCTS_TIC_TAC_TOE, Work, numpy_work, our_work

FIGURES = Path(__file__).with_name("figures.json")  # docs/figures.md shows them
ROUNDS = 5
OPTIONAL = {
    "easyAI": easyai_work,
    "OpenSpiel": openspiel_work,
    "OpenSpiel's states, our search": openspiel_states_work,
}
COLUMNS = ["ours", "plain NumPy", *OPTIONAL]
MANY_ANSWERS = (MCTS_TIC_TAC_TOE, MCTS_CONNECT_FOUR)  # each library has other random playouts


def contestants() -> dict[str, Work]:
    """The work of everybody present, by name."""
    works = {"ours": our_work(), "plain NumPy": numpy_work()}
    for name, make in OPTIONAL.items():
        try:
            works[name] = make()
        except ImportError:
            print(f"{name} is not installed, and so left out", file=sys.stderr)
    return works


def measure(works: dict[str, Work]) -> dict[str, dict[str, float]]:
    """The median seconds, by work and contestant."""
    results = {}
    seconds: dict[tuple[str, str], list[float]] = defaultdict(list)
    for number in range(ROUNDS):
        print(f"round {number + 1} of {ROUNDS}", file=sys.stderr)
        for task in works["ours"]:
            values = {}
            for name, work in works.items():
                if task in work:
                    gc.collect()
                    start = perf_counter()
                    values[name] = float(work[task]())
                    seconds[task, name].append(perf_counter() - start)
            if task not in MANY_ANSWERS and len(set(values.values())) > 1:
                raise SystemExit(f"{task}: no comparison, for the values differ: {values}")
            results[task] = {name: median(seconds[task, name]) for name in values}
    return results


def table(works: dict[str, Work], results: dict[str, dict[str, float]]) -> str:
    """The results in Markdown, with aligned columns."""
    rows = [["work", *COLUMNS, "ours is faster than"]]
    for task, seconds in results.items():
        cells = [
            f"{seconds[name]:.4f} s"
            if name in seconds
            else "-"
            if name in works
            else "not installed"
            for name in COLUMNS
        ]
        ratios = [f"{name} {seconds[name] / seconds['ours']:.1f}x" for name in list(seconds)[1:]]
        rows.append([task, *cells, ", ".join(ratios)])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    rows.insert(1, ["-" * width for width in widths])
    return "\n".join(f"| {' | '.join(map(str.ljust, row, widths))} |" for row in rows)


def main() -> None:
    works = contestants()
    results = measure(works)
    print(
        f"{table(works, results)}\n\nMedians of {ROUNDS} interleaved rounds, "
        f"Python {platform.python_version()} on {platform.machine()}."
    )
    ratios = {
        task: {name: round(seconds[name] / seconds["ours"], 1) for name in list(seconds)[1:]}
        for task, seconds in results.items()
    }
    write_whole(FIGURES, json.dumps({"ratios": ratios}, indent=2) + "\n")


if __name__ == "__main__":
    main()
