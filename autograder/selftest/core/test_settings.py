"""The settings file is read, and a mistake in it is reported in one clear line."""

import dataclasses
import re
import shutil
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

import pytest

from autograder.author import cases, handout, stubs
from autograder.author import settings as author_settings
from autograder.author.graded_tests import read_graded_tests
from autograder.author.handout import make_student_text
from autograder.author.pictures import draw_pictures
from autograder.author.platforms import name_folder
from autograder.author.release import make_student_settings
from autograder.author.settings import expect_known_tests, expect_no_placeholders, format_settings
from autograder.grading.grade import grade
from autograder.questions import QUESTIONS, ROOT, ROWS
from autograder.selftest.support.banks import SOLUTION_FILES
from autograder.selftest.support.commands import run_python
from autograder.settings import (
    FILE,
    PLACEHOLDER,
    SETTINGS,
    SHIPPED,
    BadSettings,
    parse_settings,
    read_settings,
)
from autograder.submission import Submission

TEXT = re.sub(r" *#.*", "", FILE.read_text(encoding="utf-8"))  # without comments


def changed(key: str, value: str) -> str:
    """Return the settings as TOML, with another value of one key."""
    text, count = re.subn(rf"^{key} = .*$", lambda _: f"{key} = {value}", TEXT, flags=re.MULTILINE)
    assert count == 1, key
    return text


def test_written_settings_are_read_back():
    odd = dataclasses.replace(
        SETTINGS,
        course='"\\ö\x7f\u2028 🎲',
        rules="a\nb\t'''",
        points={"2.3": 4},
        extensions={"a@b.edu": "2027-03-05 23:59+01:00"},
    )
    assert parse_settings(format_settings(odd)) == odd
    text = 'contact = "me"\n[extensions]\n"Ann@uni.edu" = "2027-03-05 23:59+01:00"'
    assert parse_settings(text).extensions.keys() == {"ann@uni.edu"}
    assert parse_settings(text).whom_to_tell == "your instructor (me)"


def test_shipped_file_states_every_default():
    assert SETTINGS == SHIPPED == parse_settings("")
    stated = FILE.read_text(encoding="utf-8")
    for name in re.findall(r"^(\w+) = ", format_settings(SETTINGS), re.MULTILINE):
        assert re.search(rf"^{name} += ", stated, re.MULTILINE), name


def test_file_of_a_windows_editor_is_read(tmp_path):
    file = tmp_path / "assignment.toml"
    file.write_bytes(FILE.read_text(encoding="utf-8").replace("\n", "\r\n").encode("utf-8-sig"))
    assert read_settings(file) == SETTINGS


TWICE = changed("hidden", '["2.8", "4.1"]').replace("published = []", 'published = ["4"]')
NEGATIVE = TEXT.replace("[points]\n", '[points]\n"2.3" = -1\n')
SOON = TEXT.replace("[extensions]\n", '[extensions]\n"a@b.edu" = "soon"\n')


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("title = ", "Invalid value"),
        ("x = 1\n" + TEXT, "the file has no setting x; it has title, course, "),
        (changed("hidden", "[]\nshown = []"), "[tests] has no setting shown; it has after_due_"),
        (TEXT + "size = 1\n", "[platform] has no setting size; it has name, python, deadline_s"),
        (changed("python", '"3.9"'), 'python should be "3.10" to "3.14", not \'3.9\''),
        (TEXT.replace('name = "Gradescope"', 'name = ""'), "the platform's name should be one"),
        (changed("deadline_s", "true"), "deadline_s should be a whole number, not True"),
        (changed("deadline_s", "9"), "deadline_s should be 60 to 7200 seconds, not 9"),
        (changed("title", "7"), "title should be a text in quotes, not 7"),
        (changed("title", '"…"'), "title should be one line, with a letter or a digit in it"),
        (changed("C", "nan"), "C should be a number from 0.5 to 4, not nan"),
        (changed("mcts", "true"), 'mcts should be "graded", "bonus" or "off", not True'),
        (re.sub('"graded"', '"off"', TEXT), 'at least one question has to be "graded"'),
        (changed("hidden", "[2.3]"), 'hidden should list tests, as "2.3", or questions, as "6"'),
        (TWICE, "4.1 is in hidden, but 4 is in after_published: list each test once"),
        (changed("contact", '"a\\nb"'), "contact should be one line"),
        (changed("variant", '"a b"'), 'variant should be a short name, as "2027-spring"'),
        (changed("due", '"2027-03-05 23:59"'), 'due should be a time as "2027-03-05 23:59+01:00"'),
        (changed("late", '"2027-03-05 23:59+01:00"'), "the date late should come after a date due"),
        (TEXT + "[points2]\n", "the file has no setting points2; "),
        (NEGATIVE, '[points] should have lines as "2.3" = 4, not 2.3 = -1'),
        (SOON, "a@b.edu should be a time as "),
        (changed("students_get_hidden", "0"), "students_get_hidden should be true or false, not 0"),
    ],
)
def test_mistake_is_named(text, said):
    with pytest.raises(BadSettings) as caught:
        parse_settings(text)
    assert str(caught.value).startswith(said) and "\n" not in str(caught.value)


