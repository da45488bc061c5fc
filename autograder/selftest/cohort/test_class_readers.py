"""Whatever the files of a class look like, nobody gets another's file or number, or is lost.

Each person's file holds their name, so a file in the wrong place is seen.
"""

import csv
import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from autograder.cohort.accepted import AcceptedFiles
from autograder.cohort.class_folder import Person
from autograder.cohort.export import read_export
from autograder.cohort.gradebooks import Gradebook
from autograder.errors import UsageError
from autograder.selftest.support.class_factory import make_zip, write_files

# Names that a student can have, or give to a file or folder; some look like a platform's.
NAMES = st.sampled_from(
    [*("ann", "Ben Ng", "eve_3_4_x", "zoë", "x.py", "submission_7"), "E_2_assignsubmission_file"]
)
INSIDE = st.sampled_from(
    [
        *("minimax.py", "starter/minimax.py", "a/minimax.py", "submission_metadata.yml", "c.ipynb"),
        *("ann/minimax.py", "Ben Ng_2_assignsubmission_file_/minimax.py", "ann_5_6_minimax.py"),
    ]
)
NUMBERS = st.integers(1, 4).map(str)
MAILS = st.sampled_from(["", "a@x", "b@x", "1"])


@contextmanager
def folder_or_refusal() -> Iterator[Path]:
    """Yield a folder; what is in it may be refused, in one line."""
    with TemporaryDirectory() as folder:
        try:
            yield Path(folder)
        except UsageError as refusal:
            assert "\n" not in str(refusal)


@given(
    people=st.dictionaries(NUMBERS, st.tuples(NAMES, st.sets(INSIDE, min_size=1, max_size=3))),
    form=st.sampled_from(["gradescope", "moodle", "canvas", "folders", "zips"]),
    as_zip=st.booleans(),
    enclosing=st.sampled_from(["", "class/", "assignment_1_export/"]),
)
@example(people={"1": ("x.py", {"minimax.py"})}, form="zips", as_zip=False, enclosing="")
def test_nobody_gets_anothers_file(people, form, as_zip, enclosing):
    files, owners = {}, {}  # the number of each person, by what the export knows of them
    for number, (name, inside) in people.items():
        if form not in ("gradescope", "moodle"):  # the instructor or Canvas chooses the names
            name = name.replace("_", " ")
        top = {
            "gradescope": f"submission_{number}",
            "moodle": f"{name}_{number}_assignsubmission_file_",
            "canvas": f"{name}_{number}_9{number}",
        }.get(form, name)
        owners[name if top == name else number] = number
        mine = dict.fromkeys(inside, f"# {number}\n".encode())
        if form == "zips":
            files[f"{enclosing}{top}.zip"] = make_zip(mine)
        elif form == "canvas":  # without folders
            files |= {f"{enclosing}{top}_{Path(file).name}": mine[file] for file in mine}
        else:
            files |= {f"{enclosing}{top}/{file}": content for file, content in mine.items()}
    if len(owners) < len(people):
        return  # no file system allows two folders of one name
    if form == "gradescope":
        entries = {
            f"submission_{number}": {":submitters": [{":name": name, ":sid": "1"}]}
            for number, (name, _) in people.items()
        }
        files[f"{enclosing}submission_metadata.yml"] = yaml.dump(entries).encode()
    with folder_or_refusal() as folder:
        export = read_export(write_files(folder / ("late.zip" if as_zip else "late"), files))
        found = set()
        for one in export.uploads:
            (person,) = one.people
            known = person.sid if form in ("moodle", "canvas") else one.row.id or person.name
            owner = owners[known]
            assert owner not in found, f"{person} is there twice"
            found.add(owner)
            for content in one.submission.files.values() if one.submission else ():
                assert content == f"# {owner}\n".encode()
            assert one.submission or one.row.problem
        assert found == people.keys() or export.remarks


TEXT = st.text(st.sampled_from(":-& *[]{}\"'#!|>\n\t0123456789abcsubmission_\x00é~"), max_size=60)


@given(TEXT, st.lists(st.sampled_from([":name", ":sid", ":email", ":history", ":created_at"])))
def test_any_metadata_is_read_or_refused(text, keys):
    content = "submission_1:\n  :submitters:\n  - :name: ann\n"
    content += "".join(f"    {key}: {text}\n" for key in keys) + text
    files = {"submission_1/minimax.py": b"", "submission_metadata.yml": content.encode()}
    with folder_or_refusal() as folder:
        assert "1" in {one.row.id for one in read_export(write_files(folder, files)).uploads}


@given(st.lists(st.lists(TEXT, max_size=4), max_size=4), st.sampled_from([",", ";", "\n"]))
def test_any_accept_csv_is_read_or_refused(rows, separator):
    with folder_or_refusal() as folder:
        text = "\n".join(map(separator.join, [["submission", "file", "as"], *rows]))
        (folder / "accept.csv").write_text(text, encoding="utf-8")
        files = {"ann/minimax.py": b"# ann", "ben/hw.py": b"# ben"}
        ann, *_ = read_export(write_files(folder / "late", files), AcceptedFiles(folder)).uploads
        assert ann.submission is None or ann.submission.files["minimax.py"] == b"# ann"


@given(
    st.lists(st.tuples(NAMES, NUMBERS, MAILS), max_size=5),
    st.lists(st.tuples(NUMBERS, MAILS, TEXT), max_size=5),
)
def test_a_score_is_written_only_into_the_row_of_its_owner(people, rows):
    persons = {f"s{i}": Person(*fields) for i, fields in enumerate(people)}
    scores = {pseudonym: 10.0 + i for i, pseudonym in enumerate(persons)}
    text = io.StringIO()
    heads = ["Student", "ID", "SIS User ID", "Email", "HW"]
    table = [heads, ["    Points Possible", "", "", "", "99"]]
    lines = ([name, f"9{i}", sid, mail, ""] for i, (sid, mail, name) in enumerate(rows))
    csv.writer(text).writerows([*table, *lines])
    with folder_or_refusal() as folder:
        (folder / "book.csv").write_text(text.getvalue(), encoding="utf-8")
        book = Gradebook(folder / "book.csv", "canvas", 99.0)
        said = "\n".join(book.fill_in(persons, scores))
        filled = {}
        for row in book.rows:
            if score := book.sheet.read_at(row, 4):
                owner = f"s{int(float(score)) - 10}"
                marks = {persons[owner].sid, persons[owner].email} - {""}
                cells = {book.sheet.read_at(row, place) for place in (1, 2, 3)} - {""}
                assert marks & cells and owner not in filled
                others = (persons[one] for one in persons if one != owner)
                assert not any({one.sid, one.email} & cells for one in others), "another's, too"
                filled[owner] = row
        for pseudonym, person in persons.items():
            assert pseudonym in filled or person.sid in said
