"""Grade the hostile submissions.

    python -m autograder.selftest.support.hostile MODE [NAME ...]

own-user:  as this user; if that is root, workers run as a separate user
same-user: as a user without any rights; workers run as the same user
bare:      like own-user, on a system that has neither Landlock nor seccomp; entries that only
           these can stop are left out
old:       like same-user, on a system that has the first version of Landlock
seccomp:   like same-user, on a system that has seccomp, but no Landlock

It prints one line of JSON for each submission: its name, its score, the honest score of the same
functions, its findings and a list of what is wrong, which should be empty. Two submissions are
graded at a time, each by a separate process. What they leave behind is looked for in the end.
"""

import contextlib
import json
import os
import resource
import shutil
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator
from functools import partial
from itertools import product
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

NOBODY = 54_321  # a user that owns nothing
TIMEOUT_S = 600  # seconds after which a grading counts as endless; its own deadline is 480
MAX_MEMORY_MB = 200  # MB that the grader itself may take
MAX_REPORT_LENGTH = 5_000_000  # characters, in any format
MARK = "hostile-left"
KEY = 0x485354  # of the System V objects that one entry makes
IPCRM = {"shm": "-m", "sem": "-s", "msg": "-q"}

Twin = tuple[object, ...]  # identifies the honest part of a submission


class GradingProcess:
    """One grading, in a separate process and folder."""

    def __init__(self, mode: str, port: int, honest: bool, entry: Entry | Packaging) -> None:
        """Begin to grade an entry, or only its honest part."""
        self.entry, self.honest, self.mode, self.port = entry, honest, mode, port
        self.folder = Path(tempfile.mkdtemp(prefix="hostile-")).resolve()
        self.folder.chmod(0o711)
        for name in ("tmp", "scratch", "results"):
            (self.folder / name).mkdir()
        (self.folder / "scratch" / "file").write_text("as it was")
        (self.folder / "results").chmod(0o700)
        self.results = self.folder / "results" / "results.json"
        same_user = self.mode in ("same-user", "old", "seccomp")
        self.user = NOBODY if same_user and os.geteuid() == 0 else None
        if self.user is not None:
            for path in (self.folder, *self.folder.rglob("*")):
                os.chown(path, self.user, self.user)
        self.before = self.read_scratch()
        self.path: Path | None = None
        if isinstance(self.entry, Packaging) and not self.honest:
            (self.folder / "submitted").mkdir()
            self.path = self.entry.build(self.folder / "submitted")
        self.pid = os.fork()
        if self.pid == 0:
            self.grade()

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
        """Grade in the child process, and end it."""
        code = 1
        try:
            if self.user is not None:
                os.setgroups([])
                os.setresgid(self.user, self.user, self.user)
                os.setresuid(self.user, self.user, self.user)
            os.setpgid(0, 0)
            output = os.open(self.folder / "results" / "output", os.O_CREAT | os.O_WRONLY, 0o600)
            os.dup2(output, 1)
            os.dup2(output, 2)
            tempfile.tempdir = str(self.folder / "tmp")
            report = grade(
                self.make_submission(),
                self.results,
                find_graded_part(self.entry) or None,
                make_sandbox=partial(make_sandbox, self.mode),
            )
            assert len(make_page(report)) <= MAX_REPORT_LENGTH, "the page is too long"
            without = self.mode in ("bare", "seccomp")
            assert "Landlock" in report.exposure or not without, "it was graded with Landlock"
            code = 0
        except BadSubmission:
            code = 0
        except BaseException:
            traceback.print_exc()
        finally:
            memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            (self.folder / "results" / "memory").write_text(str(memory))
            os._exit(code)

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
        return Submission({**read_question_files("starter"), **fill_placeholders(files, names)})

    def finish(self, status: int | None) -> dict[str, Any]:
        """Return the score and what is wrong; remove what the grading has left."""
        wrong = []
        if status is None:
            wrong.append("grading did not end")
        elif status != 0:
            wrong.append(f"the grader ended with {status}")
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
        left = list((self.folder / "tmp").iterdir())
        names = {path.name for path in self.results.parent.iterdir()}
        left += [
            self.results.parent / name for name in names - {"results.json", "memory", "output"}
        ]
        if left:
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
    for kind in IPCRM:
        with contextlib.suppress(OSError):
            for line in Path("/proc/sysvipc", kind).read_text(encoding="utf-8").splitlines():
                key, number, *_ = line.split()
                if key == str(KEY):
                    subprocess.run(["ipcrm", IPCRM[kind], number], check=False)
                    yield "System V", kind


