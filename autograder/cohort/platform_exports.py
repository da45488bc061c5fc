"""Read what PrairieLearn, Autolab and Submitty store of a class, and any platform's roster.

- PrairieLearn: UID_..._SUBMISSION_FILE, from *_final_files.zip or *_best_files.zip
- Autolab: EMAIL_VERSION_FILE
- Submitty: a folder USER/VERSION/ for each version, beside user_assignment_settings.json, which
  names the active one

The account in these names is the platform's. A roster adds the name, the number and the mail
address of each account. Clones of Classroom 50's repositories are named ...-ACCOUNT.
"""

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path, PurePosixPath

from autograder.cohort.class_folder import Person, parse_time
from autograder.cohort.gradebooks import Sheet
from autograder.cohort.metadata import Upload
from autograder.errors import UsageError
from autograder.packaging import BadSubmission
from autograder.printable import sanitize
from autograder.questions import QUESTION_FILES

Files = dict[PurePosixPath, PurePosixPath]  # paths in an export, by the paths in a submission
Group = tuple[Upload, Files]
SETTINGS_FILE = "user_assignment_settings.json"  # of Submitty
MAX_SETTINGS = 1_000_000  # bytes
OFFSET = re.compile(r"([+-]\d\d)(\d\d)$")  # of a time zone, which Python 3.10 wants with a colon
FILES = "|".join(map(re.escape, (*QUESTION_FILES, "submission.zip")))
# A mail address has no underscore behind its @.
ACCOUNT = r"(?P<account>[^@/\s]+@[^@_/\s]+)"
PRAIRIELEARN = re.compile(rf"{ACCOUNT}_.+_(?P<version>\d+)_(?P<file>{FILES})")
AUTOLAB = re.compile(rf"{ACCOUNT}_(?P<version>\d+)_(?P<file>[^/]+)")

# Headings of rosters, as in `Sheet.heads`; the first one counts.
ACCOUNTS = ("username", "userid", "uid", "githubusername", "email")
# An account on GitHub is chosen by the student, so neither its name nor its number is here.
NUMBERS = ("uin", "numericid", "studentid", "sid", "idnumber", "userid")
MAIL = ("email", "emailaddress", "uid")
NAMES = (("name",), ("fullname",), ("firstname", "lastname"), ("givenname", "familyname"))


def group_platform_files(
    files: list[PurePosixPath], read: Callable[[PurePosixPath, int], bytes]
) -> list[Group] | None:
    """Return each account's files of its version that counts; None for another export."""
    settings = [path for path in files if path.name == SETTINGS_FILE and len(path.parts) > 1]
    if settings:
        return [group_submitty(path, files, read) for path in sorted(settings)]
    versions: dict[str, dict[int, Files]] = defaultdict(lambda: defaultdict(dict))
    for path in files:
        match = PRAIRIELEARN.fullmatch(path.name) or AUTOLAB.fullmatch(path.name)
        if match is None:
            return None
        account, version = match["account"].lower(), int(match["version"])
        versions[account][version][PurePosixPath(match["file"])] = path
    return [
        (Upload(account, [Person(account, email=account)]), numbers[max(numbers)])
        for account, numbers in sorted(versions.items())
    ]


def group_submitty(
    settings: PurePosixPath, files: list[PurePosixPath], read: Callable[[PurePosixPath, int], bytes]
) -> Group:
    """Return an account's active version; without a valid one, no files and the reason."""
    account = settings.parent.name
    upload = Upload(account, [Person(account, sid=account)])
    try:
        found = json.loads(read(settings, MAX_SETTINGS))
        version = int(found["active_version"])
        for entry in found["history"]:
            time = OFFSET.sub(r"\1:\2", str(entry["time"]))
            if entry["version"] == version and parse_time(time):
                upload.row.created = time
    except (BadSubmission, ValueError, KeyError, TypeError, AttributeError) as error:
        upload.row.problem = f"{SETTINGS_FILE} can't be read ({sanitize(str(error)[:100])})"
        return upload, {}
    active = settings.parent / str(version)
    part = {path.relative_to(active): path for path in files if path.is_relative_to(active)}
    if not part:
        upload.row.problem = "no version is active: the submission was cancelled"
    return upload, part


def name_people(uploads: Iterable[Upload], roster: Path) -> list[str]:
    """Fill in who submitted; return a remark on each upload that nobody is known for.

    An account is the upload's own, or the end of a clone's name. Raises UsageError.
    """
    accounts, remarks = read_roster(roster), []
    for upload in uploads:
        place = PurePosixPath(upload.place).name.lower()
        names = [place, upload.people[0].email.lower(), place.removesuffix(".zip")]
        names += sorted((one for one in accounts if place.endswith(f"-{one}")), key=len)[-1:]
        person = next((accounts[name] for name in names if name in accounts), None)
        if person is None:
            remarks.append(f"{upload.place} is not in {roster.name}: nobody is known for it")
        else:
            upload.people[:] = [person]
    return list(map(sanitize, remarks))


def read_roster(path: Path) -> dict[str, Person]:
    """Return the people of a course, by their accounts and mail addresses in lower case."""
    sheet = Sheet(path)
    if not any(name in sheet.heads for name in ACCOUNTS):
        raise UsageError(f"{path} has no column of accounts, such as username, uid or email")
    accounts: dict[str, Person] = {}
    for row in range(1, len(sheet.rows)):
        account, mail = sheet.read_cell(row, *ACCOUNTS), sheet.read_cell(row, *MAIL)
        names = (" ".join(sheet.read_cell(row, part) for part in parts).strip() for parts in NAMES)
        name = next(filter(None, names), account)
        person = Person(name, sheet.read_cell(row, *NUMBERS), mail if "@" in mail else "")
        for key in {account.lower(), person.email.lower()} - {""}:
            if accounts.setdefault(key, person) != person:
                raise UsageError(f"{path} has two rows for {key}")
    return accounts
