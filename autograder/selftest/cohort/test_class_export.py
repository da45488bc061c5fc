"""Exports of a class are read in every form, and their problems are reported."""

import errno
import gzip
import json
import lzma
import random
import re
from pathlib import Path
from unittest import mock

import pytest

from autograder.author.platforms import pack_tar
from autograder.cohort import export
from autograder.cohort.accepted import AcceptedFiles
from autograder.cohort.class_folder import ClassFolder, Person, find_pseudonym
from autograder.cohort.export import Export, read_export
from autograder.packaging import BadSubmission
from autograder.selftest.support.class_factory import make_zip, write_files
from autograder.selftest.support.graded_class import expect_said
from autograder.settings import parse_settings

MINIMAX = b"def min_value(game, state, player): ...\n"


def in_both_forms(tmp_path: Path, files: dict[str, bytes]) -> tuple[Path, Path]:
    return write_files(tmp_path / "class", files), write_files(tmp_path / "class.zip", files)


def gradescope(tmp_path: Path, metadata: str, *numbers: int) -> Export:
    files = {f"submission_{number}/minimax.py": MINIMAX for number in numbers}
    files["submission_metadata.yml"] = metadata.encode()
    return read_export(write_files(tmp_path, files))


def refused(path: Path) -> str:
    with pytest.raises(BadSubmission) as caught:
        read_export(path)
    assert "\n" not in str(caught.value)
    return str(caught.value)


EVE = Person("E_222_assignsubmission_file", "3")


@pytest.mark.parametrize(
    ("name", "person"),
    [
        ("Ana Núñez_712_assignsubmission_file_/minimax.py", Person("Ana Núñez", "712")),
        ("Ana_B_712_assignsubmission_file_minimax.py", Person("Ana_B", "712")),
        ("Ann Lee_700_assignsubmission_file/submission.zip", Person("Ann Lee", "700")),
        ("Ann Lee_700_assignsubmission_file/starter/minimax.py", Person("Ann Lee", "700")),
        # A file's name, which the student chooses, does not change the owner.
        ("Eve_3_assignsubmission_file_2_assignsubmission_file_a.zip", Person("Eve", "3")),
        ("eve_3_9_x_2_assignsubmission_file_a.zip", Person("eve", "3")),
        # A folder's name ends as Moodle has it, whatever name the student has chosen.
        ("E_222_assignsubmission_file_3_assignsubmission_file_/minimax.py", EVE),
        ("nunezana_LATE_55_901_minimax-2.py", Person("nunezana", "55")),
        ("nunezana_55_901_minimax.py", Person("nunezana", "55")),
        ("nunezana_55/minimax.py", Person("nunezana_55")),
        ("Núñez, Ana/starter/minimax.py", Person("Núñez, Ana")),
        ("alice/minimax.py", Person("alice")),
    ],
)
def test_names_identify_people(tmp_path, name, person):
    content = make_zip({"minimax.py": MINIMAX}) if name.endswith(".zip") else MINIMAX
    beside = f"{name.rpartition('/')[0]}/__pycache__/a.pyc" if "/" in name else "grades.csv"
    for number, other in enumerate((beside, "grades.csv")):
        for path in in_both_forms(tmp_path / f"{number}", {name: content, other: b""}):
            (one,) = read_export(path).uploads
            assert one.people == [person]
            assert one.submission is not None and one.submission.files == {"minimax.py": MINIMAX}


