"""Grade a submission on Classroom 50, whose runner starts this in the student's checkout.

It writes result.json and release-body.md there. Any other exit status than 0 says that the grader,
and not the student, failed. Everybody can read this folder: it holds the public cases only.
"""

import os
import subprocess
import sys
from pathlib import Path

GRADER = Path(__file__).resolve().parent / "grader"
CHECKOUT = Path.cwd()
ENVIRONMENT = Path(os.environ.get("RUNNER_TEMP") or GRADER.parent, "adversarial-search")
PYTHON = ENVIRONMENT / "bin" / "python"


def main() -> int:
    quiet = ["--quiet", "--disable-pip-version-check"]
    for command in (
        [sys.executable, "-m", "venv", str(ENVIRONMENT)],
        [str(PYTHON), "-m", "pip", "install", *quiet, str(GRADER)],
    ):
        subprocess.run(command, check=True)
    outputs = [
        f"classroom50={CHECKOUT / 'result.json'}",
        f"markdown={CHECKOUT / 'release-body.md'}",
    ]
    command = [str(PYTHON), "-m", "autograder", "grade", str(CHECKOUT)]
    command += [f"--format={output}" for output in outputs]
    return subprocess.run(command, cwd=GRADER).returncode


if __name__ == "__main__":
    sys.exit(main())
