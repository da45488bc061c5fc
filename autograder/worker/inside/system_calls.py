"""Refuse the system calls that a worker may not make, by a seccomp filter."""

import ctypes
import os
import re
import struct
import sys

PR_SET_PDEATHSIG = 1
SECCOMP, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC = (317, 277), 1, 1

ARCHITECTURES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}  # and their column below
# System calls, each with its numbers on x86_64 and aarch64 (-: that machine has no such call).
NUMBERS = """
new processes and threads:
fork 57 -, vfork 58 -, clone 56 220, execve 59 221, execveat 322 281

the network, and anything that might lead to it:
socket 41 198, socketpair 53 199

other processes (the SIGCONT of a timer would wake a player that is not to move):
ptrace 101 117, process_vm_readv 310 270, process_vm_writev 311 271, kcmp 312 272,
rt_sigqueueinfo 129 138, rt_tgsigqueueinfo 297 240, setpriority 141 140, ioprio_set 251 30,
timer_create 222 107, sched_setaffinity 203 122, sched_setparam 142 118,
sched_setscheduler 144 119, sched_setattr 314 274, migrate_pages 256 238, move_pages 279 239

files made, moved and removed (Landlock knows these, but not every kernel has it):
creat 85 -, mknod 133 -, mknodat 259 33, mkdir 83 -, mkdirat 258 34, rmdir 84 -, link 86 -,
linkat 265 37, symlink 88 -, symlinkat 266 36, unlink 87 -, unlinkat 263 35, rename 82 -,
renameat 264 38, renameat2 316 276, memfd_create 319 279

operations on a file by its owner, or without a path, that some version of Landlock allows:
truncate 76 45, ftruncate 77 46, chmod 90 -, fchmod 91 52, fchmodat 268 53, chown 92 -,
lchown 94 -, fchown 93 55, fchownat 260 54, utime 132 -, utimes 235 -, futimesat 261 -,
utimensat 280 88, setxattr 188 5, lsetxattr 189 6, fsetxattr 190 7, removexattr 197 14,
lremovexattr 198 15, fremovexattr 199 16, name_to_handle_at 303 264, open_by_handle_at 304 265

other operations on files and the disk (fallocate fills the disk, and cuts holes into files):
inotify_init 253 -, inotify_init1 294 26, fanotify_init 300 262, quotactl 179 60,
sync 162 81, syncfs 306 267, fsync 74 82, fdatasync 75 83, sync_file_range 277 84,
msync 26 227, readahead 187 213, fadvise64 221 223, fallocate 285 47, flock 73 32

objects that outlive the process, or belong to others:
shmget 29 194, shmat 30 196, shmctl 31 195, semget 64 190, semop 65 193, semtimedop 220 192,
semctl 66 191, msgget 68 186, msgsnd 69 189, msgrcv 70 188, msgctl 71 187, mq_open 240 180,
mq_unlink 241 181, add_key 248 217, request_key 249 218, keyctl 250 219

large parts of the kernel that no search needs:
unshare 272 97, setns 308 268, bpf 321 280, perf_event_open 298 241, userfaultfd 323 282,
io_setup 206 0, syslog 103 116
"""
Numbers = tuple[int | None, int | None]
REFUSED: dict[str, Numbers] = {
    name: (int(x86_64), None if aarch64 == "-" else int(aarch64))
    for name, x86_64, aarch64 in re.findall(r"(\w+) (\d+) (\d+|-)", NUMBERS)
}
# From here on calls have the same number on every machine, and programs do not depend on them,
# because older kernels lack them. All but close_range and faccessat2 are refused: pidfd_*,
# io_uring_*, openat2 and clone3, whose flags can't be inspected, and any future call.
NEWER, NEWER_ALLOWED = 424, (436, 439)
# Calls that are allowed depending on one argument.
SIGNALS = {"kill": (62, 129), "tkill": (200, 130), "tgkill": (234, 131)}
PRLIMIT, PRCTL, FCNTL, IOCTL = (302, 261), (157, 167), (72, 25), (16, 29)
OPEN, OPENAT = (2, None), (257, 56)
ACCESS, O_CREAT, O_TRUNC, O_TMPFILE = 0o3, 0o100, 0o1000, 0o20000000
# Landlock checks truncation as writing. Access 3 is neither reading nor writing.
CUTTING = [O_TRUNC | os.O_RDONLY, ACCESS, O_TRUNC | ACCESS]
# F_DUPFD to F_GETLK, and F_DUPFD_CLOEXEC: no locks, no signals to others, no leases
FCNTL_ALLOWED = [*range(6), 1030]
IOCTL_ALLOWED = [0x5450, 0x5451, 0x5421, 0x541B]  # FIONCLEX, FIOCLEX, FIONBIO, FIONREAD
EPERM, ENOTTY, ENOSYS = 1, 25, 38