WITHOUT_CUTOFF = changed("cutoff", '"off"')
UNKNOWN = TEXT.replace("player =", "players =")
OFF = changed("expectiminimax", '"off"').replace("\nhidden = []", '\nhidden = ["5.1", "5.99"]')


def test_every_command_names_the_mistake_in_one_line(tmp_path):
    folder = tmp_path / "project"
    shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(".*", "selftest"))
    for command, text, said in (
        ("autograder grade solution", UNKNOWN, "[questions] has no setting players; it has min"),
        ("autograder.author.settings", OFF, "hidden names 5.99, but there is no such test or q"),
        ("autograder.author.release", WITHOUT_CUTOFF, "player uses cutoff: switch both off"),
        ("autograder test", changed("C", "0"), "C should be a number from 0.5 to 4, not 0"),
    ):
        (folder / "assignment.toml").write_text(text, encoding="utf-8")
        done = run_python("-m", *command.split(), cwd=folder)
        (line,) = done.stderr.splitlines()
        assert line.startswith(f"can't begin: assignment.toml: {said}")
        assert (done.stdout, done.returncode) == ("", 2)


def use(monkeypatch: pytest.MonkeyPatch, **changes: object) -> None:
    settings = dataclasses.replace(SETTINGS, **changes)  # type: ignore[arg-type]
    monkeypatch.setattr("autograder.author.settings.SETTINGS", settings)


def test_unknown_test_is_named(monkeypatch):
    use(monkeypatch, tests=SETTINGS.tests | {"hidden": ["1.1", "2"]})
    expect_known_tests()
    for changes, said in (
        ({"tests": SETTINGS.tests | {"hidden": ["9"]}}, "hidden names 9, but .* test or question"),
        ({"points": {"9.9": 1}}, r"\[points\] names 9\.9, but there is no such test"),
    ):
        use(monkeypatch, **changes)
        with pytest.raises(BadSettings, match=f"^{said}$"):
            expect_known_tests()


@pytest.mark.parametrize(
    ("title", "folder"),
    [("Übung 3: Spiele & Bäume", "ubung-3-spiele-baume"), ("Игры", "assignment"), ("A  b", "a-b")],
)
def test_folder_of_the_students_is_the_title_in_plain_letters(title, folder):
    assert name_folder(parse_settings(changed("title", f'"{title}"')).title) == folder


def test_points_of_the_settings_replace_the_weight(monkeypatch):
    monkeypatch.setitem(SETTINGS.points, "1.1", 7.5)
    (result,) = grade(Submission(SOLUTION_FILES), question="1.1").results
    assert result.points == 7.5


def test_cases_of_a_term_follow_the_settings(tmp_path, monkeypatch, capsys):
    write_cases = mock.Mock()
    folder = tmp_path / "term_cases"
    monkeypatch.setattr(author_settings, "TERM_CASES", folder)
    monkeypatch.setattr(author_settings, "write_cases", write_cases)
    for changes, names in (
        ({"C": 3.0}, ["mcts"]),
        ({"C": 2.0}, ["mcts"]),
        ({"C": 2.0, "variant": "spring"}, [row.name for row in QUESTIONS]),
        ({"variant": "autumn"}, [row.name for row in QUESTIONS]),
    ):
        use(monkeypatch, **changes)
        assert not author_settings.has_term_cases()
        author_settings.make_term_cases()
        options = write_cases.call_args.kwargs
        assert ([row.name for row in options["questions"]], options["public"]) == (names, True)
        assert author_settings.has_term_cases() and (folder / "minimax.json").is_file()
        author_settings.make_term_cases()  # they are there
    off = [SimpleNamespace(on=False, name="player")]
    for name, value in (("SHIPPED_CASES", tmp_path), ("ROWS", off)):
        with monkeypatch.context() as patch:
            patch.setattr(author_settings, name, value)
            assert not author_settings.has_term_cases()  # these are others
    seeds = [call.args[0] for call in write_cases.call_args_list]
    assert len(seeds) == 4 and len({*seeds}) == 3
    assert capsys.readouterr().out == 4 * "making public cases for these settings: a few minutes\n"
    write_cases.side_effect = KeyboardInterrupt
    use(monkeypatch, variant="winter")
    with pytest.raises(KeyboardInterrupt):
        author_settings.make_term_cases()
    (made_for,) = tmp_path.glob("**/made_for.txt")
    depends_on = f"C = {SHIPPED.C}\nvariant = autumn\nwithout = \n"
    assert made_for.parent == folder and made_for.read_text("utf-8").startswith(depends_on)
    use(monkeypatch)
    assert not author_settings.has_term_cases()
    author_settings.make_term_cases()
    assert not folder.exists() and author_settings.has_term_cases()


