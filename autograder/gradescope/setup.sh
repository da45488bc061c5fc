#!/usr/bin/env bash
# Gradescope runs this once, as root, when it builds the image; it may be run again.
# Everything that grading needs goes into an environment of its own, which the worker's user may
# read too; the system's Python, on which Gradescope itself runs, stays as it is.
set -euo pipefail

source=/autograder/source
environment=/opt/adversarial-search

if ! python3 -c 'import ensurepip, venv' 2>/dev/null; then
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -q
    apt-get install -q -y --no-install-recommends python3-venv
fi
umask 022
python3 -m venv "$environment"
export PIP_CONSTRAINT="$source/requirements.lock"  # also for what builds packages
"$environment/bin/python" -m pip install --quiet --no-cache-dir --disable-pip-version-check "$source"
chmod 0700 "$source"
cd "$source"
# The stubs earn nothing; this ends the set-up if student code can't run here.
"$environment/bin/python" -m autograder grade starter
echo "the autograder is set up, on $("$environment/bin/python" --version)"
