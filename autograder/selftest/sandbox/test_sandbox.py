"""The worker's process: what confines it, and what is removed when it ends."""

import json
import os
import shlex
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from autograder.errors import GraderFault
from autograder.questions import ROOT
from autograder.selftest.support import needs_root
from autograder.selftest.support.commands import run_python
from autograder.selftest.support.students import OTHER_SYSTEMS, make_sandbox, start_student
from autograder.submission import Submission
from autograder.worker import process, user
from autograder.worker.inside.system_calls import REFUSED
from autograder.worker.launch import ONE_THREAD
from autograder.worker.sandbox import Sandbox, list_cores
from autograder.worker.user import guard_this_process, list_children, runs_nothing, sweep_processes


@pytest.fixture
def place():
    """Yield a sandbox with one submitted file."""
    place = Sandbox(Submission({"x.py": b"def f(): ...\n"}))
    yield place
    place.remove()


def test_a_worker_that_was_waited_for_is_not_killed_again(place, monkeypatch):
    """Its process id may belong to another process by then."""
    killed = []
    worker = place.start()
    worker.process.kill()
    worker.process.wait(60)
    monkeypatch.setattr(os, "killpg", lambda *args: killed.append(args))
    worker.close()
    assert killed == []


def test_a_process_that_stays_is_the_graders_fault(place, monkeypatch):
    worker = place.start()
    monkeypatch.setattr(process, "sweep_processes", lambda *args: False)
    with pytest.raises(GraderFault, match="could not be killed"):
        worker.close()
    monkeypatch.undo()
    worker.close()


def test_project_that_every_worker_may_read_is_refused(place):
    place.start().close()
    if "landlock" not in place.in_force:
        pytest.skip("this system lacks Landlock")
    place.end_parent()
    place.secrets = [os.__file__]
    with pytest.raises(GraderFault, match=r"^student code could read .*os\.py: move the project"):
        place.start()


FORKED = b"""
import os, stat

def stop(number):
    try:
        os.kill(int(number), 9)
    except PermissionError:
        return 1

def sockets():
    found = 0
    for file in range(64):
        try:
            found += stat.S_ISSOCK(os.fstat(file).st_mode)
        except OSError:
            pass
    return found
"""
BOARD = ["TicTacToe", 3, 3, 3]


@pytest.mark.skipif(sys.platform != "linux", reason="each worker is a new Python here")
def test_a_worker_has_no_hold_on_the_process_that_forks_them():
    with start_student({"minimax.py": FORKED}) as student:
        student.begin(10)
        student.find("minimax.stop")
        parent = student.sandbox.parent
        assert parent is not None
        assert student.numbers("minimax.sockets", BOARD, [(None,)]) == [0]
        if "seccomp" in (student.sandbox.in_force or []):
            assert student.numbers("minimax.stop", BOARD, [(None, parent.process.pid)]) == [1]
        student.end()
        student.find("minimax.stop")
        assert student.sandbox.parent is parent


def test_process_that_forks_workers_is_replaced_after_its_end(place):
    place.start().close()
    if place.parent is not None:
        place.parent.process.kill()
        place.parent.process.wait()
    place.start().close()


def test_a_worker_finds_no_file_of_an_earlier_one(place):
    worker = place.start()
    (place.work / "cache").mkdir()
    (place.work / "cache" / "values.txt").write_text("1")
    (place.work / "values.txt").write_text("1")
    worker.close()
    assert list(place.work.iterdir()) == []


on_linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has workers of a user")


@pytest.fixture
def first() -> Iterator[int]:
    """Yield the number that the next grading would take for its user."""
    uid, claim = user.find_free_user()
    claim.close()
    yield uid
    again, claim = user.find_free_user()
    claim.close()
    assert again != uid


@on_linux
@pytest.mark.parametrize("service", ["pwd.getpwuid", "grp.getgrgid"])
def test_a_user_that_only_a_directory_service_knows_is_not_taken(monkeypatch, first, service):
    """The user is found by number, but is in no list of users."""
    known = {first: "known"}
    monkeypatch.setattr(service, known.__getitem__)


@needs_root
def test_user_number_that_owns_files_is_not_taken(tmp_path, monkeypatch, first):
    """Its files would be removed together with the worker's files."""
    (tmp_path / "thesis").touch()
    os.chown(tmp_path / "thesis", first, first)
    monkeypatch.setattr(user, "PUBLIC_PLACES", (str(tmp_path),))


@on_linux
def test_gradings_at_the_same_moment_have_different_users_and_cores(monkeypatch):
    """With more gradings than cores, some have no reserved core."""
    claims = [user.find_free_user() for _ in range(20)]
    for _, claim in claims:
        claim.close()
    assert len({uid for uid, _ in claims}) == 20
    places = [Sandbox(Submission({})) for _ in range(len(list_cores()) + 1)]
    pins = [place.cpu for place in places if place.cpu is not None]
    for place in places:
        place.remove()
    assert len(set(pins)) == len(pins) < len(places)


