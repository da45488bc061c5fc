"""Run the command line, after checking that this Python has all that it needs."""

import os
import shlex
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PYTHON = os.path.join(".venv", *(("Scripts", "python") if os.name == "nt" else ("bin", "python")))
NEEDED = ["gradescope_utils", "numpy", "pytest", "timeout_decorator"]
NEEDED += ["tomli"] if sys.version_info < (3, 11) else []


def explain_wrong_python() -> str:
    """Say in one line why this Python is unusable, and which is usable; '' if it is."""
    import importlib.util  # here, because a file may hide what it imports

    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if not missing and (3, 10) <= sys.version_info < (3, 15):
        return ""
    version = f"is {sys.version_info[0]}.{sys.version_info[1]}, not 3.10 to 3.14"
    this = f"this Python, {sys.executable}, {f'has no {missing[0]}' if missing else version}"
    venv = os.path.join(ROOT, ".venv")
    if os.path.realpath(sys.prefix) == os.path.realpath(venv):
        return f"{this}: in {ROOT} type {PYTHON} -m pip install ."
    if os.path.exists(venv):
        here = os.path.realpath(os.getcwd()) == os.path.realpath(ROOT)
        module = ["-m", "autograder"] if here else [os.path.join(ROOT, "autograder")]
        python = PYTHON if here else os.path.join(ROOT, PYTHON)
        join = subprocess.list2cmdline if os.name == "nt" else shlex.join
        return f"{this}; the project's is {PYTHON}: {join([python, *module, *sys.argv[1:]])}"
    return f"{this}; README.md says how to build the environment .venv"


def explain_wrong_setting() -> str:
    """Say in one line what hides Python's own modules, or its `assert`; "" if nothing does."""
    if sys.flags.optimize:
        return "PYTHONOPTIMIZE or -O is set: unset it, because graded tests need assert and titles"
    library = os.path.dirname(os.__file__)
    earlier = sys.path[: sys.path.index(library)] if library in sys.path else []
    for place in filter(os.path.isdir, earlier):
        for file in sorted(os.listdir(place)):
            name, ending = os.path.splitext(file)
            if ending == ".py" and name in sys.stdlib_module_names - {"test", "this"}:
                file = os.path.join(place, file)
                return f"{file} hides Python's own module {name}: give it another name"
    return ""


def main() -> int:
    if not __package__:  # of `python path/to/autograder`
        sys.path[0] = ROOT
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # it was closed
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")
    try:
        if problem := explain_wrong_setting() or explain_wrong_python():
            print(f"can't begin: {problem}", file=sys.stderr)
            return 2
        try:
            from starter import games, players  # noqa: F401
        except Exception as problem:  # a changed file may raise anything
            what = f"({type(problem).__name__}: {problem})"
            why = f"a provided file in starter/ can't be loaded {what}"
            hint = "take players.py and games/ from the zip again"
            print(f"can't begin: {why}: {hint}", file=sys.stderr)
            return 2
        from autograder import command_line
        from autograder.commands import TYPED

        if sys.argv[1:2] not in (["grade"], ["class"]):  # others read what these print
            os.environ.setdefault(TYPED, "python")
        status = command_line.main()
        sys.stdout.flush()
        return status
    except OSError as problem:
        if problem.filename is not None:  # not of the output
            raise
        print(f"the output can't be written: {problem.strerror}", file=sys.stderr)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # for what is still to be written
        return 1
    except KeyboardInterrupt:
        print("\nstopped", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
