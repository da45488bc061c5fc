"""Wrong submissions lose the points of what is wrong, and no others, and are told what it is."""

import ast
import re
import sys
from pathlib import Path

import pytest

from autograder.author.mistakes import OR
from autograder.author.parallel import Job, Verdict, grade_each
from autograder.author.wrong_bank import SOLUTION, WrongSubmission, read_entry, read_wrong
from autograder.questions import QUESTION_FILES
from autograder.selftest.sample import only_in_proof, sample

BANK = read_wrong()
TAKEN = sample("wrong", BANK)
WHOLE = [BANK[0], BANK[-1]]  # these are graded on every question, not only their own
# These play and search much, and take most of the time. An entry is graded on them only if
# it says that they fail; `make matrix` grades all on all.
LONG = {"1.6", "1.8", "1.9", "2.9", "2.10", "3.12", "3.13"} | {
    f"4.{number}" for number in (4, 10, 11, 12, 13)
}


def grade_all(bank: list[WrongSubmission], whole: bool = False) -> dict[str, Verdict]:
    """Grade each on its own question, or the whole of it; return the verdicts by name."""
    jobs = [
        Job(
            wrong.submission,
            None if whole else wrong.question,
            without=frozenset() if whole else LONG.difference(wrong.fails),
        )
        for wrong in bank
    ]
    return {bank[i].name: verdict for i, verdict in grade_each(jobs)}


@pytest.fixture(scope="module")
def verdicts(request: pytest.FixtureRequest) -> dict[str, Verdict]:
    """The verdicts on the entries that this run is about."""
    wanted = {
        item.callspec.params["wrong"].name
        for item in request.session.items
        if "wrong" in getattr(item, "fixturenames", ()) and hasattr(item, "callspec")
    }
    return grade_all([wrong for wrong in BANK if wrong.name in wanted])


def test_the_bank_is_large() -> None:
    assert len(BANK) >= 100


@pytest.mark.parametrize("wrong", TAKEN, ids=lambda wrong: wrong.name)
def test_loses_what_is_wrong_and_is_told_what(
    wrong: WrongSubmission, verdicts: dict[str, Verdict]
) -> None:
    verdict = verdicts[wrong.name]
    assert not verdict.fault
    assert wrong.certain(verdict.failed) == set(wrong.fails)
    message = " ".join(verdict.messages[wrong.fails[0]].split())
    assert re.search(wrong.shows, message), message
    for diagnosis in verdict.diagnoses.values():
        assert wrong.says in diagnosis.split(OR), "another mistake was named"


@only_in_proof
def test_most_mistakes_that_have_words_are_named(verdicts: dict[str, Verdict]) -> None:
    told = [wrong for wrong in BANK if wrong.says]
    silent = [wrong.name for wrong in told if not verdicts[wrong.name].diagnoses]
    assert len(silent) <= len(told) // 10, silent


def test_no_question_file_uses_another() -> None:
    """So a mistake in one file can't cost points on another file's question."""
    for name in QUESTION_FILES:
        tree = ast.parse((SOLUTION / name).read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom):
                assert node.level == 0
                assert node.module
                top = node.module.split(".")[0]
                assert node.module == "starter.games" or top in sys.stdlib_module_names
            elif isinstance(node, ast.Import):
                assert {alias.name for alias in node.names} <= sys.stdlib_module_names


@only_in_proof
def test_the_other_questions_keep_all_their_points() -> None:
    verdicts = grade_all(WHOLE, whole=True)
    for wrong in WHOLE:
        assert wrong.certain(verdicts[wrong.name].failed) == set(wrong.fails)


def test_an_entry_that_fits_no_place_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "entry.txt"
    header = "mistake: none\nfile: mcts.py\nfails: 4.1\nshows: x\n"
    path.write_text(f"{header}<<<<<<< solution\nnowhere\n=======\n>>>>>>> wrong\n")
    with pytest.raises(ValueError, match="stands 0 times"):
        assert read_entry(path).source


@pytest.mark.parametrize("damage", ["cost: 3\n", "file: other.py\n", "<<<<<<< solution\n"])
def test_a_damaged_entry_is_refused(damage: str, tmp_path: Path) -> None:
    path = tmp_path / "entry.txt"
    path.write_text("mistake: none\nfile: mcts.py\n" + damage)
    with pytest.raises(ValueError, match=r"entry\.txt"):
        read_entry(path)
