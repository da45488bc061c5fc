"""Drop rights before the worker loads student code. Only `become_user` needs root.

Resource limits; then, on Linux, all capabilities, `no_new_privs`, a Landlock rule set (files: read
the standard library, NumPy and the worker's own folder, nothing else; no TCP; no signals to others)
and a seccomp filter (no new processes or threads, no sockets, no signals to others, no looking into
other processes, no making, cutting or changing of files, nothing that outlives the process, and no
call newer than those of `system_calls.py`). Parts that the system lacks are left out; the functions
say whether a part is in force.
"""

import contextlib
import ctypes
import os
import signal
import struct
import sys
from collections.abc import Iterator, Sequence
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType

from autograder.worker.inside.system_calls import PR_SET_PDEATHSIG

PR_SET_NO_NEW_PRIVS = 38
LANDLOCK_CREATE_RULESET, LANDLOCK_ADD_RULE, LANDLOCK_RESTRICT_SELF = 444, 445, 446
CAPABILITIES_V3 = 0x20080522
WRITE_FILE, READ_FILE, READ_FOLDER = 1 << 1, 1 << 2, 1 << 3  # Landlock's rights
READ = READ_FILE | READ_FOLDER
PACKAGES = {"site-packages", "dist-packages"}  # folders of installed packages
SYSTEM = ("/etc/ld.so.cache", "/etc/localtime", "/usr/share/zoneinfo", "/usr/lib/locale")
DEVICES = ("/dev/null", "/dev/urandom", "/dev/random", "/dev/zero", "/dev/full")


def restrict(readable: list[str]) -> bool:
    """Restrict this process and its forks to reading; return whether Landlock does.

    readable: folders that may be read in addition to Python's
    """
    if sys.platform != "linux":
        return False
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    return restrict_files(libc, readable)


def become_user(uid: int) -> None:
    """Give up root for a user without any group but its own."""
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)


def limit_resources(limits: dict[str, int]) -> bool:
    """Limit this process, with one thread; return whether the limits are in force.

    limits: by resource name without RLIMIT_, e.g. {"NOFILE": 64}

    The worker's own thread is started after this, and before `refuse_calls`.
    """
    if sys.platform == "linux":
        libc = ctypes.CDLL(None, use_errno=True)
        libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)  # die with the grader
        # Drop root's capabilities, in case student code must run as root.
        call = 126 if os.uname().machine == "x86_64" else 91
        libc.syscall(call, struct.pack("Ii", CAPABILITIES_V3, 0), bytes(24))
    try:
        import resource
    except ImportError:  # Windows
        return False
    for name, value in limits.items():
        kind = getattr(resource, f"RLIMIT_{name}", None)
        if kind is None:
            continue
        hard = resource.getrlimit(kind)[1]
        if hard != resource.RLIM_INFINITY:
            value = min(value, hard)
        with contextlib.suppress(OSError, ValueError):  # macOS refuses some
            resource.setrlimit(kind, (value, value))
    return True


def read_landlock_version(libc: ctypes.CDLL) -> int:
    return int(libc.syscall(LANDLOCK_CREATE_RULESET, None, ctypes.c_size_t(0), 1))


def restrict_files(libc: ctypes.CDLL, readable: list[str]) -> bool:
    """Let this process only read files that it needs, by Landlock (since Linux 5.13)."""
    version = read_landlock_version(libc)
    if version < 1:
        return False
    files = (1 << 13) - 1  # all rights of the first version; some later versions add one
    for since, right in ((2, 13), (3, 14), (5, 15)):
        files |= (version >= since) << right
    tcp = 3 if version >= 4 else 0  # bind, connect
    scopes = 3 if version >= 6 else 0  # abstract sockets and signals only inside
    attributes = struct.pack("QQQ", files, tcp, scopes)[: 24 if scopes else 16 if tcp else 8]
    rules = libc.syscall(
        LANDLOCK_CREATE_RULESET, attributes, ctypes.c_size_t(len(attributes)), ctypes.c_uint(0)
    )
    if rules < 0:
        return False
    allowed = [(path, READ) for path in (*readable, *SYSTEM)]
    allowed += [(path, WRITE_FILE | READ_FILE) for path in DEVICES]
    for path, rights in (*allowed, *list_modules(), *list_libraries()):
        try:
            file = os.open(path, os.O_PATH | os.O_CLOEXEC)
        except OSError:
            continue
        if not os.path.isdir(path):
            rights &= ~READ_FOLDER  # not applicable to a file
        libc.syscall(
            LANDLOCK_ADD_RULE, rules, 1, struct.pack("=Qi", rights, file), ctypes.c_uint(0)
        )
        os.close(file)
    done = bool(libc.syscall(LANDLOCK_RESTRICT_SELF, rules, ctypes.c_uint(0)) == 0)
    os.close(rules)
    return done


def list_modules() -> Iterator[tuple[str, int]]:
    """Yield the paths of the standard library and NumPy only, with their rights.

    Python lists a whole folder to import from it, so the names in it are visible.
    """
    library = os.path.dirname(os.__file__)
    names = set(os.listdir(library))
    if names.isdisjoint(PACKAGES):
        yield library, READ
    else:
        yield library, READ_FOLDER
        for name in names - PACKAGES:
            yield os.path.join(library, name), READ
    for place in sys.path:
        name = os.path.basename(place)
        if name == "lib-dynload" or name == "python{}{}.zip".format(*sys.version_info):
            yield place, READ
        if os.path.isfile(os.path.join(place, "numpy", "__init__.py")):
            yield place, READ_FOLDER
            yield os.path.join(place, "numpy"), READ
            yield os.path.join(place, "numpy.libs"), READ


class NumPyFinder:
    """An import finder for NumPy only, in the folders of installed packages."""

    def __init__(self, folders: list[str]) -> None:
        self.folders = folders

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        return PathFinder.find_spec(name, self.folders) if name == "numpy" else None


def hide_packages() -> None:
    """Remove installed packages except NumPy from Python's path.

    So they are missing on every machine, also where they are installed.
    """
    installed = [place for place in sys.path if os.path.basename(place) in PACKAGES]
    sys.path[:] = [place for place in sys.path if place not in installed]
    sys.meta_path.append(NumPyFinder(installed))


def list_libraries() -> Iterator[tuple[str, int]]:
    """Yield the paths of shared libraries: their folders, or else single files."""
    folders = {f"{root}/{lib}" for root in ("", "/usr", "/usr/local") for lib in ("lib", "lib64")}
    folders |= {os.path.join(root, "lib") for root in (sys.prefix, sys.base_prefix)}
    with (
        contextlib.suppress(OSError),
        open("/proc/self/maps", encoding="utf-8", errors="surrogateescape") as maps,
    ):
        folders |= {os.path.dirname(line.split()[-1]) for line in maps if ".so" in line}
    for folder in {os.path.realpath(folder) for folder in folders}:
        if "-linux-" in os.path.basename(folder):
            yield folder, READ
            continue
        with contextlib.suppress(OSError), os.scandir(folder) as entries:
            for entry in entries:
                if ".so" in entry.name and entry.is_file(follow_symlinks=False):
                    yield entry.path, READ_FILE
