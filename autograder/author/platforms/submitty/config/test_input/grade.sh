#!/bin/sh
# Grade a submission for Submitty, in the image of image/Dockerfile: the first test case runs this in
# the folder with the submission, grader.tar and this file. It writes submitty.json, which
# custom_validation_code/validate.py reads for each question.

here=$(cd "$(dirname "$0")" && pwd)
python=${GRADER_PYTHON:-/opt/adversarial-search/bin/python}

mkdir -p "$here/.grading/submission" && chmod 0700 "$here/.grading" || exit 1
for file in "$here"/*; do
    case ${file##*/} in
    grade.sh | grader.tar | STD*.txt | *.json | execute_logfile.txt) ;;
    *) cp -R "$file" "$here/.grading/submission/" ;;
    esac
done
tar xf "$here/grader.tar" -C "$here/.grading" && cd "$here/.grading/grader" || exit 1
"$python" -m autograder grade "$here/.grading/submission" --format "submitty=$here/submitty.json"
status=$?
rm -rf "$here/.grading"
exit "$status"
