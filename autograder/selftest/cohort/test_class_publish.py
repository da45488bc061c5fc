"""`class publish` fills in what is certain, lists the rest and keeps other cells."""

import codecs
import csv
import json
import re
import stat
import zipfile
from pathlib import Path

import pytest

from autograder.author.graded_tests import sum_points
from autograder.cohort.class_folder import ClassFolder, Person
from autograder.cohort.gradebooks import format_points
from autograder.cohort.grading import summarise
from autograder.cohort.publish import publish
from autograder.cohort.rendering import make_csv
from autograder.errors import UsageError
from autograder.selftest.support.class_factory import LARGE_CLASS
from autograder.selftest.support.graded_class import (
    expect_said,
    make_results_json,
    write_graded_class,
    write_small_class,
)

ADA = Person("Ada Lovelace", "100", "ada@university.example")
BOB = Person("Bob \u201cB\u201d Ng", "200", "bob@university.example")
CY = Person("Cy", "", "Cy@University.example")
SCORES = {ADA: 87.5, BOB: 100.0, CY: 0.0}
CANVAS = (
    '\ufeffStudent,ID,SIS User ID,SIS Login ID,Section,"Search, adversarial (77)",Final Score,\r\n'
    "    Points Possible,,,,,100.0,(read only)\r\n"
    '"Lovelace, Ada",9001,100,ada,"Lab ""A""",,50\r\n'
    '"Ng, Bob",9002,200,bob@university.example,B,"12",\r\n'
    "Cy,9003,,cy@university.example\r\n"
    "Other,9004,900,other,B,7,\r\n"
    '"Student, Test",,,test,,,\r\n'
).encode()
MOODLE = (
    "\ufeffIdentifier;Full name;Email address;Status;Grade;Maximum Grade;Feedback comments\n"
    'Participant 100;Ada;ada@elsewhere.example;"Submitted; late";;100,00;"two\nlines"\n'
    'Participant 7;Bob;bob@university.example;;"1,00";100,00;\n'
    "Participant 8;Cy;cy@university.example;;;100,00;"
).encode()
PRAIRIELEARN_FILE = (
    b"uid,uin,qid,old_score_perc,submission_id,params,score_perc,feedback\n"
    b'ADA@university.example,1,search,0,41,"{""a"": 1}",,\nzoe@x.edu,2,search,0,42,\xe9,,\n'
)


def graded(path: Path, scores: dict[Person, float]) -> Path:
    """Write a class of these scores out of 100.

    A score below 0 stands for a submission without a result.
    """
    results = [make_results_json({"1.1": s}, 100) if s >= 0 else None for s in scores.values()]
    return write_small_class(path, [[person] for person in scores], results=results)


def rows_of(content: bytes) -> list[list[str]]:
    return list(csv.reader(content.decode("utf-8-sig").splitlines()))


def filled(tmp_path: Path, to: str, template: bytes, scores: dict[Person, float] = SCORES) -> bytes:
    folder = graded(tmp_path / "class", scores)
    (tmp_path / "template.csv").write_bytes(template)
    assert publish(folder, to, tmp_path / "template.csv") == 0
    assert (tmp_path / "template.csv").read_bytes() == template
    return (folder / f"{to}.csv").read_bytes()


def test_canvas_file_is_filled_in_and_otherwise_the_same(tmp_path, capsys):
    expected = (
        CANVAS.replace(b'"Lab ""A""",,50', b'"Lab ""A""",87.5,50')
        .replace(b'B,"12",', b"B,100,")
        .replace(b"example\r\nOther", b"example,,0\r\nOther")
    )
    assert filled(tmp_path, "canvas", CANVAS) == expected
    expect_said("canvas", capsys.readouterr().out, tmp_path)
    assert stat.S_IMODE((tmp_path / "class" / "canvas.csv").stat().st_mode) == 0o600


def test_moodle_file_keeps_decimal_commas_and_line_ends(tmp_path, capsys):
    expected = (
        MOODLE.replace(b'late";;100', b'late";87,5;100')
        .replace(b'"1,00"', b"100")
        .replace(b"example;;;100,00;", b"example;;0;100,00;\n")
    )
    assert filled(tmp_path, "moodle", MOODLE) == expected
    expect_said("moodle", capsys.readouterr().out, tmp_path)
    nobody = MOODLE.splitlines(keepends=True)[0]
    assert filled(tmp_path / "nobody", "moodle", nobody) == nobody


