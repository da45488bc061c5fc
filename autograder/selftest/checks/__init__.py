"""Tests of how answers are judged."""
