"""Grade the hostile submissions.

    python -m autograder.selftest.support.hostile MODE [NAME ...]

full:    on this system
bare:    on a system that has neither Landlock nor seccomp; entries that only these can stop are
         left out
old:     on a system that has the first version of Landlock
seccomp: on a system that has seccomp, but no Landlock

It prints one line of JSON for each submission: its name, its score, the honest score of the same
functions, its findings and a list of what is wrong, which should be empty. Two submissions are
graded at a time, each by a separate process. What they leave behind is looked for in the end.
"""

import contextlib
import json
import os
import resource
import select
import shutil
import signal
import socket
import stat
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]

from autograder.author.bank import Entry
from autograder.feedback.page import make_page
from autograder.feedback.results import Outcome
from autograder.grading.grade import grade
from autograder.packaging import BadSubmission
from autograder.questions import QUESTION_FILES, ROOT
from autograder.selftest.support.banks import read_hostile_entries
from autograder.selftest.support.contracts import RESULTS
from autograder.selftest.support.packagings import SOLUTION, Packaging, read_question_files
from autograder.selftest.support.students import make_sandbox
from autograder.submission import Submission
from autograder.worker.user import PUBLIC_PLACES

TIMEOUT_S = 600  # seconds after which a grading counts as endless; its own deadline is 480
MAX_MEMORY_MB = 200  # MB that the grader itself may take
MAX_REPORT_LENGTH = 5_000_000  # characters, in any format
MARK = "hostile-left"


class Grading:
    def __init__(self, mode: str, port: int, honest: bool, entry: Entry | Packaging) -> None:
        """Prepare to grade an entry, or only its honest part."""
        self.entry, self.honest, self.mode, self.port = entry, honest, mode, port
        self.folder = Path(tempfile.mkdtemp(prefix="hostile-")).resolve()
        self.folder.chmod(0o711)
        for name in ("tmp", "scratch", "results"):
            (self.folder / name).mkdir()
        (self.folder / "scratch" / "file").write_text("as it was")
        (self.folder / "results").chmod(0o700)
        self.results = self.folder / "results" / "results.json"
        self.before = self.read_scratch()
        self.path: Path | None = None
        if isinstance(self.entry, Packaging) and not self.honest:
            (self.folder / "submitted").mkdir()
            self.path = self.entry.build(self.folder / "submitted")

    def read_scratch(self) -> list[object]:
        """Return the kinds, rights, times and contents of the grader's files."""
        facts: list[object] = []
        for path in (self.folder / "scratch", self.folder / "scratch" / "file"):
            with contextlib.suppress(OSError):
                status = path.stat()
                facts += [path.name, status.st_mode, status.st_uid, status.st_mtime_ns]
                facts += [path.read_bytes()] if path.is_file() else os.listxattr(path)
        return facts

    def grade(self) -> None:
        """Grade, in a process that ends afterwards."""
        os.setpgid(0, 0)
        output = os.open(self.folder / "results" / "output", os.O_CREAT | os.O_WRONLY, 0o600)
        os.dup2(output, 1)
        os.dup2(output, 2)
        tempfile.tempdir = str(self.folder / "tmp")
        try:
            report = grade(
                self.make_submission(),
                self.results,
                self.entry.get("tests") or None,
                make_sandbox=partial(make_sandbox, self.mode),
            )
            assert len(make_page(report)) <= MAX_REPORT_LENGTH, "the page is too long"
            without = self.mode in ("bare", "seccomp")
            assert "Landlock" in report.exposure or not without, "it was graded with Landlock"
        except BadSubmission:
            pass
        finally:
            memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            (self.folder / "results" / "memory").write_text(str(memory))

    def make_submission(self) -> Path | Submission:
        if self.path is not None:
            return self.path
        if isinstance(self.entry, Packaging):
            if self.entry.honest == "nothing":
                return Submission(problems=dict.fromkeys(QUESTION_FILES, "nothing"))
            return Submission(read_question_files(self.entry.honest))
        names = {
            "ROOT": ROOT,
            "RESULTS": self.results,
            "SCRATCH": self.folder / "scratch",
            "LEFT": f"/tmp/{MARK}-{self.entry.name}",
            "GRADER": os.getpid(),
            "PORT": self.port,
        }
        files = self.entry.honest if self.honest else self.entry.files
        for name, value in names.items():
            mark, text = f"@{name}@".encode(), str(value).encode()
            files = {file: content.replace(mark, text) for file, content in files.items()}
        return Submission({**read_question_files("starter"), **files})

    def finish(self, status: int | None) -> dict[str, Any]:
        """Return the score and what is wrong; remove what the grading has left."""
        wrong = [f"the grader ended with {status}"] if status else []
        score = 0.0
        codes: set[str] = set()
        try:
            results = json.loads(self.results.read_text(encoding="utf-8"))
            jsonschema.validate(results, RESULTS)
            score = results["score"]  # there is one only if each test has a verdict
            outcomes = {test["extra_data"]["outcome"] for test in results["tests"]}
            codes = {test["extra_data"]["code"] for test in results["tests"]} - {""}
            if Outcome.FAULT.value in outcomes or "the grader failed" in results["output"]:
                wrong.append("it made the grader fail")
            if not stat.S_ISREG(self.results.lstat().st_mode):
                wrong.append("results.json is no file")
            own = int((self.results.parent / "memory").read_text())
            if own > MAX_MEMORY_MB << 10:
                wrong.append(f"it made the grader take {own >> 10} MB")
        except (OSError, ValueError, KeyError, jsonschema.ValidationError) as error:
            wrong.append(f"results.json is not valid: {str(error)[:200]}")
        if self.read_scratch() != self.before:
            wrong.append("the grader's files were changed")
        for process in find_processes(self.folder):
            wrong.append(f"a process is left: {process}")
            with contextlib.suppress(OSError):
                os.kill(process, signal.SIGKILL)
        known = ("results.json", "memory", "output")
        left = [*(self.folder / "tmp").iterdir(), *self.results.parent.iterdir()]
        if left := [path for path in left if path.name not in known]:
            wrong.append(f"files are left: {left}")
        if wrong:
            output = (self.results.parent / "output").read_text(errors="replace").strip()
            wrong += output.splitlines()[-3:]
        shutil.rmtree(self.folder, ignore_errors=True)
        return {"score": score, "wrong": wrong, "seen": sorted(codes)}


