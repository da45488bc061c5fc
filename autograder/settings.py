"""Read the instructor's settings of the assignment from `assignment.toml`.

The file is read once, when this module is imported. A mistake in it ends the command with one line.
"""

import re
import sys
from dataclasses import dataclass, field
from datetime import datetime
from math import isfinite
from pathlib import Path
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

FILE = Path(__file__).resolve().parent.parent / "assignment.toml"
ROLES = ("graded", "bonus", "off")
# As Gradescope calls it, and in words.
WHEN_SHOWN = {
    "after_due_date": "until the due date",
    "after_published": "until the grades are published",
    "hidden": "from everybody",
}
TEXTS = ("title", "course", "rules", "contact", "attempts", "variant")
TABLES = ("questions", "tests", "points", "dates", "extensions", "platform")
LISTS = (*WHEN_SHOWN, "pass_fail_only")
PLACEHOLDER = "To the instructor:"  # begins a text to be replaced before a release
RULES = f"""{PLACEHOLDER} replace this paragraph by your own rules.
Talk about ideas, draw trees for each other, compare counts. Write your code yourself, alone, and be
able to explain every line. Name at the top of each file whom you worked with and what you used."""
NEVER = "9999-12-31 00:00+00:00"
TYPES = {
    int: "a whole number",
    str: "a text in quotes",
    list: "a list",
    bool: "true or false",
    dict: "a table",
}


class BadSettings(ValueError):
    """The file can't be used; the text is one line that says why."""


@dataclass(frozen=True)
class Settings:
    """The content of `assignment.toml`. The defaults are the shipped settings.

    contact:   where students ask, "" for the instructor
    attempts:  how often they may submit, in words; "" for no limit
    variant:   names the term's public cases, "" for the shipped ones
    C:         the default exploration constant
    leaderboard: the results of a player's tests go to the platform's leaderboard
    questions: "graded", "bonus" or "off", by the name of the question
    tests:     each list of tests and questions, by its name
    students_get_hidden: the students' zip holds the tests that Gradescope hides
    points:    what tests are worth, instead of the weight beside them
    dates:     "due" and "late", the last time for a late submission, in ISO 8601; "" for none
    extensions: another due date, by a student's mail address or number
    platform:  what depends on where submissions are graded, by its name
    """

    title: str = "Adversarial search"
    course: str = ""
    rules: str = RULES
    contact: str = ""
    attempts: str = ""
    variant: str = ""
    C: float = 1.4
    leaderboard: bool = True
    questions: dict[str, str] = field(
        default_factory=lambda: {
            "minimax": "graded",
            "alphabeta": "graded",
            "cutoff": "graded",
            "mcts": "graded",
            "expectiminimax": "bonus",
            "player": "bonus",
        }
    )
    tests: dict[str, list[str]] = field(default_factory=lambda: {name: [] for name in LISTS})
    students_get_hidden: bool = False
    points: dict[str, float] = field(default_factory=dict)
    dates: dict[str, str] = field(default_factory=lambda: {"due": "", "late": ""})
    extensions: dict[str, str] = field(default_factory=dict)
    platform: dict[str, Any] = field(
        default_factory=lambda: {"name": "Gradescope", "python": "3.10", "deadline_s": 480}
    )

    @property
    def platform_name(self) -> str:
        """The name of the platform, for students."""
        return str(self.platform["name"]).strip()

    @property
    def python(self) -> str:
        """The version of the platform's Python, such as 3.10."""
        return str(self.platform["python"])

    @property
    def deadline_s(self) -> int:
        """The wall time of a whole grading in seconds."""
        return int(self.platform["deadline_s"])

    @property
    def whom_to_tell(self) -> str:
        """Name in a sentence whom students tell that the grader fails."""
        return f"your instructor ({self.contact})" if self.contact else "your instructor"

    def worth(self, number: str, weight: float) -> float:
        """Return the points of a test that has this weight in its file."""
        return self.points.get(number, weight)

    def visibility(self, number: str) -> str:
        """Return when Gradescope shows a test, in Gradescope's words."""
        return next((when for when in WHEN_SHOWN if self.lists(when, number)), "visible")

    def students_get(self, number: str) -> bool:
        """Does the students' zip hold the test?"""
        return self.students_get_hidden or self.visibility(number) == "visible"

    def hides(self, chosen: str) -> str:
        """Return in words until when students do not get a test or question, "" if they do."""
        return "" if self.students_get(chosen) else WHEN_SHOWN[self.visibility(chosen)]

    def lists(self, name: str, number: str) -> bool:
        """Does that list name the test, or its question?"""
        return number in self.tests[name] or number.split(".")[0] in self.tests[name]


SHIPPED = Settings()


