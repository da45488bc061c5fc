"""Select the cases that expose most known mistakes."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextvars import ContextVar
from dataclasses import replace
from itertools import islice
from typing import TypeVar

from autograder.author.bank import read_known_mistakes
from autograder.author.programs import Program, load_program
from autograder.questions import find_question
from autograder.serving.case import Case

SomeCase = TypeVar("SomeCase", bound=Case)
MIN_EXPOSING = 3  # cases that expose a mistake, where the candidates allow it
MAX_DRAWS = 30_000
# Whether few candidates are tried where cases are drawn afterwards: a release has little time.
QUICK = ContextVar("QUICK", default=False)
QUICK_CANDIDATES = 2  # for each case that is selected


def load_wrong_programs(number: str, may_fail: bool = True) -> list[Program]:
    """Return the known mistakes that fail a test, and those that may."""
    return [
        load_program(entry, find_question(number))
        for entry in read_known_mistakes()
        if number in entry.fails or (may_fail and number in entry.may_fail)
    ]


def draw_until_exposed(
    draw: Callable[[], SomeCase], number: str, exposed: Mapping[Program, int] = {}
) -> list[SomeCase]:
    """Draw cases, sorted by size, until enough expose each mistake that fails a test.

    Enough are MIN_EXPOSING. Unlike `select_cases`, it finds mistakes that hardly any candidate
    exposes.

    exposed: how many cases of the test expose a mistake already
    """
    programs = load_wrong_programs(number, may_fail=False)
    lacking = {program: MIN_EXPOSING - exposed.get(program, 0) for program in programs}
    chosen: list[SomeCase] = []
    for _ in range(MAX_DRAWS):
        lacking = {program: count for program, count in lacking.items() if count > 0}
        if not lacking:
            return sorted(chosen, key=count_characters)
        case = replace(draw(), number=number)
        failed = [program for program in lacking if program.fails_alone(case)]
        chosen += [case] * bool(failed)
        for program in failed:
            lacking[program] -= 1
    raise ValueError(f"test {number}: {len(lacking)} mistakes are hardly exposed")


def select_and_draw(
    candidates: Iterable[SomeCase],
    draw: Callable[[], SomeCase],
    number: str,
    count: int,
    passed_by: Collection[str] = (),
) -> list[SomeCase]:
    """Select `count` cases, then draw until enough expose each mistake but `passed_by`."""
    most = QUICK_CANDIDATES * count if QUICK.get() else None  # an iterator draws no more
    tried = list(islice(candidates, most) if isinstance(candidates, Iterator) else candidates)
    tried = tried[:: max(1, len(tried) // most)] if most else tried
    chosen, exposed = select_exposing(select_passed_by(passed_by, tried, number), number, count)
    drawn = select_passed_by(passed_by, iter(draw, None), number)
    return [*chosen, *draw_until_exposed(drawn.__next__, number, exposed)]


def select_passed_by(
    names: Collection[str], cases: Iterable[SomeCase], number: str
) -> Iterator[SomeCase]:
    """Yield the cases of a test that known mistakes, which fail other tests, pass."""
    entries = [entry for entry in read_known_mistakes() if entry.name in names]
    programs = [load_program(entry, find_question(number)) for entry in entries]
    for case in cases:
        if not any(program.fails_alone(replace(case, number=number)) for program in programs):
            yield case


def select_cases(candidates: Iterable[SomeCase], number: str, count: int) -> list[SomeCase]:
    return select_exposing(candidates, number, count)[0]


def select_exposing(
    candidates: Iterable[SomeCase], number: str, count: int
) -> tuple[list[SomeCase], dict[Program, int]]:
    """Return `count` cases from small to large, and how many expose each known mistake.

    Each step takes the case with the largest gain in proportion to its size: mistakes that fewer
    than MIN_EXPOSING cases expose, and mistakes separated from each other. The fewer candidates
    expose a mistake, the more it counts. When no case gains anything, the remaining ones are taken
    evenly from small to large.
    """
    cases = sorted((replace(case, number=number) for case in candidates), key=count_characters)
    programs = load_wrong_programs(number)
    table = [[program.run_cases([case])[0] for program in programs] for case in cases]
    sizes = [*map(count_characters, cases)]
    rows = [{i for i, outcome in enumerate(row) if outcome.failed} for row in table]
    chances = Counter(i for row in rows for i in row)
    exposed = Counter[int]()
    classes = [0] * len(programs)  # equal for programs that no chosen case separates
    chosen: list[int] = []
    left = list(range(len(cases)))

    def gain(index: int) -> float:
        new = sum(1 / chances[i] for i in rows[index] if exposed[i] < MIN_EXPOSING)
        pairs = {(c, outcome.mark) for c, outcome in zip(classes, table[index])}
        return (new + (len(pairs) - len(set(classes))) / len(programs)) / sizes[index]

    while programs and left and len(chosen) < count:
        best = max(left, key=gain)
        if not gain(best):
            break
        left.remove(best)
        chosen.append(best)
        exposed.update(rows[best])
        pairs = [(c, outcome.mark) for c, outcome in zip(classes, table[best])]
        classes = [pairs.index(pair) for pair in pairs]
    more = min(count - len(chosen), len(left))
    chosen += [left[(2 * i + 1) * len(left) // (2 * more)] for i in range(more)]
    exposing = {program: sum(i in rows[c] for c in chosen) for i, program in enumerate(programs)}
    return [cases[index] for index in sorted(chosen)], exposing


def count_characters(case: Case) -> int:
    """Return the length of a case as text."""
    return len(str(case.plain()))
