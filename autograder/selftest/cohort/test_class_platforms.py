"""What platforms store of a class is read with their rosters."""

from pathlib import Path

import pytest

from autograder.cohort.export import read_export
from autograder.cohort.platform_exports import name_people, read_roster
from autograder.errors import UsageError
from autograder.selftest.support.class_factory import make_zip, write_files

OLD, NEW = b"def old(): ...\n", b"def min_value(game, state, player): ...\n"
ZIPPED = make_zip({"minimax.py": NEW})
SETTINGS = b"""{"active_version": 2, "history": [
    {"version": 1, "time": "2026-09-01 10:00:00-0400"},
    {"version": 2, "time": "2026-09-02 10:00:00-0400"}
]}"""
PRAIRIELEARN = {
    "Homework1/ann_b@uni.edu_1_adversarial-search_1_1_41_submission.zip": make_zip({"x.py": OLD}),
    "Homework1/ann_b@uni.edu_1_adversarial-search_1_12_4711_submission.zip": ZIPPED,
    "Homework1/bob@uni.edu_1_adversarial-search_1_3_99_minimax.py": NEW,
    "Homework1/bob@uni.edu_1_adversarial-search_1_3_99_mcts.py": OLD,
}
AUTOLAB = {
    "ann_b@uni.edu_9_submission.zip": make_zip({"x.py": OLD}),
    "ann_b@uni.edu_10_submission.zip": ZIPPED,
    "bob@uni.edu_1_submission.zip": ZIPPED,
}
SUBMITTY = {
    "search/annb/user_assignment_settings.json": SETTINGS,
    "search/annb/1/minimax.py": OLD,
    "search/annb/2/minimax.py": NEW,
    "search/annb/2/.submit.timestamp": b"2026-09-02 10:00:00-0400\n",
    "search/bob/user_assignment_settings.json": b'{"active_version": 1, "history": []}',
    "search/bob/1/submission.zip": ZIPPED,
    "search/cy/user_assignment_settings.json": b'{"active_version": 0, "history": []}',
    "search/cy/1/minimax.py": OLD,
    "search/dee/user_assignment_settings.json": b"{",
}
CLASSROOM50 = {
    "cs-search-annb/starter/minimax.py": NEW,
    "cs-search-annb/.classroom50.yaml": b"",
    "cs-search-bob/starter/minimax.py": NEW,
    "cs-search-zoe/starter/minimax.py": NEW,
}
TEXT = Path(__file__).with_name("rosters.txt").read_text(encoding="utf-8")
ROSTERS = dict(part.split(":\n", 1) for part in TEXT.split("\n\n"))
EXPORTS = dict(zip(ROSTERS, (CLASSROOM50, PRAIRIELEARN, AUTOLAB, SUBMITTY)))


@pytest.mark.parametrize("form", ["class", "class.zip"])
@pytest.mark.parametrize("name", EXPORTS)
def test_newest_version_and_its_person_are_found(tmp_path: Path, name: str, form: str) -> None:
    found = read_export(write_files(tmp_path / form, EXPORTS[name]))
    roster = tmp_path / "roster.csv"
    roster.write_text(ROSTERS[name], encoding="utf-8")
    remarks = name_people(found.uploads, roster)
    ann, bob, *others = found.uploads
    for one in (ann, bob):
        assert one.submission is not None, one.row.problem
        assert one.submission.files["minimax.py"] == NEW
    ((person,), (other,)) = ann.people, bob.people
    assert (person.name, other.name) == ("Ann Bee", "Bob")
    assert person.email.lower() == "ann_b@uni.edu"
    # What a student has chosen on GitHub may be somebody else's number elsewhere.
    assert person.sid == ("1" if name in ("prairielearn", "submitty") else "")
    unknown = {"classroom50": ["cs-search-zoe"], "submitty": ["cy", "dee"]}.get(name, [])
    assert [one.place for one in others] == unknown
    assert [line.split()[0] for line in remarks] == unknown
    if name == "submitty":
        assert ann.row.created.startswith("2026-09-02 10:00:00-04")
        problems = [one.row.problem for one in others]
        assert problems[0].startswith("no version is active")
        assert problems[1].startswith("user_assignment_settings.json can't be read")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("name,section\nAnn,A\n", "no column of accounts"),
        ("username,name\nann,Ann\nAnn,Other\n", "two rows for ann"),
        ("", "no column of accounts"),
    ],
)
def test_unusable_roster_is_refused(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "roster.csv").write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=said):
        read_roster(tmp_path / "roster.csv")
