#!/bin/sh
# Install what grading needs into a folder (default: /opt/adversarial-search), from the wheels beside
# this file. Neither a network nor the system's own pip is used.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
target=${1:-/opt/adversarial-search}
umask 022 # student code runs as another user, who has to read it
"${PYTHON:-python3}" -m venv --without-pip "$target"
set -- "$here"/wheels/pip-*.whl
"$target/bin/python" "$1/pip" --isolated install --quiet --no-index --find-links "$here/wheels" \
    --no-cache-dir --disable-pip-version-check "$here"
