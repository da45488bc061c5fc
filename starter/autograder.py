"""Found by `python -m autograder` in this folder, which is the wrong one."""

raise SystemExit("the tests are run in the folder above: cd ..")
