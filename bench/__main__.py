"""`python -m bench`: print the table of docs/figures.md.

It says how many times faster the provided games are. Every figure comes from medians of several
rounds. In a round, every contestant does each task once, in turn: a slow spell of the machine then
affects them all. Only the ratios mean something.
"""

import gc
import platform
import sys
from collections import defaultdict
from statistics import median
from time import perf_counter

from bench.others import make_easyai_work, make_openspiel_states_work, make_openspiel_work
from bench.work import MCTS_CONNECT_FOUR, MCTS_TIC_TAC_TOE, Work, make_numpy_work, make_our_work

ROUNDS = 5
OPTIONAL = {
    "easyAI": make_easyai_work,
    "OpenSpiel": make_openspiel_work,
    "OpenSpiel's states, our search": make_openspiel_states_work,
}
COLUMNS = ["plain NumPy", *OPTIONAL]
MANY_ANSWERS = (MCTS_TIC_TAC_TOE, MCTS_CONNECT_FOUR)  # each library draws other random playouts


def load_contestants() -> dict[str, Work]:
    """Return the work of each contestant whose library is installed, by name."""
    works = {"ours": make_our_work(), "plain NumPy": make_numpy_work()}
    for name, make_work in OPTIONAL.items():
        try:
            works[name] = make_work()
        except ImportError:
            print(f"{name} is not installed, and so left out", file=sys.stderr)
    return works


def measure(works: dict[str, Work]) -> dict[str, dict[str, float]]:
    """Return the median seconds, by task and contestant."""
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


def render_ratios(results: dict[str, dict[str, float]]) -> str:
    """Return a Markdown table of how many times faster our games are."""
    rows = [["work", *COLUMNS], ["---"] * (1 + len(COLUMNS))]
    for task, seconds in results.items():
        ratios = {name: f"{taken / seconds['ours']:.1f}" for name, taken in seconds.items()}
        rows.append([task, *(ratios.get(name, "") for name in COLUMNS)])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def main() -> None:
    results = measure(load_contestants())
    print(
        f"{render_ratios(results)}\n\nMedians of {ROUNDS} interleaved rounds, "
        f"Python {platform.python_version()} on {platform.machine()}."
    )


if __name__ == "__main__":
    main()
