"""What a worker gives up before it loads student code. Nothing here needs root.

Resource limits; then, on Linux, all capabilities, `no_new_privs`, a Landlock rule set (files: read
the interpreter and the worker's own folder, nothing else; no TCP; no signals to others) and a
seccomp filter (no new processes, no sockets, no signals to others, no looking into other processes,
no changing of files' modes, nothing that outlives the process). Each part that the system lacks is
left out, and the answer says which are in force.
"""

import contextlib
import ctypes
import os
import signal
import struct
import sys

PR_SET_PDEATHSIG, PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 1, 38, 22, 2
LANDLOCK_CREATE_RULESET, LANDLOCK_ADD_RULE, LANDLOCK_RESTRICT_SELF = 444, 445, 446
CAPABILITIES_V3 = 0x20080522

ARCHITECTURES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}  # and column below
# System calls by their numbers on x86_64 and aarch64 (None: that machine has no such call).
REFUSED = {
    # new processes
    "fork": (57, None),
    "vfork": (58, None),
    "execve": (59, 221),
    "execveat": (322, 281),
    # the network, and whatever might lead there
    "socket": (41, 198),
    "socketpair": (53, 199),
    "io_uring_setup": (425, 425),
    # other processes
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "process_madvise": (440, 440),
    "process_mrelease": (448, 448),
    "kcmp": (312, 272),
    "pidfd_open": (434, 434),
    "pidfd_getfd": (438, 438),
    "pidfd_send_signal": (424, 424),
    "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240),
    "setpriority": (141, 140),
    "ioprio_set": (251, 30),
    "sched_setaffinity": (203, 122),
    "sched_setparam": (142, 118),
    "sched_setscheduler": (144, 119),
    "sched_setattr": (314, 274),
    "migrate_pages": (256, 238),
    "move_pages": (279, 239),
    # what Landlock lets the owner of a file do to it
    "chmod": (90, None),
    "fchmod": (91, 52),
    "fchmodat": (268, 53),
    "fchmodat2": (452, 452),
    "chown": (92, None),
    "lchown": (94, None),
    "fchown": (93, 55),
    "fchownat": (260, 54),
    "utime": (132, None),
    "utimes": (235, None),
    "futimesat": (261, None),
    "utimensat": (280, 88),
    "setxattr": (188, 5),
    "lsetxattr": (189, 6),
    "fsetxattr": (190, 7),
    "removexattr": (197, 14),
    "lremovexattr": (198, 15),
    "fremovexattr": (199, 16),
    "setxattrat": (463, 463),
    "removexattrat": (466, 466),
    "file_setattr": (469, 469),
    # what stays when the process has ended, or belongs to others
    "shmget": (29, 194),
    "shmat": (30, 196),
    "shmctl": (31, 195),
    "semget": (64, 190),
    "semop": (65, 193),
    "semtimedop": (220, 192),
    "semctl": (66, 191),
    "msgget": (68, 186),
    "msgsnd": (69, 189),
    "msgrcv": (70, 188),
    "msgctl": (71, 187),
    "mq_open": (240, 180),
    "mq_unlink": (241, 181),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    # large parts of the kernel that no search needs
    "unshare": (272, 97),
    "setns": (308, 268),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
}
# Calls of which one argument, by its place, must have (or must not have) one of some values.
SIGNALS = {"kill": (62, 129), "tkill": (200, 130), "tgkill": (234, 131)}
PRLIMIT, PRCTL, FCNTL, IOCTL = (302, 261), (157, 167), (72, 25), (16, 29)
F_SETOWN, F_SETOWN_EX, F_SETLEASE, F_NOTIFY = 8, 15, 1024, 1026
FIOSETOWN, SIOCSPGRP, TIOCSTI = 0x8901, 0x8902, 0x5412
FS_IOC_SETFLAGS, FS_IOC_FSSETXATTR = 0x40086602, 0x401C5820
CLONE, CLONE3, CLONE_THREAD = (56, 220), (435, 435), 0x10000


def confine(limits: dict, readable: list[str]) -> list[str]:
    """Confine this process and all its threads for good; return the names of what is in force.

    limits:   by the name of the resource without RLIMIT_, e.g. {"NOFILE": 64}
    readable: folders that may be read besides the interpreter's own
    """
    in_force = []
    if sys.platform == "linux":
        libc = ctypes.CDLL(None, use_errno=True)
        libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)  # die with the grader
        if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0:
            in_force.append("no_new_privs")
        if drop_capabilities(libc):
            in_force.append("capabilities")
        if restrict_files(libc, readable):
            in_force.append("landlock")
    if set_limits(limits):
        in_force.append("limits")
    if sys.platform == "linux":
        architecture, column = ARCHITECTURES.get(os.uname().machine, (0, 0))
        if architecture and filter_calls(libc, architecture, column):
            in_force.append("seccomp")
    return in_force