def find_processes(folder: Path) -> list[int]:
    """Return the processes whose command line or environment names the folder."""
    processes = []
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            text = (entry / "cmdline").read_bytes() + (entry / "environ").read_bytes()
            if os.fsencode(folder) in text and int(entry.name) != os.getpid():
                processes.append(int(entry.name))
    return processes


def sweep_public_places() -> Iterator[tuple[str, str]]:
    """Remove what submissions have left in public places; yield by whom, and what.

    A file's name is the mark, the submission's name and perhaps a number, joined by hyphens.
    """
    for place in (*PUBLIC_PLACES, ROOT, Path.cwd()):
        for path in Path(place).glob(f"{MARK}*"):
            path.unlink()
            yield path.name.removeprefix(f"{MARK}-").partition("-")[0], str(path)


def run_grading(mode: str, port: int, honest: bool, entry: Entry | Packaging) -> dict[str, Any]:
    """Grade an entry, or its honest part; return its score and what is wrong."""
    grading = Grading(mode, port, honest, entry)
    process = get_context("fork").Process(target=grading.grade)
    process.start()
    process.join(TIMEOUT_S)
    process.kill()
    process.join()
    return grading.finish(process.exitcode)


def main(mode: str, *names: str) -> None:
    entries = [entry for entry in read_hostile_entries() if not names or entry.name in names]
    if mode == "bare":
        entries = [entry for entry in entries if not entry.get("needs")]
    twins = {make_twin_key(entry): entry for entry in entries}
    with (
        socket.create_server(("127.0.0.1", 0)) as listener,
        ProcessPoolExecutor(2, get_context("fork")) as pool,
    ):
        port = listener.getsockname()[1]
        parts = list(pool.map(partial(run_grading, mode, port, True), twins.values()))
        attacks = list(pool.map(partial(run_grading, mode, port, False), entries))
        if SOLUTION.name in names:
            print_result(SOLUTION.name, run_grading(mode, port, False, SOLUTION))
        reached = select.select([listener], [], [], 0)[0]
    for entry, result in zip(twins.values(), parts):
        if result["wrong"]:
            print_result(f"{entry.name} (its honest part)", result)
    honest, left = dict(zip(twins, parts)), [*sweep_public_places()]
    for entry, result in zip(entries, attacks):
        allowed = honest[make_twin_key(entry)]["score"]
        if result["score"] > allowed:
            result["wrong"].append(f"it gained {result['score'] - allowed:g} points")
        result["wrong"] += find_unexpected_end(entry, result["seen"], mode)
        print_result(entry.name, {"honest": allowed, **result})
    if left or reached:
        wrong = [f"left behind by {name}: {what}" for name, what in left]
        print_result("all", {"wrong": wrong + ["the network was reached"] * len(reached)})


def find_unexpected_end(entry: Entry | Packaging, codes: list[str], mode: str) -> list[str]:
    """Return what is wrong if an attack has another finding than its entry says.

    The attack may then have been stopped before its essential part.
    """
    expected = entry.get("seen").split()
    # Another system may stop it at another point, and a busy machine at any.
    other = sys.platform != "linux" or mode != "full" or any("too-slow" in code for code in codes)
    if not expected or codes == expected or other:
        return []
    return [f"it ends in {' '.join(codes) or 'no finding'}, not in {' '.join(expected)}"]


def make_twin_key(entry: Entry | Packaging) -> tuple[object, ...]:
    """Identify the honest part of a submission."""
    if isinstance(entry, Packaging):
        return entry.honest, entry.question
    return *sorted(entry.honest.items()), entry.get("tests")


def print_result(name: str, result: dict[str, Any]) -> None:
    print(json.dumps({"name": name, **result}), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