def test_prairielearn_gets_per_cents_of_all_points(tmp_path, capsys):
    cents = format_points(8750 / (sum_points() + sum_points(bonus=True))).encode()
    expected = PRAIRIELEARN_FILE.replace(b'1}",,', b'1}",' + cents + b",")
    scores = {ADA: 87.5, BOB: 100.0}
    assert filled(tmp_path, "prairielearn", PRAIRIELEARN_FILE, scores) == expected
    expect_said("prairielearn", capsys.readouterr().out, tmp_path)


def test_autolab_gets_points_by_problem(tmp_path, capsys):
    folder = graded(tmp_path / "class", {ADA: 87.5, Person("Dee"): 3.0})
    assert publish(folder, "autolab") == 0
    ((mail, first, *_),) = rows_of((folder / "autolab.csv").read_bytes())
    assert (mail, float(first)) == (ADA.email, 87.5)
    expect_said("autolab", capsys.readouterr().out, tmp_path)


def test_nothing_is_published_with_a_missing_or_older_key(tmp_path):
    folder = graded(tmp_path / "class", SCORES)
    lost, *others = sorted(json.loads((folder / "key.json").read_text()).items())
    for known in (others, []):
        (folder / "key.json").write_text(json.dumps(dict(known)))
        with pytest.raises(UsageError, match=f"no name for {lost[0]}"):
            publish(folder, "csv")


@pytest.mark.parametrize(
    "scores, case",
    [
        ({Person("X", "999", "x@university.example"): 50.0}, "unknown"),
        # The id says one row, the address another.
        ({Person("X", "100", "bob@university.example"): 50.0}, "two rows"),
        ({ADA: 1.0, Person("X", "", "ada"): 2.0}, "same row"),
        ({ADA: 1.0, BOB: -1.0}, "without a score"),
        ({ADA: 1.0, Person("Lovelace, Ada"): 2.0}, "only a name"),
    ],
)
def test_nothing_is_guessed(tmp_path, capsys, scores, case):
    written = filled(tmp_path, "canvas", CANVAS, scores)
    said = capsys.readouterr().out
    expect_said(case, said, tmp_path)
    assert said.count("Ng") <= 1, "the row of a student without a score is claimed"
    sure = len(scores) == 2 and case != "same row"
    expected = CANVAS.replace(b'""",,50', b'""",1,50') if sure else CANVAS
    assert rows_of(written) == rows_of(expected)


def test_bonus_counts_as_far_as_the_template_allows(tmp_path, capsys):
    assert b'late";100;100' in filled(tmp_path / "b", "moodle", MOODLE, {ADA: 105.0})
    expect_said("cut", capsys.readouterr().out, tmp_path)
    assert b'""",105,50' in filled(tmp_path / "a", "canvas", CANVAS, {ADA: 105.0})


def test_totals_are_compared_as_the_decimals_that_they_are(tmp_path):
    """As floats, 0.7 + 0.1 + 0.3 is more than 1.1."""
    result = make_results_json({"1.1": 0.7, "1.2": 0.1, "1.3": 0.3})
    for test in result["tests"]:
        test["max_score"] = test["score"]
    folder = write_small_class(tmp_path / "class", [[ADA]], results=[result])
    (tmp_path / "template.csv").write_bytes(CANVAS.replace(b"100.0", b"1.1"))
    assert publish(folder, "canvas", tmp_path / "template.csv") == 0
    assert b'""",1.1,50' in (folder / "canvas.csv").read_bytes()


@pytest.mark.parametrize(
    ("other", "says"),
    [
        (ADA, "has several submissions: nothing is filled in for them"),
        (Person("Eve", "100", "eve@x"), " have the same number: nothing is filled in for them"),
    ],
)
def test_people_with_one_number_get_no_points_of_each_other(tmp_path, capsys, other, says):
    """Students type their number on Gradescope."""
    assert Person("Dee").marks == [("name", "Dee")]  # nothing else is known
    results = [make_results_json({"1.1": points}, 100) for points in (1.0, 2.0, 3.0)]
    folder = write_small_class(tmp_path / "class", [[ADA], [other], [BOB]], results=results)
    assert summarise(ClassFolder(folder)) == 0
    assert f"{says}; correct it where they submit" in capsys.readouterr().out
    for to, template in (("csv", None), ("canvas", tmp_path / "template.csv")):
        (tmp_path / "template.csv").write_bytes(CANVAS)
        assert publish(folder, to, template) == 0
        assert says in capsys.readouterr().out
    names = [row[0] for row in rows_of((folder / "grades.csv").read_bytes())]
    assert names == ["name", BOB.name]
    assert (folder / "canvas.csv").read_bytes() == CANVAS.replace(b'B,"12",', b"B,3,")


