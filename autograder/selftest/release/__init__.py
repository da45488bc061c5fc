"""Tests of what is released."""
