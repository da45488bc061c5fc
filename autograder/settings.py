"""Read the instructor's settings of the assignment from `assignment.toml`.

The file is read once, when this module is imported. A mistake in it ends the command with one line.
"""

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from itertools import combinations
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
            **dict.fromkeys(("minimax", "alphabeta", "cutoff", "mcts"), "graded"),
            **dict.fromkeys(("expectiminimax", "player"), "bonus"),
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
    tables = {name: read_typed(found, name, {}) for name in TABLES}
    tests, platform = tables["tests"], SHIPPED.platform | tables["platform"]
    expect_known_keys(tests, (*LISTS, "students_get_hidden"), "[tests]")
    expect_known_keys(tables["dates"], tuple(SHIPPED.dates), "[dates]")
    expect_known_keys(platform, tuple(SHIPPED.platform), "[platform]")
    C = found.get("C", SHIPPED.C)
    dates = {name: read_date(name, when) for name, when in tables["dates"].items()}
    settings = Settings(
        **{name: read_typed(found, name, getattr(SHIPPED, name)).strip() for name in TEXTS},
        C=float(C) if type(C) is int else C,
        questions=SHIPPED.questions | tables["questions"],
        tests={name: read_typed(tests, name, []) for name in LISTS},
        students_get_hidden=read_typed(tests, "students_get_hidden", False),
        leaderboard=read_typed(found, "leaderboard", True),
        points=tables["points"],
        dates=SHIPPED.dates | dates,
        extensions={
            name.strip().casefold(): read_date(name, when)
            for name, when in tables["extensions"].items()
        },
        platform={
            name: read_typed(platform, name, default) for name, default in SHIPPED.platform.items()
        },
    )
    for holds, rule in list_rules(settings):
        if not holds:
            raise BadSettings(rule)
    return settings


def list_rules(settings: Settings) -> Iterator[tuple[object, str]]:
    """Yield each rule that settings of the right types have to obey, and whether they do."""
    platform, C, due, late = settings.platform, settings.C, *settings.dates.values()
    right: object = re.fullmatch(r"3\.1[0-4]", platform["python"])
    yield right, f'python should be "3.10" to "3.14", not {platform["python"]!r}'
    yield len(platform["name"].strip().splitlines()) == 1, "the platform's name should be one line"
    seconds = platform["deadline_s"]
    yield 60 <= seconds <= 7200, f"deadline_s should be 60 to 7200 seconds, not {seconds}"
    for name, role in settings.questions.items():
        yield role in ROLES, f'{name} should be "graded", "bonus" or "off", not {role!r}'
    yield "graded" in settings.questions.values(), 'at least one question has to be "graded"'
    for name, numbers in settings.tests.items():
        right = all(isinstance(it, str) and re.fullmatch(r"\d+(\.\d+)?", it) for it in numbers)
        yield right, f'{name} should list tests, as "2.3", or questions, as "6"'
    listed = [(number, when) for when in WHEN_SHOWN for number in settings.tests[when]]
    for (first, there), (second, here) in combinations(listed, 2):
        other = first not in (second, second.split(".")[0]) and second != first.split(".")[0]
        yield other, f"{second} is in {here}, but {first} is in {there}: list each test once"
    right = type(C) is float and 0.5 <= C <= 4
    yield right, f"C should be a number from 0.5 to 4, not {C!r}"
    for number, points in settings.points.items():
        right = type(points) in (int, float) and 0 <= points <= 1000
        line = f'[points] should have lines as "2.3" = 4, not {number} = {points!r}'
        yield right and re.fullmatch(r"\d+\.\d+", number), line
    after = datetime.fromisoformat(late or NEVER) >= datetime.fromisoformat(due or NEVER)
    yield after or not late, "the date late should come after a date due"
    good = any(map(str.isalnum, settings.title)) and len(settings.title.splitlines()) == 1
    yield good, "title should be one line, with a letter or a digit in it"
    for name in ("contact", "attempts"):
        yield len(getattr(settings, name).splitlines()) <= 1, f"{name} should be one line"
    short = re.fullmatch(r"[\w.-]{0,40}", settings.variant)
    yield short, 'variant should be a short name, as "2027-spring"'


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
