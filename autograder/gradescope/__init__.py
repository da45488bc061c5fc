"""Code for Gradescope only: `setup.sh`, `run_autograder`, and the grading itself."""
