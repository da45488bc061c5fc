"""Read the cases of the questions, public ones or those of a release."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from autograder.errors import GraderFault, UsageError
from autograder.questions import ROOT, find_question
from autograder.serving.case import Case
from autograder.serving.cases import KINDS, PositionsCase

SHIPPED_CASES = ROOT / "tests" / "cases"
# Public cases for settings that ask for others; `make settings` makes this folder and removes it.
TERM_CASES = ROOT / "tests" / "term_cases"
FOLDER = TERM_CASES if TERM_CASES.is_dir() else SHIPPED_CASES


@cache
def read_json(path: Path) -> Any:
    """Read a file. Raises GraderFault if it is missing or damaged."""
    try:
        return json.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        raise GraderFault(f"the cases in {path.name} can't be read: {error}") from None


class Cases:
    """The cases in one folder: the public ones, or others."""

    def __init__(self, folder: Path = FOLDER, chosen: Case | None = None) -> None:
        """Use the cases in `folder`; of the test with a `chosen` case, only that one."""
        self.folder, self.chosen = folder, chosen

    def content(self, number: str) -> Any:
        """Return the case file of the test's question.

        Raises GraderFault if its file can't be read or there is no such question.
        """
        try:
            question = find_question(number)
        except KeyError as unknown:
            raise GraderFault(unknown.args[0]) from None
        return read_json(self.folder / f"{question.name}.json")

    def kind(self, number: str) -> type[Case]:
        """Return the kind of a test's cases. Raises GraderFault if there are none."""
        try:
            return KINDS[self.content(number)["kinds"][number]]
        except (KeyError, TypeError):
            raise GraderFault(f"there are no cases for test {number}") from None

    def are_secret(self, number: str) -> bool:
        """Are a test's cases unknown to students? A chosen case is known."""
        return self.chosen is None and self.content(number).get("public") is not True

    def load(self, number: str) -> list[Case]:
        """Return the cases of one test.

        Raises GraderFault if there are none, or if one is not of the test's kind.
        """
        if self.chosen and self.chosen.number == number:
            return [self.chosen]
        kind, content = self.kind(number), self.content(number)
        public, numbered = content.get("public"), enumerate(content["cases"].get(number, ()), 1)
        try:
            cases = [kind.from_plain(number, i if public else None, data) for i, data in numbered]
        except ValueError as problem:
            raise GraderFault(f"the cases can't be read: {problem}") from None
        if not cases:
            raise GraderFault(f"there are no cases for test {number}")
        return cases

    def only(self, name: str) -> Cases:
        """Return the same cases, but only one for its test.

        name: "2.3/17"; "1.7/1.30" for one of its positions; "2.3/~..." with the case's text

        Raises UsageError, in one line, if there is no such case.
        """
        number, _, which = name.partition("/")
        try:
            known = number in self.content(find_question(number).number)["kinds"]
        except KeyError:
            known = False
        if not known:
            problem = f"there is no test {number}" if number else "no case is named"
            raise UsageError(f"{problem}: a case has a name like 2.3/4")
        cases = self.load(number)
        if which.startswith("~"):
            return Cases(self.folder, self.kind(number).from_name(number, which))
        numbers = re.fullmatch(r"([0-9]{1,6})(?:\.([0-9]{1,6}))?", which)
        if not numbers or not 1 <= int(numbers[1]) <= len(cases):
            raise UsageError(f"test {number} has the cases {number}/1 to {number}/{len(cases)}")
        case = cases[int(numbers[1]) - 1]
        if numbers[2]:
            positions = case.positions if isinstance(case, PositionsCase) else []
            part = int(numbers[2])
            if not isinstance(case, PositionsCase) or not 1 <= part <= len(positions):
                raise UsageError(f"case {number}/{numbers[1]} has {len(positions)} positions")
            case = replace(case, part=part, positions=positions[part - 1 : part])
        return Cases(self.folder, case)

    def mistakes(self, number: str) -> tuple[dict[str, dict[str, list[int]]], list[str]]:
        """Return the known mistakes of a question: their marks by test, and descriptions."""
        content = self.content(number)
        return content.get("mistakes", {}), content.get("says", [])

    def perfect_play(self) -> dict[str, tuple[int, list[int]]]:
        """Return X's value and best moves of undecided tic-tac-toe positions, by rows.

        Raises GraderFault if the table is missing or damaged.
        """
        return read_json(self.folder / "tic_tac_toe.json")
