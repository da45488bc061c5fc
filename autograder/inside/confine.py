"""What a worker gives up before it loads student code. Nothing here needs root.

Resource limits; then, on Linux, `no_new_privs`, a Landlock rule set (files: read the interpreter
and the worker's own folder, write the temporary folder, nothing else) and a seccomp filter (no
network, no signals to others, no looking into other processes). Each part that the system lacks is
left out, and the answer says which are in force.
"""

import ctypes
import os
import struct
import sys

PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 38, 22, 2
LANDLOCK_CREATE_RULESET, LANDLOCK_ADD_RULE, LANDLOCK_RESTRICT_SELF = 444, 445, 446

# System calls that are refused: outright, or unless the first argument is the given one.
CALLS = {
    "x86_64": {
        "arch": 0xC000003E,
        "refused": [101, 310, 311, 425, 434, 438, 424, 321, 250, 248, 249, 129, 297],
        "socket": [41, 53],
        "signal": [62, 200, 234],
        "prlimit": [302],
    },
    "aarch64": {
        "arch": 0xC00000B7,
        "refused": [117, 270, 271, 425, 434, 438, 424, 280, 219, 217, 218, 138, 240],
        "socket": [198, 199],
        "signal": [129, 130, 131],
        "prlimit": [261],
    },
}
"""refused: ptrace, process_vm_readv and _writev, io_uring_setup, pidfd_open, pidfd_getfd,
pidfd_send_signal, bpf, keyctl, add_key, request_key, rt_sigqueueinfo, rt_tgsigqueueinfo;
socket and socketpair only AF_UNIX; kill, tkill, tgkill and prlimit64 only for the process itself"""


def confine(limits: dict, readable: list[str]) -> list[str]:
    """Confine this process and all its children for good; return the names of what is in force.

    limits:   by the name of the resource without RLIMIT_, e.g. {"NOFILE": 64}
    readable: folders that may be read besides the interpreter's own
    """
    in_force = []
    if set_limits(limits):
        in_force.append("limits")
    if sys.platform != "linux":
        return in_force
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0:
        in_force.append("no_new_privs")
    if restrict_files(libc, readable, writable=[os.getcwd()]):
        in_force.append("landlock")
    machine = CALLS.get(os.uname().machine)
    if machine is not None and filter_calls(libc, machine):
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
        try:
            resource.setrlimit(kind, (value, value))
        except (OSError, ValueError):
            pass  # macOS refuses some
    return True


def restrict_files(libc: ctypes.CDLL, readable: list[str], writable: list[str]) -> bool:
    """Let this process open only what it needs, by Landlock (Linux 5.13 and newer)."""
    version = libc.syscall(LANDLOCK_CREATE_RULESET, None, ctypes.c_size_t(0), 1)
    if version < 1:
        return False
    read = 1 << 0 | 1 << 2 | 1 << 3  # execute, read file, read directory
    every = (1 << 13) - 1 | (1 << 13 if version >= 2 else 0) | (1 << 14 if version >= 3 else 0)
    attributes = struct.pack("Q", every)
    rules = libc.syscall(
        LANDLOCK_CREATE_RULESET, attributes, ctypes.c_size_t(len(attributes)), ctypes.c_uint(0)
    )
    if rules < 0:
        return False
    interpreter = [sys.prefix, sys.base_prefix, os.path.realpath(sys.executable), *sys.path]
    system = ["/usr", "/lib", "/lib64", "/bin", "/etc/ld.so.cache", "/etc/localtime"]
    devices = ["/dev/null", "/dev/urandom", "/dev/random", "/dev/zero", "/dev/full"]
    write_file, read_file = 1 << 1, 1 << 2
    allowed = [(path, read) for path in (*readable, *interpreter, *system)]
    allowed += [(path, write_file | read_file) for path in devices]
    allowed += [(path, every & ~(1 << 6 | 1 << 11)) for path in writable]  # no device nodes
    for path, rights in allowed:
        try:
            file = os.open(path, os.O_PATH | os.O_CLOEXEC)
        except OSError:
            continue
        if not os.path.isdir(path):
            rights &= 1 << 0 | write_file | read_file  # directory rights don't apply to a file
        libc.syscall(
            LANDLOCK_ADD_RULE, rules, 1, struct.pack("=Qi", rights, file), ctypes.c_uint(0)
        )
        os.close(file)
    done = libc.syscall(LANDLOCK_RESTRICT_SELF, rules, ctypes.c_uint(0)) == 0
    os.close(rules)
    return done


def filter_calls(libc: ctypes.CDLL, machine: dict) -> bool:
    """Refuse the calls of `machine` with EPERM, by a seccomp filter in classic BPF."""
    load, equal, at_least, answer = 0x20, 0x15, 0x35, 0x06
    allow, refuse, kill = 0x7FFF0000, 0x00050001, 0x80000000
    number_at, arch_at, argument_at = 0, 4, 16

    def step(code: int, operand: int, if_true: int = 0, if_false: int = 0) -> bytes:
        return struct.pack("HBBI", code, if_true, if_false, operand)

    program = [
        step(load, arch_at),
        step(equal, machine["arch"], 1, 0),
        step(answer, kill),
        step(load, number_at),
        step(at_least, 0x40000000, 0, 1),  # the x32 calls would pass by the numbers below
        step(answer, kill),
    ]
    for call in machine["refused"]:
        program += [step(equal, call, 0, 1), step(answer, refuse)]
    af_unix, own = 1, os.getpid()
    for calls, allowed in (
        (machine["socket"], [af_unix]),
        (machine["signal"], [own]),
        (machine["prlimit"], [0, own]),
    ):
        for call in calls:
            # If it is another call, skip the argument's load, its tests and both answers.
            program.append(step(equal, call, 0, len(allowed) + 3))
            program.append(step(load, argument_at))
            for i, value in enumerate(allowed):
                program.append(step(equal, value, len(allowed) - i, 0))
            program += [step(answer, refuse), step(answer, allow)]
    program.append(step(answer, allow))
    code = ctypes.create_string_buffer(b"".join(program))
    filters = struct.pack("HxxxxxxQ", len(program), ctypes.addressof(code))
    return libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, filters, 0, 0) == 0
