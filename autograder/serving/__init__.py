"""Serve games to the worker, record the requests of a search, and read the cases."""