@pytest.mark.parametrize(
    ("file", "typed"),
    [
        ("{}_712_assignsubmission_file_/mcts.py", "{}_{}_assignsubmission_onlinetext_/text.html"),
        ("{}_712_assignsubmission_file_minimax.py", "{}_{}_assignsubmission_onlinetext_text.html"),
        ("{}_712_901_minimax.py", "{}_{}_text.html"),
        ("{}_LATE_712_901_minimax.py", "{}_LATE_{}_text.html"),
    ],
)
def test_a_person_who_typed_text_in_place_of_a_file_is_listed(tmp_path, file, typed):
    """Text beside a file is no obstacle: many courses ask for a remark."""
    files = {
        typed.format("ana", 712): b"a remark",
        file.format("ana"): MINIMAX,
        typed.format("bob", 713): b"def minimax_search",
    }
    for path in in_both_forms(tmp_path, files):
        ana, bob = read_export(path).uploads
        assert ana.people == [Person("ana", "712")] and ana.submission is not None
        number = "901" if "901" in file else "assignsubmission_file"
        # Moodle or Canvas can assign a page to it.
        assert (ana.place, ana.address) == ("ana_712", f"_712_{number}_")
        assert ana.row.late == ("yes" if "LATE" in file else "")
        assert bob.people == [Person("bob", "713")] and bob.submission is None
        assert "it holds text.html" in bob.row.problem


@pytest.mark.parametrize("inside", ["project/mcts.py", "starter/mcts.py", "a/b/mcts.py", "x.ipynb"])
def test_the_only_student_of_an_export_is_known_by_the_outer_folder(tmp_path, inside):
    for path in in_both_forms(tmp_path, {f"cid/{inside}": MINIMAX, "cid/notes/a.txt": b""}):
        (one,) = read_export(path).uploads
        assert one.people == [Person("cid")]
    of_class = {"project/mcts.py": "project", "a/b/mcts.py": "a"}.get(inside, "cid")
    for name, place in (("b.zip", "cid"), ("cid.zip", of_class)):  # the class may be named so
        file = write_files(tmp_path / name, {"cid": b"", f"cid/{inside}": MINIMAX})
        assert [one.place for one in read_export(file).uploads] == [place]


@pytest.mark.parametrize("name", ["minimax.py", "starter/minimax.py"])
def test_folders_that_may_be_one_students_or_a_class_are_refused(tmp_path, name):
    """A student could name folders after others, whose files these would replace."""
    inside = {f"{other}/{name}": MINIMAX for other in ("ann", "ben")}
    of_class = {"submission_metadata.yml": b"", "submission_7/minimax.py": b""}
    exports = [{f"eve/{path}": b"" for path in files} for files in (inside, of_class)]
    for path in (*in_both_forms(tmp_path / "1", exports[0]), *in_both_forms(tmp_path, exports[1])):
        assert "holds one folder, and that holds several submissions" in refused(path)
    of_eve = {f"eve_3_assignsubmission_file_/{path}": b"" for path in inside}
    for late in ({"eve.zip": make_zip(inside)}, of_eve):
        (one,) = read_export(write_files(tmp_path / "late.zip", late)).uploads
        assert one.people[0].name == "eve"


@pytest.mark.parametrize("graded", ["ann", "ann.zip"])
def test_one_of_two_submissions_of_a_person_is_graded_and_the_other_named(tmp_path, graded):
    """The folder counts, or the zip beside it if the folder holds nothing to grade."""
    inside = "minimax.py" if graded == "ann" else "notes.txt"
    files = {f"ann/{inside}": MINIMAX, "ann.zip": make_zip({"minimax.py": b"# zipped"})}
    for path in in_both_forms(tmp_path, {**files, "bob/minimax.py": MINIMAX}):
        found = read_export(path)
        ann, bob = found.uploads
        assert (ann.place, bob.place) == (graded, "bob") and ann.submission is not None
        (remark,) = found.remarks
        (other,) = {"ann", "ann.zip"} - {graded}
        says = f"{other} is ignored: the same person has submitted {graded}, which counts"
        assert remark == says


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (Person("Ann", "7", "ann@x"), Person("Ann", "7", "eve@x"), False),
        (Person("Ann", "7", "ann@x"), Person("Anna", "8", "ann@x"), True),
        (Person("Ann", "7", "ann@x"), Person("Ann", "7"), True),
        (Person("Ann", "7"), Person("Eve", "7"), False),
        (Person("Ann", "7", "", "_7_55_"), Person("Eve", "7"), False),
        (Person("Ann", "7", "", "_7_55_"), Person("Anna", "7", "", "_7_66_"), True),
        (Person("Ann", "7", "", "_7_55_"), Person("Ann", "8", "", "_8_55_"), False),
        (Person("Ann", "", "ann@x"), Person("Anna", "", "Ann@X"), True),
        (Person("Ann", "", "ann@x"), Person("Ann", "", "eve@x"), False),
        (Person("Ann"), Person("Ann"), True),
    ],
)
def test_people_are_known_by_what_they_cannot_type(tmp_path, one, other, same):
    """The platform's number, then the account's address; a typed number only with the name."""
    assert one.is_same(other) == other.is_same(one) == same
    folder = ClassFolder.make(tmp_path / "class")
    before, now = folder.assign_pseudonyms([one])[one], folder.assign_pseudonyms([other])[other]
    assert (before == now) == same


