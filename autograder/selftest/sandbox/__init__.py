"""Tests of what confines student code."""
