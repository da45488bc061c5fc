"""Writes the public cases."""

from autograder.author.cases import PUBLIC_SEED, write_cases
from autograder.cases import FOLDER

if __name__ == "__main__":
    print("making the cases, and trying known mistakes on them: one or two minutes", flush=True)
    write_cases(PUBLIC_SEED, FOLDER, public=True)