def test_pseudonym_is_of_the_best_match():
    """The address decides between equal people, and the name between those of one number."""
    ann, again = Person("Ann", "7", "", "_7_55_"), Person("Ann", "7", "", "_7_66_")
    anna = Person("Anna", "7", "", "_7_66_")
    for people, address in (([ann, again], None), ([ann, anna], "_7_77_")):
        key = dict(zip("ab", people))
        for pseudonym, person in key.items():
            found = find_pseudonym(key, person._replace(address=address or person.address))
            assert found == pseudonym


ENTRY = Path(__file__).with_name("gradescope_entry.yml").read_text(encoding="utf-8")


def test_rubys_yaml_is_read(tmp_path):
    (one,) = gradescope(tmp_path, ENTRY, 7).uploads
    assert one.people == [Person("Müller", "0012", "a@b.example"), Person('Ng: "#1"')]
    assert (one.row.id, one.row.created) == ("7", "2026-11-03 10:00:00+00:00")
    assert one.row.history == [
        "long ago",
        "2026-02-30 10:00:00 Z",
        "",
        "2026-11-02 12:00:00+02:00",
        "2026-11-02 09:00:00-05:00",
        "2026-11-03 10:00:00+00:00",
    ]


@pytest.mark.parametrize("nothing", ["", "~", "null"])
def test_an_entry_may_say_nothing(tmp_path, nothing):
    keys = (":submitters", ":created_at", ":history", ":lateness", ":due_date", ":assignment")
    text = "".join(f"  {key}: {nothing}\n" for key in keys)
    found = gradescope(tmp_path, f":assignment: {nothing}\nsubmission_7:\n{text}", 7)
    (one,) = found.uploads
    assert one.submission is not None and one.people == [Person("submission_7")]
    assert (one.row.created, one.row.late, one.row.history, found.remarks) == ("", "", [], [])


@pytest.mark.parametrize("when", ["long ago", "0001-01-01 00:00+10:00", "9999-12-31 23:59-10:00"])
def test_a_time_that_is_none_in_some_zone_is_shown_as_written(tmp_path, when):
    text = f"submission_7:\n  :created_at: {when}\n  :due_date: 2026-11-05 11:00:00 Z\n"
    found = gradescope(tmp_path, text, 7)
    (one,) = found.uploads
    assert one.submission is not None and (one.row.created, one.row.late) == (when, "")
    assert found.remarks == [f"the time of submission_7 can't be read: {when}"]


def test_missing_folder_or_entry_is_reported(tmp_path):
    export = gradescope(tmp_path, "submission_7:\n  :submitters:\n  - :name: A\n", 8)
    missing, unknown = export.uploads
    assert missing.submission is None
    expect_said("missing", "\n".join([missing.row.problem, *export.remarks]), tmp_path)
    assert unknown.submission is not None and unknown.people == [Person("submission_8")]
    assert (missing.row.id, unknown.row.id) == ("7", "8")