NUMPY = b"import numpy\ndef read(): ...\n"
FIND = f"""
from autograder.selftest.support.students import OTHER_SYSTEMS, make_sandbox, start_student
with start_student({{"minimax.py": {NUMPY!r}}}) as student:
    student.begin(60)
    student.find("minimax.read")
    print(student.sandbox.user)
"""


def test_submission_imports_numpy_in_a_folder_that_only_its_owner_may_enter(tmp_path):
    """A separate user could not; without Landlock root is told what to do."""
    (tmp_path / "private").mkdir(mode=0o700)
    venv = tmp_path / "private" / "\u00fcml \u00e4ut"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", venv], check=True)
    (packages,) = (venv / "lib").glob("python3*/site-packages")
    for entry in Path(sysconfig.get_path("purelib")).iterdir():
        (packages / entry.name).symlink_to(entry)
    done = subprocess.run(
        [venv / "bin" / "python", "-c", FIND], cwd=ROOT, capture_output=True, text=True
    )
    hint = "move the project and its Python to folders that every user may enter and read"
    assert done.stdout == "None\n" or hint in done.stderr, done.stderr


def test_worker_that_can_import_less_than_students_may_is_the_graders_fault(monkeypatch):
    monkeypatch.setattr(Sandbox, "proved", {})
    monkeypatch.setitem(OTHER_SYSTEMS, "no NumPy", "\n\nNumPyFinder.find_spec = lambda *_: None\n")
    place = make_sandbox("no NumPy", Submission({"x.py": b"def f(): ...\n"}))
    with pytest.raises(GraderFault, match=r"numpy.linalg can't be imported \(ModuleNotFoundError"):
        place.prepare()
    place.remove()


