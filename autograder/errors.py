"""Errors that end a whole command."""


class UsageError(Exception):
    """What the user asked for can't be done; the text is one line that says why."""
