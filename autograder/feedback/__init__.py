"""From findings to points and words: the report, in the terminal, as JSON and as a page."""
