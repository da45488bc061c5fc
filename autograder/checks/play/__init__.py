"""Judge games and players, one move at a time."""
