"""Tests of what a student is told."""
