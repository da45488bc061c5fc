"""Every path, command and test that the maintainers' documents name exists."""

import re
from pathlib import Path

import pytest

from autograder.questions import ROOT
from autograder.selftest.support.banks import read_hostile_entries

NAMES = ("CONTRIBUTING", "README", "SECURITY", "handout")
DOCUMENTS = [*(ROOT / f"{name}.md" for name in NAMES), *sorted((ROOT / "docs").glob("*.md"))]
FOLDERS = "autograder|bench|browser|docs|handout|lab|solution|starter|tests"
PATH = re.compile(rf"(?:{FOLDERS}|\.github|\.ci)/[\w./-]*")
PLACEHOLDER = re.compile(r"(?<![a-z])(N_X|X_what_is_wrong|X|NAME)(?![a-z])")  # the reader's choice
MADE = ("tests/term_cases/",)  # by a command


@pytest.fixture(scope="module")
def names() -> set[str]:
    """Return the names of all files of the project, of all tests and of all attacks."""
    files = [path for folder in FOLDERS.split("|") for path in (ROOT / folder).rglob("*.*")]
    tests = [path for path in files if path.match("selftest/**/test_*.py")]
    sources = "\n".join(path.read_text(encoding="utf-8") for path in tests)
    attacks = {entry.name for entry in read_hostile_entries()}
    found = {path.name for path in files} | set(re.findall(r"^def (test_\w+)", sources, re.M))
    return found | attacks


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_what_a_document_names_exists(document: Path, names: set[str]) -> None:
    text = document.read_text(encoding="utf-8")
    spans = re.findall(r"`([^`\n]+)`", text)
    code = [*spans, *"\n".join(re.findall(r"^```\w*\n(.*?)^```", text, re.M | re.S)).splitlines()]
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    table = text.partition("| claim | shown by |")[2].partition("\n\n")[0]
    shown_by = re.findall(r"`([a-z0-9_]+)`(?=[^|]*\|$)", table, re.M)
    wrong = [name for name in shown_by if name not in names]
    for span in spans:
        pattern = PLACEHOLDER.sub("*", span).rstrip("/")
        if PATH.fullmatch(span) and span not in MADE:
            wrong += [span] * (not any(ROOT.glob(pattern)))
        elif re.fullmatch(r"[\w-]+\.(py|js|ini)|test_\w+", span):
            wrong += [span] * (span not in names and not (ROOT / span).exists())
    for line in code:
        for target in re.findall(r"^(?:\$ )?make ([a-z][a-z-]*)\b", line):
            wrong += [f"make {target}"] * (not re.search(rf"^{target}:", makefile, re.M))
        for module in re.findall(rf"-m ((?:{FOLDERS})[\w.]*)", line):
            place = ROOT / module.replace(".", "/")
            file = place / "__main__.py" if place.is_dir() else place.with_suffix(".py")
            runs = file.exists() and '__name__ == "__main__"' in file.read_text(encoding="utf-8")
            wrong += [f"-m {module}"] * (not runs)
    for name, place in re.findall(r"`(\w+)` (?:in|of)\s+`([\w./]+\.py)`", text):
        modules = [path for folder in FOLDERS.split("|") for path in (ROOT / folder).rglob("*.py")]
        found = [path.read_text("utf-8") for path in modules if path.match(place)]
        wrong += [f"{name} in {place}"] * (not re.search(rf"\b{name}\b", "".join(found)))
    assert wrong == []
