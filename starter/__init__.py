"""What you receive: the provided games and players, and the question files."""
