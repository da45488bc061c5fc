"""Make a class as Gradescope, Moodle or Canvas exports it.

The submissions combine files of different entries of the banks, the same ones each time. Like a
real class it has groups, people without a mail address or a number, names of all kinds, equal
submissions, some that can't be graded, and files that macOS adds.
"""

import argparse
import random
from datetime import datetime, timedelta, timezone
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from autograder.author.bank import read_bank
from autograder.author.platforms import write_files as write_folder
from autograder.author.release import pack_files
from autograder.questions import QUESTION_FILES
from autograder.selftest.support.banks import BANKS, SOLUTION_FILES, STUBS, read_wrong_entries

FORMS = ("gradescope", "moodle", "canvas", "folders", "zips")
SHARES = (0.55, 0.35, 0.1)  # of right and wrong files, and of stubs
LARGE_CLASS = 12  # a class of this size has everything that the text above lists
GIVEN_NAMES = (
    "Aïcha Björn Chloé Dmitri Ełżbieta Fatma Gökçe 海 Ines João Kwame Lê Małgosia Nuño Óscar"
)
FAMILY_NAMES = (
    'O’Brien Müller 王 García-López Şahin Nguyễn D\'Angelo Петров Bjørnsson "Q" Ng van\u00a0Dyk'
)
START = datetime(2026, 11, 2, 9, tzinfo=timezone(timedelta(hours=-5)))

Files = dict[str, bytes]
make_zip = pack_files


@cache
def read_file_versions() -> dict[str, tuple[list[bytes], list[bytes], list[bytes]]]:
    """Return for each question file the right ones, the wrong ones and the stub."""
    banks = read_bank(BANKS / "right"), read_wrong_entries()
    versions = {}
    for name in QUESTION_FILES:
        right, wrong = ([one.files[name] for one in bank if name in one.files] for bank in banks)
        versions[name] = [SOLUTION_FILES[name], *right], wrong, [STUBS[name]]
    return versions


def draw_submissions(students: int, rng: random.Random) -> list[Files]:
    versions = read_file_versions().items()
    submissions = [
        {name: rng.choice(rng.choices(kinds, SHARES)[0]) for name, kinds in versions}
        for _ in range(students)
    ]
    if students >= LARGE_CLASS:
        submissions[1] = dict(submissions[0])
        submissions[2] = {"homework.zip": make_zip(submissions[2])}
        submissions[3] = {"answers.pdf": b"%PDF-1.7 what was not asked for"}
        submissions[4]["minimax.py"] = b"def min_value(game, state, player:\n"
        submissions[5]["notes.txt"] = b"what I tried"
        submissions[5].pop("cutoff.py", None)  # question 3 may be off
    return submissions


def draw_people(students: int, rng: random.Random) -> list[dict[str, str]]:
    """Return each person's name, number and mail address; some lack one of them."""
    given, family = GIVEN_NAMES.split(" "), FAMILY_NAMES.split(" ")
    people = []
    for i in range(students):
        middle = f" {chr(65 + i // 60)}." if i >= 60 else ""  # both repeat after 60
        name = f"{given[i % len(given)]}{middle} {family[i % len(family)]}"
        sid = f"{rng.randrange(10**8):08}"
        people.append({":name": name, ":sid": sid, ":email": f"student{sid}@university.example"})
    if students >= LARGE_CLASS:
        people[6][":email"] = ""
        del people[7][":sid"]
    return people


def draw_metadata_entry(
    submitters: list[dict[str, str]], number: int, rng: random.Random
) -> dict[str, Any]:
    """Return one entry of the metadata, with up to four attempts."""
    when = START + timedelta(minutes=rng.randrange(60 * 24 * 5))
    attempts = []
    for _ in range(rng.randrange(1, 5)):
        attempts.append({":created_at": when, ":score": 87.5, ":status": "processed"})
        when += timedelta(minutes=rng.randrange(5, 2000))
    *before, last = attempts
    history = [{":id": number - 1 - i, ":submitters": [], **one} for i, one in enumerate(before)]
    return {":submitters": submitters, **last, ":history": history}


def make_gradescope_export(
    submissions: list[Files], names: list[dict[str, str]], rng: random.Random
) -> Files:
    """Return the folders, the metadata and the files that macOS adds.

    The last two people of a large class are a group.
    """
    top = "assignment_4711_export"
    groups = [[person] for person in names]
    if len(names) >= LARGE_CLASS:
        groups[-2:] = [groups[-2] + groups[-1]]
    metadata, files = {}, {f"__MACOSX/{top}/._.DS_Store": b"\0", f"{top}/.DS_Store": b"\0Bud1"}
    numbers = [330_000_000 + 1000 * i + rng.randrange(1000) for i in range(len(groups))]
    for number, content, submitters in zip(numbers, submissions, groups):
        metadata[f"submission_{number}"] = draw_metadata_entry(submitters, number, rng)
        for name, data in content.items():
            files[f"{top}/submission_{number}/{name}"] = data
    text = yaml.dump(metadata, allow_unicode=True, sort_keys=False)
    files[f"{top}/submission_metadata.yml"] = text.encode()
    return files


def make_other_export(form: str, submissions: list[Files], names: list[dict[str, str]]) -> Files:
    files: Files = {}
    for i, (content, person) in enumerate(zip(submissions, names)):
        name = person[":name"]
        if form == "zips":
            files[f"{name}.zip"] = make_zip(content)
            continue
        letters = "".join(c for c in name.lower() if c.isalnum())
        late = "LATE_" if i % 5 == 4 else ""
        before = {
            "folders": f"{name}/",
            "moodle": f"{name}_{7000 + i}_assignsubmission_file_/",
            "canvas": f"{letters}_{late}{9000 + i}_",
        }[form]
        for place, (file, data) in enumerate(content.items()):
            number = f"{55000 + 10 * i + place}_" if form == "canvas" else ""  # of each file
            again = f"-{i % 3}" if form == "canvas" and i % 3 else ""  # submitted more than once
            stem, dot, ending = file.partition(".")
            files[f"{before}{number}{stem}{again}{dot}{ending}"] = data
    return files


def write_class(path: Path, students: int, form: str = "gradescope") -> Path:
    """Write an export: a zip if the path ends in .zip, else a folder; return it."""
    # Each has its own random numbers, so a change of the banks keeps people and numbers.
    submissions = draw_submissions(students, random.Random("files 1"))
    names = draw_people(students, random.Random("people 1"))
    if form == "gradescope":
        files = make_gradescope_export(submissions, names, random.Random("numbers 1"))
    else:
        files = make_other_export(form, submissions, names)
    return write_files(path, files)


def write_files(path: Path, files: Files) -> Path:
    """Write files: a zip if the path ends in .zip, else a folder; return it."""
    if path.suffix == ".zip":
        path.write_bytes(make_zip(files))
    else:
        write_folder(path, files)
    return path


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m autograder.selftest.support.class_factory")
    parser.add_argument("path", type=Path)
    parser.add_argument("--students", type=int, default=LARGE_CLASS)
    parser.add_argument("--form", choices=FORMS, default=FORMS[0])
    print(f"written: {write_class(**vars(parser.parse_args()))}")