@pytest.mark.parametrize(
    "text", ["a: [", "- a\n- b\n", "", "a: &a\n  - *a\n", "a: *b\n", "? [a]\n: b\n", "a: 1\n", "\0"]
)
def test_damaged_metadata_is_refused(tmp_path, text):
    with pytest.raises(BadSubmission, match=r"^submission_metadata\.yml can't be read \(.*$"):
        gradescope(tmp_path, text, 1)


@pytest.mark.parametrize("key", [":submitters", ":history"])
def test_aliases_do_not_make_a_class_grow(tmp_path, key):
    people = "".join(f"  - :name: {i}\n" for i in range(50))
    text = f"submission_0:\n  {key}: &all\n{people}"
    assert gradescope(tmp_path / "a", text, 0).uploads
    text += "".join(f"submission_{i}:\n  {key}: *all\n" for i in range(1, 50))
    with pytest.raises(BadSubmission, match="aliases"):
        gradescope(tmp_path / "b", text, 1)


DUE, LAST = (f"  :{name}: 2026-11-05 11:00:00 Z\n" for name in ("due_date", "late_due_date"))
EXTENDED = "  - :name: A\n    :assignment:\n      :due_date: 2026-11-06 11:00:00 Z\n"
GROUP = "  :submitters:\n  - :email: ann@uni.edu\n    :sid: s-1\n  - :sid: s-2\n"
BEFORE, NOON = "2026-11-04 12:00+00:00", "2026-11-05 12:00+00:00"


def dated(due: str = "", late: str = "", extension: str = "") -> str:
    return f'[dates]\ndue = "{due}"\nlate = "{late}"\n[extensions]\n{extension}\n'


@pytest.mark.parametrize(
    ("settings", "entry", "late"),
    [
        ("", DUE, "1:00:00"),
        ("", "  :due_date: 2026-11-05 13:00:00 +02:00\n", "1:00:00"),
        ("", "  :due_date: 2026-11-05 12:00:00 Z\n", ""),
        ("", "  :due_date: soon\n", ""),
        ("", "  :lateness: '26:03:00'\n", "26:03:00"),
        ("", f"  :lateness: '00:00:00'\n{DUE}", ""),
        ("", f"  :due_date: 2026-11-04 11:59:59 Z\n{LAST}", "24:00:01, after the late due date"),
        ("", DUE + LAST.replace("11:00", "12:00"), "1:00:00"),
        ("", LAST, "1:00:00, after the late due date"),
        ("", f"  :assignment:\n  {DUE}", "1:00:00"),
        ("", f":assignment:\n{DUE}", "1:00:00"),  # of the whole export
        ("", f"{DUE}  :submitters:\n{EXTENDED}", ""),
        (dated("2026-11-05 12:59+01:00"), GROUP, "0:01:00"),
        (dated(NOON), GROUP, ""),
        (dated(BEFORE, "2026-11-05 11:59+00:00"), GROUP, "24:00:00, after the late due date"),
        (dated(BEFORE, extension='S-1 = "2026-11-05 11:00+00:00"'), GROUP, "1:00:00"),
        (dated(BEFORE, extension=f'"Ann@uni.edu" = "{NOON}"'), GROUP, ""),
        (dated(BEFORE, NOON.replace("05", "06"), f'"bob@uni.edu" = "{NOON}"'), GROUP, "24:00:00"),
        # For a group the latest extension counts, also against the platform's own word.
        (
            dated(extension=f'"s-1" = "2026-11-01 11:00+00:00"\n"s-2" = "{NOON}"'),
            f"  :lateness: '26:03:00'\n{GROUP}",
            "",
        ),
    ],
)
def test_a_late_submission_is_marked(tmp_path, monkeypatch, settings, entry, late):
    monkeypatch.setattr("autograder.cohort.metadata.SETTINGS", parse_settings(settings))
    text = f"submission_7:\n  :created_at: 2026-11-05 12:00:00 Z\n{entry}"
    (one,) = gradescope(tmp_path, text, 7).uploads
    assert one.row.late == late


def accepting(tmp_path: Path, *rows: str) -> AcceptedFiles:
    (tmp_path / "accept.csv").write_text("\n".join(["submission,file,as", *rows]))
    return AcceptedFiles(tmp_path)


