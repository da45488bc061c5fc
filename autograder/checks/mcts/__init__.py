"""Judge Monte Carlo tree search: its phases, its playouts and its final choice."""
