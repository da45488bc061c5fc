"""Grade a whole class and analyse the results; for instructors, never shipped."""