def write_notebook(*cells: tuple[str, str | list[str]]) -> bytes:
    made = [{"cell_type": kind, "source": source} for kind, source in cells]
    return json.dumps({"cells": made}).encode()


CODE = ("code", ["%matplotlib inline\n", "x = 1\n"]), ("code", "y = 2")
NOTEBOOK = write_notebook(("markdown", ["# My work"]), *CODE)
ZIPPED = make_zip({"a.ipynb": NOTEBOOK})
PACKED = gzip.compress(pack_tar({"./src/a.py": MINIMAX}))
ODD = [  # a file in an export, how the refusal names it, what is accepted
    ("ann/hw.ipynb", NOTEBOOK, "hw.ipynb is a Jupyter notebook", "hw.ipynb"),
    ("ann/hw.tar.gz", PACKED, "not opened", "hw.tar.gz/src/a.py"),
    ("ann/proj/src/minimax.py", MINIMAX, "but at proj/src/", "proj/src/minimax.py"),
    ("ann/homework.py", MINIMAX, "it holds homework.py", "homework.py"),
    ("ann.tar.gz", PACKED, "not opened", "ann.tar.gz/src/a.py"),
    ("ann.py", MINIMAX, "it holds ann.py", "ann.py"),
    ("ann.ipynb", NOTEBOOK, "ann.ipynb is a Jupyter notebook", "ann.ipynb"),
    ("ann.zip", make_zip({"in/it.py": MINIMAX}), "it holds in/it.py", "in/it.py"),
    ("Ann_7_assignsubmission_file_hw.zip", ZIPPED, "a.ipynb is a Jupyter", "hw.zip/a.ipynb"),
]


@pytest.mark.parametrize(("name", "content", "named", "path"), ODD)
def test_odd_files_are_named_and_graded_if_accepted(tmp_path, name, content, named, path):
    files = {f"export/class/{name}": content, "export/class/zoe/minimax.py": MINIMAX}
    for export_path in in_both_forms(tmp_path, files):
        one, _ = read_export(export_path).uploads
        assert one.submission is None and named in one.row.problem
        accepted = accepting(tmp_path, f"{one.place},{path},minimax.py")
        one, zoe = read_export(export_path, accepted).uploads
        assert zoe.submission is not None and zoe.submission.notes == []
        assert one.submission is not None and one.row.problem == ""
        source = one.submission.files["minimax.py"]
        assert source == (b"x = 1\n\n\ny = 2\n" if "ipynb" in path else MINIMAX)
        assert one.submission.notes == [
            f"{path} is graded as minimax.py: your instructor has accepted it"
        ]


XZ = lzma.compress(pack_tar({"a.py": MINIMAX}))


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("hw.tar.gz/a.py", b""),
        ("hw.tar.gz/a.py", b"no archive"),
        ("hw.tar.gz/a.py", PACKED[:60]),
        ("hw.tar.gz/a.py", PACKED),
        ("hw.tar.xz/a.py", XZ[:40] + b"\0" * 20 + XZ[60:]),
        ("hw.tar.xz/b.py", lzma.compress(pack_tar({"a.txt": bytes(400_000), "b.py": MINIMAX}))),
        ("hw.tar.xz/b.py", lzma.compress(pack_tar({"a" * 400_000: b"", "b.py": MINIMAX}))),
        ("hw.ipynb", write_notebook(("code", "\ud800"))),
        ("hw.ipynb", b"[" * 200_000),
    ],
    ids=["empty", "text", "cut", "other", "damaged", "large", "name", "surrogate", "deep"],
)
def test_a_damaged_file_costs_that_submission_only(tmp_path, monkeypatch, name, content):
    monkeypatch.setattr("autograder.cohort.accepted.LARGEST_ZIP", 300_000)
    path = write_files(tmp_path / "class", {f"ann/{name[:9]}": content, "zoe/minimax.py": MINIMAX})
    accepted = accepting(tmp_path, f"ann,{name},minimax.py")
    ann, zoe = read_export(path, accepted).uploads
    assert zoe.submission is not None and ann.submission is None
    said = r"the submission can't be read \(\w+Error: .{10,200}\)|its archive holds more than "
    said += r"[\d,]+ bytes|accept\.csv names a\.py, which is not in the archive"
    assert re.fullmatch(said, ann.row.problem)


