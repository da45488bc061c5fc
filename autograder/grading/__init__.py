"""Grade one submission: run the graded tests in pytest, then explain failures."""
