"""Pin what the autograder's zip installs besides pyproject.toml's pins: `make lock`.

Gradescope installs these packages when it builds the image. pyproject.toml pins those that the
project names; this writes the newest versions of those that they need in turn, and of what builds
them, so that an image built next year is the same.
"""

import subprocess
import sys

from packaging.requirements import Requirement

from autograder.author.wheels import BUILDS_OLD_PACKAGES, LOCK, read_project
from autograder.feedback.report import write_atomically

OLDEST = "3.10"  # the Python of Gradescope's image
HEADER = "# Written by `make lock`: what grading installs besides the pins of pyproject.toml.\n"


def main() -> int:
    project = read_project()
    direct = project["project"]["dependencies"]
    wanted = [*direct, *project["build-system"]["requires"], BUILDS_OLD_PACKAGES]
    command = [sys.executable, "-m", "uv", "pip", "compile", "-", "--quiet"]
    command += ["--no-header", "--no-annotate", "--python-platform=linux"]
    command += [f"--python-version={OLDEST}"]
    command += [f"--no-emit-package={Requirement(one).name}" for one in direct]
    done = subprocess.run(command, input="\n".join(wanted), capture_output=True, text=True)
    if done.returncode:
        print(f"nothing was written: {done.stderr.strip()[-300:]}", file=sys.stderr)
        return 2
    write_atomically(LOCK, HEADER + done.stdout)
    print(f"written: {LOCK.name}, {len(done.stdout.splitlines())} packages")
    return 0


if __name__ == "__main__":
    sys.exit(main())
