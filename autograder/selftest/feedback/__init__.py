"""Tests of the messages to students."""
