#!/bin/bash
# Moodle's VPL runs this to make vpl_execution, which prints comments and the grade. Upload it and
# grader.tar as execution files, and keep grader.tar while running.

here=$(cd "$(dirname "$0")" && pwd)
python=${GRADER_PYTHON:-/opt/adversarial-search/bin/python}

mkdir -p "$here/.grading/submission" && chmod 0700 "$here/.grading" || exit 1
cp -- "$here"/*.py "$here"/submission.zip "$here/.grading/submission/" 2>/dev/null
tar xf "$here/grader.tar" -C "$here/.grading" && cd "$here/.grading/grader" || exit 1
"$python" -m autograder grade "$here/.grading/submission" --format "vpl=$here/vpl.txt" >/dev/null
rm -rf "$here/.grading"
printf '#!/bin/sh\ncat "$(dirname "$0")/vpl.txt"\n' >"$here/vpl_execution"
chmod +x "$here/vpl_execution"