def parse_settings(text: str) -> Settings:
    """Read the settings from the text of a file. Raises BadSettings."""
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadSettings(str(error)) from None
    expect_known_keys(found, (*TEXTS, "C", "leaderboard", *TABLES), "the file")
    questions = SHIPPED.questions | read_typed(found, "questions", {})
    tests = read_typed(found, "tests", {})
    platform = SHIPPED.platform | read_typed(found, "platform", {})
    expect_known_keys(platform, tuple(SHIPPED.platform), "[platform]")
    for name, default in SHIPPED.platform.items():
        read_typed(platform, name, default)
    if not re.fullmatch(r"3\.1[0-4]", platform["python"]):
        raise BadSettings(f'python should be "3.10" to "3.14", not {platform["python"]!r}')
    if len(platform["name"].strip().splitlines()) != 1:
        raise BadSettings("the platform's name should be one line")
    if not 60 <= platform["deadline_s"] <= 7200:
        raise BadSettings(f"deadline_s should be 60 to 7200 seconds, not {platform['deadline_s']}")
    expect_known_keys(tests, (*LISTS, "students_get_hidden"), "[tests]")
    for name, role in questions.items():
        if role not in ROLES:
            raise BadSettings(f'{name} should be "graded", "bonus" or "off", not {role!r}')
    if "graded" not in questions.values():
        raise BadSettings('at least one question has to be "graded"')
    lists = {name: read_typed(tests, name, []) for name in LISTS}
    for name, numbers in lists.items():
        for number in numbers:
            if not isinstance(number, str) or not re.fullmatch(r"\d+(\.\d+)?", number):
                raise BadSettings(f'{name} should list tests, as "2.3", or questions, as "6"')
    expect_listed_once(lists)
    C = found.get("C", SHIPPED.C)
    if isinstance(C, bool) or not isinstance(C, (int, float)) or not 0.5 <= C <= 4:
        raise BadSettings(f"C should be a number from 0.5 to 4, not {C!r}")
    settings = Settings(
        **{name: read_typed(found, name, getattr(SHIPPED, name)).strip() for name in TEXTS},
        C=float(C),
        questions=questions,
        tests=lists,
        students_get_hidden=read_typed(tests, "students_get_hidden", False),
        leaderboard=read_typed(found, "leaderboard", True),
        points=read_points(read_typed(found, "points", {})),
        dates=read_dates(read_typed(found, "dates", {})),
        extensions={
            name.strip().casefold(): read_date(name, when)
            for name, when in read_typed(found, "extensions", {}).items()
        },
        platform=platform,
    )
    if not any(map(str.isalnum, settings.title)) or len(settings.title.splitlines()) > 1:
        raise BadSettings("title should be one line, with a letter or a digit in it")
    for name in ("contact", "attempts"):
        if len(getattr(settings, name).splitlines()) > 1:
            raise BadSettings(f"{name} should be one line")
    if not re.fullmatch(r"[\w.-]{0,40}", settings.variant):
        raise BadSettings('variant should be a short name, as "2027-spring"')
    return settings


def read_points(table: dict[str, Any]) -> dict[str, float]:
    """Return the points of tests, by number. Raises BadSettings."""
    for number, points in table.items():
        right = type(points) in (int, float) and isfinite(points) and 0 <= points <= 1000
        if not right or not re.fullmatch(r"\d+\.\d+", number):
            raise BadSettings(f'[points] should have lines as "2.3" = 4, not {number} = {points!r}')
    return table


def read_dates(table: dict[str, Any]) -> dict[str, str]:
    """Return the dates, "" for one that is not set. Raises BadSettings."""
    expect_known_keys(table, tuple(SHIPPED.dates), "[dates]")
    dates = SHIPPED.dates | {name: read_date(name, when) for name, when in table.items()}
    due, late = (datetime.fromisoformat(dates[name] or NEVER) for name in SHIPPED.dates)
    if dates["late"] and late < due:
        raise BadSettings("the date late should come after a date due")
    return dates


def read_date(name: str, value: object) -> str:
    """Return a time in ISO 8601, "" for none. Raises BadSettings."""
    if value == "":
        return ""
    try:
        when = value if isinstance(value, datetime) else datetime.fromisoformat(str(value))
    except ValueError:
        when = None
    if when is None or when.tzinfo is None:
        form = '"2027-03-05 23:59+01:00", with the offset from UTC'
        raise BadSettings(f"{name} should be a time as {form}, not {str(value)!r}")
    return when.isoformat(" ", "minutes" if not when.second else "seconds")


def expect_listed_once(lists: dict[str, list[str]]) -> None:
    """Raise BadSettings if two of the lists that say when a test is shown hold the same test."""
    places: dict[str, str] = {}
    for when in WHEN_SHOWN:
        for number in lists[when]:
            question = number.split(".")[0]
            same = [other for other in places if other in (number, question)]
            same += [other for other in places if number == other.split(".")[0]]
            if same:
                also = f"{same[0]} is in {places[same[0]]}"
                raise BadSettings(f"{number} is in {when}, but {also}: list each test once")
            places[number] = when


def expect_known_keys(table: dict[str, Any], known: tuple[str, ...], where: str) -> None:
    """Raise BadSettings if a name is unknown. One that is missing has its default."""
    if unknown := [name for name in table if name not in known]:
        raise BadSettings(f"{where} has no setting {unknown[0]}; it has {', '.join(known)}")


def read_typed(table: dict[str, Any], name: str, default: Any) -> Any:
    """Return a setting. Raises BadSettings if it is not of the default's type."""
    value = table.get(name, default)
    if type(value) is not type(default):
        raise BadSettings(f"{name} should be {TYPES[type(default)]}, not {value!r}")
    return value


def read_settings(path: Path) -> Settings:
    """Read the settings file. Raises BadSettings."""
    try:
        return parse_settings(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise BadSettings(f"it can't be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise BadSettings("it is not UTF-8 text: save it with that encoding") from None


def refuse(problem: object) -> SystemExit:
    """Print why the settings can't be used; return the exception to raise."""
    print(f"can't begin: {FILE.name}: {problem}", file=sys.stderr)
    return SystemExit(2)


try:
    SETTINGS = read_settings(FILE)
except BadSettings as problem:
    raise refuse(problem) from None
