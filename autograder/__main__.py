"""`python -m autograder`: the command line, once all provided files are known to be there."""

import sys


def main() -> int:
    try:
        from starter import games, players  # noqa: F401
    except Exception as problem:  # whatever a changed file may raise
        where = f"a provided file in starter/ can't be loaded ({type(problem).__name__}: {problem})"
        print(f"can't begin: {where}: take players.py and games/ anew", file=sys.stderr)
        return 2
    from autograder import command_line

    return command_line.main()


if __name__ == "__main__":
    sys.exit(main())