@contextlib.contextmanager
def listen_on_loopback() -> Iterator[tuple[int, list[socket.socket]]]:
    """Listen on the loopback in every way; yield the port and the sockets."""
    with contextlib.ExitStack() as stack:
        sockets = []
        port = 0
        kinds = (socket.SOCK_STREAM, socket.SOCK_DGRAM)
        for family, kind in product((socket.AF_INET, socket.AF_INET6, socket.AF_UNIX), kinds):
            with contextlib.suppress(OSError):  # no such family here, or the port is taken
                listener = stack.enter_context(socket.socket(family, kind))
                host = "127.0.0.1" if family == socket.AF_INET else "::1"
                place = f"\0{MARK}-{port}" if family == socket.AF_UNIX else (host, port)
                listener.bind(place)
                port = port or listener.getsockname()[1]
                if kind == socket.SOCK_STREAM:
                    listener.listen()
                listener.setblocking(False)
                sockets.append(listener)
        yield port, sockets


def was_called(listener: socket.socket) -> bool:
    with contextlib.suppress(OSError):
        if listener.type == socket.SOCK_STREAM:
            listener.accept()[0].close()
        else:
            listener.recv(1)
        return True
    return False


def run_grading(mode: str, port: int, honest: bool, entry: Entry | Packaging) -> dict[str, Any]:
    """Grade an entry, or its honest part; return its score and what is wrong."""
    grading = GradingProcess(mode, port, honest, entry)
    end = time.monotonic() + TIMEOUT_S
    pid, status = 0, None
    while not pid and time.monotonic() < end:
        time.sleep(0.02)
        pid, status = os.waitpid(grading.pid, os.WNOHANG)
    if not pid:
        os.killpg(grading.pid, signal.SIGKILL)
        os.waitpid(grading.pid, 0)
    return grading.finish(status if pid else None)


def main(mode: str, *names: str) -> None:
    entries = [entry for entry in read_hostile_entries() if not names or entry.name in names]
    if mode == "bare":
        entries = [
            entry for entry in entries if isinstance(entry, Packaging) or not entry.get("needs")
        ]
    twins = {make_twin_key(entry): entry for entry in entries}
    # The sockets are open before the processes begin, which inherit them.
    with listen_on_loopback() as (port, sockets), get_context("fork").Pool(2) as pool:
        parts = pool.map(partial(run_grading, mode, port, True), twins.values(), 1)
        attacks = pool.map(partial(run_grading, mode, port, False), entries, 1)
        if SOLUTION.name in names:
            print_result(SOLUTION.name, pool.apply(run_grading, (mode, port, False, SOLUTION)))
        reached = any([*map(was_called, sockets)])
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
        print_result("all", {"wrong": wrong + ["the network was reached"] * reached})


def find_unexpected_end(entry: Entry | Packaging, codes: list[str], mode: str) -> list[str]:
    """Return what is wrong if an attack has another finding than its entry says.

    The attack may then have been stopped before its essential part.
    """
    expected = [] if isinstance(entry, Packaging) else entry.get("seen").split()
    # Other systems may stop it at another point.
    if sys.platform != "linux" or mode not in ("own-user", "same-user"):
        expected = []
    stopped = any("too-slow" in code for code in codes)  # as any may be on a busy machine
    if not expected or codes == expected or stopped:
        return []
    return [f"it ends in {' '.join(codes) or 'no finding'}, not in {' '.join(expected)}"]


def find_graded_part(entry: Entry | Packaging) -> str:
    """Return the question or the test that is graded, "" for all."""
    return entry.question if isinstance(entry, Packaging) else entry.get("tests")


def fill_placeholders(files: dict[str, bytes], names: dict[str, object]) -> dict[str, bytes]:
    """Return the files with each @name@ replaced by its value."""
    for name, value in names.items():
        mark, text = f"@{name}@".encode(), str(value).encode()
        files = {file: content.replace(mark, text) for file, content in files.items()}
    return files


def make_twin_key(entry: Entry | Packaging) -> Twin:
    if isinstance(entry, Packaging):
        return entry.honest, entry.question
    return *sorted(entry.honest.items()), find_graded_part(entry)


def print_result(name: str, result: dict[str, Any]) -> None:
    print(json.dumps({"name": name, **result}), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