def test_failure_for_one_test_cancels_the_cases_of_the_others(tmp_path, monkeypatch):
    begun = []

    def fail(*arguments: object) -> None:
        begun.append(arguments)
        time.sleep(0.1)
        raise ValueError("no cases")

    monkeypatch.setattr(cases, "ProcessPoolExecutor", lambda **_: ThreadPoolExecutor(1))
    monkeypatch.setattr(cases, "make_test_cases", fail)
    with pytest.raises(ValueError, match="no cases"):
        cases.write_cases(1, tmp_path, public=True)
    assert len(begun) < len(read_graded_tests())
    assert not [*tmp_path.iterdir()]


GOLDEN = Path(__file__).with_name("texts_of_settings.txt")
SETTINGS_OF_TEXTS = GOLDEN.with_name("settings_of_texts.txt").read_text("utf-8").split("# next\n")
# The instructor's own words stay as they are.
IN_HANDOUT = GOLDEN.with_name("handout_of_texts.txt").read_text(encoding="utf-8")
POINTS = {"1.1": 15, "2.1": 19, "2.2": 3, "2.3": 3, "3.1": 20, "4.1": 40, "5.1": 10, "6.1": 10}


def test_texts_that_follow_from_the_settings(monkeypatch):
    """If a change is meant, the file has to be what `texts` is here."""
    for test in read_graded_tests():  # new tests or points change no text here
        monkeypatch.setattr(test.function, "__weight__", POINTS.get(test.number, 0))
        monkeypatch.setattr(test.function, "__number__", test.number * (test.number in POINTS))
    texts = ""
    for text in SETTINGS_OF_TEXTS:
        for name, value in vars(parse_settings(text)).items():
            monkeypatch.setitem(vars(SETTINGS), name, value)
        names = ("title", "questions", "hidden", "C", "submitting")
        passages = {name: handout.PASSAGES[name]() for name in names}
        passages["summary"] = author_settings.describe_settings()
        passages["students"] = format_settings(make_student_settings())
        passages["handout"] = make_student_text(IN_HANDOUT)
        texts += "".join(f"{name}:\n{made}\n" for name, made in passages.items())
    assert texts == GOLDEN.read_text(encoding="utf-8")
    monkeypatch.setattr(author_settings, "sum_points", lambda bonus=False: 0 if bonus else 5)
    assert "points: 5\n" in author_settings.describe_settings()


def test_make_settings_writes_what_is_outdated(tmp_path, monkeypatch, capsys):
    shutil.copytree(ROOT / "solution", tmp_path / "solution")
    (tmp_path / "starter").mkdir()
    (tmp_path / "handout.md").write_text("<!-- generated: C -->\n<!-- end -->\nä", encoding="utf-8")
    monkeypatch.setattr(stubs, "ROOT", tmp_path)
    monkeypatch.setattr(handout, "HANDOUT", tmp_path / "handout.md")
    monkeypatch.setattr(handout, "PICTURES", tmp_path / "handout")
    assert author_settings.main() == 0
    made = stubs.make_files()
    written = [path for path in made if path.startswith("starter")] + ["handout.md, handout/"]
    said = [f"written: {name}" for name in written] + [author_settings.describe_settings(), ""]
    assert capsys.readouterr() == ("\n".join(said), "")
    made["handout.md"] = f"<!-- generated: C -->\n\n{handout.render_C()}\n<!-- end -->\nä"
    made |= {f"handout/{name}": picture for name, picture in draw_pictures().items()}
    assert all((tmp_path / path).read_text("utf-8") == text for path, text in made.items())
    for module, name, line in (
        (handout, "refresh", "nothing was written: grading fails"),
        (author_settings, "make_term_cases", "the public cases can't be made: grading fails"),
        (stubs, "make_files", "no stubs were written: grading fails"),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(module, name, mock.Mock(side_effect=ValueError("grading fails")))
            assert author_settings.main() == 2
        assert capsys.readouterr().err == f"{line}\n"


def test_remaining_placeholder_is_named(monkeypatch):
    use(monkeypatch, rules="our own", course="CS 1")
    expect_no_placeholders()
    use(monkeypatch, rules=f"so. {PLACEHOLDER} replace this", course="CS 1")
    with pytest.raises(BadSettings, match=f'^rules still says "{PLACEHOLDER}'):
        expect_no_placeholders()


def test_handout_omits_questions_that_are_off(monkeypatch):
    text = (
        "a\n<!-- only with question 5 -->\nb\n<!-- end of question 5 -->\n"
        "c <!-- only with question 5 -->\nd <!-- only with a bonus -->\n"
        "<!-- only with question 2 or 5 -->\ne\n<!-- end of question 2 or 5 -->\nf\n"
        "g <!-- only with a leaderboard -->\n"
    )
    for on, bonus, left in (("25", 10, "abcdefg"), ("2", 10, "adefg"), ("1", 0, "af")):
        monkeypatch.setitem(vars(SETTINGS), "leaderboard", bonus > 0)
        monkeypatch.setattr(handout, "QUESTIONS", [row for row in ROWS if row.number in on])
        monkeypatch.setattr(handout, "sum_points", lambda bonus=False, most=bonus: most * bonus)
        assert make_student_text(text) == "".join(f"{letter}\n" for letter in left)
        assert ("+" in handout.render_question_table()) == bool(bonus)
