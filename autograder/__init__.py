"""Grade submissions: `python -m autograder --help`."""
