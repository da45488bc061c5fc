"""Tests of the provided games and players."""
