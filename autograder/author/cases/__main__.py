"""Write the public cases of one question or of all."""

import argparse
import sys

from autograder.author.cases import PUBLIC_SEED, write_cases
from autograder.questions import QUESTIONS, find_question
from autograder.serving.case_files import SHIPPED_CASES


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m autograder.author.cases")
    numbers = [row.number for row in QUESTIONS]
    parser.add_argument("--question", choices=numbers, help="only this one's")
    question = parser.parse_args().question
    questions = [find_question(question)] if question else QUESTIONS
    print("making the cases, and trying known mistakes on them: a minute or two", flush=True)
    try:
        write_cases(PUBLIC_SEED, SHIPPED_CASES, public=True, questions=questions)
    except ValueError as problem:
        print(f"nothing was written: {problem}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
