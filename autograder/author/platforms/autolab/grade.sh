#!/bin/sh
# Grade a submission for Autolab: feedback, and in the last line the scores as JSON. No network is
# used. An image that has the environment already, built by environment/Dockerfile, saves seconds.
# When the grader fails there is no such line, and Autolab stores no score.

here=$(cd "$(dirname "$0")" && pwd)
python=${GRADER_PYTHON:-/opt/adversarial-search/bin/python}
if [ ! -x "$python" ]; then
    python=$here/.environment/bin/python
    [ -x "$python" ] || sh "$here/environment/install.sh" "$here/.environment" 2>&1 || exit 1
fi

submission=$here/$1
cd "$here/grader" || exit 1
"$python" -m autograder grade "$submission" --format autolab 2>"$here/grader.log"
status=$?
[ "$status" -eq 0 ] || tail -n 5 "$here/grader.log"
exit "$status"
