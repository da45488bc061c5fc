"""What only Gradescope needs: `setup.sh`, `run_autograder`, and the grading it starts."""
