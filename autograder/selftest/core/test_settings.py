"""The settings file: what it says is taken, and a mistake in it is one clear line."""

import dataclasses
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.author.handout import for_students
from autograder.author.settings import expect_known_tests, expect_no_placeholders, summary
from autograder.questions import QUESTIONS, ROOT, ROWS
from autograder.settings import FILE, PLACEHOLDER, SETTINGS, BadSettings, parsed, read_settings

TEXT = SETTINGS.as_toml()


def changed(key: str, value: str) -> str:
    """The settings with another value of one key, as TOML."""
    text, count = re.subn(rf"^{key} = .*$", lambda _: f"{key} = {value}", TEXT, flags=re.MULTILINE)
    assert count == 1, key
    return text


def test_written_settings_are_read_back() -> None:
    odd = dataclasses.replace(SETTINGS, course='"\\ö\x7f\u2028 🎲', rules="a\nb\t'''")
    assert parsed(odd.as_toml()) == odd


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_files_of_windows_editors_are_read(tmp_path: Path, encoding: str, newline: str) -> None:
    file = tmp_path / "assignment.toml"
    file.write_bytes(FILE.read_text(encoding="utf-8").replace("\n", newline).encode(encoding))
    assert read_settings(file) == SETTINGS


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("title = ", "Invalid value"),
        ("", "title is missing in the file"),
        (TEXT.replace("course =", "curse ="), "course is missing in the file"),
        ("x = 1\n" + TEXT, "the file has no setting x; it has title, course, "),
        (TEXT + "shown = []\n", "[tests] has no setting shown; it has after_due_date, "),
        (changed("title", "7"), "title should be a text in quotes, not 7"),
        (changed("title", '"…"'), "title should be one line, with a letter or a digit in it"),
        (changed("C", "-1"), "C should be a number from 0.5 to 4, not -1"),
        (changed("C", '"sqrt(2)"'), "C should be a number from 0.5 to 4, not 'sqrt(2)'"),
        (changed("C", "nan"), "C should be a number from 0.5 to 4, not nan"),
        (changed("mcts", "true"), 'mcts should be "graded", "bonus" or "off", not True'),
        (
            re.sub('"graded"', '"off"', TEXT),
            'at least one question has to be "graded"',
        ),
        (changed("hidden", "true"), "hidden should be a list, not True"),
        (changed("hidden", "[2.3]"), 'hidden should list tests, as "2.3", or questions, as "6"'),
        (changed("students_get_hidden", "0"), "students_get_hidden should be true or false, not 0"),
    ],
)
def test_a_mistake_is_named(text: str, said: str) -> None:
    with pytest.raises(BadSettings) as caught:
        parsed(text)
    assert str(caught.value).startswith(said) and "\n" not in str(caught.value)


ROLE = {"cutoff": "off", "player": "graded"}
COMMANDS = [
    ("autograder", "test", "-q", "1.1"),
    ("autograder", "grade", "solution"),
    ("autograder.author.settings",),
    ("autograder.author.release", "--unchecked"),
    ("autograder.gradescope",),
]


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The whole project but for its banks, to be given settings with a mistake."""
    folder = tmp_path_factory.mktemp("copy") / "project"
    shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(".*", "__pycache__", "banks"))
    return folder


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])
@pytest.mark.parametrize(
    ("text", "said"),
    [
        (changed("C", '"large"'), "C should be a number from 0.5 to 4, not 'large'"),
        (TEXT.replace("player =", "players ="), "[questions] should name minimax, alphabeta, "),
        (
            re.sub("(cutoff|player) = .*", lambda m: f'{m[1]} = "{ROLE[m[1]]}"', TEXT),
            "player uses cutoff: switch both off, or none",
        ),
    ],
)
def test_every_command_says_it_in_one_line(
    copy: Path, command: tuple[str, ...], text: str, said: str
) -> None:
    (copy / "assignment.toml").write_text(text, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", *command], cwd=copy, capture_output=True, text=True
    )
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"can't begin: assignment.toml: {said}")
    assert (done.stdout, done.returncode) == ("", 2)


def test_unknown_test_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for tests, known in ((["1.1", "2"], True), (["1.99"], False), (["7"], False)):
        settings = dataclasses.replace(SETTINGS, tests=SETTINGS.tests | {"hidden": tests})
        monkeypatch.setattr("autograder.author.settings.SETTINGS", settings)
        if known:
            expect_known_tests()
            continue
        with pytest.raises(BadSettings, match=f"hidden names {tests[0]}, but there is no such"):
            expect_known_tests()


def test_remaining_placeholders_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    todo = f"so. {PLACEHOLDER} replace this"
    done = dataclasses.replace(SETTINGS, rules="our own", course="CS 1")
    monkeypatch.setattr("autograder.author.settings.SETTINGS", done)
    expect_no_placeholders()
    for name, unfinished in (
        ("course", dataclasses.replace(done, course=todo)),
        ("rules", dataclasses.replace(done, rules=todo)),
    ):
        monkeypatch.setattr("autograder.author.settings.SETTINGS", unfinished)
        with pytest.raises(BadSettings, match=f'^{name} still says "{PLACEHOLDER}'):
            expect_no_placeholders()


def test_the_summary_has_every_setting() -> None:
    said = "\n".join(summary())
    for name in (*SETTINGS.tests, SETTINGS.title, *(row.name for row in ROWS)):
        assert name in said, name
    for question in QUESTIONS:
        assert f"{question.number} {question.name} " in said


def test_parts_about_what_is_off_are_not_in_the_students_handout(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = (
        "a\n<!-- only with question 5 -->\nb\n<!-- end of question 5 -->\n"
        "c <!-- only with question 5 -->\nd <!-- only with a bonus -->\n"
        "<!-- only with question 2 or 5 -->\ne\n<!-- end of question 2 or 5 -->\nf\n"
    )
    rows = {row.number: row for row in ROWS}
    handout = "autograder.author.handout"
    for on, bonus, left in (("25", 10, "abcdef"), ("2", 10, "adef"), ("1", 0, "af")):
        monkeypatch.setattr(f"{handout}.QUESTIONS", [rows[number] for number in on])
        monkeypatch.setattr(f"{handout}.total", lambda bonus, points=bonus: points)
        assert for_students(text) == "".join(f"{letter}\n" for letter in left)


def test_every_part_about_a_question_that_begins_ends() -> None:
    text = (ROOT / "handout.md").read_text(encoding="utf-8")
    begun = re.findall(r"^<!-- only with question (.+) -->$", text, re.MULTILINE)
    assert begun == re.findall(r"^<!-- end of question (.+) -->$", text, re.MULTILINE)
    assert {number for part in begun for number in part.split(" or ")} == {r.number for r in ROWS}