def set_limits(limits: dict) -> bool:
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


def drop_capabilities(libc: ctypes.CDLL) -> bool:
    """Where student code must run as root, let it be a root that may do no more than others."""
    header = struct.pack("Ii", CAPABILITIES_V3, 0)
    return libc.syscall(126 if os.uname().machine == "x86_64" else 91, header, bytes(24)) == 0


def restrict_files(libc: ctypes.CDLL, readable: list[str]) -> bool:
    """Let this process open only what it needs, for reading, by Landlock (Linux 5.13 and newer)."""
    version = libc.syscall(LANDLOCK_CREATE_RULESET, None, ctypes.c_size_t(0), 1)
    if version < 1:
        return False
    write_file, read_file, read_folder = 1 << 1, 1 << 2, 1 << 3
    files = (1 << 13) - 1  # all rights that the first version knew; some versions brought one more
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
    interpreter = [sys.prefix, sys.base_prefix, os.path.realpath(sys.executable), *sys.path]
    system = ["/usr", "/lib", "/lib64", "/bin", "/etc/ld.so.cache", "/etc/localtime"]
    devices = ["/dev/null", "/dev/urandom", "/dev/random", "/dev/zero", "/dev/full"]
    allowed = [(path, read_file | read_folder) for path in (*readable, *interpreter, *system)]
    allowed += [(path, write_file | read_file) for path in devices]
    for path, rights in allowed:
        try:
            file = os.open(path, os.O_PATH | os.O_CLOEXEC)
        except OSError:
            continue
        if not os.path.isdir(path):
            rights &= ~read_folder  # it does not apply to a file
        libc.syscall(
            LANDLOCK_ADD_RULE, rules, 1, struct.pack("=Qi", rights, file), ctypes.c_uint(0)
        )
        os.close(file)
    done = libc.syscall(LANDLOCK_RESTRICT_SELF, rules, ctypes.c_uint(0)) == 0
    os.close(rules)
    return done


def filter_calls(libc: ctypes.CDLL, architecture: int, column: int) -> bool:
    """Refuse the calls above with EPERM, by a seccomp filter in classic BPF."""
    load, equal, at_least, any_bit, answer = 0x20, 0x15, 0x35, 0x45, 0x06
    allow, kill = 0x7FFF0000, 0x80000000
    refuse, unknown = 0x00050000 | 1, 0x00050000 | 38  # EPERM, ENOSYS
    number_at, architecture_at, arguments_at = 0, 4, 16

    def step(code: int, operand: int, if_true: int = 0, if_false: int = 0) -> bytes:
        return struct.pack("HBBI", code, if_true, if_false, operand)

    def on_argument(call: int, place: int, test: int, values: list[int], yes: int, no: int) -> list:
        """For this call: answer `yes` if the test holds for one of the values, else `no`."""
        steps = [step(equal, call, 0, len(values) + 3)]  # another call: skip all of this
        steps.append(step(load, arguments_at + 8 * place))
        steps += [step(test, value, len(values) - i, 0) for i, value in enumerate(values)]
        return [*steps, step(answer, no), step(answer, yes)]

    program = [
        step(load, architecture_at),
        step(equal, architecture, 1, 0),
        step(answer, kill),
        step(load, number_at),
        step(at_least, 0x40000000, 0, 1),  # x86_64's x32 calls would pass by the numbers below
        step(answer, kill),
        step(equal, CLONE3[column], 0, 1),
        step(answer, unknown),  # its flags can't be seen; the C library then uses clone
    ]
    for numbers in REFUSED.values():
        call = numbers[column]
        if call is not None:
            program += [step(equal, call, 0, 1), step(answer, refuse)]
    own = os.getpid()
    program += on_argument(CLONE[column], 0, any_bit, [CLONE_THREAD], allow, refuse)
    for numbers in SIGNALS.values():
        program += on_argument(numbers[column], 0, equal, [own], allow, refuse)
    program += on_argument(PRLIMIT[column], 0, equal, [0, own], allow, refuse)
    program += on_argument(PRCTL[column], 0, equal, [PR_SET_PDEATHSIG], refuse, allow)
    signalling = [F_SETOWN, F_SETOWN_EX, F_SETLEASE, F_NOTIFY]
    program += on_argument(FCNTL[column], 1, equal, signalling, refuse, allow)
    changing = [FIOSETOWN, SIOCSPGRP, TIOCSTI, FS_IOC_SETFLAGS, FS_IOC_FSSETXATTR]
    program += on_argument(IOCTL[column], 1, equal, changing, refuse, allow)
    program.append(step(answer, allow))
    code = ctypes.create_string_buffer(b"".join(program))
    filters = struct.pack("HxxxxxxQ", len(program), ctypes.addressof(code))
    return libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, filters, 0, 0) == 0
