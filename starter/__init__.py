"""What you receive: the games and players that are provided, and the question files."""
