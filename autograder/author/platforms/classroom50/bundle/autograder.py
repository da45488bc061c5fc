"""Grade a submission on Classroom 50, whose runner starts this in the student's checkout.

It writes result.json and release-body.md there. Any other exit status than 0 says that the grader,
and not the student, failed. Everybody can read this folder: it holds the public cases only.
"""

import os
import subprocess
import sys
import venv
from pathlib import Path

GRADER = Path(__file__).resolve().parent / "grader"
CHECKOUT = Path.cwd()
ENVIRONMENT = Path(os.environ.get("RUNNER_TEMP") or GRADER.parent, "adversarial-search")

venv.create(ENVIRONMENT, symlinks=True, with_pip=True)  # a copy may miss its libraries
python = str(ENVIRONMENT / "bin" / "python")
install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
subprocess.run([*install, str(GRADER)], check=True)
grade = [python, "-m", "autograder", "grade", str(CHECKOUT)]
grade += [f"--format=classroom50={CHECKOUT / 'result.json'}"]
grade += [f"--format=markdown={CHECKOUT / 'release-body.md'}"]
sys.exit(subprocess.run(grade, cwd=GRADER).returncode)
