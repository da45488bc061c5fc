"""The mutants: how they are made, and that those not listed lose points.

`make mutants` grades the listed ones too, which should lose none.
"""

import ast
import json
import os
import shutil
import subprocess
import sys
from types import SimpleNamespace

import pytest

from autograder.questions import QUESTION_FILES
from autograder.selftest import mutants as subject
from autograder.selftest.mutants import (
    ROOT,
    all_mutants,
    allowed_mutants,
    complaints,
    judge,
    key_of,
    mutants_of,
    store_for,
    unknown_names,
    used_files,
    written,
)
from autograder.selftest.sample import sample


def test_every_name_is_used_once():
    names = [mutant.name for mutant in all_mutants()]
    assert len(names) == len(set(names)) > 600


@pytest.mark.parametrize("file", QUESTION_FILES)
def test_mutants_differ_from_the_solution_in_what_students_write_only(file):
    source = (ROOT / "solution" / file).read_text()
    tree = ast.dump(ast.parse(source))
    given = [line for i, line in enumerate(source.splitlines(), 1) if i not in written(source)]
    for mutant in mutants_of(file):
        assert ast.dump(ast.parse(mutant.source)) != tree, mutant.name
        theirs = written(mutant.source)
        kept = [l for i, l in enumerate(mutant.source.splitlines(), 1) if i not in theirs]
        assert kept == given, mutant.name


@pytest.mark.parametrize(
    "name",
    [
        "minimax.py min_value: v2 < v -> v2 > v",
        "alphabeta.py max_value: v >= beta -> v > beta",
        "alphabeta.py min_value: beta = min(beta, v) -> pass",
        "cutoff.py h_alphabeta_search.max_value: depth + 1 -> depth",
        "cutoff.py connect_four_heuristic: mine -> theirs",
        "mcts.py backprop: utility = -utility -> pass",
        "mcts.py monte_carlo_tree_search: child.N -> child.U",
    ],
)
def test_mistakes_that_students_make_are_among_them(name):
    assert name in {mutant.name for mutant in all_mutants()}


def test_every_listed_mutant_exists_and_has_a_reason():
    assert unknown_names(all_mutants()) == []
    assert all(allowed_mutants().values())


TAKEN = sample(
    "mutants", [mutant for mutant in all_mutants() if mutant.name not in allowed_mutants()]
)


def test_those_not_listed_lose_points():
    verdicts = {mutant.name: verdict for mutant, verdict in judge(TAKEN, stop_at_first=True)}
    assert complaints(TAKEN, verdicts) == []


# --- the key under which verdicts are kept --------------------------------------------------------

READS = """
import json, os, sys
seen = set()
sys.addaudithook(lambda event, args: event == "open" and seen.add(str(args[0])))
from autograder.author.parallel import Job
from autograder.grade import grade
from autograder.submission import read_submission
for question in "1.1", "2.1", "3.1", "4.1":
    grade(read_submission("solution"), question=question)
print(json.dumps([os.path.abspath(path) for path in seen]))
"""


def test_every_file_that_a_grading_reads_is_in_the_key(tmp_path):
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(tmp_path)}  # sources, not bytecode
    command = [sys.executable, "-c", READS]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    folders = [f"{ROOT / name}{os.sep}" for name in ("autograder", "starter", "solution", "tests")]
    read = {path for path in json.loads(done.stdout) if path.startswith(tuple(folders))}
    read -= {str(ROOT / "autograder" / "selftest" / "__init__.py")}  # a docstring
    assert len(read) > 30
    assert read <= set(map(str, used_files()))


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A copy of all files in the key, whose surroundings stay as they are."""
    for path in used_files():
        copy = tmp_path / path.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, copy)
    monkeypatch.setattr(subject, "ROOT", tmp_path)
    monkeypatch.setattr(subject, "surroundings", dict)
    return tmp_path


def test_the_key_changes_with_every_file(project):
    before = store_for(True)
    assert store_for(True) == before
    for path in used_files():
        content = path.read_bytes()
        path.write_bytes(content + b"\n")
        assert store_for(True) != before, path
        path.write_bytes(content)
    (project / "autograder" / "judge" / "new.py").touch()
    assert store_for(True) != before


def test_the_key_changes_when_two_files_change_places(project):
    before = store_for(True)
    one, other = project / "autograder/judge/mcts.py", project / "autograder/judge/cutoff.py"
    content = one.read_bytes()
    one.write_bytes(other.read_bytes())
    other.write_bytes(content)
    assert store_for(True) != before


class OtherSandbox:
    """A sandbox on another system."""

    user: int | None = 20_000
    in_force = ("landlock", "seccomp", "limits")

    def __init__(self, submission):
        pass

    def start(self):
        return SimpleNamespace(close=lambda: None)

    def remove(self):
        pass


def test_the_key_changes_with_all_around(monkeypatch):
    package = SimpleNamespace(metadata={"Name": "numpy"}, version="1.26.0")
    monkeypatch.setattr(subject, "Sandbox", OtherSandbox)
    monkeypatch.setattr(subject.metadata, "distributions", lambda: [package])
    keys = [store_for(False), store_for(True)]
    for owner, name, value in (
        (sys, "version", "3.99"),
        (sys, "platform", "plan9"),
        (subject.platform, "machine", lambda: "abacus"),
        (package, "version", "2.0.0"),
        (OtherSandbox, "user", None),
        (OtherSandbox, "in_force", ("landlock", "limits")),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(owner, name, value)
            keys.append(store_for(True))
    assert len(set(keys)) == len(keys)


def test_the_key_of_a_mutant_changes_with_all_that_it_is():
    mutant = all_mutants()[0]
    others = [
        type(mutant)(**{**mutant.__dict__, **change})
        for change in ({"name": "x"}, {"file": "mcts.py"}, {"source": "x = 1\n"})
    ]
    assert len({key_of(one) for one in [mutant, *others]}) == 4
