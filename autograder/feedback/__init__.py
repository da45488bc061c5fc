"""Turn findings into points and words, in the terminal, as JSON and as a page."""
