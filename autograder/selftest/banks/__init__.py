"""Tests of the banks of submissions."""