def refuse_calls(landlock: bool) -> bool:
    """Permanently refuse all threads unneeded system calls; return whether it worked.

    landlock: is Landlock in force? Otherwise files can be opened for reading only.

    The filter is a program in classic BPF.
    """
    if sys.platform != "linux" or os.uname().machine not in ARCHITECTURES:
        return False
    libc = ctypes.CDLL(None, use_errno=True)
    architecture, column = ARCHITECTURES[os.uname().machine]
    unseen = O_TMPFILE if landlock else O_TMPFILE | O_CREAT | O_TRUNC | ACCESS
    load, mask, equal, at_least, any_bit, answer = 0x20, 0x54, 0x15, 0x35, 0x45, 0x06
    allow, kill = 0x7FFF0000, 0x80000000
    refuse, no_device, unknown = (0x00050000 | error for error in (EPERM, ENOTTY, ENOSYS))
    number_at, architecture_at, arguments_at, all_bits = 0, 4, 16, 0xFFFFFFFF

    def step(code: int, operand: int, if_true: int = 0, if_false: int = 0) -> bytes:
        return struct.pack("HBBI", code, if_true, if_false, operand)

    def on_argument(
        numbers: Numbers, place: int, bits: int, values: list[int], listed: int, others: int
    ) -> list[bytes]:
        """Filter a call by these bits of an argument: listed values, or all others."""
        call = numbers[column]
        if call is None:
            return []
        steps = [step(equal, call, 0, len(values) + 4)]  # another call: skip these steps
        steps += [step(load, arguments_at + 8 * place), step(mask, bits)]
        steps += [step(equal, value, len(values) - i, 0) for i, value in enumerate(values)]
        return [*steps, step(answer, others), step(answer, listed)]

    def on_flags(numbers: Numbers, place: int) -> list[bytes]:
        """Filter a call that opens a file: refuse flags that Landlock does not check."""
        call = numbers[column]
        if call is None:
            return []
        steps = [step(equal, call, 0, 4), step(load, arguments_at + 8 * place)]
        steps += [step(any_bit, unseen, 0, 1), step(answer, refuse), step(load, number_at)]
        return [*steps, *on_argument(numbers, place, O_TRUNC | ACCESS, CUTTING, refuse, allow)]

    program = [
        step(load, architecture_at),
        step(equal, architecture, 1, 0),
        step(answer, kill),
        step(load, number_at),
        step(at_least, 0x40000000, 0, 1),  # x86_64's x32 calls would evade the numbers below
        step(answer, kill),
        step(at_least, NEWER, 0, 2 * len(NEWER_ALLOWED) + 1),
    ]
    for call in NEWER_ALLOWED:
        program += [step(equal, call, 0, 1), step(answer, allow)]
    program.append(step(answer, unknown))
    for numbers in REFUSED.values():
        number = numbers[column]
        if number is not None:
            program += [step(equal, number, 0, 1), step(answer, refuse)]
    own = os.getpid()
    for numbers in SIGNALS.values():
        program += on_argument(numbers, 0, all_bits, [own], allow, refuse)
    program += on_argument(PRLIMIT, 0, all_bits, [0, own], allow, refuse)
    program += on_argument(PRCTL, 0, all_bits, [PR_SET_PDEATHSIG], refuse, allow)
    program += on_flags(OPEN, 1) + on_flags(OPENAT, 2)
    program += on_argument(FCNTL, 1, all_bits, FCNTL_ALLOWED, allow, refuse)
    program += on_argument(IOCTL, 1, all_bits, IOCTL_ALLOWED, allow, no_device)
    program.append(step(answer, allow))
    code = ctypes.create_string_buffer(b"".join(program))
    filters = struct.pack("HxxxxxxQ", len(program), ctypes.addressof(code))
    flags = ctypes.c_uint(SECCOMP_FILTER_FLAG_TSYNC)
    return bool(libc.syscall(SECCOMP[column], SECCOMP_SET_MODE_FILTER, flags, filters) == 0)
