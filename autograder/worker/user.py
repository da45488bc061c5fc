"""Choose the user that workers run as, and remove their processes and files.

As root, each grading takes the number of a user that does not exist. So a worker can neither read
the grader's files nor stop its processes, and anything that outlives it is identified by that
number. Without root a worker runs as the grader's own user, and only its children can be found.
"""

import contextlib
import ctypes
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

PUBLIC_PLACES = ("/tmp", "/var/tmp", "/dev/shm", "/run/lock", "/dev/mqueue")
PR_SET_DUMPABLE, PR_SET_CHILD_SUBREAPER = 4, 36


def guard_this_process() -> bool:
    """Hide this process from workers; return whether it adopts their orphans."""
    if sys.platform != "linux":
        return False
    libc = ctypes.CDLL(None)
    libc.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
    return bool(libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0)


def is_root() -> bool:
    return sys.platform != "win32" and os.geteuid() == 0


def claim_name(name: str) -> socket.socket | None:
    """Return a socket that reserves a name on this machine while it is open.

    None if the name is taken. There is no file, so the claim ends with this process.
    """
    claim = socket.socket(socket.AF_UNIX)
    try:
        claim.bind(f"\0{name}")
    except OSError:
        claim.close()
        return None
    return claim


def find_free_user() -> tuple[int, socket.socket]:
    """Return an unused user number and the socket that reserves it, or raise OSError."""
    for attempt in range(1000):
        uid = 20_000 + (os.getpid() + attempt * 977) % 40_000
        claim = claim_name(f"worker-{uid}")
        if claim is None:
            continue
        if not is_somebody(uid):
            return uid, claim
        claim.close()
    raise OSError("no user's number is free on this machine")


def is_somebody(uid: int) -> bool:
    """Does a user or group with that number exist, or own processes or public files?

    A directory service may not list its users, so each number has to be looked up.
    """
    import grp
    import pwd

    for look_up in (pwd.getpwuid, grp.getgrgid):
        with contextlib.suppress(KeyError):
            look_up(uid)
            return True
    return not runs_nothing(uid) or any(True for _ in list_files(uid))


def open_to_user(uid: int, folder: Path) -> None:
    """Let that user read the folder, independent of this process's umask."""
    for path in folder.rglob("*"):
        path.chmod(0o755 if path.is_dir() else 0o644)
    os.chown(folder, 0, uid)
    folder.chmod(0o750)


def sweep_processes(uid: int | None, spared: set[int]) -> bool:
    """Kill all processes of the worker's user, and this process's unspared children.

    Orphans of the worker become children of this process. Return whether none is left.
    """
    if sys.platform != "linux":
        return True
    give_up = time.monotonic() + 100  # a virtual machine's processor may stop for a minute
    while True:
        gone = uid is None or runs_nothing(uid)
        if uid is not None and not gone:
            kill_all_of(uid)
        orphans = list_children() - spared  # last: an exiting process passes its children to us
        for orphan in orphans:
            with contextlib.suppress(OSError):
                os.kill(orphan, signal.SIGKILL)
                os.waitpid(orphan, os.WNOHANG)
        if gone and not orphans:
            return True
        if time.monotonic() > give_up:
            return False
        time.sleep(0.001)


def kill_all_of(uid: int) -> None:
    """Send SIGKILL to all processes of the user at once, which only that user can do.

    Python's `user=` copies this process first, which is slow if the process is large.
    """
    become = ["setpriv", f"--reuid={uid}", f"--regid={uid}", "--clear-groups"]
    with contextlib.suppress(OSError):
        subprocess.run([*become, "/bin/sh", "-c", "kill -9 -1"], stderr=subprocess.DEVNULL)


def runs_nothing(uid: int) -> bool:
    """Is it certain that no process of the user is left, not even a zombie?

    The kernel checks all processes at once. If it can't tell, the answer is False.
    """
    try:
        os.getpriority(os.PRIO_USER, uid)
    except ProcessLookupError:
        return True
    return False


def list_children() -> set[int]:
    """Return the children of this process, including zombies.

    Raises OSError if the system can't list them: then orphans could not be found.
    """
    found: set[int] = set()
    if sys.platform == "linux":
        tasks = Path("/proc/self/task")
        if not tasks.is_dir():
            raise OSError("/proc is not mounted: mount -t proc proc /proc")
        for task in tasks.iterdir():
            with contextlib.suppress(OSError):
                found |= set(map(int, (task / "children").read_text().split()))
    return found


def list_files(uid: int) -> Iterator[os.DirEntry[str]]:
    """Yield the files of that user in world-writable folders."""
    for place in PUBLIC_PLACES:
        entries: list[os.DirEntry[str]] = []
        with contextlib.suppress(OSError), os.scandir(place) as listing:
            entries = list(listing)
        for entry in entries:
            with contextlib.suppress(OSError):  # another program may have removed its file
                if entry.stat(follow_symlinks=False).st_uid == uid:
                    yield entry


def remove(entry: os.DirEntry[str]) -> None:
    """Remove a file, or a folder with its content, as far as the system allows it."""
    with contextlib.suppress(OSError):
        if entry.is_dir(follow_symlinks=False):
            shutil.rmtree(entry.path, ignore_errors=True)
        else:
            os.unlink(entry.path)
