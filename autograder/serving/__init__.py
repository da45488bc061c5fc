"""Serves games to the worker, records what a search asks for, and reads the cases."""
