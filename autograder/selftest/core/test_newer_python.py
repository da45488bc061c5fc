"""What the grader's older Python lacks is said at home, and costs nothing there."""

import sys

import pytest

from autograder.author.handout import copy_grader
from autograder.newer_python import NAMES, list_newer_parts
from autograder.questions import QUESTION_FILES, ROOT
from autograder.selftest.support.banks import SOLUTION_TEXTS, change_solution
from autograder.selftest.support.commands import run_cli, run_isolated

NODE = "class Node:\n    def add(self, child: Node) -> None: ...\n\ndef f(x: Node): ...\n"
FOUND = [  # the Python that can read it, the line, what is found
    ((3, 11), "try: x\nexcept* ValueError: x\n", 2, "this syntax (exception groups) is new in"),
    ((3, 12), "type X = int\n", 1, "this syntax (type statement) is new in Python 3.12"),
    ((3, 12), "\ndef f[T](x: T): ...\n", 2, "this syntax (type parameter lists) is new in"),
    ((3, 12), 'print(f"{d["a"]}")\n', 1, "its own kind of quotes in the braces of an f-string"),
    ((3, 12), 'f"{f"{x}"}"\n', 1, "its own kind of quotes in the braces of an f-string is"),
    ((3, 12), "\nf\"{'\\n'.join(x)}\"\n", 2, "a backslash in the braces of an f-string is new in"),
    ((3, 12), 'f"{x\n}"\n', 1, "a comment or a line break in the braces of an f-string is new"),
    ((3, 13), "class A[T=int]: ...\n", 1, "this syntax (type parameter defaults) is new in"),
    ((3, 11), "import tomllib\n", 1, "tomllib is new in Python 3.11; Gradescope has Python 3.10, "),
    ((3, 11), "from typing import Any, Self\n", 1, "typing.Self is new in Python 3.11"),
    ((3, 12), "import itertools as it\nit.batched('ab', 2)\n", 2, "itertools.batched is new in"),
    ((3, 12), "import collections.abc\nx: collections.abc.Buffer\n", 2, "collections.abc.Buffer"),
    ((3, 11), "def f():\n    raise ExceptionGroup('', [])\n", 2, "ExceptionGroup is new in"),
    ((3, 11), "import math\ntry: math.cbrt(8)\nexcept ValueError: pass\n", 2, "math.cbrt is new"),
    ((3, 14), NODE, 2, "an annotation with Node before its class is complete is new in"),
]
FINE = [
    "match 1:\n    case 1: pass\n",
    'f\'{d["a"]}\' f"""{d["a"]}""" \'\\n\' f\'\\n{x}\' f\'{x:>{y}}\'\n',
    "try:\n    from typing import Self\nexcept ImportError:\n    Self = object\n",
    "import sys\nif sys.version_info >= (3, 12):\n    from itertools import batched\n",
    "class ExceptionGroup(Exception): ...\nclass Self: ...\nclass batched: ...\n",
    "import game as math\nmath.cbrt(8)\n",
    "from __future__ import annotations\n" + NODE,
    NODE.replace(": Node", ': "Node"'),
    "def broken(:\n",  # said when it is loaded
    "",
]


@pytest.mark.parametrize(("version", "code", "line", "says"), FOUND)
def test_newer_part_is_found(version, code, line, says):
    file = {"minimax.py": code.encode()}
    if sys.version_info < version and ("this syntax" in says or "f-string" in says):
        pytest.skip("this Python can't read it either")
    (found,) = list_newer_parts(file, (3, 10), (3, 14))
    assert found.startswith(f"minimax.py, line {line}: {says}")
    assert list_newer_parts(file, version, (3, 14)) == []


@pytest.mark.parametrize("code", FINE)
def test_code_for_the_graders_python_is_no_finding(code):
    assert list_newer_parts({"mcts.py": code.encode()}, (3, 10), (3, 14)) == []


def test_listed_names_are_new_in_this_python():
    for version, names in NAMES.items():
        for name in names.split():
            module, _, attribute = name.rpartition(".")
            code = f"from {module} import {attribute}" if module else name
            try:
                exec(code if module or name[0].isupper() else f"import {name}")
                there = True
            except (ImportError, NameError):
                there = False
            assert there == (sys.version_info >= version), name


@pytest.mark.parametrize("folder", ["starter", "solution"])
def test_no_provided_file_is_newer(folder):
    files = {name: (ROOT / folder / name).read_bytes() for name in QUESTION_FILES}
    assert list_newer_parts(files, (3, 10), (3, 14)) == []


@pytest.mark.skipif(sys.version_info < (3, 11), reason="3.10 can't read it either")
def test_a_test_at_home_warns_at_its_end_and_costs_nothing(tmp_path):
    newer = "\n\ndef unused():\n    from typing import Self\n"
    (tmp_path / "minimax.py").write_text(SOLUTION_TEXTS["minimax.py"] + newer)
    done = run_cli("test", "-q", "1.1", tmp_path)
    *_, score = done.stdout.split("\n\n")
    assert "typing.Self is new in Python 3.11; Gradescope has Python" in score
    assert score.splitlines()[-1].startswith("score: ")
    assert not score.splitlines()[-1].startswith("score: 0/")


@pytest.mark.skipif(sys.version_info < (3, 12), reason="reading a file warns of nothing")
def test_the_graders_look_at_a_file_repeats_no_warning(tmp_path):
    folder = copy_grader(tmp_path / "project")
    wrong = change_solution("minimax.py", "if v2 < v:", "if v2 > v:") + '\nPATTERN = "\\d"\n'
    (folder / "starter" / "minimax.py").write_text(wrong)
    done = run_isolated(folder, "-m", "autograder", "test", "-q", "1.1")
    assert "1.1" in done.stdout and not done.stderr
