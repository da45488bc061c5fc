"""The complete question files: the instructor's only, never shipped."""
