"""Remove POSIX-only APIs, to test the students' commands as on Windows.

It is imported before the project, and also copied into worker.py, which `try` imports.
"""

import importlib
import os
import select
import signal
import subprocess
import sys
from functools import partial

# These adapt to the real system, so they are imported first; a worker does not need them.
if __name__ == "emulate_windows":
    for _module in ("multiprocessing.reduction", "numpy", "pytest", "tempfile"):
        importlib.import_module(_module)
if hasattr(os, "sched_setaffinity"):  # grader and worker take turns: on one core both wait less
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
_kill = os.kill
subprocess.Popen.kill = lambda self: _kill(self.pid, 9)  # type: ignore[method-assign]
for _module in ("fcntl", "grp", "posix", "pty", "pwd", "resource", "syslog", "termios", "tty"):
    sys.modules[_module] = None  # type: ignore[assignment]
for _where, _names in (
    (os, ("fork", "forkpty", "setsid", "killpg", "getpgid", "setuid", "setgid", "setgroups")),
    (os, ("getuid", "geteuid", "getgid", "getegid", "uname", "getloadavg", "nice", "sysconf")),
    (os, ("sched_getaffinity", "sched_setaffinity", "chown", "lchown", "mkfifo", "mknod")),
    (os, ("O_NOFOLLOW", "O_CLOEXEC", "O_PATH", "O_NONBLOCK", "statvfs", "setpriority", "chroot")),
    (os, ("set_blocking", "get_blocking")),
    (signal, ("SIGALRM", "SIGKILL", "SIGHUP", "SIGSTOP", "SIGCONT", "SIGCHLD", "SIGUSR1")),
    (signal, ("SIGPIPE", "alarm", "setitimer", "pthread_sigmask", "sigwait", "pthread_kill")),
    (select, ("poll", "epoll")),
):
    for _name in filter(partial(hasattr, _where), _names):
        delattr(_where, _name)
sys.platform = "win32"
# Here the Python of an environment starts no other one.
vars(sys)["_base_executable"] = sys.executable