@needs_root
def test_missing_proc_is_reported_in_one_line():
    """Without /proc, as in a chroot, leftover processes could not be found."""
    command = "mount -t tmpfs none /proc && exec {} -m autograder grade solution".format
    shell = ["unshare", "-m", "sh", "-c", command(shlex.quote(sys.executable))]
    if subprocess.run(["unshare", "-m", "true"], capture_output=True).returncode:
        pytest.skip("this container can't mount")
    done = subprocess.run(shell, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 3
    assert "/proc is not mounted: mount -t proc proc /proc" in " ".join(done.stdout.split())
    assert "Traceback" not in done.stderr


HELD = f"""
import ctypes, json, os, sys
sys.path.append({str(ROOT)!r})
from autograder.worker.inside import confine, system_calls
if "old" in sys.argv:
    confine.read_landlock_version = lambda libc: 1
if "bare" in sys.argv:
    confine.restrict_files = lambda libc, readable: False
in_force = []
if "free" not in sys.argv:
    landlock = confine.restrict([])
    confine.limit_resources({{}})
    in_force = ["landlock"] * landlock + ["seccomp"] * system_calls.refuse_calls(landlock)
call = ctypes.CDLL(None, use_errno=True).syscall
column = "x86_64 aarch64".split().index(os.uname().machine)
"""


def held(code: str, *arguments: str, stdin: str = "") -> dict[str, Any]:
    """Run code in a separate process, confined as a worker; return its output."""
    if sys.platform != "linux" or os.uname().machine not in ("x86_64", "aarch64"):
        pytest.skip("only Linux on these machines holds a worker")
    options = ("-I", "-W", "ignore", "-c", HELD + code, *arguments)
    done = run_python(*options, env=dict.fromkeys(ONE_THREAD, "1"), input=stdin)
    assert done.returncode == 0, done.stderr[-2000:]
    report: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    needed = {"landlock", "seccomp"} - ({"landlock"} if "bare" in arguments else set())
    if "free" not in arguments and needed - set(report["in_force"]):
        pytest.skip("this system lacks Landlock or seccomp")
    return report


IMPORTS = """
failed = []
for name in [*sorted(sys.stdlib_module_names), "numpy.random", "numpy.linalg", "numpy.fft"]:
    if name not in ("antigravity", "this", "idlelib", "_ios_support"):
        try:
            __import__(name)
        except ImportError:
            failed.append(name)
import hashlib, locale, random, secrets
import numpy
numpy.linalg.inv(numpy.eye(300) + 1)
numpy.random.default_rng().random()
hashlib.new("md5", secrets.token_bytes())
locale.setlocale(locale.LC_ALL, "C.UTF-8")
open(os.devnull, "w").write("as many do to keep quiet")
print(json.dumps({"in_force": in_force, "failed": failed}))
"""


@pytest.mark.slow
def test_a_worker_can_import_the_standard_library_and_numpy():
    assert held(IMPORTS)["failed"] == held(IMPORTS, "free")["failed"]


READS = """
readable = []
for path in json.load(sys.stdin):
    try:
        open(path).close()
        readable.append(path)
    except OSError:
        pass
print(json.dumps({"in_force": in_force, "readable": readable}))
"""


@pytest.mark.slow
def test_worker_reads_only_the_files_that_python_needs():
    """It reads neither other packages nor other files there, such as a project."""
    library = Path(os.__file__).parent
    packages = [Path(place) for place in sys.path if "-packages" in place]
    found = []
    for place in {Path("/usr"), Path("/opt"), Path(sys.prefix), library, *packages}:
        for folder, _, names in islice(os.walk(place), 5_000):
            found += [os.path.join(folder, name) for name in names[:2]]
    found = [path for path in found if os.path.isfile(path)]
    readable = held(READS, stdin=json.dumps(found))["readable"]
    assert 0 < len(readable) < len(found)
    for path in map(Path, readable):
        installed = [place for place in packages if path.is_relative_to(place)]
        if installed:
            assert path.relative_to(installed[0]).parts[0] in ("numpy", "numpy.libs"), path
        else:
            shared = ".so" in path.name or "-linux-gnu" in str(path)
            data = path.is_relative_to("/usr/share/zoneinfo") or "locale" in path.parts
            assert path.resolve().is_relative_to(library.resolve()) or shared or data, path


# The call's numbers on both machines, and harmless arguments.
CALLS: dict[str, tuple[Any, ...]] = {
    **{name: (*numbers, -1, -1, -1) for name, numbers in REFUSED.items()},
    "a thread": (56, 220, 0x10F00, 0, 0, 0, 0),
    "a thread in the new way": (435, 435, bytes(88), 88),
    "openat2": (437, 437, -100, b"/nowhere", bytes(24), 24),
    "an io_uring": (425, 425, 1, bytes(120)),
    "a call that is yet to come": (700, 700, 0),
    "open to read, and cut": (257, 56, -100, b"/nowhere", os.O_TRUNC, 0),
    "open for neither": (257, 56, -100, b"/nowhere", 3, 0),
    "open for neither, and cut": (257, 56, -100, b"/nowhere", 3 | os.O_TRUNC, 0),
    "open in the old way, and cut": (2, None, b"/nowhere", os.O_TRUNC, 0),
    "a file without a name or a folder": (257, 56, -100, b"/nowhere", 0o20200001, 0o600),
    "a file's flags": (16, 29, 0, 0x40086602, bytes(8)),
    "its seal": (16, 29, 0, 0x40806685, bytes(128)),
    "the owner of a signal": (72, 25, 0, 8, 0),
    "lock a part of a file": (72, 25, 0, 6, bytes(32)),
    "lock a part of a file, and wait": (72, 25, 0, 7, bytes(32)),
    "lock a part of a file for a descriptor": (72, 25, 0, 37, bytes(32)),
}
TRIES = """
answers = {}
for name, numbers in eval(sys.argv[1]).items():
    number, arguments = numbers[column], numbers[2:]
    if number is not None:
        ctypes.set_errno(0)
        call(number, *arguments)
        answers[name] = ctypes.get_errno()
import threading
try:
    threading.Thread(target=print).start()
except RuntimeError as error:
    answers["threading"] = str(error)
print(json.dumps({"in_force": in_force, "answers": answers}))
"""

WITHOUT_LANDLOCK = {
    "open to write, and cut": (257, 56, -100, b"/nowhere", 1 | os.O_TRUNC, 0),
    "open to write": (257, 56, -100, b"/nowhere", 1, 0),
    "open to write both ways": (257, 56, -100, b"/nowhere", 2, 0),
    "open to read, and make": (257, 56, -100, b"/nowhere", os.O_CREAT, 0o600),
    "open as new": (257, 56, -100, b"/nowhere", 1 | os.O_CREAT | os.O_EXCL | os.O_TRUNC, 0o600),
}


@pytest.mark.parametrize(
    ("kernel", "calls"), [("new", CALLS), ("old", CALLS), ("bare", CALLS | WITHOUT_LANDLOCK)]
)
def test_calls_are_refused_on_every_kernel(kernel, calls):
    """Each call fails with EPERM, ENOTTY or ENOSYS."""
    answers = held(TRIES, repr(calls), kernel)["answers"]
    assert answers.pop("threading") == "can't start new thread"
    assert {name: error for name, error in answers.items() if error not in (1, 25, 38)} == {}


@needs_root
def test_all_that_a_user_runs_is_killed_and_its_number_is_free_again():
    guard_this_process()  # as each grader does
    uid, before = 54_325, list_children()
    with subprocess.Popen(["/bin/sh", "-c", "cat & cat"], stdin=subprocess.PIPE, user=uid):
        assert sweep_processes(uid, before)
    assert runs_nothing(uid)


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="this system keeps its cores")
def test_all_cores_can_be_used_again_after_a_grading(place):
    before = os.sched_getaffinity(0)
    place.start().close()  # on a separate core, if one is free
    assert os.sched_getaffinity(0) == ({place.cpu} if place.cpu is not None else before)
    place.remove()
    assert os.sched_getaffinity(0) == before