def test_other_files_are_refused(tmp_path, monkeypatch):
    (tmp_path / "a.zip").write_bytes(b"PK\x03\x04 cut")
    empty = write_files(tmp_path / "empty", {".DS_Store": b""})
    said = [refused(path) for path in (tmp_path / "nothing", tmp_path / "a.zip", empty)]
    several = {f"eve/{name}/minimax.py": MINIMAX for name in ("ann", "ben")}
    for name, files in (("one", {"minimax.py": MINIMAX}), ("several.zip", several)):
        said.append(refused(write_files(tmp_path / name, files)))
    denied = mock.Mock(side_effect=PermissionError(errno.EACCES, "Permission denied"))
    with monkeypatch.context() as patch:
        patch.setattr("os.scandir", denied)
        said.append(refused(empty))
    expect_said("refused exports", "\n".join(said), tmp_path)


def test_a_zip_inside_a_submission_is_opened_once_and_noted(tmp_path):
    inner = make_zip({"homework/minimax.py": MINIMAX})
    again = {"e.zip": inner, "__MACOSX/._e.zip": b""}
    files = {"a/b.zip": make_zip(again), "c/e.zip": b"no zip", "d.zip": make_zip(again)}
    for path in in_both_forms(tmp_path, files):
        twice, damaged, once = read_export(path).uploads
        assert "e.zip is not opened, because only one zip in another is" in twice.row.problem
        assert "not a zip that can be read" in damaged.row.problem
        assert once.submission is not None and once.submission.files == {"minimax.py": MINIMAX}
        assert "the files were in e.zip inside the submission" in once.submission.notes[-1]


def test_a_large_zip_in_an_export_costs_that_submission_only(tmp_path, monkeypatch):
    monkeypatch.setattr(export, "LARGEST_ZIP", 1000)
    large = make_zip({"noise": random.Random(1).randbytes(2000)})
    for path in in_both_forms(tmp_path, {"ann/minimax.py": MINIMAX, "eve.zip": large}):
        ann, eve = read_export(path).uploads
        assert ann.submission is not None
        assert eve.row.problem.startswith("the submission is larger than 1,000 bytes")


def test_names_of_all_kinds_are_read(tmp_path):
    odd = ["a\nb", "\u202etxt", "x" * 200, "'; rm -rf", "é", "%s {0}", "-o", "a.zip"]
    files = {f"{name}/minimax.py": MINIMAX for name in odd}
    for path in in_both_forms(tmp_path, {**files, "..hidden/minimax.py": MINIMAX}):
        assert {one.place for one in read_export(path).uploads} == set(odd)
    for name in (".", "../../etc/minimax.py", "/root/minimax.py", "w\\minimax.py"):
        files[name] = MINIMAX
    found = read_export(write_files(tmp_path / "odd.zip", files)).uploads
    assert {one.place for one in found if one.submission} == {*odd, "/", "w"}


def test_links_are_not_followed(tmp_path):
    write_files(tmp_path, {"secret/minimax.py": MINIMAX, "class/b/minimax.py": MINIMAX})
    (tmp_path / "c.zip").write_bytes(make_zip({"minimax.py": MINIMAX}))
    (tmp_path / "class" / "a").symlink_to(tmp_path / "secret")
    (tmp_path / "class" / "c.zip").symlink_to(tmp_path / "c.zip")
    a, b, c = read_export(tmp_path / "class").uploads
    assert a.submission is None and "is a link: submit the folder itself" in a.row.problem
    assert c.submission is None and "submit the file itself, not a link" in c.row.problem
    assert b.submission is not None
