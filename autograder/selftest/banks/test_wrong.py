"""Wrong submissions lose the points of what is wrong, with the right message."""

import re
from collections import defaultdict
from pathlib import Path

import pytest

from autograder.author.bank import Entry, read_entry
from autograder.author.grade_batch import GradingJob, SelectiveProgress, describe_finding, grade_job
from autograder.feedback.diagnosis import OR
from autograder.feedback.report import PAPER, Screen, format_message
from autograder.feedback.results import Outcome, Result
from autograder.grading.grade import grade
from autograder.selftest.support.banks import BANKS, read_wrong_entries
from autograder.selftest.support.golden import (
    Example,
    mask_varying_text,
    read_expectations,
    read_wordings,
    select_sure_hints,
    varies,
)
from autograder.settings import SETTINGS

BANK = {entry.name: entry for entry in read_wrong_entries()}
CORE = {*(BANKS / "core.txt").read_text(encoding="ascii").split()}  # graded by `make check`
EXPECTED = read_expectations()
WORDINGS: dict[str, list[Example]] = defaultdict(list)
for example in read_wordings():
    WORDINGS[example.entry].append(example)
SCREENS = [PAPER, Screen(60, 17), Screen(80, 17), Screen(120, 17)]  # of 24 lines, 17 are left
OURS = ("Traceback", "worker", "autograder", "/tmp", "assert", "None type")


@pytest.mark.parametrize(
    "entry",
    [
        pytest.param(it, id=f"{it.question}.{name}", marks=() if name in CORE else pytest.mark.slow)
        for name, it in BANK.items()
    ],
)
def test_wrong_submission_gets_its_findings(entry: Entry) -> None:
    shows: dict[str, list[str]] = defaultdict(list)  # by test, parts of its message
    for line in entry.expected.get("shows", []):
        number, _, words = line.partition(" ")
        shows[number].append(words)
    numbers = {*entry.fails, *shows, *(example.number for example in WORDINGS[entry.name])}
    report = grade(
        entry.submission,
        question=entry.question,
        progress=SelectiveProgress(numbers, stop_at_first=False),
        deadline_s=10 * SETTINGS.deadline_s,
    )
    assert not report.problem
    results = {result.number: result for result in report.results}
    findings = {number: result.finding for number, result in results.items() if result.finding}
    expected = EXPECTED[entry.name]
    assert {number: findings[number].code for number in entry.fails} == expected.codes
    hints = {number: finding.hint_names for number, finding in findings.items()}
    assert select_sure_hints(entry, hints) == expected.hints
    for number in entry.fails:
        if diagnosis := results[number].diagnosis:
            assert entry.says in diagnosis.split(OR), "another mistake was named"
    for code, _, number, words in WORDINGS[entry.name]:
        assert findings[number].code == code
        if not varies(entry, number):
            said = mask_varying_text(describe_finding(findings[number]))
            again = f"look at it, then make matrix UPDATE=1 ENTRY={entry.name}"
            assert said == mask_varying_text(words), again
    for number, result in results.items():
        if result.outcome is Outcome.FAILED:
            expect_good_message(result, shows[number])


def expect_good_message(result: Result, shows: list[str]) -> None:
    whole = format_message(result, PAPER)
    line = " ".join(whole.split())
    for part in shows:
        assert part in line or part in whole, part
    for word in OURS:
        assert word not in whole
    expect_command_for_it(result, whole)
    for screen in SCREENS:
        expect_fits(format_message(result, screen), whole, screen)


def expect_command_for_it(result: Result, text: str) -> None:
    """Expect the message to end with the commands that run the case again."""
    commands = re.findall(r"make (\w+) CASE=(\S+)$", text, re.MULTILINE)
    assert result.finding
    if result.stub or not result.finding.reproducible:
        assert commands == []
    elif commands:  # a case may be too long for a command
        again, by_hand = commands
        assert again[0] == "test" and again[1].startswith(f"{result.number}/")
        assert by_hand == ("try", again[1])


def expect_fits(text: str, whole: str, screen: Screen) -> None:
    """Expect the message to fit the screen, with the expected and the actual value."""
    lines = text.splitlines()
    assert 1 <= len(lines) <= screen.height
    for line in lines:  # a word is not broken, nor is a command
        assert len(line) <= screen.width or len(line.split()) == 1 or " CASE=" in line
    assert all(character.isprintable() for line in lines for character in line)
    pairs = zip(values_of(whole), values_of(text), strict=True)
    assert all(one.startswith(other) or other.startswith(one) for one, other in pairs)
    assert ("<-- " in whole) == ("<-- " in text)


def values_of(text: str) -> list[str]:
    """Return how the lines of the expected and the actual value begin.

    A long word goes to the next line.
    """
    return [line[:20] for line in text.splitlines() if line[:6] in ("  expe", "  got:")]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["minimax_exit", "minimax_syntax_error", "player_seven_columns"])
def test_mistake_costs_points_on_its_own_question_only(name: str) -> None:
    verdict = grade_job(GradingJob(BANK[name].submission, None))
    assert set(BANK[name].fails) <= set(verdict.failed)
    assert {number[0] for number in verdict.failed} == {BANK[name].question}


@pytest.mark.parametrize("name", ["cutoff_h_for_the_mover", "cutoff_h_at_the_end_in_both"])
def test_wrong_values_cost_no_points_for_pruning(name: str) -> None:
    verdict = grade_job(GradingJob(BANK[name].submission, "3", ["3.6"]))
    assert (verdict.fault, verdict.failed) == ("", [])


def test_golden_files_match_this_bank() -> None:
    assert set(BANK) >= CORE
    assert len({tuple(entry.files.items()) for entry in BANK.values()}) == len(BANK)
    assert {name: list(row.codes) for name, row in EXPECTED.items()} == {
        name: list(entry.fails) for name, entry in BANK.items()
    }, "make matrix UPDATE=1"
    shown = {code for row in EXPECTED.values() for code in row.codes.values()}
    assert shown <= {example.code for example in read_wordings()}, "make matrix UPDATE=1"


def test_entries_fail_tests_of_their_question_and_known_mistakes_have_words() -> None:
    own = {path.stem for path in (BANKS / "wrong").glob("*.txt")}
    for name, entry in BANK.items():
        assert {number[0] for number in entry.fails} == {entry.question}, name
        assert bool(entry.says) != (name in own), name


CHANGE = "--- minimax.py: changes\n<<<<<<< solution\n"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (f"{CHANGE}not there\n=======\n>>>>>>> entry\n", "stands 0 times in minimax.py"),
        ("cost: 3\n", r"entry\.txt"),
        (CHANGE, r"entry\.txt"),
    ],
)
def test_damaged_entry_is_refused(text: str, problem: str, tmp_path: Path) -> None:
    path = tmp_path / "entry.txt"
    path.write_text(f"a mistake\n{text}")
    with pytest.raises(ValueError, match=problem):
        assert read_entry(path).files