BAD_TEMPLATES = (
    ("canvas", None),
    ("csv", CANVAS),
    ("canvas", MOODLE),
    ("moodle", CANVAS),
    ("canvas", CANVAS.replace(b"ID", b"No", 1)),
    ("canvas", CANVAS.replace(b"Points", b"Marks")),
    ("canvas", CANVAS.replace(b"100.0", b"50")),
    ("canvas", CANVAS.replace(b"Section", b"Quiz 1 (3)")),
    ("moodle", MOODLE.replace(b"100,00", b"a lot", 1)),
    ("moodle", MOODLE.replace(b"100,00", b"a lot")),
    ("moodle", codecs.BOM_UTF16_LE + MOODLE),
    ("canvas", b'Student,ID,A\n"open,1,2\n'),
    ("canvas", b""),
    ("prairielearn", PRAIRIELEARN_FILE.replace(b"uid", b"x")),
    ("prairielearn", PRAIRIELEARN_FILE.replace(b"h,0,42", b",0,42")),
    ("prairielearn", PRAIRIELEARN_FILE[:68]),
)


def test_bad_template_gets_one_line(tmp_path):
    folder, file, said = graded(tmp_path / "class", SCORES), tmp_path / "template.csv", []
    for to, template in BAD_TEMPLATES:
        file.write_bytes(template or b"")
        with pytest.raises(UsageError) as problem:
            publish(folder, to, None if template is None else file)
        said.append(str(problem.value))
    assert not list(folder.glob("*.csv"))
    expect_said("refused gradebooks", "\n".join(said), tmp_path)


@pytest.mark.parametrize(
    ("name", "cell"),
    [
        ("=1+1", "'=1+1"),
        ("\t=1+1", "'=1+1"),
        ("\r=1", "'=1"),
        (" \u2028@SUM(A1)", "'@SUM(A1)"),
        ("\uff1d1+1", "'\uff1d1+1"),
        ("\u200b=1", "\ufffd=1"),
        ("Ng\r=1", "Ng =1"),
        ("Ng;=1+1", "Ng;'=1+1"),
        ("Ng; =1+1;@x", "Ng;' =1+1;'@x"),
        ('Ng,"=1+1', "Ng,'\"=1+1"),
        ("A\udcff", "A\ufffd"),
        ("Ana-Mar\u00eda Lee", "Ana-Mar\u00eda Lee"),
    ],
)
def test_no_text_in_a_table_is_a_formula_or_begins_a_row(name, cell):
    text = make_csv([["name"], [name]])
    assert "\r" not in text
    text.encode()
    assert list(csv.reader(text.splitlines())) == [["name"], [cell]]


@pytest.mark.parametrize(
    ("form", "expected"),
    [  # Moodle splits names at the first four underscores; the second part is the id.
        ("moodle", "{name}_{sid}_assignsubmission_file_results.html"),
        # Canvas takes the first two parts that are numbers for a student and a file.
        ("canvas", "{name}_{sid}_{file}_results.html"),
        ("gradescope", "{name} {pseudonym}.html"),
        ("folders", "{name} {pseudonym}.html"),
    ],
)
def test_a_platform_can_assign_each_page(tmp_path, form, expected):
    out = write_graded_class(tmp_path, LARGE_CLASS, form)
    key = (out / "key.json").read_text().replace("Kwame", ".Kwame")  # would hide the page
    (out / "key.json").write_text(key)
    assert publish(out, "pages") == 0
    assert stat.S_IMODE((out / "pages.zip").stat().st_mode) == 0o600
    with zipfile.ZipFile(tmp_path / "class.zip") as archive:
        numbers = [re.search(r"_(\d+)_(\d+)_", name) for name in archive.namelist()]
    file_of = {found[1]: found[2] for found in reversed(numbers) if found}
    with zipfile.ZipFile(out / "pages.zip") as archive:
        pages = {name: archive.read(name).decode() for name in archive.namelist()}
    names = {
        expected.format(
            name=" ".join(person.name.lstrip(".").replace('"', " ").split()),
            sid=person.sid,
            file=file_of.get(person.sid),
            pseudonym=pseudonym,
        )
        for pseudonym, person in ClassFolder(out).read_key().items()
    }
    assert pages.keys() < names
    assert len(pages) == LARGE_CLASS - 1  # one has submitted nothing that can be graded
    assert all(", graded on" in text for text in pages.values())
