"""Judge searches of a game tree: one served search, or many answers of local games."""
